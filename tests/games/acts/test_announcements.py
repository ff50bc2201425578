"""What the GM writes to players."""

from __future__ import annotations

import pytest

from games.errors import BadInput, NotAllowed, NotFound
from games.game_file import document
from games.models import Game, Press, Seat
from games.queries.access.staff_names import Actor
from games.queries.parsing.press_audience import Audience
from games.queries.reports.log_text import sentence
from games.services.messages.announcements import gm_write
from games.services.messages.press import audience_of_answer, press_send
from games.services.setup.transfer import game_import
from tests.cast import NOW, POWERS, Cast

pytestmark = pytest.mark.django_db


def write(cast: Cast, *to: str, text: str = "Welcome!") -> Press:
    return gm_write(game=cast.game, to=to, text=text, by=Actor("Gerda"), now=NOW)


def test_to_nobody_in_particular_is_to_everybody(marne: Cast):
    press = write(marne)
    assert (press.to, press.public, press.writer) == (sorted(POWERS.values()), True, "the GM")
    [event] = marne.events("press_sent")
    assert sentence(event) == "Gerda wrote to everybody."


def test_the_log_does_not_say_to_whom_the_gm_wrote(marne: Cast):
    press = write(marne, "Italy", "France")
    assert (press.to, press.public) == (["France", "Italy"], False)
    [event] = marne.events("press_sent")
    assert sentence(event) == "Gerda wrote to others."
    assert "Italy" not in str(event.payload)


def test_a_game_without_press_still_hears_its_gm(marne: Cast):
    Game.objects.update(press_mode="none")
    assert write(marne, "Italy").to == ["Italy"]


def test_an_answer_goes_to_the_gm_alone(marne: Cast):
    for press in (write(marne), write(marne, "France", "Italy")):
        audience = audience_of_answer(press, marne.seat("France"), to_all=False)
        assert audience == Audience(gm=True)


def test_an_answer_to_all_goes_to_all_who_got_it_and_the_gm(marne: Cast):
    press = write(marne, "France", "Italy")
    audience = audience_of_answer(press, marne.seat("France"), to_all=True)
    assert audience == Audience(("Italy",), gm=True)


def test_what_the_gm_writes_to_a_power_and_its_answer_are_one_conversation(marne: Cast):
    press = write(marne, "France")
    seat = marne.seat("France")
    audience = audience_of_answer(press, seat, to_all=False)
    answer = press_send(seat=seat, to=audience, text="Thanks.", source="<a@b>", now=NOW)
    assert answer.circle == press.circle


@pytest.mark.parametrize(
    ("to", "text", "error", "said"),
    [
        (["Spain"], "Hi", NotFound, "no power “Spain”"),
        (["France"], "   ", BadInput, "no text"),
        (["France"], "x" * 20_001, BadInput, "20001 characters"),
        (["Italy"], "Hi", NotAllowed, "Nobody plays Italy at the moment"),
    ],
)
def test_what_nobody_would_read_is_refused(
    marne: Cast, to: list[str], text: str, error: type[Exception], said: str
):
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    with pytest.raises(error, match=said):
        write(marne, *to, text=text)
    assert not Press.objects.exists()


def test_the_words_of_the_gm_survive_a_move_to_another_server(marne: Cast):
    write(marne, "France")
    written = document(marne.game)
    Game.objects.update(name="old")
    kept = Press.objects.get(game=game_import(document=written))
    assert (kept.seat, kept.by, kept.to) == (None, "Gerda", ["France"])
