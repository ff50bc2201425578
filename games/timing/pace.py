"""A game's time settings: from its row to the values that `deadlines.py` reckons with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from zoneinfo import ZoneInfo

from games.models import Absence, Game, Phase, Player, Seat
from games.timing import deadlines
from games.timing.clock import read_clock, read_days_off
from games.timing.deadlines import Pace, Span, absence_span
from games.timing.reminders import Ladder, next_rung, read_ladder, within


def pace_of(game: Game) -> Pace:
    """Return the game's settings. Raises BadInput when one of them cannot be read."""
    return Pace(
        movement=game.movement_length,
        retreat=game.retreat_length,
        adjustment=game.adjustment_length,
        movement_clock=read_clock(game.movement_clock),
        retreat_clock=read_clock(game.retreat_clock),
        adjustment_clock=read_clock(game.adjustment_clock),
        days_off=read_days_off(game.days_off),
        zone=ZoneInfo(game.timezone),
        first_extra=game.first_extra,
    )


def early_delay(phase: Phase) -> dt.timedelta:
    """Return how long the phase stays open, for second thoughts, when the last order is in."""
    if phase.game.early_delay is not None:
        return phase.game.early_delay
    return deadlines.second_thoughts(_length(phase))


def takeover_time(phase: Phase) -> dt.timedelta:
    """Return how much time to the deadline of the phase a substitute has at least."""
    if phase.game.takeover_time is not None:
        return phase.game.takeover_time
    return deadlines.takeover_time(_length(phase))


def notice_time(phase: Phase, step: deadlines.Step) -> dt.timedelta:
    """Return how long everybody has at least to read that a deadline is earlier than they were
    told: as long as a substitute."""
    least = deadlines.takeover_time(pace_of(phase.game).length(step))
    return max(least, phase.game.takeover_time or deadlines.NOTHING)


def _length(phase: Phase) -> dt.timedelta:
    return phase.due_at - phase.opened_at if phase.due_at else deadlines.DAY


def ladder_of(game: Game, player: Player, begun_at: dt.datetime, due_at: dt.datetime) -> Ladder:
    """Return when the player is to be reminded of a deadline that was set at `begun_at`: as they
    said, else as the game has it; at half time where that is never."""
    return _ladder(game, player.reminders, begun_at, due_at)


def _ladder(game: Game, wish: str, begun_at: dt.datetime, due_at: dt.datetime) -> Ladder:
    return within(read_ladder(wish or game.reminders), begun_at, due_at)


def next_reminder(
    game: Game,
    begun_at: dt.datetime,
    due_at: dt.datetime,
    after: dt.datetime,
    *,
    wishes: Collection[str] | None = None,
) -> dt.datetime | None:
    """Return when somebody in the game may have to be reminded of this deadline, or None. `wishes`
    are what its players said of their own, if that was read."""
    if wishes is None:
        seats = Seat.objects.filter(power__game=game, until=None)
        wishes = set(seats.values_list("player__reminders", flat=True))
    ladders = {_ladder(game, wish, begun_at, due_at) for wish in wishes}
    moments = (next_rung(ladder, due_at, after) for ladder in ladders)
    return min((moment for moment in moments if moment is not None), default=None)


def absences_of(
    game: Game, powers: tuple[str, ...], *, since: dt.datetime | None = None
) -> list[Span]:
    """Return the absences of those who play these powers, if the game waits for the absent; with
    `since`, those that were announced after it."""
    if not game.waits_for_absent:
        return []
    seats = Seat.objects.filter(power__game=game, power__name__in=powers, until=None)
    away = Absence.objects.filter(player__in=seats.values("player"), withdrawn_at=None)
    if since is not None:
        away = away.filter(created_at__gte=since)
    return [span_of(absence) for absence in away.select_related("player")]


def span_of(absence: Absence) -> Span:
    """Return the absence as moments, its days counted in the player's own zone."""
    return absence_span(absence.first, absence.last, ZoneInfo(absence.player.timezone))
