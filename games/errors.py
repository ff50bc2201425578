"""What may go wrong between a player and a game. Every message is a sentence fit to mail.

`fault` tells what the program itself got wrong, and quotes nobody.
"""

from __future__ import annotations

import traceback


class GameError(Exception):
    """A request that cannot be carried out; `str(error)` says why, and what to do instead.

    `wrote` is an unknown name, and `near` the only name that is much like it, if there is one.
    """

    def __init__(self, said: str = "", *, wrote: str = "", near: str = "") -> None:
        super().__init__(said)
        self.wrote = wrote
        self.near = near


class NotFound(GameError):
    """There is no such game, player, address, power or phase."""


class NotAllowed(GameError):
    """It exists, but this player may not do it."""


class WrongState(GameError):
    """It cannot be done now: too early, too late, or already done."""


class GameOver(WrongState):
    """The game with this key is over by now: it may have ended while somebody waited to act on
    it."""

    def __init__(self, said: str, *, game: int) -> None:
        super().__init__(said)
        self.game = game


class BadInput(GameError):
    """What was written cannot be used."""


class OurFault(GameError):
    """Something of ours broke over it. `broke` says what, for operators: see `fault`."""

    def __init__(self, said: str, *, broke: str) -> None:
        super().__init__(said)
        self.broke = broke


def fault(error: BaseException) -> str:
    """Return the kind and the place of an error: "KeyError in judge/movement.py, line 12 (settle)".

    The error's message is left out, since it may quote a player: "KeyError: 'A Par - Bur'".
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    place = "/".join(last.filename.replace("\\", "/").split("/")[-2:])
    return f"{type(error).__name__} in {place}, line {last.lineno} ({last.name})"
