"""What may go wrong between a player and a game. Every message is a sentence fit to be mailed.

What the program itself got wrong is told by `fault`, which quotes nobody.
"""

from __future__ import annotations

import traceback


class GameError(Exception):
    """Something that was asked for cannot be done; `str(error)` says why and what to do instead.

    `wrote` is a name that is unknown, and `near` the only one that is much like it, if any.
    """

    def __init__(self, said: str = "", *, wrote: str = "", near: str = "") -> None:
        super().__init__(said)
        self.wrote = wrote
        self.near = near


class NotFound(GameError):
    """There is no such game, player, address, power or phase."""


class NotAllowed(GameError):
    """It exists, but it is not this player's to do."""


class WrongState(GameError):
    """It cannot be done now: too early, too late, or already done."""


class BadInput(GameError):
    """What was written cannot be used."""


def fault(error: BaseException) -> str:
    """Return the kind and the place of an error: "KeyError in judge/movement.py, line 12 (settle)".

    What the error says is left out, for it may quote a player: "KeyError: 'A Par - Bur'".
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    place = "/".join(last.filename.replace("\\", "/").split("/")[-2:])
    return f"{type(error).__name__} in {place}, line {last.lineno} ({last.name})"
