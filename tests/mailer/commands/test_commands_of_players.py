"""The commands about absence and about what was ordered: ABSENCE, CLEAR, HOLD ALL, HISTORY, MAP."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Absence, OrderSet
from games.services.adjudication.phases import phase_process_now
from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from mailer.models import InboundMail
from tests.cast import DAY, NOW, OPENINGS, Cast, seat_fill, submit
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.mailer.correspondence import replied as said
from tests.rows import each_row

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
State = InboundMail.State


# --- ABSENCE --------------------------------------------------------------------------------


def test_an_absence_is_noted_and_taken_back(marne: Cast) -> None:
    to = home("Carla")
    body = said(write("Carla", "ABSENCE FROM 2026-03-10 TO 2026-03-12", to=to))
    assert "You are away from Tue 10 Mar 2026 to Thu 12 Mar 2026" in body
    absence = Absence.objects.get()
    assert (absence.first, absence.last) == (dt.date(2026, 3, 10), dt.date(2026, 3, 12))
    assert "taken back" in said(write("Carla", "ABSENCE OFF 2026-03-10", to=to))
    absence.refresh_from_db()
    assert absence.withdrawn_at


def test_days_are_counted_from_when_the_mail_came(marne: Cast) -> None:
    """It may have been held, or have waited in an outage, over the very day that it names."""
    held = write("Carla", "ABSENCE next Friday")
    question = held.answers.get(kind="question")
    write("Carla", "YES", to=question.reply_to, now=NOW + 4 * DAY)
    assert Absence.objects.get().first == dt.date(2026, 3, 6)


@each_row(
    "line",
    [
        *("ABSENCE some day", "ABSENCE 2026-02-30", "ABSENCE FROM 2026-03-12 TO 2026-03-10"),
        "ABSENCE 9999-12-31",
    ],
)
def test_an_absence_that_cannot_be_read_is_asked_back(marne: Cast, line: str) -> None:
    assert write("Carla", line, to=home("Carla")).state == State.DONE
    assert not Absence.objects.exists()


# --- CLEAR, HOLD ALL ------------------------------------------------------------------------


def test_clear_takes_the_orders_back(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "\n".join(OPENINGS["France"]), to=to)
    body = said(write("Carla", "CLEAR", to=to))
    assert "A Paris has no order yet" in body
    assert "Still without an order" not in body  # it would say the same once more
    assert OrderSet.objects.count() == 2


def test_orders_below_clear_count(marne: Cast) -> None:
    to = to_seat(marne, "France")
    write("Carla", "\n".join(OPENINGS["France"]), to=to)
    write("Carla", "CLEAR\nA Par H", to=to)
    body = said(write("Carla", "ORDERS", to=to))
    assert "A Paris Holds" in body
    assert "F Brest has no order yet" in body


def test_clear_after_the_deadline_changes_nothing(marne: Cast) -> None:
    to = to_seat(marne, "France")
    due = marne.phase.due_at
    assert due is not None
    write("Carla", "A Par - Bur", to=to)
    assert "Nothing has changed" in said(write("Carla", "CLEAR", to=to, received_at=due + HOUR))
    assert "Burgundy" in said(write("Carla", "ORDERS", to=to))


def test_clear_needs_proof(marne: Cast) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne, "France"))
    assert write("Carla", "CLEAR").state == State.HELD


def test_hold_all_orders_every_unit_to_hold(marne: Cast) -> None:
    body = said(write("Carla", "HOLD ALL", to=to_seat(marne, "France")))
    for unit in ("A Marseilles", "A Paris", "F Brest"):
        assert f"{unit} Holds" in body


def test_hold_with_a_unit_is_no_command(marne: Cast) -> None:
    body = said(write("Carla", "Hold A Par", to=to_seat(marne, "France")))
    assert "F Brest has no order yet" in body


# --- HISTORY, MAP ---------------------------------------------------------------------------


def played(marne: Cast) -> None:
    """Spring 1901 with everybody's opening."""
    for name, power in zip(
        ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta"), OPENINGS, strict=True
    ):
        write(name, "\n".join(OPENINGS[power]), to=to_seat(marne, power))
    phase_process_now(game_id=marne.game.pk, now=NOW)


def test_history_shows_the_last_results(marne: Cast) -> None:
    played(marne)
    body = said(write("Carla", "HISTORY"))
    assert "Spring 1901 movement" in body
    assert "Austria: A Vienna - Galicia: fails" in body


def test_history_of_a_phase_that_is_not_over_names_those_that_are(marne: Cast) -> None:
    played(marne)
    assert "The last one was S1901M." in said(write("Carla", "HISTORY F1905M"))
    assert "Burgundy" in said(write("Carla", "HISTORY marne s1901m"))
    assert "Burgundy" in said(write("Carla", "history marne from S1901M lines 500"))


def test_history_shows_nothing_of_the_phase_being_played(marne: Cast) -> None:
    write("Carla", "A Par - Bur", to=to_seat(marne, "France"))
    assert "Burgundy" not in said(write("Ben", "HISTORY S1901M"))


def test_history_is_for_those_who_play(marne: Cast) -> None:
    played(marne)
    assert "not played in the game marne" in said(write("Hugo", "HISTORY marne"))


def test_history_is_still_there_for_who_played_once(marne: Cast) -> None:
    played(marne)
    seat_fill(
        game=marne.game, power=marne.seat("France").power, player=marne.player("Hugo"), now=NOW
    )
    assert "Galicia" in said(write("Carla", "HISTORY marne"))


def test_map_shows_the_board_as_it_is(marne: Cast) -> None:
    played(marne)
    body = said(write("Carla", "MAP"))
    assert "Fall 1901 movement" in body
    assert "A Burgundy" in body
    assert body.index("France: ") < body.index("Austria: "), "one's own power comes first"


def test_map_shows_the_board_with_which_a_named_phase_began(marne: Cast) -> None:
    played(marne)
    mail = write("Carla", "MAP s1901m")
    body = said(mail)
    assert "The board as Spring 1901 movement began" in body
    assert "A Paris" in body
    assert "A Burgundy" not in body
    pictured = answer_to(mail).pictured
    assert pictured is not None
    assert pictured.name == "S1901M"
    assert "The board in Fall 1901 movement" in said(write("Carla", "MAP marne F1901M"))
    assert "There is no phase F1907M that is over" in said(write("Carla", "MAP F1907M"))


def test_map_shows_the_board_at_the_end_of_a_game_that_is_over(marne: Cast) -> None:
    played(marne)
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    body = said(write("Carla", "MAP marne"))
    assert "The board at the end" in body
    assert "A Burgundy" in body


def test_map_shows_units_that_were_driven_out_and_what_the_end_left_them(marne: Cast) -> None:
    phase = marne.phase
    phase.name = phase.position["phase"] = "F1901M"
    phase.position["units"] |= {"France": ["A Ruhr", "A Burgundy"], "Germany": ["A Munich"]}
    phase.save()
    submit(marne, "France", ["A Burgundy - Munich", "A Ruhr Supports A Burgundy - Munich"])
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    body = said(write("Carla", "MAP"))
    assert "DISLODGED UNITS Germany: A Munich was dislodged. It may retreat to Berlin" in flat(body)
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    body = flat(said(write("Carla", "MAP marne")))
    assert "A Munich was dislodged, and the game ended before it could retreat." in body
    assert "It may retreat" not in body


def test_who_names_no_game_after_their_last_one_is_told_to_name_it(marne: Cast) -> None:
    game_end(game=marne.game, winners=["France"], why="All agree.", by="the GM", now=NOW)
    assert "over again, name it: LOG marne" in said(write("Carla", "HISTORY"))
    assert "LOG marne" not in said(write("Hugo", "HISTORY"))


# --- words of other servers -----------------------------------------------------------------


@pytest.mark.parametrize(("line", "word"), [("SET WAIT", "WAIT"), ("SET NO WAIT", "READY")])
def test_set_wait_is_understood_as_njudge_says_it(marne: Cast, line: str, word: str) -> None:
    assert f"{word} is noted" in said(write("Carla", line, to=to_seat(marne, "France")))


def test_signon_with_a_question_mark_joins(marne: Cast) -> None:
    game_create(name="verdun", now=NOW)
    assert "You have a seat in the game verdun" in said(
        write("Hugo", "SIGNON ?verdun", to=home("Hugo"))
    )


def test_what_stands_below_signoff_is_told(marne: Cast) -> None:
    body = said(write("Carla", "A Par H\nSIGNOFF\nA Mar H", to=to_seat(marne, "France")))
    assert "1 line below SIGNOFF was not read" in body
    assert "A Marseilles has no order yet" in body


def test_set_shows_what_the_same_mail_has_set(marne: Cast) -> None:
    text = "SET TIMEZONE Asia/Tokyo\nSET NAME Carla Cro\nSET"
    mail = write("Carla", text, to=home("Carla"))
    assert "Name: Carla Cro Time zone: Asia/Tokyo, where it is Mon 2 Mar 2026, 21:00" in said(mail)
    assert said(mail).startswith("##- Please write above this line -## Hello Carla Cro,")
