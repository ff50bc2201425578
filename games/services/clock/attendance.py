"""Writes down who sent orders in time, and excuses what was missed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games import log
from games.errors import BadInput, NotFound
from games.events import MissExcused
from games.models import Absence, Attendance, Event, Phase, Power, Seat
from games.models.stored import Insert, fresh
from games.queries import board
from games.queries.orders.current_orders import position
from games.queries.phases.corrections import was_corrected
from games.queries.phases.due_phase import DuePhase
from games.queries.players.attendance import AWAY, NOT_TOLD, TAKEN_BACK, TOO_SOON
from games.services.clock.deadlines import SERVER
from games.services.common import lock_game, reason
from games.services.told import Unaware
from games.timing.pace import span_of

Came = Attendance.Came

A_DAY = dt.timedelta(days=1)


def attendance_record(*, due: DuePhase, now: dt.datetime, unaware: Unaware) -> None:
    """Write down what every seat sent whose power had something to decide.

    The caller processes the phase and holds the game's lock. Nobody is blamed for a phase that was
    processed before its deadline, whose deadline was taken back to an earlier time, or whose
    deadline fell into an absence that they had announced. Nor is a player who was `unaware` of it,
    even for orders that came late. A player whose power was taken over because they sent nothing
    has left it in civil disorder.
    """
    phase = due.phase
    deciding = position(phase).powers_to_order()
    heard = _first_heard(due)
    running = [one for one in due.now.powers.values() if one.power.name in deciding and one.seat]
    seats = [_Held(one.seat, one.player or 0, one.power) for one in running if one.seat]
    if due.has_left:
        left = Seat.objects.filter(ended_because=Seat.Ended.TAKEN_OVER, until__gte=phase.opened_at)
        mine = left.filter(power__game=phase.game, power__name__in=deciding)
        seats += [
            _Held(one.pk, one.player_id, one.power, has_left=True)
            for one in mine.select_related("power")
        ]
    rows = [(seat, _row(seat, phase, heard, now)) for seat in seats]
    _excuse_the_faultless(rows, phase, now, unaware)
    _INSERT.all([row for _, row in rows])


@dataclass(frozen=True, slots=True)
class _Held:
    """A seat that was held in the phase, and whose player it is, by their keys."""

    seat: int
    player: int
    power: Power
    has_left: bool = False


_INSERT = Insert(Attendance)


@transaction.atomic
def excuse(*, seat: Seat, phase: Phase, why: str, by: str, now: dt.datetime) -> Event:
    """Excuse missed orders, so that they no longer count. The player is told.

    Raises BadInput without a reason, or when nothing is to be excused; NotFound when the phase is
    not over, or was taken back meanwhile, or the seat had nothing to decide in it.
    """
    game = lock_game(phase.game)
    why = reason(why, readers="the players can read it in the log")
    title = board.phase_title(phase.name)
    if Phase.objects.filter(pk=phase.pk, status=Phase.Status.UNDONE).exists():
        raise NotFound(f"{title} was taken back, and what was missed in it with it.")
    row = Attendance.objects.filter(seat=seat, phase=phase).first()
    if row is None:
        raise NotFound(f"{seat.power.name} had nothing to answer for in {title}.")
    if row.came == Came.IN_TIME or row.excused_at:
        already = "is already excused" if row.excused_at else "came in time"
        raise BadInput(f"What {seat.power.name} had to send for {title} {already}.")
    row.excused_at, row.excused_by, row.excused_why = now, by, why
    row.save(update_fields=["excused_at", "excused_by", "excused_why"])
    return log.record(
        game=game,
        phase=phase,
        facts=MissExcused(
            phase=phase.name,
            power=seat.power.name,
            seat=seat.pk,
            why=row.excused_why,
            by=by,
        ),
        now=now,
    )


def _first_heard(due: DuePhase) -> dict[int, dt.datetime | None]:
    """When each power's player sent their first orders that count; None: they only said READY.

    What the GM ordered for them did not come from them.
    """
    ready = [key for key, one in due.now.powers.items() if one.is_ready]
    sent = [one for one in due.now.book.sets if one.counts and not one.by]
    first = {one.power_id: one.received_at for one in reversed(sent)}
    return {**dict.fromkeys(ready), **first}


def _row(
    seat: _Held, phase: Phase, heard: Mapping[int, dt.datetime | None], now: dt.datetime
) -> Attendance:
    return fresh(
        Attendance,
        seat_id=seat.seat,
        phase_id=phase.pk,
        came=_came(seat, phase, heard),
        disorder=seat.has_left or seat.power.disorder_since is not None,
        recorded_at=now,
    )


def _came(seat: _Held, phase: Phase, heard: Mapping[int, dt.datetime | None]) -> Came:
    """Say what came. In time means before the deadline, however much longer the game then
    waited."""
    if seat.has_left or seat.power.pk not in heard:
        return Came.MISSED
    first = heard[seat.power.pk]
    waited_since = phase.second_chance_at or phase.overdue_at
    return Came.LATE if waited_since and first and first > waited_since else Came.IN_TIME


def _excuse_the_faultless(
    rows: Sequence[tuple[_Held, Attendance]], phase: Phase, now: dt.datetime, unaware: Unaware
) -> None:
    """Excuse the misses among the rows (not saved) for which nobody is to blame; nor is a player
    who was told too late to blame for late orders."""
    missed = {seat.player for seat, row in rows if row.came == Came.MISSED}
    late = {seat.player for seat, row in rows if row.came == Came.LATE}
    if not missed | late:
        return
    if everybody := _nobodys_fault(phase, now):
        why = dict.fromkeys(missed, everybody)
    else:
        why = dict.fromkeys(unaware(phase, missed | late), NOT_TOLD)
        if missed:
            why |= dict.fromkeys(_away(missed, phase.due_at or now), AWAY)
    for seat, row in rows:
        if seat.player in why and row.came != Came.IN_TIME:
            row.excused_at, row.excused_by, row.excused_why = now, SERVER, why[seat.player]


def _nobodys_fault(phase: Phase, now: dt.datetime) -> str:
    """Say why no player is to blame for a miss in this phase; "" if they may be."""
    if phase.due_at is None or now < phase.due_at:
        return TOO_SOON
    return TAKEN_BACK if was_corrected(phase) else ""


def _away(players: Collection[int], due_at: dt.datetime) -> set[int]:
    """The players who had announced before the deadline that they would be away then."""
    day = due_at.date()  # in UTC: a day off at most where the player lives
    near = Absence.objects.filter(first__lte=day + A_DAY, last__gte=day - A_DAY)
    announced = near.filter(player__in=players, created_at__lt=due_at, withdrawn_at=None)
    spans = [(one.player_id, *span_of(one)) for one in announced.select_related("player")]
    return {player for player, since, until in spans if since <= due_at < until}
