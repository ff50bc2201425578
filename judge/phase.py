"""Phases of the game's calendar: what they are called and what follows what.

Spring and Fall each have a movement and a retreat phase; Winter has the adjustment phase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, total_ordering
from typing import Literal, cast

from judge.errors import JudgeError

Season = Literal["S", "F", "W"]
Step = Literal["M", "R", "A"]

_CALENDAR = ("SM", "SR", "FM", "FR", "WA")
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_STEPS = {"M": "movement", "R": "retreats", "A": "adjustments"}
_CODE = re.compile(r"^([SFW])(\d{1,4})([MRA])$")


class PhaseError(JudgeError):
    """No phase is written like that; the message is one clear sentence."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Phase:
    """A phase, e.g. `Phase(1901, "S", "M")`, which prints as "S1901M". Earlier ones sort first."""

    year: int
    season: Season
    step: Step

    def __post_init__(self) -> None:
        if self.season + self.step not in _CALENDAR:
            raise PhaseError(
                f"There is no phase {self}: try S1901M, S1901R, F1901M, F1901R, W1901A."
            )

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Read "S1901M". Raises PhaseError."""
        match = _CODE.match(text.strip().upper())
        if match is None:
            raise PhaseError(f"{text!r} is no phase: write it like S1901M, F1901R or W1901A.")
        return cls(int(match[2]), cast(Season, match[1]), cast(Step, match[3]))

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.step}"

    def __lt__(self, other: Phase) -> bool:
        return self._moment() < other._moment()

    def _moment(self) -> tuple[int, int]:
        return self.year, _CALENDAR.index(self.season + self.step)

    @property
    def long_name(self) -> str:
        """The phase as players say it: "Spring 1901 movement"."""
        return f"{_SEASONS[self.season]} {self.year} {_STEPS[self.step]}"

    def following(self) -> Phase:
        """Return the next phase of the calendar, whether or not anybody has to do with it."""
        return _following(self)


@lru_cache(maxsize=1024)
def _following(phase: Phase) -> Phase:
    year, moment = phase._moment()
    moment += 1
    if moment == len(_CALENDAR):
        year, moment = year + 1, 0
    return Phase(year, cast(Season, _CALENDAR[moment][0]), cast(Step, _CALENDAR[moment][1]))
