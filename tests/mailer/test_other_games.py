"""Orders in a mail for one game that stand below the name of another game of their writer."""

from __future__ import annotations

import pytest

from games.models import Game
from games.queries.current_orders import current_decisions
from tests.mailer.corpus.scenes import address, scene
from tests.mailer.correspondence import write

pytestmark = pytest.mark.django_db


def ordered(body: str, other_game: str) -> list[str]:
    """What stands for France in marne, after a mail of a player who plays in another game, too."""
    cast = scene("two")
    Game.objects.filter(name="verdun").update(name=other_game)
    name, to = address(cast, "two", "France")
    write(name, body, to=to)
    stands = current_decisions(cast.phase, cast.seat("France").power)
    return [order for _, order in stands if order]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("heading", ["[spring]", "Game spring:", "For game spring"])
def test_a_usual_word_that_is_written_as_a_name_is_one(heading: str) -> None:
    assert ordered(f"{heading}\nA Par - Bur", "spring") == []
