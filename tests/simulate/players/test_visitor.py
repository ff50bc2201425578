"""Which words of a page the simulation holds for said of a game."""

from __future__ import annotations

from tests.simulate.players.visitor import drawn_by_games


def test_the_picture_on_the_front_page_is_of_no_game_and_all_else_is() -> None:
    page = '<figure class="opening"><title>F Kiel - Denmark</title></figure><p>A Rome - Apulia</p>'
    assert drawn_by_games(page) == "<p>A Rome - Apulia</p>"
