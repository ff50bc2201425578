"""Several at once who take, leave or are kept out of seats: each has what they were told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from games.errors import GameError, WrongState
from games.models import Conduct, Game, Offer, Power
from games.queries.lookup import seats_of
from games.queries.players.places import places_of
from games.services.moderation.conduct import player_ban, player_suspend
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign, seat_take
from games.services.seating.standby import offers_end, standby_join, standby_leave
from games.services.setup.games import game_create
from games.services.setup.making import start_choose
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_player
from tests.games.evening import evening_game
from tests.games.races.racing import in_thread, somebody_waits, together
from tests.mailer.beside import beside

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_who_want_the_last_seat_start_the_game_once() -> None:
    game = game_create(name="verdun", now=NOW)
    players = [make_player(name) for name in [*POWERS, "Hugo"]]
    for player in players[:6]:
        game_join(game=game, player=player, preferences="", now=NOW)
    last = [
        partial(game_join, game=game, player=player, preferences="", now=NOW)
        for player in players[6:]
    ]
    outcomes = together(*last)
    refused = [one for one in outcomes if isinstance(one, GameError)]
    assert len(refused) == 1
    assert "already being played" in str(refused[0])
    assert len(seats_of(game)) == 7
    assert Game.objects.get().phases.count() == 1


@pytest.mark.only_on("PostgreSQL")
def test_offers_are_ended_in_the_order_in_which_they_were_made(cast: Cast) -> None:
    """Two players who take seats of different games at once end offers of each other's."""
    power = cast.seat("Turkey").power
    standby_join(player=make_player("Ida"), now=NOW)
    standby_join(player=cast.player("Hugo"), now=NOW + HOUR)
    seat_resign(seat=cast.seat("Turkey"), now=NOW)
    first, last = Offer.objects.order_by("pk")
    # Without an order PostgreSQL finds it last, by its player's key and because it has changed.
    Offer.objects.filter(pk=first.pk).update(expires_at=NOW + 8 * DAY)

    @transaction.atomic
    def one() -> None:
        Offer.objects.select_for_update().get(pk=first.pk)
        holds.set()
        while not somebody_waits():
            time.sleep(0.01)
        Offer.objects.select_for_update(nowait=True).get(pk=last.pk)

    @transaction.atomic
    def other() -> None:
        assert holds.wait(timeout=60)
        offers_end(power=power, now=NOW)

    holds = threading.Event()
    together(one, other)
    assert set(Offer.objects.values_list("end", flat=True)) == {Offer.End.WITHDRAWN}


@pytest.mark.only_on("PostgreSQL")
def test_a_start_is_not_taken_back_while_somebody_takes_the_last_seat(cast: Cast) -> None:
    """The game would begin at once, which its maker did not want."""
    ana, ben, carla = (cast.player(name) for name in ("Ana", "Ben", "Carla"))
    game = evening_game(ana)
    game_join(game=game, player=ben, preferences="", now=NOW)

    @transaction.atomic
    def last_joins() -> None:
        game_join(game=game, player=carla, preferences="", now=NOW)
        holds.set()
        while not somebody_waits():
            time.sleep(0.01)

    def maker_takes_back() -> None:
        assert holds.wait(timeout=60)
        start_choose(player=ana, name="yser", start="OFF", why="Rain.", now=NOW)

    holds = threading.Event()
    [_, refused] = together(last_joins, maker_takes_back)
    assert isinstance(refused, WrongState)
    game.refresh_from_db()
    assert game.starts_at


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("bar", [player_ban, partial(player_suspend, until=NOW + DAY)])
@pytest.mark.parametrize("takes", ["a place", "a seat", "a place on the standby list"])
def test_who_takes_something_at_the_moment_they_are_kept_out_does_not_keep_it(
    cast: Cast, takes: str, bar: Callable[..., Conduct]
) -> None:
    """But a seat in a game that is played, from whom is only suspended."""
    hugo, italy = cast.player("Hugo"), cast.seat("Italy")
    seat_resign(seat=italy, now=NOW)
    younger = game_create(name="ypres", gm=cast.gm, now=NOW)
    takings: dict[str, Callable[[], object]] = {
        "a place": partial(game_join, game=younger, player=hugo, preferences="", now=NOW),
        "a seat": partial(seat_take, game=cast.game, power=italy.power, player=hugo, now=NOW),
        "a place on the standby list": partial(standby_join, player=hugo, now=NOW),
    }
    has_taken, banned = threading.Event(), threading.Event()

    @transaction.atomic
    def mail() -> None:
        takings[takes]()
        has_taken.set()
        while not banned.is_set() and not somebody_waits():
            banned.wait(timeout=0.01)

    def ban() -> None:
        assert has_taken.wait(timeout=60)
        bar(player=hugo, why="Insults.", by="mo", now=NOW)
        banned.set()

    together(mail, ban)
    assert places_of(hugo) == []
    assert bar is not player_ban or not hugo.seats.filter(until=None).exists()
    assert not hugo.standby.filter(until=None).exists()


@pytest.mark.only_on("PostgreSQL")
def test_who_leaves_the_standby_list_at_the_moment_a_seat_opens_is_left_no_offer(
    cast: Cast,
) -> None:
    hugo, somme = cast.player("Hugo"), beside(cast, "somme")
    leave = partial(standby_leave, player=hugo, now=NOW)
    standby_join(player=hugo, now=NOW)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            leave()
            opens = partial(seat_resign, seat=cast.seat("Italy"), now=NOW)
            pool.submit(in_thread, opens).result(timeout=30)
        assert not hugo.offers.exists()
        Power.objects.update(open_since=None)
        standby_join(player=hugo, now=NOW)
        with transaction.atomic():
            seat_resign(seat=cast.seat("Turkey"), now=NOW)
            opens = partial(seat_resign, seat=somme.seat("Turkey"), now=NOW)
            pool.submit(in_thread, opens).result(timeout=30)  # they share the list
            left = pool.submit(in_thread, leave)
            while not somebody_waits() and not left.done():
                time.sleep(0.01)
        left.result(timeout=30)
    assert [one.end for one in hugo.offers.all()] == ["withdrawn"] * 2
