"""Phases of the game's calendar: what they are called and what follows what.

Spring and Fall each have a movement and a retreat phase; Winter has the adjustment phase. A variant
may let more years pass (Hundred: five from move to move), leave a season out, or begin before
Christ: such years are negative, and there is no year 0.
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
_CODE = re.compile(r"^([SFW])(\d{1,4})(BC)?([MRA])$")


# One object for each variant, because `_following` compares it as a key.
@dataclass(frozen=True, eq=False, slots=True)
class Calendar:
    """How many years pass from season to season, and which seasons have moves."""

    spring_to_fall: int = 0
    fall_to_spring: int = 1
    seasons: str = "SF"
    """The seasons with a movement and a retreat phase."""


STANDARD = Calendar()


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
        if self.year == 0:
            raise PhaseError("There is no year 0: before 1 comes 1 BC.")

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Read "S1901M". Raises PhaseError."""
        return _parsed(str(text).strip())

    def __str__(self) -> str:
        year = self.year if self.year >= 0 else f"{-self.year}BC"
        return f"{self.season}{year}{self.step}"

    def __lt__(self, other: Phase) -> bool:
        return self._moment() < other._moment()

    def _moment(self) -> tuple[int, int]:
        return self.year, _CALENDAR.index(self.season + self.step)

    @property
    def long_name(self) -> str:
        """The phase as players say it: "Spring 1901 movement"."""
        year = self.year if self.year >= 0 else f"{-self.year} BC"
        return f"{_SEASONS[self.season]} {year} {_STEPS[self.step]}"

    def following(self, calendar: Calendar = STANDARD, retreats: bool = True) -> Phase:
        """Return the next phase of the calendar, whether or not anybody has something to do in it;
        without `retreats`, the next that is no retreat phase."""
        # The parts are hashed faster than the phase, which has its hash worked out in Python.
        return _following(self.year, self.season, self.step, calendar, retreats)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Phase:
    match = _CODE.match(text.upper())
    if match is None:
        raise PhaseError(f"“{text}” is not a phase: write it like S1901M, F1901R or W1901A.")
    year = -int(match[2]) if match[3] else int(match[2])
    return Phase(year, cast(Season, match[1]), cast(Step, match[4]))


@lru_cache(maxsize=1024)
def _following(year: int, season: Season, step: Step, calendar: Calendar, retreats: bool) -> Phase:
    moment = _CALENDAR.index(season + step)
    while True:
        before, moment = _CALENDAR[moment], (moment + 1) % len(_CALENDAR)
        if before == "SR":
            year = _later(year, calendar.spring_to_fall)
        elif before == "WA":
            year = _later(year, calendar.fall_to_spring)
        season, step = cast(Season, _CALENDAR[moment][0]), cast(Step, _CALENDAR[moment][1])
        if step == "R" and not retreats:
            continue
        if season == "W" or season in calendar.seasons:
            return Phase(year, season, step)


def year_before(year: int, years: int) -> int:
    """Return the year that many years earlier: 1 BC comes before 1."""
    earlier = year - years
    return earlier - 1 if earlier <= 0 < year else earlier


def _later(year: int, years: int) -> int:
    """Return the year that many years later: 1 follows 1 BC."""
    later = year + years
    return later + 1 if year < 0 <= later else later
