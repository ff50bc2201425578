"""Seats that change hands: resigning, taking over, returning, and what the GM decides about them.

Every tenure is a row of its own, with its own secrets in reply addresses. Somebody who takes over a
power begins clean: nothing that was said for it in the open phase counts, and they see neither that
nor their predecessor's press. The orders of a player who resigned count until somebody takes over,
and the phase is not decided before its deadline (`games.queries.orders.waiting.is_all_in`).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from games import lifecycle, log
from games.bans import require_free, require_seatable
from games.errors import NotAllowed, WrongState
from games.events import SeatResigned, SeatTaken, SeatVacated, TakeoverAsked, rows_saying
from games.models import Event, Game, Observer, Phase, Player, Power, Seat
from games.queries.access.audience import hides_who_decides
from games.queries.orders.current_orders import deciding
from games.queries.players.attendance import require_reliable
from games.queries.players.seats import PLAYED, is_alive, last_seat, running_seat
from games.services.clock.deadlines import deadline_at_least
from games.services.common import (
    lock_game,
    lock_player,
    phase_now,
    power_now,
    reason,
    require_confirmed,
    seat_now,
)
from games.services.ordering.advance_orders import orders_restore
from games.services.ordering.disorder import current_orders_drop, nobody_waits, seat_holder
from games.services.ordering.readiness import all_in_refresh
from games.services.seating.invitations import let_take
from games.services.seating.standby import return_record, seat_close, seat_keep
from games.services.seating.who_may_sit import (
    not_open,
    not_yours,
    require_no_seat,
    require_stranger,
)
from games.timing.deadlines import NOTHING
from games.timing.pace import takeover_time

Ended = Seat.Ended

THE_PLAYER = "the player"
TAKEN_AWAY = (
    "{power} was taken from you, so only the game's GM or a moderator can give it back. To ask for "
    "it, write MODERATOR and why."
)


@transaction.atomic
def seat_resign(*, seat: Seat, now: dt.datetime) -> Event:
    """Give up a seat. It is open at once; its orders count until somebody takes it.

    Raises NotAllowed when the seat is not the player's any more, WrongState when the game is not
    being played or nothing is left of the power.
    """
    _, power = _lock_running_game(seat.power.game, seat.power)
    seat = seat_now(seat)
    if not is_alive(power):
        raise WrongState(
            f"Nothing is left of {power.name}, so there is nothing to resign from, and nothing "
            "more for you to do."
        )
    return _end_tenure(seat, power, _Change(Ended.RESIGNED, "", THE_PLAYER), now)


@transaction.atomic
def seat_vacate(*, game: Game, power: Power, why: str, by: str, now: dt.datetime) -> Event:
    """Take a power from its player, and open the seat. All are told why.

    Raises BadInput without a reason, WrongState when nobody plays the power or nothing is left of
    it: nobody could take it over.
    """
    game, power = _lock_running_game(game, power)
    why = reason(why)
    if not is_alive(power):
        raise WrongState(f"Nothing is left of {power.name}.")
    return _end_tenure(seat_holder(power), power, _Change(Ended.VACATED, why, by), now)


@transaction.atomic
def seat_take(
    *, game: Game, power: Power, player: Player, now: dt.datetime, knows_code: bool = False
) -> Seat | None:
    """Let a player take over a power whose seat is open. The first who asks has it. Where the GM
    decides who joins, this asks the GM for a player who has yet to be let in, and returns None.

    Raises WrongState when the seat is not open (any more), NotAllowed when it is not for them: they
    play or played in this game, are its GM or kept out of it, were not invited to a game by
    invitation, are not as reliable as the game wants, or may take no seat at all.
    WrongState as well when they have asked the GM already.
    """
    player = lock_player(player)
    game, power = _lock_running_game(game, power)
    last = last_seat(power)
    if last and last.player_id == player.pk:
        return seat_return(power=power, player=player, now=now)
    require_confirmed(player)
    require_free(player, now=now)
    earlier = require_stranger(game, power, player)
    require_reliable(game, player, now=now)
    is_let = bool(earlier) or let_take(power, player, knows_code=knows_code)
    if earlier and earlier.ended_because in (Ended.REPLACED, Ended.VACATED):
        raise NotAllowed(TAKEN_AWAY.format(power=power.name))
    if power.open_since is None or not is_alive(power):
        raise WrongState(not_open(power))
    if not is_let:
        _ask_gm(power, player, now)
        return None
    return _seat_player(power, player, _Change(Ended.TAKEN_OVER, "", "a takeover"), now)


def _ask_gm(power: Power, player: Player, now: dt.datetime) -> None:
    """Tell the GM that the player would take the seat, once while it is open."""
    game = power.game
    told = rows_saying(game.events.all(), TakeoverAsked, power=power.name, player=player.pk)
    if told.filter(created_at__gte=power.open_since).exists():
        raise WrongState(
            f"Whoever looks after the game {game.name} already knows that you would like to play "
            f"{power.name}. If they give it to you, a mail tells you."
        )
    phase = phase_now(game)
    facts = TakeoverAsked(phase=phase.name, power=power.name, player=player.pk)
    log.record(game=game, phase=phase, facts=facts, now=now)


@transaction.atomic
def seat_replace(
    *, game: Game, power: Power, player: Player, why: str, by: str, now: dt.datetime
) -> Seat:
    """Give a power to another player, whoever holds it. All are told why.

    Raises BadInput without a reason, NotAllowed when the player cannot take this seat, WrongState
    when the game is not being played or nothing is left of the power.
    """
    player = lock_player(player)
    game, power = _lock_running_game(game, power)
    why = reason(why)
    require_seatable(player, now=now)
    require_stranger(game, power, player)
    if not is_alive(power):
        raise WrongState(f"Nothing is left of {power.name}.")
    return _seat_player(power, player, _Change(Ended.REPLACED, why, by), now)


@transaction.atomic
def seat_return(*, power: Power, player: Player, now: dt.datetime) -> Seat:
    """Let the player of an open seat be back in it, as long as nobody else has taken it.

    A player who resigned gets a new tenure, with the orders that they had sent ahead. Raises
    WrongState when they never were away, NotAllowed when the seat is another's now, was taken from
    them, or was never theirs.
    """
    player = lock_player(player)
    game, power = _lock_running_game(power.game, power)
    seat, phase = last_seat(power), phase_now(game)
    if seat is None or seat.player_id != player.pk:
        raise NotAllowed(not_yours(power, player))
    if seat.until is None:
        if not seat_keep(seat=seat, now=now):
            raise WrongState(f"You play {power.name} in the game {game.name}: nothing has changed.")
    elif seat.ended_because != Ended.RESIGNED:
        raise NotAllowed(TAKEN_AWAY.format(power=power.name))
    else:
        require_free(player, now=now)
        require_no_seat(game, player)
        old, disorder = seat, power.disorder_since is not None
        seat = Seat.objects.create(power=power, player=player, since=now)
        seat_close(power=power, now=now)
        orders_restore(old=old, seat=seat, phase=phase, disorder=disorder, now=now)
        return_record(seat=seat, phase=phase, now=now)
    all_in_refresh(phase=phase, now=now)
    return seat


@dataclass(frozen=True, slots=True)
class _Change:
    """How a seat loses its player, for what reason ("" for none), and who did it, for the log."""

    because: Seat.Ended
    why: str
    by: str


def _end_tenure(seat: Seat, power: Power, change: _Change, now: dt.datetime) -> Event:
    phase = phase_now(power.game)
    _end(seat, change.because, now)
    power.open_since = power.open_since or now
    power.save(update_fields=["open_since"])
    kinds = {Ended.RESIGNED: SeatResigned, Ended.VACATED: SeatVacated}
    event = log.record(
        game=power.game,
        phase=phase,
        facts=kinds[change.because](
            phase=phase.name,
            power=power.name,
            seat=seat.pk,
            why=change.why,
            by=change.by,
            keeps_open=keeps_open(phase, power),
            waits=power.game.when_missing == Game.WhenMissing.WAIT,
        ),
        now=now,
    )
    nobody_waits(phase=phase, power=power, now=now)
    return event


def keeps_open(phase: Phase, power: Power) -> bool:
    """Say whether the phase stays open to its deadline when the power has no player."""
    decides = power.name in deciding(phase) and power.disorder_since is None
    return decides and phase.overdue_at is None


def time_to_take_over(phase: Phase, power: Power) -> dt.timedelta:
    """Return how much time a new player of the power has at least: none where it has nothing to
    decide, unless a deadline that stays would tell the others so."""
    needs = power.name in deciding(phase) or hides_who_decides(phase)
    return takeover_time(phase) if needs else NOTHING


def _seat_player(power: Power, player: Player, change: _Change, now: dt.datetime) -> Seat:
    game, phase = power.game, phase_now(power.game)
    before = running_seat(power)
    if before:
        _end(before, change.because, now)
    seat = Seat.objects.create(power=power, player=player, since=now)
    Observer.objects.filter(game=game, player=player, until=None).update(until=now)
    seat_close(power=power, taken_by=player, now=now)
    current_orders_drop(phase=phase, power=power)
    needed = time_to_take_over(phase, power)
    deadline = deadline_at_least(phase=phase, time=needed, now=now)
    all_in_refresh(phase=phase, now=now)
    log.record(
        game=game,
        phase=phase,
        facts=SeatTaken(
            phase=phase.name,
            power=power.name,
            seat=seat.pk,
            before=before.pk if before else None,
            due_at=phase.due_at,
            deadline=deadline,
            why=change.why,
            by=change.by,
        ),
        now=now,
    )
    return seat


def _end(seat: Seat, because: Seat.Ended, now: dt.datetime) -> None:
    seat.until, seat.ended_because = now, because
    seat.save(update_fields=["until", "ended_because"])


def _lock_running_game(game: Game, power: Power) -> tuple[Game, Power]:
    game = lock_game(game)
    lifecycle.require(game, *PLAYED)
    return game, power_now(power, game)
