"""Orders in a mail for one game that stand below the name of another game of their writer."""

from __future__ import annotations

import pytest

from games.models import Game
from games.queries.orders.current_orders import current_decisions
from tests.cast import Cast
from tests.mailer.corpus.scenes import address, scene
from tests.mailer.correspondence import answer_to, flat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def ordered(body: str, other_game: str) -> list[str]:
    """What stands for France in marne, after a mail of a player who plays in another game, too."""
    cast = scene("two")
    Game.objects.filter(name="verdun").update(name=other_game)
    name, to = address(cast, "two", "France")
    write(name, body, to=to)
    return stands(cast)


@each_row(
    ("other_game", "heading"),
    [
        ("spring", "Spring:"),
        ("spring", "Spring 1901 orders:"),
        ("france", "France:"),
        ("france", "My orders for France:"),
        ("armies", "Armies:"),
        ("moves", "Moves:"),
    ],
)
def test_a_usual_word_above_orders_is_not_taken_for_a_game_of_that_name(
    other_game: str, heading: str
) -> None:
    assert ordered(f"{heading}\nA Par - Bur", other_game) == ["A Paris - Burgundy"]


@each_row("heading", ["[spring]", "Game spring:", "For game spring"])
def test_a_usual_word_that_is_written_as_a_name_is_one(heading: str) -> None:
    assert ordered(f"{heading}\nA Par - Bur", "spring") == []


@each_row("above", ["Verdun:", "[verdun]", "My orders for verdun:"])
def test_clear_below_the_name_of_another_game_clears_nothing_here(above: str) -> None:
    cast = scene("two")
    name, to = address(cast, "two", "France")
    write(name, "A Par - Bur", to=to)
    answer = write(name, f"F Bre - Mid\n{above}\nCLEAR", to=to)
    assert stands(cast)
    told = flat(answer_to(answer).body)
    assert f"You wrote “CLEAR”: It stands below “{above}”, so it does nothing in the game" in told
    assert "NOT done: CLEAR" in answer_to(answer).subject


def test_a_command_below_the_name_of_this_game_is_carried_out() -> None:
    cast = scene("two")
    name, to = address(cast, "two", "France")
    write(name, "A Par - Bur", to=to)
    write(name, f"Verdun:\nA Mun - Ruh\n{cast.game.name}:\nCLEAR", to=to)
    assert not stands(cast)


def stands(cast: Cast) -> list[str]:
    """The orders of France in marne."""
    found = current_decisions(cast.phase, cast.seat("France").power)
    return [order for _, order in found if order]
