"""Whatever is done with seats, in whatever order: what must always be true of them, is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import count

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import GameError
from games.models import Game, Offer, Player, Seat
from games.queries.audit import log_faults
from games.queries.players.seats import open_seats
from games.services.adjudication.due_games import phases_due
from games.services.adjudication.phases import phase_process
from games.services.adjudication.rollback import game_rollback
from games.services.clock.overdue import seat_reopen, seats_to_reopen
from games.services.ordering.disorder import disorder_declare, disorder_end
from games.services.ordering.orders import orders_submit
from games.services.seating.seats import (
    seat_replace,
    seat_resign,
    seat_return,
    seat_take,
    seat_vacate,
)
from games.services.seating.standby import offers_expire, seat_offer, standby_join, standby_leave
from tests.cast import DAY, HOUR, NOW, Cast, make_cast, make_player

pytestmark = pytest.mark.django_db

POWERS = ("Austria", "Italy")
PLAYERS = ("Ana", "Emma", "Hugo", "Ines")
GM = "the GM"

Act = Callable[[Cast, str, Player, dt.datetime], object]
_numbers = count()


def order(cast: Cast, power: str, player: Player, now: dt.datetime) -> object:
    units = cast.phase.position["units"][power]
    return orders_submit(
        seat=Seat.objects.get(power__game=cast.game, power__name=power, until=None),
        phase=cast.phase,
        lines=[(number, f"{unit} Holds") for number, unit in enumerate(units, start=1)],
        amend=False,
        received_at=now,
        source=f"<{next(_numbers)}@players.test>",
        now=now,
    )


def process(cast: Cast, power: str, player: Player, now: dt.datetime) -> object:
    return [phase_process(game_id=game, now=now) for game in phases_due(now=now)]


def of_power(service: Callable[..., object], **more: object) -> Act:
    """An act of the GM on a power."""
    return lambda cast, power, player, now: service(
        game=cast.game, power=cast.game.powers.get(name=power), now=now, **more
    )


def of_player(service: Callable[..., object], **more: object) -> Act:
    """An act by which a player gets a power."""
    return lambda cast, power, player, now: service(
        game=cast.game, power=cast.game.powers.get(name=power), player=player, now=now, **more
    )


ACTS: dict[str, Act] = {
    "order": order,
    "process": process,
    "resign": lambda cast, power, player, now: seat_resign(seat=cast.seat(power), now=now),
    "take": of_player(seat_take),
    "return": lambda cast, power, player, now: seat_return(
        power=cast.game.powers.get(name=power), player=player, now=now
    ),
    "replace": of_player(seat_replace, why="So.", by=GM),
    "vacate": of_power(seat_vacate, why="So.", by=GM),
    "declare": of_power(disorder_declare, why="So.", by=GM),
    "end": of_power(disorder_end, by=GM),
    "offer": of_power(seat_offer, by=GM),
    "stand by": lambda cast, power, player, now: standby_join(player=player, now=now),
    "stand off": lambda cast, power, player, now: standby_leave(player=player, now=now),
    "expire": lambda cast, power, player, now: offers_expire(now=now),
    "reopen": lambda cast, power, player, now: [
        seat_reopen(game=game, power=one, now=now) for game, one in seats_to_reopen(now=now)
    ],
    "roll back": lambda cast, power, player, now: game_rollback(
        game=cast.game, phase=cast.phase.name, why="So.", by=GM, now=now
    ),
}

steps = st.lists(
    st.tuples(
        st.sampled_from(sorted(ACTS)),
        st.sampled_from(POWERS),
        st.sampled_from(PLAYERS),
        st.sampled_from([HOUR, DAY, 4 * DAY]),
    ),
    max_size=14,
)


class _Undo(Exception):
    """Takes everything back that an example did."""


def test_seats_are_sound_whatever_is_done_with_them(db: None) -> None:
    cast = make_cast()
    make_player("Ines")

    @settings(max_examples=12, deadline=None)
    @given(steps, st.sampled_from(["hold", "extend", "wait", "gm"]))
    def any_order(acts: list[tuple[str, str, str, dt.timedelta]], policy: str) -> None:
        try:
            with transaction.atomic():
                play(cast, acts, policy)
                raise _Undo
        except _Undo:
            return

    any_order()


def play(cast: Cast, acts: list[tuple[str, str, str, dt.timedelta]], policy: str) -> None:
    Game.objects.update(when_missing=policy)
    now = NOW
    for act, power, player, later in acts:
        now += later
        try:
            with transaction.atomic():
                ACTS[act](cast, power, Player.objects.get(name=player), now)
        except (GameError, Seat.DoesNotExist):
            continue
        finally:
            check(cast.game)
    assert list(log_faults.faults(cast.game)) == []


def check(game: Game) -> None:
    running = Seat.objects.filter(power__game=game, until=None)
    assert len({seat.player_id for seat in running}) == len(running), "one power for each player"
    for power in game.powers.all():
        held = running.filter(power=power).exists()
        if not held or power.disorder_since:
            assert power.open_since is not None, f"{power.name} can be taken over"
        if power.open_since is None:
            assert not power.offers.filter(end="").exists(), "what is not open is not offered"
    for seat in Seat.objects.filter(power__game=game):
        assert (seat.until is None) == (seat.ended_because == "")
    for offer in Offer.objects.filter(end=""):
        assert not offer.player.seats.filter(power__game=game, until=None).exists()
        assert offer.player.standby.filter(until=None).exists()
    names = {one.power for one in open_seats(game)}
    assert names == set(game.powers.exclude(open_since=None).values_list("name", flat=True))
