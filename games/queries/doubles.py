"""Accounts that may belong to one person, by signs that can be named; never a verdict by
themselves. Brothers share a server, and two people a name."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from games.models import Address, Player

NEAR = dt.timedelta(hours=1)
SHARED = 4
"""A mail server with more players than this is a large provider, and proves nothing."""
COMPARED = 300
_LETTERS = re.compile(r"[^a-z]+")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Another account, and each sign, as a sentence, that it belongs to the same person."""

    player: Player
    signs: tuple[str, ...]


def likely_doubles(player: Player) -> list[Likeness]:
    """Return the accounts that share at least two signs with this one, the most alike first."""
    mine = _Known(player)
    found = [Likeness(other, tuple(mine.signs(other))) for other in mine.candidates()]
    alike = [one for one in found if len(one.signs) > 1]
    return sorted(alike, key=lambda one: (-len(one.signs), one.player.pk))


class _Known:
    """What is known of an account, to compare others with."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.words = set(_words(player.name))
        parts = [email.partition("@") for email in _emails(player)]
        self.roots = {_root(local) for local, _, _ in parts}
        self.small = {server for server in {one for _, _, one in parts} if _is_small(server)}

    def candidates(self) -> Iterable[Player]:
        """Those who share the server, if few use it; or who registered within the hour; or who
        share both a word of the name and the beginning of an address. Any two signs include one of
        these three."""
        at = self.player.created_at
        near = Q(created_at__range=(at - NEAR, at + NEAR))
        for server in self.small:
            near |= Q(pk__in=_at(server).values("player"))
        begun = self._begun()
        named = [Q(name__icontains=word) for word in self.words]
        if begun and named:
            near |= Q(pk__in=begun.values("player")) & reduce(or_, named)
        others = Player.objects.filter(near, merged_into=None).exclude(pk=self.player.pk)
        return others.prefetch_related("addresses").order_by("-pk")[:COMPARED]

    def _begun(self) -> QuerySet[Address] | None:
        """The addresses that begin like one of the player's."""
        begin = [Q(email__istartswith=root) for root in self.roots if root]
        return Address.objects.filter(reduce(or_, begin)) if begin else None

    def signs(self, other: Player) -> Iterable[str]:
        """Yield each sign that the other account belongs to the same person."""
        shared = self.words & set(_words(other.name))
        if _plain(self.player.name) == _plain(other.name):
            yield f"Both are called {other.name}."
        elif shared:
            yield f"Both names have “{min(shared)}” in them."
        parts = [email.partition("@") for email in _emails(other)]
        common = self.roots & {_root(local) for local, _, _ in parts}
        if len(shared) == 1:  # of two Carlas, carla1@ and carla2@ say no more than the names
            common -= shared
        if common:
            yield f"Addresses of both begin with “{min(common)}”."
        for server in sorted(self.small & {one for _, _, one in parts}):
            yield f"Both write from {server}, from which few others do."
        if abs(self.player.created_at - other.created_at) <= NEAR:
            yield "They registered within an hour of each other."


def _emails(player: Player) -> list[str]:
    return [one.email.lower() for one in player.addresses.all()]


def _is_small(server: str) -> bool:
    players = _at(server).order_by().values("player").distinct()
    return bool(server) and players[: SHARED + 1].count() <= SHARED


def _at(server: str) -> QuerySet[Address]:
    """The addresses at a mail server."""
    return Address.objects.filter(email__iendswith=f"@{server}")


def _root(local: str) -> str:
    """The letters of an address before digits, dots and whatever follows a plus."""
    return re.split(r"[+\d]", local.lower())[0].strip("._-") or local.lower()


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return _LETTERS.sub(" ", bare).strip()


def _words(name: str) -> list[str]:
    return [word for word in _plain(name).split() if len(word) > 3]
