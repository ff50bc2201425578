"""Making, joining, seating and starting games."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from games.errors import BadInput, NotAllowed, NotFound, WrongState
from games.models import Application, Game, Player
from games.queries import board
from games.queries.lookup import games_open, seats_of
from games.queries.parsing.game_names import game_by_name
from games.services.accounts.players import player_register
from games.services.seating.joining import game_join, game_leave
from games.services.setup.games import game_create, game_start
from tests.cast import HOUR, NOW, POWERS, Cast, make_player, seat_fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def verdun(db: None) -> Game:
    return game_create(name="verdun", now=NOW)


def join_all(game: Game, names: list[str], preferences: str = "") -> list[Player]:
    players = [make_player(name) for name in names]
    for player in players:
        game_join(game=game, player=player, preferences=preferences, now=NOW)
    game.refresh_from_db()
    return players


def test_a_new_game_has_its_powers_and_looks_for_players(verdun: Game) -> None:
    assert [power.name for power in verdun.powers.all()] == sorted(POWERS.values())
    assert list(games_open()) == [verdun]
    assert verdun.status == Game.Status.FORMING
    assert [event.kind for event in verdun.events.all()] == ["game_created"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"name": "VERDUN"}, "already"),
        ({"name": "ver dun"}, "letters, digits"),
        ({"name": ""}, "“Name” cannot be empty"),
        ({"name": "x" * 41}, "40"),
        ({"variant": "atlantis"}, "atlantis"),
        ({"rules": "1899"}, "1899"),
        ({"rules": {"preset": "DATC", "4.A.99": "a"}}, "4.A.99"),
        ({"rules": {"preset": "DATC", "4.D.1": "d"}}, "4.D.1 is always “c” .the latest set"),
        ({"rules": {"preset": "1982", "4.E.4": "a"}}, "4.E.4 is always “b” .orders are for one"),
        ({"rules": {"preset": "DPTG", "4.E.5": "b"}}, "4.E.5 is always “c” .a power orders its"),
        ({"timezone": "Europe/Atlantis"}, "Europe/Atlantis"),
        ({"movement_length": dt.timedelta(0)}, "longer"),
        ({"entry": "approval"}, "takes a game master: without one nobody lets players in"),
        ({"when_missing": "gm"}, "takes a game master: without one nobody decides"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(
    verdun: Game, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        game_create(**({"name": "somme", "now": NOW} | settings))  # type: ignore[arg-type]
    assert Game.objects.count() == 1


@pytest.mark.on_both
def test_a_game_may_choose_what_its_variant_leaves_open(db: None) -> None:
    chosen = "land_bridges=hawes, victory=25 start=winter"
    game = game_create(name="somme", variant="colonial", variant_options=chosen, now=NOW)
    game.refresh_from_db()
    assert game.variant == "colonial+land_bridges=hawes+victory=25+start=winter"
    variant = board.variant_named(game.variant)
    assert (variant.victory_centers, str(variant.first_phase)) == (25, "W1869A")
    with pytest.raises(BadInput, match="“victory=1” cannot be chosen for Colonial"):
        game_create(name="aisne", variant="colonial", variant_options="victory=1", now=NOW)


@pytest.mark.parametrize(
    ("variant", "wrong", "instead"),
    [
        ("standard", "foo=bar", "builds=home or builds=owned, start=winter."),
        ("colonial", "foo=bar", "builds=owned, start=winter, land_bridges."),
        ("colonial", "land_bridges=oz", "There is no choice “oz” for land_bridges; there are "),
    ],
)
def test_a_wrong_choice_is_answered_with_those_there_are(
    db: None, variant: str, wrong: str, instead: str
) -> None:
    with pytest.raises(BadInput) as refused:
        game_create(name="aisne", variant=variant, variant_options=wrong, now=NOW)
    assert f"“{wrong}” cannot be chosen for " in str(refused.value)
    assert instead in str(refused.value)
    assert "map_options" not in str(refused.value)


def test_a_game_is_found_in_whatever_case(verdun: Game) -> None:
    assert game_by_name(" Verdun ") == verdun


def test_an_unknown_game_is_answered_with_those_there_are(verdun: Game) -> None:
    with pytest.raises(NotFound, match=r"“somme”.*verdun"):
        game_by_name("somme")


def test_the_last_seat_starts_the_game(verdun: Game) -> None:
    join_all(verdun, ["Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"])
    assert verdun.status == Game.Status.FORMING
    join_all(verdun, ["Greta"])
    assert verdun.status == Game.Status.ACTIVE
    assert verdun.started_at == NOW
    assert len(seats_of(verdun)) == 7
    assert verdun.phases.get().name == "S1901M"
    assert verdun.events.filter(kind="game_started").count() == 1


def test_joining_again_replaces_the_preference_list(verdun: Game) -> None:
    (ana,) = join_all(verdun, ["Ana"], "France")
    game_join(game=verdun, player=ana, preferences="Turkey; Italy", now=NOW + HOUR)
    assert Application.objects.get().preferences == "Turkey; Italy"
    assert verdun.events.filter(kind="player_joined").count() == 1, "it is no other player"


def test_an_unreadable_list_is_refused_and_nothing_is_stored(verdun: Game) -> None:
    with pytest.raises(BadInput, match="Atlantis"):
        game_join(game=verdun, player=make_player("Ana"), preferences="Atlantis", now=NOW)
    assert not Application.objects.exists()


def test_nobody_joins_from_an_unconfirmed_address(verdun: Game) -> None:
    address = player_register(name="Ana", email="ana@players.test", now=NOW)
    with pytest.raises(NotAllowed, match="confirm your address"):
        game_join(game=verdun, player=address.player, preferences="", now=NOW)


def test_a_full_game_takes_nobody(marne: Cast) -> None:
    with pytest.raises(WrongState, match="already being played"):
        game_join(game=marne.game, player=marne.player("Hugo"), preferences="", now=NOW)


def test_who_leaves_gives_their_seat_to_another(verdun: Game) -> None:
    ana, *_ = join_all(verdun, ["Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"])
    game_leave(game=verdun, player=ana, now=NOW)
    join_all(verdun, ["Greta"])
    assert verdun.status == Game.Status.FORMING
    game_join(game=verdun, player=ana, preferences="", now=NOW)
    verdun.refresh_from_db()
    assert verdun.status == Game.Status.ACTIVE


def test_nobody_leaves_a_game_they_did_not_join(verdun: Game) -> None:
    with pytest.raises(WrongState, match="nothing to leave"):
        game_leave(game=verdun, player=make_player("Ana"), now=NOW)


def test_nobody_leaves_a_game_that_is_being_played(marne: Cast) -> None:
    with pytest.raises(WrongState, match="being played"):
        game_leave(game=marne.game, player=marne.player("Ana"), now=NOW)


def test_a_game_does_not_start_while_seats_are_free(verdun: Game) -> None:
    join_all(verdun, ["Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix"])
    with pytest.raises(WrongState, match="1 of its 7 seats is still free"):
        game_start(game=verdun, now=NOW)
    assert not verdun.phases.exists()


def test_a_started_game_does_not_start_again(marne: Cast) -> None:
    with pytest.raises(WrongState, match="already being played"):
        game_start(game=marne.game, now=NOW)
    assert marne.game.phases.count() == 1


def test_a_seat_the_gm_filled_is_kept_when_the_game_starts(verdun: Game) -> None:
    ana = make_player("Ana")
    seat_fill(game=verdun, power=verdun.powers.get(name="Turkey"), player=ana, now=NOW)
    join_all(verdun, ["Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta"], "Turkey")
    assert verdun.status == Game.Status.ACTIVE
    players = {seat.power.name: seat.player for seat in seats_of(verdun)}
    assert players["Turkey"] == ana
    assert len({*players.values()}) == 7


def test_a_game_whose_seats_the_gm_filled_all_can_be_started(verdun: Game) -> None:
    for name, power in POWERS.items():
        seat_fill(
            game=verdun, power=verdun.powers.get(name=power), player=make_player(name), now=NOW
        )
    game_start(game=verdun, now=NOW)
    assert {seat.player.name: seat.power.name for seat in seats_of(verdun)} == POWERS


def test_the_draw_of_powers_follows_the_lists(verdun: Game) -> None:
    names = list(POWERS)
    for name in names[:6]:
        game_join(game=verdun, player=make_player(name), preferences=POWERS[name], now=NOW)
    seat_fill(
        game=verdun, power=verdun.powers.get(name="Turkey"), player=make_player("Greta"), now=NOW
    )
    game_start(game=verdun, now=NOW, rng=random.Random(3))
    assert {seat.player.name: seat.power.name for seat in seats_of(verdun)} == POWERS
