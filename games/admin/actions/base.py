"""What every act of the GM's desk is: a name, questions, a forecast and a deed."""

from __future__ import annotations

import abc
import datetime as dt
import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms

from games.admin.base import moment
from games.board import phase_title
from games.durations import duration_text
from games.models import Game, Phase
from games.selectors import open_phase, seats_of

Status = Game.Status
PLAYED = frozenset({Status.ACTIVE, Status.PAUSED})
FEW = 10
"""Up to so many people are named one by one."""

Typed = dict[str, Any]


class Group(enum.StrEnum):
    """Where the button of an act stands on a game's page."""

    TIME = "Time"
    ORDERS = "Orders"
    SEATS = "Players"
    WORDS = "Mail"
    GAME = "Game"


@dataclass(frozen=True, slots=True)
class Done:
    """A sentence that says what was done, and lines to show where there is something to see."""

    said: str
    lines: tuple[str, ...] = ()


class Questions(forms.Form):
    """What an act has to know; nothing by itself."""

    required_css_class = "required"
    use_required_attribute = False

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game


class Reason(Questions):
    """Why it is done."""

    why = forms.CharField(
        label="Why", max_length=200, help_text="One sentence; all players are told."
    )


class Action(abc.ABC):
    """An act. Its `name` is also what `games.roles` knows it by.

    `foresee` says in sentences what will happen to whom, `do` does it; both raise GameError when it
    cannot be done. The caller of `do` holds the game's lock and has seen to it that the game stands
    as on the page that was confirmed.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    what: ClassVar[str]
    group: ClassVar[Group]
    when: ClassVar[Collection[Status]] = PLAYED
    questions: ClassVar[type[Questions]] = Questions
    for_power: ClassVar[bool] = False
    """Whether it has a question `power`, and so a link beside each power."""

    def offered(self, game: Game) -> bool:
        """Say whether the game's page has a button for it now."""
        return game.status in self.when

    @abc.abstractmethod
    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        """Say what will happen."""

    @abc.abstractmethod
    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        """Do it."""


def told(game: Game) -> str:
    """Say who is mailed when everybody is: "Told by mail: Ana, Ben, … and the GM."."""
    names = [seat.player.name for seat in seats_of(game)]
    people = names if len(names) <= FEW else [f"all {len(names)} players"]
    everybody = [*people, "the GM"] if game.gm and game.gm.email else people
    return f"Told by mail: {listed(everybody) or 'nobody'}."


def listed(names: Sequence[str]) -> str:
    """Write "Italy", "Italy and Turkey", "France, Italy and Turkey", or nothing."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


def title_of(phase: Phase) -> str:
    """Return "Spring 1901 movement"."""
    return phase_title(phase.name)


def phase_of(game: Game) -> Phase:
    """Return the open phase of a game that is being played."""
    phase = open_phase(game)
    assert phase is not None, "a game that is being played has an open phase"
    return phase


def from_now(at: dt.datetime, now: dt.datetime) -> str:
    """Write "Thu 5 Mar 2026 12:00 UTC, in 3 days"."""
    left = dt.timedelta(minutes=int((at - now).total_seconds()) // 60)
    return f"{moment(at)} UTC" + (f", in {duration_text(left)}" if left else "")
