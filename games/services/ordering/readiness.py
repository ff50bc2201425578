"""READY and WAIT, and since when all orders of a phase are in."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from games.errors import WrongState
from games.models import Phase, Power, Readiness, Seat
from games.queries import board
from games.queries.orders.current_orders import duty
from games.queries.orders.waiting import is_all_in, powers_waited_for
from games.queries.phases.phase_now import PhaseNow, PowerNow
from games.services.common import lock_game, phase_and_seat_now, seen_now
from games.services.seating.standby import seat_keep


@transaction.atomic
def readiness_set(
    *,
    seat: Seat,
    phase: Phase,
    word: str,
    now: dt.datetime,
    said_at: dt.datetime | None = None,
) -> str | None:
    """Note that the power is READY, or wants to WAIT for the deadline, as of `said_at` (None: now).

    Returns the word that counts, which is the newest; None if the deadline has moved since this one
    was said, and nothing was said after that. Raises WrongState when the phase is over or the power
    has nothing to decide in it.
    """
    phase, seat = phase_and_seat_now(phase, seat, lock_game(seat.power.game))
    if phase.status != Phase.Status.OPEN:
        raise WrongState(f"{board.phase_title(phase.name)} is already over.")
    power = seat.power
    if not duty(phase, power.name).size:
        raise WrongState(
            f"{power.name} has nothing to decide in {board.phase_title(phase.name)}, "
            "so nobody is waiting for you."
        )
    stands = _word_put(phase, power, Readiness.Word(word.lower()), said_at or now)
    seat_keep(seat=seat, now=now)
    all_in_refresh(phase=phase, now=now)
    return stands


def _word_put(phase: Phase, power: Power, word: Readiness.Word, said_at: dt.datetime) -> str | None:
    """Keep the word unless the power has said a newer one; return which stands."""
    before = phase.readiness.filter(power=power).first()
    if before is not None and before.said_at > said_at:
        return before.word
    if phase.extended_at is not None and said_at < phase.extended_at:
        return None
    said = {"word": word, "said_at": said_at, "noted": False}
    phase.readiness.update_or_create(power=power, defaults=said)
    return word


@dataclass(frozen=True, slots=True)
class PhaseMail:
    """A mail about a phase from somebody who plays in it."""

    seat: Seat
    phase: Phase
    received_at: dt.datetime
    now: dt.datetime
    seen: PhaseNow | None = None
    """The phase, if this transaction has read it."""


def ready_take_back(sent: PhaseMail) -> bool:
    """Take back the READY that a power said before it sent orders of which some are not followed:
    it was not about these. Returns whether there was one."""
    if sent.seen and not _was_ready(sent.seen, sent.seat, sent.received_at):
        return False
    with transaction.atomic():
        seen, seat = _read_under_lock(sent)
        if not _was_ready(seen, seat, sent.received_at):
            return False
        seen.phase.readiness.filter(power=seat.power).delete()
        all_in_refresh(phase=seen.phase, now=sent.now)
    return True


def _read_under_lock(sent: PhaseMail) -> tuple[PhaseNow, Seat]:
    game = lock_game(sent.seat.power.game)
    return seen_now(sent.phase, sent.seat, game, only=sent.seat.power_id)


def _was_ready(seen: PhaseNow, seat: Seat, at: dt.datetime) -> bool:
    """Whether READY is the power's word, and was when a mail came in."""
    own = seen.powers[seat.power_id]
    return own.is_ready and own.word is not None and own.word.said_at <= at


def wait_note(sent: PhaseMail) -> bool:
    """Note WAIT for a power if some of its newest orders are not followed, and earlier ones leave
    nothing to wait for: otherwise the phase might be decided early, and not as its player wanted.
    The WAIT stands until the next orders that count. Returns whether it was noted; it replaces no
    word of the player's own."""
    if sent.seen and not _nothing_to_wait_for(sent.seen, sent.seat):
        return False
    with transaction.atomic():
        seen, seat = _read_under_lock(sent)
        if not _nothing_to_wait_for(seen, seat):
            return False
        phase, power = seen.phase, seat.power
        if _word_put(phase, power, Readiness.Word.WAIT, sent.received_at) is None:
            return False
        phase.readiness.filter(power=power).update(noted=True)
        all_in_refresh(phase=phase, now=sent.now)
    return True


def _nothing_to_wait_for(seen: PhaseNow, seat: Seat) -> bool:
    """Whether the phase may be decided early, the power has an order for all that it decides, and
    it has said neither READY nor WAIT."""
    own = seen.powers[seat.power_id]
    if seen.phase.status != Phase.Status.OPEN or not seen.phase.game.process_early or own.word:
        return False
    decided = seen.book.decisions(own.power)
    return bool(decided) and all(order is not None for _, order in decided)


def wait_end(power: PowerNow, phase: Phase) -> bool:
    """Take back the WAIT that `wait_note` left, now that newer orders count; say whether it had
    left one."""
    if power.word is None or not power.word.noted:
        return False
    phase.readiness.filter(power=power.power, noted=True).delete()
    return True


def all_in_refresh(
    *, phase: Phase, now: dt.datetime, orders_changed: bool = False, seen: PhaseNow | None = None
) -> None:
    """Note since when all orders are in and nobody waits; with `orders_changed`, other orders have
    just come, and the time for second thoughts starts again. `seen` is the phase with all orders,
    if it was read.

    In an overdue phase: since when the game no longer has to wait for anybody.
    """
    if phase.overdue_at is not None:
        all_in = not powers_waited_for(phase)
    else:
        all_in = phase.game.process_early and is_all_in(phase, seen)
    since = None if not all_in else now if orders_changed else phase.all_in_at or now
    if since != phase.all_in_at:
        phase.all_in_at = since
        phase.save(update_fields=["all_in_at"])
