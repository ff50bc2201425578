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
from typing import Any

from django.db.models import F, Q, QuerySet

from games.models import Address, Player

NEAR = dt.timedelta(hours=1)
SHARED = 4
"""A sign that more players than this share tells none of them apart: they use a large provider, or
a club registered in one evening."""
COMPARED = 300
"""We compare somebody with at most this many players, the newest first."""
_LETTERS = re.compile(r"[^a-z]+")
_WRITTEN = re.compile(r"\w+")


NAME, ADDRESS, SERVER, WORD, HOUR = 5, 4, 3, 2, 1
"""How much each sign says, the strongest first: the whole name, how an address begins, a mail
server that few use, a word of the name, and the hour."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Another account, and each sign, as a sentence, that it belongs to the same person, the
    strongest first."""

    player: Player
    signs: tuple[str, ...]
    weight: int


def likely_doubles(player: Player) -> list[Likeness]:
    """Return the accounts that share with this one at least two signs that few others have, the
    most alike first."""
    mine = _Known(player)
    found = [(other, sorted(mine.signs(other), reverse=True)) for other in mine.candidates()]
    alike = [
        Likeness(other, tuple(said for _, said in signs), sum(weight for weight, _ in signs))
        for other, signs in found
        if len(signs) > 1
    ]
    return sorted(alike, key=lambda one: (-one.weight, one.player.pk))


class _Known:
    """What is known of an account, to compare others with."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.words = {
            word for word in _words(player.name) if _is_rare(_players_called(word, player.name))
        }
        parts = [email.partition("@") for email in _emails(player)]
        roots = {_root(local) for local, _, _ in parts}
        self.roots = {root for root in roots if _is_rare(_addresses_beginning(root))}
        servers = {server for _, _, server in parts if server}
        self.small = {server for server in servers if _is_rare(_at(server))}
        near = Player.objects.filter(created_at__range=self._hour())
        self.in_the_hour = _is_rare(near.annotate(player=F("pk")))

    def candidates(self) -> Iterable[Player]:
        """Those who share the server, if few use it; or who registered within the hour; or who
        share both a word of the name and the beginning of an address. Any two signs include one of
        these three."""
        near = Q(created_at__range=self._hour()) if self.in_the_hour else Q(pk=None)
        for server in self.small:
            near |= Q(pk__in=_at(server).values("player"))
        named = [Q(name__icontains=word) for word in self.words]
        if named and self.roots:
            begun = reduce(or_, (_addresses_beginning(root) for root in self.roots))
            near |= Q(pk__in=begun.values("player")) & reduce(or_, named)
        others = Player.objects.filter(near, merged_into=None).exclude(pk=self.player.pk)
        return others.prefetch_related("addresses").order_by("-pk")[:COMPARED]

    def _hour(self) -> tuple[dt.datetime, dt.datetime]:
        return self.player.created_at - NEAR, self.player.created_at + NEAR

    def signs(self, other: Player) -> Iterable[tuple[int, str]]:
        """Yield each sign that the other account belongs to the same person, and how much it
        says."""
        shared = self.words & set(_words(other.name))
        if _plain(self.player.name) == _plain(other.name):
            yield NAME, f"Both are called {other.name}."
        elif shared:
            yield WORD, f"Both names have “{min(shared)}” in them."
        parts = [email.partition("@") for email in _emails(other)]
        common = self.roots & {_root(local) for local, _, _ in parts}
        if len(shared) == 1:  # of two Carlas, carla1@ and carla2@ say no more than the names
            common -= shared
        if common:
            yield ADDRESS, f"Addresses of both begin with “{min(common)}”."
        for server in sorted(self.small & {one for _, _, one in parts}):
            yield SERVER, f"Both write from {server}, from which few others do."
        if self.in_the_hour and abs(self.player.created_at - other.created_at) <= NEAR:
            yield HOUR, "They registered within an hour of each other."


def _emails(player: Player) -> list[str]:
    return [one.email.lower() for one in player.addresses.all()]


def _is_rare(having: QuerySet[Any, Any]) -> bool:
    """Whether few players have what these rows have; `player` is their key in each row."""
    players = having.order_by().values("player").distinct()
    return players[: SHARED + 1].count() <= SHARED


def _players_called(word: str, name: str) -> QuerySet[Any, Any]:
    """Those in whose names a word of this name stands, with the accents it has here or without."""
    written = [one for one in _WRITTEN.findall(name) if _plain(one) == word]
    spelt = reduce(or_, (Q(name__icontains=one) for one in (word, *written)))
    return Player.objects.filter(spelt).annotate(player=F("pk"))


def _addresses_beginning(root: str) -> QuerySet[Address]:
    """The addresses that begin so."""
    return Address.objects.filter(email__istartswith=root)


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
