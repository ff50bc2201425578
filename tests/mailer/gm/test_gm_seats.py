"""A game master's commands about seats, orders and the end of a game."""

from __future__ import annotations

import pytest

from games.models import Game, Press
from games.queries.orders.current_orders import current_decisions
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, POWERS, Cast, submit
from tests.mailer.correspondence import flat
from tests.mailer.gm.writing import confirm, order, question
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_a_power_is_given_to_another_player_after_it_was_confirmed(marne: Cast) -> None:
    order(marne, "REPLACE France BY Hugo because Carla has fallen ill")
    assert "Hugo plays France from now on" in flat(question().body)
    assert marne.seat("France").player.name == "Carla"
    confirm()
    assert marne.seat("France").player.name == "Hugo"


def test_civil_disorder_is_declared_and_ended(marne: Cast) -> None:
    order(marne, "CD Ita because Emma has not been heard of")
    asked = flat(question().body)
    confirm()
    italy = marne.game.powers.get(name="Italy")
    assert italy.disorder_since
    assert "Until somebody else has taken the seat, orders, READY or RETURN" in asked
    order(marne, "REVIVE Italy because Emma is back")
    confirm()
    italy.refresh_from_db()
    assert italy.disorder_since is None


def test_a_seat_is_opened_and_offered(marne: Cast) -> None:
    order(marne, "VACATE France because nothing has come for two weeks")
    confirm()
    france = marne.game.powers.get(name="France")
    assert not france.seats.filter(until=None).exists()
    assert "OFFER in marne" in order(marne, "OFFER France")


@each_row(
    ("text", "why"),
    [
        ("VACATE France nothing has come for two weeks", "nothing has come for two weeks"),
        ("DISORDER Italy, Emma is not heard of", "Emma is not heard of"),
        ("EJECT germany he has left", "he has left"),
        ("kick Greta, she is cheating", "she is cheating"),
        ("Please kick Greta out of the game, she is cheating", "she is cheating"),
        ("remove Turkey from the game as she is cheating", "she is cheating"),
        ("civil disorder for Italy, nothing came in 3 phases", "nothing came in 3 phases"),
        ("VACATE Italy bc nothing came", "nothing came"),
        ("kick Italy off the game, no orders came", "no orders came"),
        ("Kick out Italy, he has not answered", "he has not answered"),
        ("kick Greta out of the game", ""),
        ("remove Turkey from the game", ""),
        ("VACATE France", ""),
        ("VACATE France gone", ""),
        ("VACATE France and Germany both are gone", ""),
        ("VACATE France, Germany are gone", ""),
        ("DISORDER Italy if she is late again", ""),
        ("DISORDER Italy is she late?", ""),
        ("VACATE Spain nothing has come", ""),
    ],
)
def test_a_reason_after_a_power_needs_no_because(marne: Cast, text: str, why: str) -> None:
    order(marne, text)
    if why:
        confirm()
    done = [*marne.events("seat_vacated"), *marne.events("disorder_declared")]
    assert [one.payload["why"] for one in done] == ([why] if why else [])
    assert OutboundMail.objects.filter(kind="question").exists() == bool(why)


@each_row(
    ("text", "why"),
    [
        ("Italy her provider was down", "her provider was down"),
        ("Italy S1901M her provider was down", "her provider was down"),
        ("Italy Spring 1901 her provider was down", "her provider was down"),
        ("Italy F1901M her provider was down", ""),
        ("Italy Spring her provider was down", ""),
        ("Italy until her provider is up", ""),
    ],
)
def test_an_excuse_needs_no_because(marne: Cast, text: str, why: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    order(marne, f"EXCUSE {text}")
    assert [one.payload["why"] for one in marne.events("miss_excused")] == ([why] if why else [])


@each_row(
    ("whom", "who"),
    [
        ("ALL", {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}),
        ("ALL S1901M", {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}),
        ("France, Germany and Italy", {"France", "Germany", "Italy"}),
        ("France, Germany, and Italy", {"France", "Germany", "Italy"}),
        ("France, Italy S1901M", {"France", "Italy"}),
        ("France, Spain", {"France"}),
        ("ALL S1905M", set()),
    ],
)
def test_a_mail_server_that_was_down_is_excused_by_one_line(
    marne: Cast, whom: str, who: set[str]
) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    body = order(marne, f"EXCUSE {whom} because our mail server was down")
    excused = marne.events("miss_excused")
    assert {event.payload["power"] for event in excused} == who
    assert all(event.payload["why"] == "our mail server was down" for event in excused)
    assert ("NOT DONE" in body) == (who in ({"France"}, set()))


def test_a_command_for_another_board_is_told_where_it_belongs(marne: Cast) -> None:
    game_create(name="cup-3", gm=marne.gm, now=NOW)
    said = order(marne, "GM cup-3 STATUS")
    assert "For cup-3, reply to a mail about it, or write us a new mail." in said
    assert "Did you mean" not in order(marne, "GM cup-3 PAUSE because of snow")


@each_row(
    ("whom", "said"),
    [
        ("ALL S1905M", "Nobody has missed Spring 1905 movement."),
        ("ALL 1901X", "1901X"),
        ("Spain, ALL", "There is no power “Spain”."),
    ],
)
def test_who_cannot_be_excused_at_once_is_said(marne: Cast, whom: str, said: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    assert said in order(marne, f"EXCUSE {whom} because our mail server was down")
    assert not marne.events("miss_excused")


@each_row("phase", ["", " S1901M", " Spring"])
def test_the_last_miss_or_that_of_a_phase_is_excused(marne: Cast, phase: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    body = order(marne, f"EXCUSE Italy{phase} because her provider was down")
    excused = bool(marne.events("miss_excused"))
    assert excused == (phase != " Spring")
    assert ("Excused: Italy (Emma)" in body) == excused


@each_row(
    ("text", "winner", "status"),
    [
        ("FINISH DRAW France, Italy because all have agreed", "", "finished"),
        ("FINISH WIN France because the others have conceded", "France", "finished"),
        ("FINISH NONE because too few have stayed", "", "finished"),
        ("FINISH WIN because the others have conceded", "", "active"),
        ("FINISH DRAW Spain because of this", "", "active"),
        ("FINISH DRAW GM because of this", "", "active"),
    ],
)
def test_a_game_is_ended_with_a_result(marne: Cast, text: str, winner: str, status: str) -> None:
    order(marne, text)
    if status == "finished":
        confirm()
    marne.game.refresh_from_db()
    assert (marne.game.status, marne.game.winner) == (status, winner)


@each_row(
    ("text", "said"),
    [
        ("REPLACE France because of this", "Please say who will play it."),
        (
            "REPLACE France BY nobody@x.test because of this",
            "name only somebody who has played, or asked to play, in a game of yours",
        ),
        ("EXCUSE France because of this", "There is nothing to excuse in marne."),
        ("EXCUSE France F1901M because of this", "There is nothing to excuse in marne."),
        ("VACATE Spain because of this", "Spain"),
        ("OFFER France", "No seat in marne is open."),
    ],
)
def test_a_seat_that_cannot_change_hands_is_explained(marne: Cast, text: str, said: str) -> None:
    assert said in order(marne, text)
    assert not OutboundMail.objects.filter(kind="question").exists()


def test_what_was_not_missed_cannot_be_excused(marne: Cast) -> None:
    submit(marne, "Italy", ["A Venice Holds", "A Rome Holds", "F Naples Holds"])
    phase_process(game_id=marne.game.pk, now=NOW + 30 * DAY)
    told = "Italy has missed nothing that could be excused."
    assert told in order(marne, "EXCUSE Italy because her provider was down")
    told = "Italy has missed nothing in Spring 1901 movement that could be excused."
    assert told in order(marne, "EXCUSE Italy S1901M because her provider was down")
    told = "Turkey has missed nothing in Fall 1901 movement that could be excused."
    assert told in order(marne, "EXCUSE Turkey F1901M because he was ill")


@each_row("how", ["DRAW", "DRAW ALL", "DRAW among all survivors", "A draw of all"])
def test_a_draw_without_names_is_one_among_all_survivors(marne: Cast, how: str) -> None:
    order(marne, f"FINISH {how} because all agree")
    confirm()
    marne.game.refresh_from_db()
    assert marne.game.winners == sorted(POWERS.values())


def test_an_end_with_a_power_that_is_none_names_those_there_are(marne: Cast) -> None:
    said = order(marne, "FINISH DRAW France, Spain because all agree")
    assert "We cannot read “France, Spain” as powers of this game: Austria, England" in said
    assert "TO ALL" not in said


def test_the_reason_for_orders_may_stand_below_them(marne: Cast) -> None:
    order(marne, "SETORDERS France\nA Par - Bur\nHOLD ALL\nbecause Carla\ntold me by phone")
    confirm()
    assert marne.events("orders_set")[0].payload["why"] == "Carla told me by phone"
    stand = dict(current_decisions(marne.phase, marne.game.powers.get(name="France")))
    assert stand["A Paris"] == "A Paris - Burgundy"


def test_a_player_is_meant_by_their_name_where_names_are_known(marne: Cast) -> None:
    order(marne, "WRITE TO Carla, Turkey\nPlease be kinder.\nEND")
    assert Press.objects.get().to == ["France", "Turkey"]
    assert "Hugo plays France from now on" in order(marne, "REPLACE carla BY Hugo because of rain")


def test_in_an_anonymous_game_a_name_says_nothing(marne: Cast) -> None:
    Game.objects.update(anonymous=True)
    said = order(marne, "VACATE Carla because of rain")
    assert "There is no power “Carla”" in said
    assert "The game is anonymous: name the power, not its player." in said
    assert "name the power" not in order(marne, "VACATE Itly because of rain")
    assert "Italy and Turkey are 2 powers" in order(marne, "VACATE Italy, Turkey because of rain")
    assert "There is no power “Carla”" in order(marne, "WRITE TO Carla\nHello.\nEND")


def test_who_names_no_power_is_asked_which(marne: Cast) -> None:
    assert "Please say which power." in order(marne, "SETORDERS because of rain\nA Par H")
