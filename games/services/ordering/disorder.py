"""Civil disorder: the units of a power hold, and nobody waits for it.

The judge knows no civil disorder. It gets no orders for the power, and treats it as the game's
rules treat missing orders. Units hold and may be supported, dislodged ones are disbanded, nothing
is built, and what is to be disbanded is chosen by the choice for DATC 4.D.8 and 4.D.9.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db import transaction

from games import lifecycle, log
from games.errors import WrongState
from games.events import DisorderDeclared, DisorderEnded
from games.models import Event, Game, Phase, Power, Seat
from games.queries import board
from games.queries.endings.ending import alive
from games.queries.lookup import open_phase
from games.queries.players.attendance import misses_in_a_row
from games.queries.players.seats import PLAYED, is_alive, running_seat
from games.services.clock.deadlines import SERVER
from games.services.common import lock_game, phase_now, power_now, reason
from games.services.endings.votes import votes_recount
from games.services.ordering.readiness import all_in_refresh
from games.services.seating.standby import offers_end, offers_make, seat_close

NOBODY = "Nobody plays it."


@transaction.atomic
def disorder_declare(*, game: Game, power: Power, why: str, by: str, now: dt.datetime) -> Event:
    """Declare a power in civil disorder, and offer its seat to those on the standby list.

    Its orders in the open phase no longer count. Its player, if it has one, keeps the seat until
    another takes it: orders, READY or RETURN bring them back. Raises BadInput without a reason,
    WrongState when there is nothing to declare.
    """
    why = reason(why)
    game, power = _lock_living_power(game, power)
    if power.disorder_since is not None:
        raise WrongState(f"{power.name} is already in civil disorder.")
    return _declare(power, phase_now(game), why, by, now)


@transaction.atomic
def disorder_end(*, game: Game, power: Power, by: str, now: dt.datetime, why: str = "") -> Event:
    """End a power's civil disorder. Its seat is no longer open if somebody holds it.

    Raises WrongState if the power is not in civil disorder.
    """
    game = lock_game(game)
    lifecycle.require(game, *PLAYED)
    power = power_now(power, game)
    if power.disorder_since is None:
        raise WrongState(f"{power.name} is not in civil disorder.")
    phase = phase_now(game)
    if running_seat(power):
        seat_close(power=power, now=now)
    else:
        power.disorder_since = None
        power.save(update_fields=["disorder_since"])
    all_in_refresh(phase=phase, now=now)
    ended = DisorderEnded(phase=phase.name, power=power.name, why=why.strip(), by=by)
    return log.record(game=game, phase=phase, facts=ended, now=now)


def seats_review(*, phase: Phase, missing: Collection[str], now: dt.datetime) -> bool:
    """After this phase was processed, declare civil disorders, and close the seats of powers of
    which nothing is left; return whether anything was declared. `missing` are the powers that had
    sent nothing.

    The caller holds the game's lock. A game that waits for replacements declares nothing by itself;
    one in fog of war nothing after retreats and builds, for that would tell who had to decide.
    """
    game = phase.game
    for power in game.powers.filter(open_since__isnull=False):
        power.game = game
        if not is_alive(power):
            offers_end(power=power, now=now)
    if game.when_missing == Game.WhenMissing.WAIT or game.status not in PLAYED:
        return False
    veiled = game.fog and board.step_of(phase.name) != "M"
    lost = [] if veiled else _newly_in_disorder(game, missing)
    for power, why in lost:
        following = open_phase(game)
        if following is None:  # a vote passed when a power lost its say
            break
        _declare(power, following, why, SERVER, now)
    return bool(lost)


def _newly_in_disorder(game: Game, missing: Collection[str]) -> list[tuple[Power, str]]:
    """The powers that sent nothing and are in civil disorder now, and why."""
    following = open_phase(game) if missing else None
    if following is None:
        return []
    living = alive(following.position).intersection(missing)
    powers = list(game.powers.filter(name__in=living, disorder_since=None))
    seats = {seat.power_id: seat for seat in Seat.objects.filter(power__in=powers, until=None)}
    given_up = _powers_given_up(seats.values(), following)
    after = game.disorder_after
    why = f"No orders came for {after} phases in a row." if after > 1 else "No orders came for it."
    return [
        (power, why if power.pk in seats else NOBODY)
        for power in powers
        if power.pk in given_up or power.pk not in seats
    ]


def _powers_given_up(seats: Collection[Seat], following: Phase) -> set[int]:
    """The powers of seats that have sent nothing for longer than the game allows."""
    after = following.game.disorder_after
    if not after:
        return set()
    missed = misses_in_a_row(seats)
    silent = {seat.power_id for seat in seats if missed[seat.pk] >= after}
    spoke = following.order_sets.filter(counts=True, power__in=silent)
    return silent.difference(spoke.values_list("power", flat=True))


def _declare(power: Power, phase: Phase, why: str, by: str, now: dt.datetime) -> Event:
    power.disorder_since = now
    power.open_since = power.open_since or now
    power.save(update_fields=["disorder_since", "open_since"])
    current_orders_drop(phase=phase, power=power)
    event = log.record(
        game=power.game,
        phase=phase,
        facts=DisorderDeclared(phase=phase.name, power=power.name, why=why, by=by),
        now=now,
    )
    nobody_waits(phase=phase, power=power, now=now)
    return event


def nobody_waits(*, phase: Phase, power: Power, now: dt.datetime) -> None:
    """After a power has lost its player, count the votes again, check whether everything is in, and
    offer the seat.

    The caller holds the game's lock.
    """
    if votes_recount(game=power.game, now=now) is None:
        all_in_refresh(phase=phase, now=now)
        offers_make(power=power, by=SERVER, now=now)


def current_orders_drop(*, phase: Phase, power: Power) -> None:
    """Stop counting anything that was said for the power in this phase, but keep it."""
    phase.order_sets.filter(power=power, counts=True).update(counts=False)
    phase.readiness.filter(power=power).delete()


def _lock_living_power(game: Game, power: Power) -> tuple[Game, Power]:
    game = lock_game(game)
    lifecycle.require(game, *PLAYED)
    power = power_now(power, game)
    if not is_alive(power):
        raise WrongState(f"Nothing is left of {power.name}.")
    return game, power


def seat_holder(power: Power) -> Seat:
    """Return the running tenure. Raises WrongState when nobody plays the power."""
    seat = running_seat(power)
    if seat is None:
        raise WrongState(f"Nobody plays {power.name} at the moment.")
    return seat
