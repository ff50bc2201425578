"""A game from outside: begun by names, branched, saved; what makes no game is refused."""

from __future__ import annotations

import copy

import pytest

from judge import Game, JudgeError, Position, Rulebook, load_variant
from tests.rows import each_row

STANDARD = load_variant("standard")
START = Position.start(STANDARD)
SAVED = Game().to_json()


def test_a_branch_goes_on_by_itself():
    game = Game()
    game.order("France", "A Par - Bur")
    game.process()
    game.order("France", "A Bur - Bel")
    for branch in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        branch.order("France", "A Bur - Mun")
        branch.order("Italy", "A Ven - Tyr")
        branch.process()
        branch.undo()
        branch.undo()
        assert branch.orders == {"France": ("A Par - Bur",)}
        assert game.orders == {"France": ("A Bur - Bel",)}
        assert [str(turn.position.phase) for turn in game.history] == ["S1901M"]


def test_rules_are_named_as_variants_are():
    assert Game("standard", "2023").rules == Rulebook.named("2023")
    assert Game(rules="1971").to_json()["rules"]["4.A.1"] == "a"
    with pytest.raises(JudgeError, match="There is no rulebook '2024'"):
        Game(rules="2024")


@each_row("name", ["1898", "chaos", "standard+victory=20", "modern"])
def test_a_game_begins_in_a_position_of_its_own_variant(name: str):
    """Who wins, and where units are built, is asked of the position's variant."""
    with pytest.raises(JudgeError, match="is one of “standard”, and “"):
        Game(name, position=START)
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    with pytest.raises(JudgeError, match="on another map"):
        Game(edited, position=START)
    assert Game(edited, position=Position.start(edited)).position.variant == edited


@each_row(
    ("wrong", "said"),
    [
        ({"variant": 3}, "it has “variant” of the wrong kind"),
        ({"variant": None}, "it has no “variant”"),
        ({"start": "F"}, "it has “start” of the wrong kind"),
        ({"turns": "x"}, "it has “turns” of the wrong kind"),
        ({"turns": [3]}, "it has no “orders”"),
        ({"turns": [{"orders": {}}]}, "it has no “next”"),
        ({"orders": []}, "it has “orders” of the wrong kind"),
        ({"rules": None}, "The rules must be"),
    ],
)
def test_what_a_saved_game_lacks_is_said(wrong: dict[str, object], said: str):
    with pytest.raises(JudgeError, match=said) as raised:
        Game.from_json({**SAVED, **wrong})
    assert "Error" not in str(raised.value)


@pytest.mark.parametrize("saved", [None, [], "standard"])
def test_what_is_no_object_is_no_saved_game(saved: object):
    with pytest.raises(JudgeError, match="This is not a saved game: it has no “variant”"):
        Game.from_json(saved)  # type: ignore[arg-type]
