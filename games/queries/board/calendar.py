"""Phases and their names: "S1901M" is "Spring 1901 movement"."""

from __future__ import annotations

import re
from typing import Literal

from games.errors import BadInput
from games.queries.board.names import variant_named
from judge import Phase as Turn
from judge import PhaseError

Step = Literal["M", "R", "A"]

_PHASE = re.compile(
    r"([sfw])[a-z]*[\s,]*(\d{1,4})[\s,]*(bc)?[\s,]*([a-z]*)[\s.:!,]*", re.IGNORECASE
)
_STEPS = {"": "M", "m": "M", "r": "R", "a": "A", "b": "A", "d": "A"}


def phase_title(name: str) -> str:
    """Return "Spring 1901 movement" for "S1901M"."""
    return Turn.parse(name).long_name


def phase_named(text: str) -> str:
    """Return "F1902M" for "F1902M", "fall 1902", "Fall 1902 movement". Raises BadInput."""
    match = _PHASE.fullmatch(text.strip())
    name = text
    if match:
        season, step = match[1].upper(), _STEPS.get(match[4][:1].lower(), match[4])
        year = match[2] + (match[3] or "")
        name = f"{season}{year}{'A' if season == 'W' else step}"
    try:
        return str(Turn.parse(name))
    except PhaseError as error:
        raise BadInput(str(error)) from error


def is_phase(word: str) -> bool:
    """Say whether a word is the name of a phase: "S1901M", "S1M", "f3bcr"."""
    try:
        return bool(Turn.parse(word))
    except PhaseError:
        return False


def is_before(name: str, other: str) -> bool:
    """Say whether the first phase comes before the second in the calendar."""
    return phase_order(name) < phase_order(other)


def phases_after(variant: str, name: str, *, winters: int) -> list[str]:
    """Return the names of the phases that the variant's calendar has next, up to a winter."""
    calendar, one = variant_named(variant).calendar, Turn.parse(name)
    names: list[str] = []
    while winters:
        one = one.following(calendar)
        names.append(str(one))
        winters -= one.step == "A"
    return names


def phase_order(name: str) -> Turn:
    """Return a key that sorts the names of phases by the calendar."""
    return Turn.parse(name)


def step_of(name: str) -> Step:
    """Return M, R or A for a phase's name: movement, retreats or adjustments."""
    return Turn.parse(name).step


def year_of(name: str) -> int:
    """Return 1901 for "S1901M", and 0 for "W1BCA", as astronomers count. So years can be
    subtracted: the calendar has no year between 1 BC and 1."""
    year = Turn.parse(name).year
    return year if year > 0 else year + 1


def year_title(year: int) -> str:
    """Write a year that `year_of` returned: "1901", "1 BC"."""
    return str(year) if year > 0 else f"{1 - year} BC"
