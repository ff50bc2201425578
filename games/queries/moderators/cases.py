"""The moderators' queue: every case with its key, who is on it, and how many need somebody.

A case is something that needs a moderator (`games.queries.moderators.moderation`): a power without
a player, a game that stands still, a player or a GM whom our mails do not reach, a question. It
disappears once it is dealt with.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import CharField, Exists, JSONField, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from games.board_json import StateJson
from games.models import UNFINISHED, Address, Care, Conduct, Game, Seat
from games.models.prepared import TIME, Given, Values
from games.queries.access.accounts import accounts_given, given_of
from games.queries.access.roles import MODERATOR, games_nameless_to, games_run, may_moderate
from games.queries.endings.ending import alive
from games.queries.moderators.stalled import lost_powers, still
from games.queries.moderators.unreached_gms import gms_failing
from games.queries.players.seats import PLAYED
from games.queries.reports.own_games import asked_to_join, in_need

KEY = re.compile(r"(power|game|player|gm|asked)/[1-9][0-9]{0,18}")
OWN, RESTS = "own", "rests"
WEEK = dt.timedelta(days=7)
SHOWN = 40
"""How many of the week's acts a page shows."""


def cares(keys: Iterable[str]) -> Mapping[str, Care]:
    """Return what moderators noted on these cases, by the cases' keys."""
    rows = Care.objects.filter(case__in=list(keys)).select_related("by")
    return {row.case: row for row in rows}


def waiting(user: User, now: dt.datetime) -> tuple[int, int]:
    """Return how many of this user's own games need them at once, and how many cases, except those
    that rest, need a moderator; the latter is 0 unless they are one.

    It takes one query, because the header of every page asks for it. The queue tells moderators
    nothing about anonymous games in which they play.
    """
    if not user.is_active:
        return 0, 0
    asked = _FOR_MODERATORS if may_moderate(user) else _FOR_GMS
    found = asked.all(**given_of(user), now=now)
    resting = {key for key, kind, _ in found if kind == RESTS}
    own_games = len({key for key, kind, _ in found if kind == OWN})
    keys = {key for key, kind, position in found if _is_case(kind, position)}
    return own_games, len(keys - resting)


def _of_own() -> tuple[QuerySet[Any, Any], QuerySet[Any, Any]]:
    """The games of a user that need them, as parts of a union."""
    own = games_run(Given("user"), Given("now", TIME))
    return _part(asked_to_join(own), OWN, "game"), _part(in_need(own), OWN, "game")


def _of_all() -> QuerySet[Any, Any]:
    """The games of a user that need them, all cases that a moderator may know of, and those that
    rest."""
    now, nameless = Given("now", TIME), games_nameless_to(accounts_given())
    resting = Care.objects.filter(rests_until__gt=now)
    parts = (
        *_of_own(),
        *_besides_powers(now, nameless),
        resting.values_list("case", Value(RESTS), _no_position()),
    )
    return _powers_lost(nameless).union(*parts, all=True)


def _of_own_alone() -> QuerySet[Any, Any]:
    asking, needing = _of_own()
    return asking.union(needing)


_FOR_GMS = Values(_of_own_alone)
_FOR_MODERATORS = Values(_of_all)


def keys_now(now: dt.datetime) -> set[str]:
    """Return the keys of all current cases, whether they rest or not."""
    hidden = Game.objects.none()
    found = _powers_lost(hidden).union(*_besides_powers(now, hidden), all=True)
    return {key for key, kind, position in found if _is_case(kind, position)}


def _besides_powers(
    now: dt.datetime | Given, nameless: QuerySet[Game]
) -> tuple[QuerySet[Any, Any], ...]:
    """All cases except powers without a player, as parts of a union."""
    return (
        _part(still(now), "game", "game"),
        _part(_unreached_addresses(nameless), "player", "player"),
        _part(gms_failing(now), "gm", "user"),
        _part(_questions(), "asked", "pk"),
    )


def _is_case(kind: str, position: StateJson | None) -> bool:
    """Whether it is one that needs a moderator; for a lost power, `kind` is its name."""
    return kind in alive(position) if position else kind not in (OWN, RESTS)


def _part(rows: QuerySet[Any], kind: str, key: str) -> QuerySet[Any, Any]:
    """The cases' keys as a part of a union."""
    return rows.order_by().values_list(_key(kind, key), Value(kind), _no_position())


def _key(kind: str, column: str) -> Concat:
    return Concat(Value(f"{kind}/"), Cast(column, CharField()), output_field=CharField())


def _no_position() -> Value:
    return Value(None, output_field=JSONField())


def done_lately(now: dt.datetime) -> list[LogEntry]:
    """Return what the moderators did in the last week, the latest first."""
    staff = User.objects.filter(Q(groups__name=MODERATOR) | Q(is_superuser=True))
    entries = LogEntry.objects.filter(
        user__in=staff,
        action_time__gt=now - WEEK,
        content_type__app_label="games",
        content_type__model__in=("game", "player", "halt"),
    )
    return list(entries.select_related("user").order_by("-action_time", "-pk")[:SHOWN])


def _powers_lost(nameless: QuerySet[Game]) -> QuerySet[Any, Any]:
    """Powers without a player, with their boards; a power of which nothing is left is not a
    case."""
    powers = lost_powers().filter(game__status__in=PLAYED).exclude(game__in=nameless)
    rows = powers.filter(game__phases__status__in=UNFINISHED).order_by()
    return rows.values_list(_key("power", "pk"), "name", "game__phases__position")


def _unreached_addresses(nameless: QuerySet[Game]) -> QuerySet[Address]:
    seats = Seat.objects.filter(
        player=OuterRef("player"),
        until=None,
        power__game__status__in=PLAYED,
        power__game__phases__status__in=UNFINISHED,
    ).exclude(power__game__in=nameless)
    earlier = Address.objects.filter(
        Q(of_record=True) | Q(confirmed_at__lt=OuterRef("confirmed_at")),
        player=OuterRef("player"),
        confirmed_at__isnull=False,
    ).exclude(pk=OuterRef("pk"))
    first = Q(of_record=True) | ~Exists(earlier)
    return Address.objects.filter(
        first, Exists(seats), confirmed_at__isnull=False, failing_since__isnull=False
    )


def _questions() -> QuerySet[Conduct]:
    return Conduct.objects.filter(kind__in=Conduct.FOR_MODERATORS, settled_at=None)
