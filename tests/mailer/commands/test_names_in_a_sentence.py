"""A game is named as people name it: STATUS of marne, RESIGN from the game marne."""

from __future__ import annotations

import pytest

from games.models import Observer
from games.services.setup.games import game_create
from mailer.models import InboundMail
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def send(cast: Cast, text: str) -> InboundMail:
    to = to_seat(cast)
    return write("Carla", text, to=to, received_at=NOW)


@each_row(
    ("written", "plain"),
    [
        ("STATUS of marne", "STATUS marne"),
        ("STATUS of the game marne?", "STATUS marne"),
        ("Status of this game", "STATUS"),
        ("MAP for marne", "MAP marne"),
        ("Map of the game", "MAP"),
        ("LOG of game marne", "LOG marne"),
        ("HISTORY of marne F1901M", "HISTORY marne F1901M"),
        ("HISTORY from F1901M", "HISTORY F1901M"),
    ],
)
def test_what_is_asked_of_a_game_is_answered(marne: Cast, written: str, plain: str) -> None:
    asked, meant = answer_to(send(marne, written)), answer_to(send(marne, plain))
    assert asked.subject == meant.subject
    assert asked.body.replace(written, plain) == meant.body


@each_row(
    "text",
    [
        "RESIGN from marne",
        "Resign from the game marne",
        "RESIGN from this game",
        "RESIGN game marne",
        "RESIGN because marne takes too much time",
        "Resign from marne, sorry!",
    ],
)
def test_who_resigns_from_a_game_is_asked_whether_they_are_sure(marne: Cast, text: str) -> None:
    sure = "[marne] Are you sure you want to resign from France?"
    assert answer_to(send(marne, text)).subject == sure


def test_a_seat_is_taken_and_left_in_the_game_that_is_named(marne: Cast) -> None:
    game_create(name="aisne", gm=marne.gm, now=NOW)
    assert answer_to(send(marne, "JOIN the game aisne")).subject == "[aisne] You have joined"
    assert answer_to(send(marne, "WITHDRAW from aisne")).subject == "[aisne] You have left"
    send(marne, "OBSERVE the game aisne")
    assert Observer.objects.get().game.name == "aisne"


@each_row("name", ["game-2", "the-game", "of", "the"])
def test_a_game_is_found_by_its_name_whatever_that_begins_with(marne: Cast, name: str) -> None:
    game_create(name=name, gm=marne.gm, now=NOW)
    assert answer_to(send(marne, f"STATUS {name}")).subject == f"[{name}] Status"


def test_words_that_name_no_game_are_quoted_as_they_were_written(marne: Cast) -> None:
    body = answer_to(send(marne, "STATUS of the game mern")).body
    assert "You wrote “STATUS of the game mern”" in " ".join(body.split())
