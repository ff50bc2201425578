"""TABLE and the mails that tell of a tournament: to whom, and in which words."""

from __future__ import annotations

import pytest

from games.services.setup.games import game_create
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, address_of, make_cast
from tests.games.tournaments.games import CUP, another, end
from tests.mailer.correspondence import answer_to, flat, tell_all, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None) -> Cast:
    """The game `marne`, of the tournament `spring-cup`."""
    return make_cast(tournament=CUP, scoring="draw-size")


def asked(text: str, name: str = "Hugo", to: str = "") -> OutboundMail:
    return answer_to(write(name, text, to=to) if to else write(name, text))


def told(kind: str) -> dict[str, str]:
    """Tell every event; return the text of the mails of this kind by recipient."""
    tell_all()
    return {mail.recipient: flat(mail.body) for mail in OutboundMail.objects.filter(kind=kind)}


def test_the_table_says_who_has_how_many_points_and_by_which_games(cup: Cast) -> None:
    second = another(cup, "aisne")
    end(cup.game, "France", "Austria")
    mail = asked(f"TABLE {CUP}")
    assert mail.subject == f"The tournament {CUP}"
    body = mail.body
    assert "1 of its 2 games is over." in flat(body)
    assert "\n1. Ana, 50 points: 50 as Austria in marne\n" in body
    assert "\n1. Carla, 50 points: 50 as France in marne\n" in body
    assert "\n3. Ben, 0 points: 0 as England in marne\n" in body
    assert "Not over yet: aisne." in body
    end(second, "France")
    again = asked(f"TABLE {CUP}").body
    assert ": all 2 games are over." in flat(again)
    assert "\n1. Ben, 100 points: 0 as England in marne, 100 as France in aisne\n" in again
    assert max(map(len, again.splitlines())) <= 72


@pytest.mark.parametrize("text", ["TABLE of the tournament spring-cup", "table in SPRING-CUP?"])
def test_a_name_may_stand_in_a_sentence(cup: Cast, text: str) -> None:
    assert f"No game of the tournament {CUP} is over yet" in asked(text).body


def test_a_game_of_it_will_do_for_its_name(cup: Cast) -> None:
    end(cup.game, "France")
    assert f"The tournament {CUP}: its game" in asked("TABLE marne").body


def test_in_an_answer_to_a_mail_of_a_game_its_tournament_is_meant(cup: Cast) -> None:
    to = addresses.seat_address(seat=cup.seat("France"), phase=cup.phase, now=NOW)
    assert f"No game of the tournament {CUP} is over yet" in asked("TABLE", "Carla", to).body


@each_row("text", ["TABLE", "TOURNAMENTS", "standings?"])
def test_alone_it_lists_the_tournaments(cup: Cast, text: str) -> None:
    body = asked(text).body
    assert f"- {CUP}: 1 game\n" in body
    assert f"TABLE {CUP}" in flat(body)


def test_without_any_it_says_how_one_is_made(marne: Cast) -> None:
    assert "There is no tournament yet." in asked("TABLE").body


def test_strangers_may_ask(cup: Cast) -> None:
    mail = write("", f"TABLE {CUP}", sender="zoe@elsewhere.test")
    assert f"the tournament {CUP}" in flat(answer_to(mail).body)


def test_an_unknown_name_is_told_which_was_meant(cup: Cast) -> None:
    body = flat(asked("TABLE spring-cub").body)
    assert "There is no tournament “spring-cub”. Did you mean spring-cup?" in body


def test_a_game_of_none_is_told_so(marne: Cast) -> None:
    assert "The game marne belongs to no tournament." in asked("TABLE marne").body


def test_who_plays_what_is_no_secret_of_a_game_that_is_over_and_stays_one_before(db: None) -> None:
    cup = make_cast(tournament=CUP, anonymous=True)
    names = ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta")
    before = asked(f"TABLE {CUP}").body
    assert [name for name in names if name in before] == []
    end(cup.game, "France")
    after = asked(f"TABLE {CUP}").body
    assert [name for name in names if name not in after] == []


def test_at_the_end_of_a_game_its_players_read_how_they_stand(cup: Cast) -> None:
    end(cup.game, "France", "Austria")
    mails = told("game_finished")
    see = f"TABLE {CUP} shows how everybody stands."
    first = f"In the tournament {CUP} you have 50 points and are number 1 of 7, with 1 other. {see}"
    last = f"In the tournament {CUP} you have 0 points and are number 3 of 7, with 4 others. {see}"
    assert first in mails[address_of("Carla")]
    assert last in mails[address_of("Ben")]
    assert f"It was a game of the tournament {CUP}: {see}" in mails["gm@players.test"]


def test_a_place_is_that_so_far_while_other_games_are_played(cup: Cast) -> None:
    game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    end(cup.game, "France")
    said = f"In the tournament {CUP} you have 100 points so far and are number 1 of 7. "
    assert said in told("game_finished")[address_of("Carla")]


def test_the_table_names_the_games_that_ended_without_a_result(cup: Cast) -> None:
    end(another(cup, "aisne"))
    end(cup.game, "France")
    body = flat(asked(f"TABLE {CUP}").body)
    assert ": all 2 games are over." in body
    assert "Over without a result, and so without points: aisne. " in body


def test_without_a_tournament_the_end_says_nothing_of_one(marne: Cast) -> None:
    end(marne.game, "France")
    assert not any("TOURNAMENT" in text.upper() for text in told("game_finished").values())


def test_the_start_mail_and_list_say_that_a_game_belongs_to_one(cup: Cast) -> None:
    said = f"It is a game of the tournament {CUP}: TABLE {CUP} shows how everybody stands."
    assert all(said in text for text in told("game_started").values())
    end(cup.game, "France")
    game_create(name="aisne", gm=cup.gm, tournament=CUP, now=NOW)
    assert f"A game of the tournament {CUP}." in flat(asked("LIST").body)
