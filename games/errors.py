"""What may go wrong between a player and a game. Every message is a sentence fit to be mailed."""

from __future__ import annotations


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
