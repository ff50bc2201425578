"""Which press a game has, in one phrase."""

from __future__ import annotations

from games.models import Game


def press_words(game: Game) -> str:
    """Return "to everybody or to chosen powers; it may be grey" for lists and pages."""
    mode = Game.PressMode(game.press_mode)
    if mode == Game.PressMode.NONE:
        return mode.label
    kinds = [name for name, on in (("grey", game.grey_press), ("fake", game.fake_press)) if on]
    return f"{mode.label}; it may be {' or '.join(kinds)}" if kinds else mode.label


def press_sentence(game: Game) -> str:
    """Return it as a sentence, which does not begin as a command does."""
    if game.press_mode == Game.PressMode.NONE:
        return "No press: the powers cannot write to each other."
    return f"The powers can write press {press_words(game)}."
