"""Which press a game has, and how a player writes to whom: what a start mail says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.models import Game

_MODES = {
    Game.PressMode.NONE: "No press: nobody can write to the other powers.",
    Game.PressMode.PUBLIC: "Press goes to everybody, and never to some powers alone.",
    Game.PressMode.PRIVATE: "Press goes to the powers you name, and never to everybody.",
    Game.PressMode.BOTH: "You can write to one power, to several or to everybody.",
}


def how_to_write(game: Game, power: str, powers: Sequence[str]) -> list[str]:
    """Return what the game's press is and how it is written, one paragraph each."""
    other = next(one for one in powers if one != power)
    mode = Game.PressMode(game.press_mode)
    return [
        " ".join([_MODES[mode], *_press(mode, other), *_names(game, mode), *_to_gm(game)]),
        *_kinds(game, other),
    ]


def _press(mode: Game.PressMode, other: str) -> Iterator[str]:
    if mode in (Game.PressMode.PRIVATE, Game.PressMode.BOTH):
        yield f"To write to {other}, put PRESS TO {other} on a line and your text below it."
    if mode in (Game.PressMode.PUBLIC, Game.PressMode.BOTH):
        begin = "Begin" if mode == Game.PressMode.PUBLIC else "To write to everybody, begin"
        yield f"{begin} with BROADCAST on a line and put your text below it."
    if mode != Game.PressMode.NONE:
        yield "To answer press, reply to it."


def _kinds(game: Game, other: str) -> Iterator[str]:
    """What else may be written where the game has it."""
    if game.press_mode == Game.PressMode.NONE or not game.grey_press:
        return
    public = game.press_mode == Game.PressMode.PUBLIC
    word = "BROADCAST GREY" if public else f"PRESS GREY TO {other}"
    yield f"Grey press does not say which power wrote it: begin with {word}."


def _names(game: Game, mode: Game.PressMode) -> Iterator[str]:
    if game.anonymous and mode != Game.PressMode.NONE:
        yield "Do not put your name below it, for the game is anonymous."


def _to_gm(game: Game) -> Iterator[str]:
    if game.gm and game.gm.email:
        yield "To write to the game master: PRESS TO GM, and your text below it."
