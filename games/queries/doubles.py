"""Accounts that may belong to one person: by signs that can be said, and never by themselves a
verdict. Brothers share a server, and two people a name."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from games.models import Address, Player

NEAR = dt.timedelta(hours=1)
SHARED = 4
"""A mail server with more players than that is a large provider, and says nothing."""
COMPARED = 300
_LETTERS = re.compile(r"[^a-z]+")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Another account, and each sign that it is the same person's, as a sentence."""

    player: Player
    signs: tuple[str, ...]


def likely_doubles(player: Player) -> list[Likeness]:
    """Return the accounts that share at least two signs with this one, the most alike first."""
    mine = _emails(player)
    found = [Likeness(other, tuple(_signs(player, mine, other))) for other in _candidates(player)]
    alike = [one for one in found if len(one.signs) > 1]
    return sorted(alike, key=lambda one: (-len(one.signs), one.player.pk))


def _candidates(player: Player) -> Iterable[Player]:
    """Those who share a word of the name, the first half of an address or a small mail server, or
    who registered within the hour."""
    near = Q(created_at__range=(player.created_at - NEAR, player.created_at + NEAR))
    for word in _words(player.name):
        near |= Q(name__icontains=word)
    for email in _emails(player):
        root, _, server = email.partition("@")
        near |= Q(addresses__email__istartswith=f"{_root(root)}")
        if _is_small(server):
            near |= Q(addresses__email__iendswith=f"@{server}")
    others = Player.objects.filter(near, merged_into=None).exclude(pk=player.pk)
    return others.prefetch_related("addresses").distinct().order_by("-pk")[:COMPARED]


def _signs(player: Player, mine: list[str], other: Player) -> Iterable[str]:
    if _plain(player.name) == _plain(other.name):
        yield f"Both are called {other.name}."
    elif shared := set(_words(player.name)) & set(_words(other.name)):
        yield f"Both names have “{min(shared)}” in them."
    theirs = _emails(other)
    roots = {_root(email.partition("@")[0]) for email in mine}
    if common := roots & {_root(email.partition("@")[0]) for email in theirs}:
        yield f"Addresses of both begin with “{min(common)}”."
    servers = {email.partition("@")[2] for email in mine}
    for server in sorted(servers & {email.partition("@")[2] for email in theirs}):
        if _is_small(server):
            yield f"Both write from {server}, from which few others do."
    if abs(player.created_at - other.created_at) <= NEAR:
        yield "They registered within an hour of each other."


def _emails(player: Player) -> list[str]:
    return [one.email.lower() for one in player.addresses.all()]


def _is_small(server: str) -> bool:
    players = Address.objects.filter(email__iendswith=f"@{server}").values("player").distinct()
    return bool(server) and players.count() <= SHARED


def _root(local: str) -> str:
    """The letters of an address before digits, dots and what follows a plus."""
    return re.split(r"[+\d]", local.lower())[0].strip("._-") or local.lower()


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return _LETTERS.sub(" ", bare).strip()


def _words(name: str) -> list[str]:
    return [word for word in _plain(name).split() if len(word) > 3]
