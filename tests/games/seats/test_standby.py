"""The standby list and the offers made to those who are on it."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.errors import BadInput, NotAllowed, WrongState
from games.models import Offer, Player, Power, Standby
from games.queries.players.attendance import reliabilities
from games.queries.players.reliability import Reliability
from games.queries.players.seats import seats_taken_over
from games.services.accounts.players import player_register
from games.services.endings.ending import game_end
from games.services.seating import standby
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign, seat_take
from games.services.seating.standby import (
    MOST_SEATS,
    OFFER_LASTS,
    offer_decline,
    offers_expire,
    offers_make,
    seat_offer,
    standby_join,
    standby_leave,
)
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_player

pytestmark = pytest.mark.django_db


def italy(cast: Cast) -> Power:
    return cast.game.powers.get(name="Italy")


def resign(cast: Cast, power: str = "Italy") -> None:
    seat_resign(seat=cast.seat(power), now=NOW)


def offered() -> list[tuple[str, str, str]]:
    """Who was offered what, and how that ended."""
    offers = Offer.objects.select_related("power", "player").order_by("pk")
    return [(one.player.name, one.power.name, one.end) for one in offers]


def stand_by(name: str, at_most: int = 1) -> Standby:
    return standby_join(player=Player.objects.get(name=name), at_most=at_most, now=NOW)


def test_an_open_seat_is_offered_to_all_on_the_list(marne: Cast) -> None:
    make_player("Ines")
    stand_by("Hugo")
    stand_by("Ines")
    resign(marne)
    assert offered() == [("Hugo", "Italy", ""), ("Ines", "Italy", "")]
    [event] = marne.events("seat_offered")
    assert event.payload == {
        "phase": "S1901M",
        "power": "Italy",
        "offers": 2,
        "by": "the server",
    }


def test_an_offer_costs_no_statement_for_each_who_stands_by(marne: Cast) -> None:
    names = ["Ines", "Jon", "Kai", "Lea", "Mia", "Noa", "Oda", "Pia"]
    for name in names:
        make_player(name)
        stand_by(name)
    with CaptureQueriesContext(connection) as captured:
        resign(marne)
    assert len(offered()) == len(names)
    asked = Counter(re.sub(r"\d+", "", query["sql"]) for query in captured)
    often, times = asked.most_common(1)[0]
    assert times < len(names), often


def test_nothing_is_recorded_when_there_is_nobody_to_offer_it_to(marne: Cast) -> None:
    resign(marne)
    assert marne.events("seat_offered") == []


def test_whoever_joins_the_list_is_offered_what_is_open_already(marne: Cast) -> None:
    resign(marne, "Italy")
    resign(marne, "Turkey")
    stand_by("Hugo")
    assert offered() == [("Hugo", "Italy", ""), ("Hugo", "Turkey", "")]
    make_player("Ines")
    stand_by("Ines")
    assert len(offered()) == 4, "Hugo is not asked again"


def test_who_came_while_the_seat_was_being_opened_is_not_offered_it_twice(marne: Cast) -> None:
    """Their mail was begun first and waited for the game: its time is before the seat's."""
    seat_resign(seat=marne.seat("Italy"), now=NOW + HOUR)
    stand_by("Hugo")
    with pytest.raises(WrongState, match="There is nobody left on the standby list"):
        seat_offer(game=marne.game, power=italy(marne), by="gm", now=NOW + 2 * HOUR)
    make_player("Ines")
    stand_by("Ines")
    assert offered() == [("Hugo", "Italy", ""), ("Ines", "Italy", "")]


def test_whoever_joins_the_list_while_a_seat_is_offered_breaks_nothing(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_player("Ines")
    stand_by("Hugo")

    def meanwhile(players: Sequence[Player], *, now: dt.datetime) -> dict[int, Reliability]:
        found = reliabilities(players, now=now)
        Standby.objects.get_or_create(player=Player.objects.get(name="Ines"), since=NOW)
        return found

    monkeypatch.setattr(standby, "reliabilities", meanwhile)
    resign(marne)
    assert offered() == [("Hugo", "Italy", "")]


def test_nobody_is_offered_a_seat_of_a_game_in_which_they_play_or_played(marne: Cast) -> None:
    stand_by("Ana")
    stand_by("Greta")
    resign(marne, "Turkey")
    resign(marne, "Italy")
    assert offered() == []


@pytest.mark.parametrize(
    "row",
    [
        {"banned_at": NOW},
        {"suspended_until": NOW + DAY},
    ],
)
def test_nobody_is_offered_a_seat_who_may_take_none(marne: Cast, row: dict[str, object]) -> None:
    stand_by("Hugo")
    Player.objects.filter(name="Hugo").update(**row)
    resign(marne)
    assert offered() == []
    with pytest.raises(NotAllowed):
        stand_by("Hugo")


def test_the_gm_is_not_offered_a_seat_of_their_own_game(marne: Cast) -> None:
    stand_by("Hugo")
    Player.objects.filter(name="Hugo").update(user=marne.gm)
    resign(marne)
    assert offered() == []


def other_game(name: str) -> Cast:
    """Another game of the same players."""
    game = game_create(name=name, now=NOW)
    for player, power in POWERS.items():
        game_join(game=game, player=Player.objects.get(name=player), preferences=power, now=NOW)
    game.refresh_from_db()
    return Cast(game, game.gm)  # type: ignore[arg-type]


@pytest.mark.parametrize(("at_most", "offers"), [(1, 1), (2, 2)])
def test_nobody_is_offered_more_seats_than_they_want(
    marne: Cast, at_most: int, offers: int
) -> None:
    stand_by("Hugo", at_most)
    verdun = other_game("verdun")
    resign(marne)
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Hugo"), now=NOW + HOUR)
    assert seats_taken_over([marne.player("Hugo")]).count() == 1
    resign(verdun)
    assert len(offered()) == offers


def test_seats_from_the_start_are_not_counted_as_taken_over(marne: Cast) -> None:
    assert seats_taken_over([marne.player("Ana")]).count() == 0


def test_the_first_to_accept_takes_the_seat_and_the_other_offers_are_withdrawn(
    marne: Cast,
) -> None:
    make_player("Ines")
    stand_by("Hugo")
    stand_by("Ines")
    resign(marne)
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Ines"), now=NOW + HOUR)
    assert offered() == [("Hugo", "Italy", "withdrawn"), ("Ines", "Italy", "taken")]


def test_who_declines_is_not_asked_again_for_this_seat(marne: Cast) -> None:
    make_player("Ines")
    stand_by("Hugo")
    stand_by("Ines")
    resign(marne)
    offer = Offer.objects.get(player__name="Hugo")
    offer_decline(offer=offer, now=NOW + HOUR)
    assert offered() == [("Hugo", "Italy", "declined"), ("Ines", "Italy", "")]
    with pytest.raises(WrongState, match="There is nobody left on the standby list"):
        seat_offer(game=marne.game, power=italy(marne), by="the GM", now=NOW + HOUR)
    with pytest.raises(WrongState, match="already over"):
        offer_decline(offer=offer, now=NOW + HOUR)
    resign(marne, "Turkey")
    assert offered()[2:] == [("Hugo", "Turkey", ""), ("Ines", "Turkey", "")]
    assert offers_expire(now=NOW + 2 * OFFER_LASTS) == 3
    assert offered()[0] == ("Hugo", "Italy", "declined")


def test_an_offer_ends_after_a_week_and_may_be_made_again(marne: Cast) -> None:
    stand_by("Hugo")
    resign(marne)
    assert offers_expire(now=NOW + OFFER_LASTS - HOUR) == 0
    assert offers_expire(now=NOW + OFFER_LASTS) == 1
    event = seat_offer(
        game=marne.game, power=italy(marne), by="the GM", now=NOW + OFFER_LASTS + HOUR
    )
    assert event.payload["offers"] == 1
    assert offered() == [("Hugo", "Italy", "expired"), ("Hugo", "Italy", "")]


def test_a_seat_that_is_not_open_is_not_offered(marne: Cast) -> None:
    stand_by("Hugo")
    with pytest.raises(WrongState, match="The seat of Italy is not open"):
        seat_offer(game=marne.game, power=italy(marne), by="the GM", now=NOW)


def test_another_number_of_seats_changes_the_place_on_the_list(marne: Cast) -> None:
    first = stand_by("Hugo")
    second = stand_by("Hugo", MOST_SEATS)
    assert (first.pk, second.at_most) == (second.pk, MOST_SEATS)


@pytest.mark.parametrize("number", [0, -1, 21])
def test_a_number_of_seats_that_makes_no_sense_is_refused(marne: Cast, number: int) -> None:
    with pytest.raises(BadInput, match="from 1 to 20"):
        stand_by("Hugo", number)


def test_whoever_leaves_the_list_is_offered_nothing_more(marne: Cast) -> None:
    stand_by("Hugo", 2)
    resign(marne)
    offer_decline(offer=Offer.objects.get(), now=NOW)
    resign(marne, "France")
    standby_leave(player=marne.player("Hugo"), now=NOW + HOUR)
    resign(marne, "Turkey")
    assert offered() == [("Hugo", "Italy", "declined"), ("Hugo", "France", "withdrawn")]
    with pytest.raises(WrongState, match="not on the standby list"):
        standby_leave(player=marne.player("Hugo"), now=NOW + HOUR)
    again = standby_join(player=marne.player("Hugo"), now=NOW + 2 * HOUR)
    assert (again.since, again.until) == (NOW + 2 * HOUR, None)


def test_no_seat_of_a_game_that_is_over_is_offered(marne: Cast) -> None:
    stand_by("Hugo")
    resign(marne)
    game_end(game=marne.game, winners=(), why="It is late.", by="gm", now=NOW)
    with pytest.raises(WrongState, match="is over"):
        seat_offer(game=marne.game, power=italy(marne), by="the GM", now=NOW)
    make_player("Ines")
    stand_by("Ines")
    assert [name for name, _, _ in offered()] == ["Hugo"]


def test_nobody_without_a_confirmed_address_is_on_the_list(db: None) -> None:
    address = player_register(name="Ines", email="ines@players.test", now=NOW)
    with pytest.raises(NotAllowed, match="confirm your address"):
        standby_join(player=address.player, now=NOW)


def test_whom_no_mail_reaches_is_offered_no_seat(marne: Cast) -> None:
    stand_by("Hugo")
    marne.player("Hugo").addresses.update(confirmed_at=None)
    resign(marne)
    assert offered() == []


def test_who_has_as_many_seats_as_they_want_is_asked_for_no_other(marne: Cast) -> None:
    stand_by("Hugo")
    verdun = other_game("verdun")
    resign(marne)
    resign(verdun)
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Hugo"), now=NOW + HOUR)
    assert offered() == [("Hugo", "Italy", "taken"), ("Hugo", "Italy", "withdrawn")]


def test_who_wants_more_seats_keeps_the_offers_of_other_games_alone(marne: Cast) -> None:
    stand_by("Hugo", 2)
    verdun = other_game("verdun")
    resign(marne)
    resign(marne, "Turkey")
    resign(verdun)
    seat_take(game=marne.game, power=italy(marne), player=marne.player("Hugo"), now=NOW + HOUR)
    assert offered() == [
        ("Hugo", "Italy", "taken"),
        ("Hugo", "Turkey", "withdrawn"),
        ("Hugo", "Italy", ""),
    ]
    seat_take(game=verdun.game, power=italy(verdun), player=marne.player("Hugo"), now=NOW + HOUR)
    assert offered()[2] == ("Hugo", "Italy", "taken")


def test_a_seat_that_nobody_waits_for_asks_for_no_more_than_the_list(marne: Cast) -> None:
    def asked() -> int:
        power = marne.seat("Italy").power
        with CaptureQueriesContext(connection) as captured:
            assert offers_make(power=power, by="the GM", now=NOW) is None
        return len(captured)

    assert asked() == 1
    stand_by("Hugo")
    standby_leave(player=Player.objects.get(name="Hugo"), now=NOW)
    assert asked() == 1
