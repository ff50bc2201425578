"""Reads of who sent orders in time: what a seat missed, how reliable a player has been."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from games.errors import NotAllowed
from games.models import Attendance, Game, Phase, Player, Seat
from games.models.phase import OF_PHASE
from games.queries.players.reliability import (
    REMEMBERED,
    Mark,
    Reliability,
    reliability_of,
    reliability_text,
)

Came = Attendance.Came

AWAY = "An absence had been announced."
NOT_TOLD = "Our mail about the phase could not be sent in time."
TAKEN_BACK = "The deadline was nearer than had once been announced."
TOO_SOON = "The phase was processed before its deadline."
"""Why the server excuses a miss without being asked."""


def reliability(
    player: Player, *, now: dt.datetime, known: QuerySet[Attendance] | None = None
) -> Reliability:
    """Return how reliable the player has been in the last year (see `reliabilities`)."""
    return reliabilities([player], now=now, known=known)[player.pk]


def reliabilities(
    players: Iterable[Player], *, now: dt.datetime, known: QuerySet[Attendance] | None = None
) -> dict[int, Reliability]:
    """Return how reliable these players have been, by their keys, with one query.

    `known` are the rows by which to judge; without it, all count.
    """
    marks: dict[int, list[Mark]] = {player.pk: [] for player in players}
    rows = _rows_that_count(known).filter(
        seat__player__in=list(marks), recorded_at__gt=now - REMEMBERED
    )
    facts = rows.values_list("seat__player", "seat", "came", "excused_at", "disorder")
    for player, seat, came, excused_at, disorder in facts:
        marks[player].append(Mark(seat, came, bool(excused_at), disorder))
    return {key: reliability_of(found) for key, found in marks.items()}


def require_reliable(game: Game, player: Player, *, now: dt.datetime) -> None:
    """Raise NotAllowed if the game wants players known to be more reliable."""
    found = reliability(player, now=now)
    if found.percent < game.min_reliability:
        raise NotAllowed(
            f"The game {game.name} is for players whose reliability is {game.min_reliability}% or "
            f"more. Yours is {reliability_text(found)}. It grows with every phase in which your "
            "orders come in time; write LIST to see the other games."
        )


def misses_in_a_row(seats: Iterable[Seat]) -> dict[int, int]:
    """Return in how many phases in a row, up to the last that is over, nothing came from each seat.

    By the seats' keys, with one query. Excused misses neither count nor end the run; nor do phases
    without a decision, nor in fog of war retreats and builds, of which nobody else may know whether
    there was one. What came late ends it.
    """
    row = {seat.pk: 0 for seat in seats}
    ended: set[int] = set()
    rows = _rows_that_count().filter(seat__in=list(row)).order_by("-phase__number")
    marks = rows.exclude(came=Came.MISSED, excused_at__isnull=False).exclude(
        ~Q(phase__name__endswith="M"), phase__game__fog=True
    )
    for seat, came in marks.values_list("seat", "came"):
        if came != Came.MISSED:
            ended.add(seat)
        elif seat not in ended:
            row[seat] += 1
    return row


def misses(seats: Sequence[Seat]) -> list[Attendance]:
    """Return what these seats missed and may be excused for, the newest first, then by power."""
    rows = _rows_that_count().filter(seat__in=seats, excused_at=None).exclude(came=Came.IN_TIME)
    named = rows.select_related("seat__power", "phase__game").defer(*OF_PHASE)
    return list(named.order_by("-phase__number", "seat__power__name"))


def excused_at_once(phase: Phase) -> dict[str, str]:
    """Return why the server excuses what was missed in the phase, by power."""
    known = (AWAY, NOT_TOLD, TAKEN_BACK, TOO_SOON)
    rows = phase.attendance.filter(came=Came.MISSED, excused_why__in=known)
    return dict(rows.values_list("seat__power__name", "excused_why"))


def missed_by(player: Player) -> QuerySet[Attendance]:
    """Return what the player missed or sent late, in all their tenures, the newest first."""
    rows = _rows_that_count().filter(seat__player=player).exclude(came=Came.IN_TIME)
    named = rows.select_related("seat__power__game", "phase").defer(*OF_PHASE)
    return named.order_by("-recorded_at", "-pk")


def _rows_that_count(rows: QuerySet[Attendance] | None = None) -> QuerySet[Attendance]:
    """The rows of phases that no rollback has undone."""
    every = Attendance.objects.all() if rows is None else rows
    return every.exclude(phase__status=Phase.Status.UNDONE)
