"""Small things people write or read, each of which once was answered beside the point."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts.write import Parameters, Write
from games.models import Game, Phase
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, told_cast, write

pytestmark = pytest.mark.django_db


def answer(cast: Cast, text: str) -> OutboundMail:
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    return answer_to(write("Carla", text, to=to, subject="Re: [marne]"))


@pytest.mark.parametrize("text", ["yes please", "Ok, thanks", "Yes, of course!"])
def test_a_yes_among_other_words_is_told_how_it_is_written(marne: Cast, text: str) -> None:
    said = answer(marne, text)
    assert "To say yes to a question of ours, write YES alone on a line" in flat(said.body)
    assert said.subject == "[marne] NOT done: YES"


def test_a_greeting_that_was_left_out_is_called_one(marne: Cast) -> None:
    assert "“Hello,”: a greeting." in flat(answer(marne, "Hello,\nA Par - Bur").body)


def test_help_about_nothing_that_there_is_lists_the_topics(marne: Cast) -> None:
    said = flat(answer(marne, "HELP WHATEVER").body)
    assert "There is no help about “WHATEVER”." in said
    assert "ABSENCE / AMEND / BROADCAST" in said
    assert "Write VOTE DRAW" not in said
    assert "Did you mean STATUS?" in flat(answer(marne, "HELP STATSU").body)


def test_somebody_without_a_game_asks_for_a_map_and_not_for_orders(marne: Cast) -> None:
    said = flat(answer_to(write("Hugo", "MAP", to=home("Hugo"))).body)
    assert "You play in no game at the moment. Write LIST" in said
    assert "nothing to order" not in said


@pytest.mark.parametrize(
    ("mode", "why"),
    [("none", "is played without press"), ("public", "everybody reads all press")],
)
def test_a_letter_in_a_game_without_such_press_gets_no_advice_to_write_it(
    marne: Cast, mode: str, why: str
) -> None:
    Game.objects.update(press_mode=mode)
    said = flat(answer(marne, "Hi Germany, shall we talk about Burgundy?\nI am for it.").body)
    assert "This reads like a letter to Germany. Nobody has got it." in said
    assert why in said
    assert "PRESS TO Germany" not in said


def test_an_overdue_phase_waits_for_the_word_on_a_guess_and_not_for_a_deadline() -> None:
    cast = told_cast()
    Phase.objects.update(due_at=NOW - dt.timedelta(hours=1), overdue_at=NOW)
    Game.objects.update(when_missing="wait")
    said = flat(answer(cast, "A Par - Bur\nA Mar - Spa\nF Bre - Englsh Chanel").body)
    assert "We had to guess at a name" in said
    assert "The deadline has passed, and the game waits for your word." in said
    assert "before the deadline" not in said


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("A Bur - Bel", True),
        ("Build A Paris", True),
        ("A Par - Bur", True),
        ("A Mun - Ruh", False),
        ("You could play A Bur - Bel", False),
    ],
)
def test_orders_for_a_later_phase_in_a_reply_to_press_are_asked_about(
    marne: Cast, text: str, asked: bool
) -> None:
    to = addresses.seat_address(seat=marne.seat("Germany"), phase=marne.phase, now=NOW)
    write("Dmitri", "PRESS TO France\nHello", to=to)
    press = marne.game.press.get()
    back = addresses.answer_address(seat=marne.seat("France"), press=press, to_all=False, now=NOW)
    said = answer_to(write("Carla", text, to=back))
    assert ("NOT SENT" in said.subject) is asked


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ((), "An answer goes to the GM; a reply to all goes to all who got it, too."),
        (("France",), "The answer goes to the GM alone."),
    ],
)
def test_a_gm_who_writes_reads_beforehand_where_answers_go(
    marne: Cast, to: tuple[str, ...], said: str
) -> None:
    assert said in Write().forecast(marne.game, Parameters(text="Hello", to=to), NOW)
