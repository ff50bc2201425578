"""What every act about a player is: a name, questions, a forecast and a deed."""

from __future__ import annotations

import abc
import datetime as dt
from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms

from games.models import Player
from games.services.conduct import LONGEST

Typed = dict[str, Any]


class Questions(forms.Form):
    """What an act has to know."""

    required_css_class = "required"
    use_required_attribute = False

    def __init__(self, *args: Any, player: Player, now: dt.datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.now = player, now


class Reason(Questions):
    """Why it is done: the player is told."""

    why = forms.CharField(
        label="Why",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The player reads it, and it stays in the file for ever. Nobody else is told.",
    )


class PlayerAct(abc.ABC):
    """An act about a player. `foresee` says in sentences what will happen, `do` does it.

    Both raise GameError when it cannot be done.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    what: ClassVar[str]
    questions: ClassVar[type[Questions]] = Reason

    def offered(self, player: Player, now: dt.datetime) -> bool:
        """Say whether the player's page has a button for it now."""
        return True

    @abc.abstractmethod
    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        """Say what will happen."""

    @abc.abstractmethod
    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> str:
        """Do it, and say in a sentence what was done."""


def told(player: Player) -> str:
    """Say where the player gets the mail."""
    if email := player.address:
        return f"{player.name} is told by mail, at {email}."
    return f"{player.name} has no confirmed address and cannot be told."
