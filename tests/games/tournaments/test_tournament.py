"""Tournaments: which game belongs to one, and who has how many points by those that are over."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.errors import BadInput, NotFound, WrongState
from games.models import CoGM, Player
from games.queries.tournaments.tournament import Rank, games_of, tournament_named, tournaments
from games.services.accounts.merging import players_merge
from games.services.setup import game_faults
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from tests.cast import NOW, Cast, make_cast, seat_fill
from tests.games.tournaments.games import CUP, another, end

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Cast:
    """The game `marne`, of the tournament `spring-cup`."""
    return make_cast(tournament=CUP, scoring="draw-size")


def points(ranks: tuple[Rank, ...]) -> list[tuple[int, str, Fraction]]:
    """Place, name and points of each line, without those who have none."""
    return [(one.place, one.player.name, one.points) for one in ranks if one.points]


# --- The table -------------------------------------------------------------------------------


def test_before_a_game_is_over_nobody_has_points(cup: Cast) -> None:
    one = tournament_named(CUP)
    assert one.ranks == ()
    assert [game.name for game in one.to_come] == ["marne"]


def test_the_scores_of_all_games_add_up(cup: Cast) -> None:
    second = another(cup, "aisne")
    end(cup.game, "France", "Austria")
    end(second, "France")  # Ben, who had England in the first
    assert points(tournament_named(CUP).ranks) == [
        (1, "Ben", Fraction(100)),
        (2, "Ana", Fraction(50)),
        (2, "Carla", Fraction(50)),
    ]


def test_who_has_as_many_points_shares_a_place_and_the_next_is_left_out(cup: Cast) -> None:
    end(cup.game, "France", "Austria")
    assert [one.place for one in tournament_named(CUP).ranks] == [1, 1, 3, 3, 3, 3, 3]


def test_a_line_says_what_each_game_brought(cup: Cast) -> None:
    second = another(cup, "aisne")
    end(cup.game, "France")
    end(second, "Germany")  # Carla's
    [carla] = [one for one in tournament_named(CUP).ranks if one.player.name == "Carla"]
    said = [(one.game, one.power, one.number) for one in carla.played]
    assert said == [("marne", "France", "100"), ("aisne", "Germany", "100")]
    assert carla.points_text == "200 points"


def test_a_power_s_points_go_to_whoever_plays_it_at_the_end(cup: Cast) -> None:
    hugo, france = Player.objects.get(name="Hugo"), cup.game.powers.get(name="France")
    seat_fill(game=cup.game, power=france, player=hugo, now=NOW)
    end(cup.game, "France")
    ranks = tournament_named(CUP).ranks
    assert points(ranks) == [(1, "Hugo", Fraction(100))]
    assert "Carla" not in [one.player.name for one in ranks]


def test_a_seat_that_nobody_holds_brings_nobody_points(cup: Cast) -> None:
    cup.game.powers.get(name="France").seats.update(until=NOW)
    end(cup.game, "France")
    assert points(tournament_named(CUP).ranks) == []


def test_a_game_without_a_result_counts_for_nobody(cup: Cast) -> None:
    end(cup.game)
    one = tournament_named(CUP)
    assert one.ranks == ()
    assert [game.name for game in one.over] == ["marne"]


def test_a_game_that_never_started_counts_for_nobody(cup: Cast) -> None:
    other = game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    end(other)
    assert tournament_named(CUP).ranks == ()


def test_two_accounts_that_are_made_one_have_one_line(cup: Cast) -> None:
    """Merging refuses whoever plays against themselves, so the two played in different games."""
    hugo = Player.objects.get(name="Hugo")
    france = cup.game.powers.get(name="France")
    second = another(cup, "aisne")
    seat_fill(game=cup.game, power=france, player=hugo, now=NOW)
    end(cup.game, "France")
    end(second, "Germany")
    players_merge(
        kept=cup.player("Carla"), other=hugo, why="Two addresses.", by="a moderator", now=NOW
    )
    assert points(tournament_named(CUP).ranks) == [(1, "Carla", Fraction(200))]


def test_games_that_are_scored_otherwise_are_named_so(cup: Cast) -> None:
    another(cup, "aisne", scoring="sum-of-squares")
    assert len(tournament_named(CUP).systems) == 2


def test_the_name_is_found_in_whatever_case_and_another_is_proposed(cup: Cast) -> None:
    assert tournament_named("SPRING-Cup").name == CUP
    with pytest.raises(NotFound, match=r"“spring-cub”\. Did you mean spring-cup"):
        tournament_named("spring-cub")


def test_games_of_no_tournament_make_none(marne: Cast) -> None:
    assert list(tournaments()) == []
    with pytest.raises(NotFound):
        tournament_named("")


def test_tournaments_are_listed_once_each_the_newest_first(cup: Cast) -> None:
    game_create(name="oise", gm=cup.gm, tournament="autumn", now=NOW)
    game_create(name="aisne", gm=cup.gm, tournament="Spring-cup", now=NOW)
    assert [(one.name.lower(), one.number) for one in tournaments()] == [
        ("autumn", 1),
        ("spring-cup", 2),
    ]


def test_a_game_more_costs_a_few_statements_whatever_was_played_in_it(cup: Cast) -> None:
    end(cup.game, "France")
    with CaptureQueriesContext(
        connection,
    ) as one:
        tournament_named(CUP)
    end(another(cup, "aisne"), "France")
    with CaptureQueriesContext(connection) as two:
        tournament_named(CUP)
    assert len(two) - len(one) <= 5


@pytest.mark.only_on("PostgreSQL")
def test_its_games_are_found_without_reading_all_games(cup: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # few rows are always read at once
    for games in (games_of(CUP), tournaments()):
        assert "game_of_tournament" in games.explain()


# --- Who may have a game in it ---------------------------------------------------------------


def make_other_gm() -> User:
    return User.objects.create_user("gus", "gus@players.test", is_staff=True)


def test_nobody_puts_a_game_into_the_tournament_of_another_gm(cup: Cast) -> None:
    with pytest.raises(BadInput, match="spring-cup have another game master"):
        game_create(name="aisne", gm=make_other_gm(), tournament="SPRING-CUP", now=NOW)
    with pytest.raises(BadInput, match="have another game master"):
        game_create(name="aisne", tournament=CUP, now=NOW)


def test_a_co_gm_may(cup: Cast) -> None:
    other = make_other_gm()
    CoGM.objects.create(game=cup.game, user=other, since=NOW)
    game_create(name="aisne", gm=other, tournament=CUP, now=NOW)
    assert len(tournament_named(CUP).games) == 2


def test_a_game_that_is_played_is_put_in_and_taken_out_and_everybody_is_told(marne: Cast) -> None:
    change(marne, CUP)
    assert [game.name for game in tournament_named(CUP).games] == ["marne"]
    change(marne, "")
    with pytest.raises(NotFound):
        tournament_named(CUP)
    told = [event.payload["changes"] for event in marne.events("settings_changed")]
    assert told == [
        ["tournament: spring-cup (before: none)"],
        ["tournament: none (before: spring-cup)"],
    ]


def test_nor_does_anybody_by_changing_a_game(cup: Cast) -> None:
    other = make_other_gm()
    game = game_create(name="aisne", gm=other, now=NOW)
    with pytest.raises(BadInput, match="have another game master"):
        settings_change(game=game, changes={"tournament": CUP}, why="!", by="gus", now=NOW)
    game.refresh_from_db()
    assert game.tournament == ""


def test_nobody_takes_a_game_that_is_over_out_again(cup: Cast) -> None:
    end(cup.game, "France")
    with pytest.raises(WrongState):
        change(cup, "")


def change(cast: Cast, tournament: str) -> None:
    changes = {"tournament": tournament}
    settings_change(game=cast.game, changes=changes, why="Ana asked.", by="the GM", now=NOW)


@pytest.mark.parametrize("name", ["spring cup", "-cup", "çup", "cup/1", "<b>", "a" * 41])
def test_a_name_is_one_that_can_be_written_in_a_mail(marne: Cast, name: str) -> None:
    with pytest.raises(BadInput):
        game_create(name="aisne", gm=marne.gm, tournament=name, now=NOW)
    with pytest.raises(BadInput):
        change(marne, name)


def test_there_is_an_end_to_a_tournament(cup: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_faults, "MOST_GAMES", 2)
    game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    with pytest.raises(BadInput, match="A tournament has 2 games at most"):
        game_create(name="oise", gm=cup.gm, tournament=CUP, now=NOW)
