"""Which press a game has, and how players write to each other: a part of the start mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.models import Game
from games.queries.reports.press_words import press_sentence

_MODES = {
    Game.PressMode.NONE: "No press: nobody can write to the other powers.",
    Game.PressMode.PUBLIC: "Press goes to everybody, and never to some powers alone.",
    Game.PressMode.PRIVATE: "Press goes to the powers you name, and never to everybody.",
    Game.PressMode.BOTH: "You can write to one power, to several or to everybody.",
}

_MAY_BE_FAKE = (
    "Press may be fake in this game: a letter may name a power that did not write it, or "
    "readers who did not get it."
)


def how_to_write(game: Game, power: str, powers: Sequence[str]) -> list[str]:
    """Return what the game's press is and how it is written, one paragraph each."""
    other = next(one for one in powers if one != power)
    mode = Game.PressMode(game.press_mode)
    return [
        " ".join([_MODES[mode], *_press(mode, other), *_names(game, mode), *_to_gm(game)]),
        *_kinds(game, other),
        *_diaries(game),
    ]


def press_rules(game: Game) -> list[str]:
    """Return which press the game has, for anybody who reads its rules, whether they play in it or
    not."""
    fake = [_MAY_BE_FAKE] if game.fake_press and game.press_mode != Game.PressMode.NONE else []
    return [press_sentence(game), *fake, *_diaries(game)]


def _press(mode: Game.PressMode, other: str) -> Iterator[str]:
    if mode in (Game.PressMode.PRIVATE, Game.PressMode.BOTH):
        yield f"To write to {other}, put PRESS TO {other} on a line and your text below it."
    if mode in (Game.PressMode.PUBLIC, Game.PressMode.BOTH):
        begin = "Begin" if mode == Game.PressMode.PUBLIC else "To write to everybody, begin"
        yield f"{begin} with BROADCAST on a line and put your text below it."
    if mode != Game.PressMode.NONE:
        yield "To answer press, reply to it."


def _kinds(game: Game, other: str) -> Iterator[str]:
    """The further kinds of press that the game has."""
    if game.press_mode == Game.PressMode.NONE:
        return
    public = game.press_mode == Game.PressMode.PUBLIC
    if game.grey_press:
        word = "BROADCAST GREY" if public else f"PRESS GREY TO {other}"
        yield f"Grey press does not say which power wrote it: begin with {word}."
    if game.fake_press:
        yield _fake(public=public)


def _fake(*, public: bool) -> str:
    """Warn that press may be fake, and say how it is written."""
    word = "BROADCAST FAKE FROM and a power" if public else "FAKE FROM and a power after PRESS TO"
    return f"{_MAY_BE_FAKE} To write such a letter, put {word}; HELP PRESS says more."


def _diaries(game: Game) -> Iterator[str]:
    """What becomes of the notes that players may keep."""
    if game.diaries != Game.Diaries.NONE:
        end = game.diaries == Game.Diaries.REVEALED
        until = "before the game is over; then everybody can read it" if end else "but you, ever"
        yield (
            "You can keep a diary with the game: begin with DIARY RECORD on a line and put your "
            f"note below it. Nobody reads it {until}."
        )


def _names(game: Game, mode: Game.PressMode) -> Iterator[str]:
    if game.anonymous and mode != Game.PressMode.NONE:
        yield "Do not sign it with your name: the game is anonymous."


def _to_gm(game: Game) -> Iterator[str]:
    if game.gm and game.gm.email:
        yield "To write to the game master: PRESS TO GM, and your text below it."
