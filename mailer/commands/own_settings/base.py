"""What each setting of a player has: its words, its help, and the receipt for a change."""

from __future__ import annotations

import abc
import datetime as dt
from collections.abc import Mapping
from typing import ClassVar

from games.errors import BadInput
from games.models import Player
from mailer.commands.receipt import Receipt

WORDS_FOR_ON: Mapping[str, bool] = {"on": True, "yes": True, "off": False, "no": False}


class OwnSetting(abc.ABC):
    """One thing that players SET about themselves.

    `name` and `aliases` are written after SET, in whatever case; HELP shows the name, and the
    `examples`.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[tuple[str, ...]]

    @abc.abstractmethod
    def change(self, player: Player, value: str, now: dt.datetime) -> Receipt:
        """Set it and say what holds from now on. Raises GameError when that cannot be."""


def require(value: str, what: str, example: str) -> None:
    """Raise BadInput if somebody wrote only the name of the setting."""
    if not value:
        raise BadInput(f"Please write {what}, too, for example: {example}")


def is_on(value: str, name: str) -> bool:
    """Whether the setting of this name should be on. Raises BadInput for any other word."""
    word = value.lower().strip(" .!")
    if word not in WORDS_FOR_ON:
        what = name.upper()
        raise BadInput(f"“{value}” is neither ON nor OFF. Write SET {what} ON or SET {what} OFF.")
    return WORDS_FOR_ON[word]
