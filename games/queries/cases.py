"""The moderators' queue: every case with its key, who is on it, and how many need somebody.

A case is something that needs a moderator (`queries.moderation`): a power without a player, a game
that stands still, a player whom mails do not reach, a question. It goes when it is dealt with.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from games.models import UNFINISHED, Address, Care, Conduct, Game, Phase, Power, Seat
from games.queries.ending import alive
from games.queries.moderation import UNPROCESSED
from games.queries.own_games import in_need
from games.queries.roles import MODERATOR
from games.queries.seats import PLAYED

KEY = re.compile(r"(power|game|player|asked)/[1-9][0-9]{0,18}")
GAME = "own"
WEEK = dt.timedelta(days=7)
SHOWN = 40
"""So many of the week's acts a page shows."""


def cares(keys: Iterable[str]) -> Mapping[str, Care]:
    """Return what moderators said about these cases, by the cases' keys."""
    rows = Care.objects.filter(case__in=list(keys)).select_related("by")
    return {row.case: row for row in rows}


def waiting(
    now: dt.datetime, *, own: QuerySet[Game], nameless: QuerySet[Game] | None
) -> tuple[int, int]:
    """Return how many of a GM's `own` games need them at once, and how many cases need a moderator,
    without those that rest: one query for a GM, three for a moderator.

    Of `nameless` games the queue says nothing to the viewer; None: they are no moderator.
    """
    rows = in_need(own).order_by().values_list(Value(GAME), "game")
    if nameless is None:
        return rows.count(), 0
    found = list(rows.union(_still(now), _unreached(nameless), _questions(), all=True))
    keys = {f"{kind}/{pk}" for kind, pk in found if kind != GAME} | set(_lost(nameless))
    resting = Care.objects.filter(rests_until__gt=now).values_list("case", flat=True)
    return sum(kind == GAME for kind, _ in found), len(keys - set(resting))


def done_lately(now: dt.datetime) -> list[LogEntry]:
    """Return what the moderators did in the last week, the latest first."""
    staff = User.objects.filter(Q(groups__name=MODERATOR) | Q(is_superuser=True))
    entries = LogEntry.objects.filter(
        user__in=staff,
        action_time__gt=now - WEEK,
        content_type__app_label="games",
        content_type__model__in=("game", "player"),
    )
    return list(entries.select_related("user").order_by("-action_time", "-pk")[:SHOWN])


def _lost(nameless: QuerySet[Game]) -> Iterable[str]:
    need = Q(open_since__isnull=False) | Q(disorder_since__isnull=False)
    powers = Power.objects.filter(need, game__status__in=PLAYED).exclude(game__in=nameless)
    rows = powers.filter(game__phases__status__in=UNFINISHED).values_list(
        "pk", "name", "game__phases__position"
    )
    return (f"power/{pk}" for pk, name, position in rows if name in alive(position))


def _still(now: dt.datetime) -> QuerySet[Any, Any]:
    paused = Q(game__status=Game.Status.PAUSED)
    late = Q(overdue_at__isnull=False) | Q(status=Phase.Status.STUCK)
    late |= Q(due_at__lte=now - UNPROCESSED)
    phases = Phase.objects.filter(status__in=UNFINISHED)
    still = phases.filter(
        (paused & Q(game__resume_at=None)) | (late & Q(game__status=Game.Status.ACTIVE))
    )
    return still.order_by().values_list(Value("game"), "game")


def _unreached(nameless: QuerySet[Game]) -> QuerySet[Any, Any]:
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
    failing = Address.objects.filter(
        first, Exists(seats), confirmed_at__isnull=False, failing_since__isnull=False
    )
    return failing.order_by().values_list(Value("player"), "player")


def _questions() -> QuerySet[Any, Any]:
    asked = Conduct.objects.filter(kind=Conduct.Kind.ASKED, settled_at=None)
    return asked.order_by().values_list(Value("asked"), "pk")
