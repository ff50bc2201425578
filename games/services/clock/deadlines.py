"""Moving deadlines, and what becomes of a phase whose deadline has come.

Whenever a deadline moves, everybody has to speak again before the phase is processed early: a READY
said for another deadline no longer holds, and orders that were complete before do not end the phase
at once. Orders that came too late for the old deadline then count, because that must not depend on
whether they were read before it moved.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput
from games.events import DeadlineMoved, Facts, OrdersOverdue, PhaseHeld, rows_saying
from games.models import Event, Game, OrderSet, Phase
from games.queries import board
from games.queries.access.audience import hides_who_decides
from games.queries.orders.waiting import powers_waited_for
from games.queries.reports.wording import listed
from games.services.common import lock_game, phase_now
from games.services.seating.standby import offers_make
from games.services.told import Unaware, powers_aware
from games.timing import deadlines
from games.timing.pace import next_reminder, pace_of

Status = Game.Status
SERVER = "the server"
"""Who acts if no person does, as players read it."""
HAS_MOVED = "has moved"
"""What became of a deadline, as the end of a sentence (see `SeatTaken.deadline`)."""
LOOK_AGAIN = dt.timedelta(minutes=1)
OUTAGE = "The server could not be reached at the deadline."
STOOD_STILL = "The whole server stood still at the deadline."
UNTOLD = "The mails with which this phase began could not be sent in time."


@dataclass(frozen=True, slots=True)
class Mover:
    """Whoever moves a deadline."""

    name: str
    """As players read it: a name, a role or a power."""
    is_staff: bool = False
    """They run the game, or are a moderator, so a slip of theirs can be taken back
    (`deadline_correct`)."""
    is_moderator: bool = False
    """They do not run the game."""


@transaction.atomic
def deadline_move(
    *,
    game: Game,
    to: dt.datetime,
    why: str,
    by: Mover,
    now: dt.datetime,
    wished: dt.datetime | None = None,
) -> Event:
    """Move the open phase's deadline to a later time, never onto a day off, and tell everybody.

    `why` is a sentence for the players; `wished` is the time that was asked for, if it is not `to`.
    Raises BadInput when `to` is not later than now and than the deadline, WrongState when the game
    is not being played.
    """
    game = lock_game(game)
    lifecycle.require(game, Status.ACTIVE)
    phase, wished = phase_now(game), wished or to
    free = pace_of(game).free(deadlines.moved_to(phase.due_at, to, now))
    _try_again(phase)
    moved = DeadlineMoved(
        phase=phase.name,
        before=phase.due_at,
        to=free,
        why=why,
        by=by.name,
        wished=None if wished == free else wished,
        correctable=by.is_staff,
        by_moderator=by.is_moderator,
    )
    return _move(phase, moved, now)


@transaction.atomic
def outage_over(
    *, game: Game, down_since: dt.datetime, now: dt.datetime, why: str = OUTAGE
) -> Event | None:
    """Move a deadline that passed while the server could not be reached; None if it did not pass.

    `down_since` is when mails were last read for certain; for UNTOLD, it lies as long before the
    deadline as people have for the phase; `now` is when the outage is over. `why` is OUTAGE, UNTOLD
    or STOOD_STILL.
    """
    game = lock_game(game)
    phase = game.phases.select_related("game").filter(status=Phase.Status.OPEN).first()
    if game.status != Status.ACTIVE or phase is None or phase.due_at is None:
        return None
    if not down_since < phase.due_at <= now:
        return None
    pace, step = pace_of(game), board.step_of(phase.name)
    to = deadlines.after_outage(pace, step, phase.due_at, down_since, now)
    return _move_by_server(phase, to, why, now)


@transaction.atomic
def phase_hold(
    *, game: Game, since: dt.datetime | None, mail: bool = False, now: dt.datetime
) -> Event | None:
    """Tell everybody that the phase is due, but waits until mails can be read again.

    `since` is when mails were last certain to be read; with `mail`, a single mail cannot be read.
    Returns None if people have already been told that about this deadline.
    """
    game = lock_game(game)
    phase = game.phases.select_related("game").filter(status=Phase.Status.OPEN).first()
    if phase is None:
        return None
    if rows_saying(phase.events.all(), PhaseHeld, due_at=phase.due_at).exists():
        return None
    held = PhaseHeld(
        phase=phase.name,
        due_at=phase.due_at,
        since=since,
        moved=outage_moved(phase, OUTAGE),
        mail=mail,
    )
    return _record(phase, held, now)


def outage_moved(phase: Phase, why: str) -> bool:
    """Say whether an outage has moved the phase's deadline for this reason, OUTAGE or UNTOLD.

    That may happen once for each: a server that somebody looks after once a day must not put a game
    off for ever. Moving a deadline because we could not hear people does not mean that we have told
    them anything.
    """
    return rows_saying(phase.events.all(), DeadlineMoved, why=why).exists()


def time_to_order(phase: Phase) -> dt.timedelta:
    """Return how long people have for a phase with a deadline: less than until that if the game
    was paused, or a game master put it off."""
    whole = max((phase.due_at or phase.opened_at) - phase.opened_at, deadlines.NOTHING)
    try:
        pace, step = pace_of(phase.game), board.step_of(phase.name)
        first = board.begins_game(phase.game.variant, phase.name)
        usual = deadlines.due_at(pace, step, phase.opened_at, first=first)
    except BadInput:  # the adjudication complains of settings that cannot be read
        return whole
    return min(whole, usual - phase.opened_at)


def look_again(*, phase: Phase, now: dt.datetime) -> None:
    """Leave a due phase alone for a minute, or a tenth of a short one: otherwise many that wait for
    long would be in the way of the others. The caller holds the game's lock."""
    wait = min(LOOK_AGAIN, time_to_order(phase) * deadlines.AT_LEAST)
    Phase.objects.filter(pk=phase.pk).update(retry_at=now + wait, error="")


def latest_news(phase: Phase) -> dt.datetime | None:
    """Return the latest moment at which people can learn of a phase and still answer in time: the
    start of its last tenth. None if it has no deadline."""
    return phase.due_at and phase.due_at - time_to_order(phase) * deadlines.AT_LEAST


def deadline_at_least(*, phase: Phase, time: dt.timedelta, now: dt.datetime) -> str:
    """Move the phase's deadline if less time than that is left; say what became of it.

    `due_at_least` says where to. A phase that waits for orders has no deadline to move. The caller
    holds the game's lock, tells of it, and sees then whether all is in.
    """
    if phase.overdue_at is not None:
        return "has passed, and the game is waiting"
    to = due_at_least(phase, time, now)
    if to is None or to == phase.due_at:
        return "stays"
    deadline_set(phase, to, now)
    return HAS_MOVED


def due_at_least(phase: Phase, time: dt.timedelta, now: dt.datetime) -> dt.datetime | None:
    """Return the deadline of the phase or, if less than `time` is left, a later one. A `time` of
    nothing leaves it alone, even if it has passed and the game waits for mails under way."""
    clock = phase.game.paused_at or now
    if phase.due_at is None or phase.due_at - clock >= time or time <= deadlines.NOTHING:
        return phase.due_at
    return pace_of(phase.game).moment(board.step_of(phase.name), clock + time)


def missing_answer(phase: Phase, now: dt.datetime, unaware: Unaware) -> Event | None:
    """Do what the game's setting says if orders are missing at the deadline.

    A seat whose player was `unaware` of the phase does not open yet, but only once they have let a
    substitute's time pass as well (`overdue`). Returns what is to be told, or None when the phase
    is to be processed. The caller holds the game's lock, and the phase is due.
    """
    waited_for = powers_waited_for(phase) if phase.overdue_at is None else ()
    if not waited_for or phase.due_at is None or phase.all_in_at is not None:
        return None
    game = phase.game
    if game.when_missing != Game.WhenMissing.EXTEND:
        phase.overdue_at = now
        _late_orders_count(phase, now)
        waited_for = powers_waited_for(phase)
        phase.all_in_at = None if waited_for else now
        phase.save(update_fields=["overdue_at", "all_in_at"])
        if not waited_for:
            return None
        aware = powers_aware(phase, waited_for, unaware)
        if game.when_missing == Game.WhenMissing.WAIT:
            _open_seats(game, aware, now)
        overdue = OrdersOverdue(
            phase=phase.name,
            powers=tuple(waited_for),
            waits_for=game.when_missing,
            unaware=tuple(power for power in waited_for if power not in aware),
        )
        return _record(phase, overdue, now)
    if phase.second_chance_at is not None:
        return None
    phase.second_chance_at = now
    step = board.step_of(phase.name)
    to = pace_of(game).moment(step, max(phase.due_at, now) + game.extension_length)
    late = "one or more players" if hides_who_decides(phase) else listed(waited_for)
    return _move_by_server(phase, to, f"Nothing has come from {late}.", now)


def _open_seats(game: Game, powers: Sequence[str], now: dt.datetime) -> None:
    """Let anybody take over the powers for whose orders the game waits."""
    game.powers.filter(name__in=powers, open_since=None).update(open_since=now)
    for power in game.powers.filter(name__in=powers):
        power.game = game
        offers_make(power=power, by=SERVER, now=now)


def _move_by_server(phase: Phase, to: dt.datetime, why: str, now: dt.datetime) -> Event:
    moved = DeadlineMoved(phase=phase.name, before=phase.due_at, to=to, why=why, by=SERVER)
    return _move(phase, moved, now)


def _move(phase: Phase, moved: DeadlineMoved, now: dt.datetime) -> Event:
    deadline_set(phase, moved.to, now)
    return _record(phase, moved, now)


def _try_again(phase: Phase) -> None:
    """Have a phase that is stuck tried again, three times, at its new deadline."""
    if phase.status == Phase.Status.STUCK:
        phase.status, phase.attempts = Phase.Status.OPEN, 0
        phase.retry_at, phase.error = None, ""


def _late_orders_count(phase: Phase, until: dt.datetime) -> None:
    """Make order sets count that came up to this time but were too late for the old deadline.

    A set in which nothing can be followed still does not count; an empty one takes back what was
    ordered.
    """
    late = list(phase.order_sets.filter(late=True, received_at__lte=until))
    for one in late:
        one.late, one.counts = False, not one.lines or any(row["counts"] for row in one.reading)
    OrderSet.objects.bulk_update(late, ["late", "counts"])


def deadline_set(phase: Phase, to: dt.datetime, now: dt.datetime) -> None:
    """Give the phase this deadline, and forget who was ready for the old one. The caller holds the
    game's lock, and tells of it."""
    _late_orders_count(phase, to)
    phase.readiness.all().delete()
    phase.due_at = to
    phase.extended_at = phase.reminded_at = now
    phase.all_in_at = phase.overdue_at = None
    phase.remind_at = next_reminder(phase.game, now, to, now)
    phase.save()


def _record(phase: Phase, facts: Facts, now: dt.datetime) -> Event:
    return log.record(game=phase.game, phase=phase, facts=facts, now=now)
