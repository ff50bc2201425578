"""The centres of each power over the years, as lines told apart by colour, dashes and a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from atlas import colours_of
from games.queries import board
from games.queries.phases.centers import YearEnd

WIDTH, HEIGHT = 360, 250
"""Narrow enough that letters of size 14 have 12 pixels on a phone, which shrinks the chart by a
tenth."""
TOP, FOOT, GAP = 14, 26, 8
LETTER_WIDTH = 10
"""How much room each letter of a name gets: enough in any system's font."""
NUMBER_GAP = 6
LEFT = 2 * LETTER_WIDTH + NUMBER_GAP
"""Where the lines begin, behind a number of two digits."""
NAME_HEIGHT = 16
DASHES = ("", "9 3", "2 3", "12 3 2 3", "6 2", "1 4", "8 2 2 2")
MOST_YEARS_NAMED = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A power's line, and where its name is."""

    power: str
    points: str
    colour: str
    dash: str
    name_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A number or a year on an axis."""

    text: str
    at: float

    @property
    def text_at(self) -> float:
        """Where the text goes, beside its line."""
        return round(self.at + 4, 1)


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template draws, in units of the picture."""

    lines: tuple[Line, ...]
    counts: tuple[Mark, ...]
    years: tuple[Mark, ...]
    first: str
    last: str
    height: int
    right: int
    """Where the lines end and the names begin, from the left."""
    width: int = WIDTH
    left: int = LEFT

    @property
    def counts_end(self) -> int:
        """Where the numbers of centres end, from the left."""
        return self.left - NUMBER_GAP

    @property
    def foot(self) -> int:
        """Where the years go, from the top."""
        return self.height - 6


def chart_of(years: Sequence[YearEnd], variant: str) -> Chart | None:
    """Return the chart of a game; None before its first year is over."""
    if len(years) < 2:
        return None
    powers = board.variant_named(variant).powers
    lasts = {power: years[-1].centers.get(power, 0) for power in powers}
    longest = max(len(f"{power} {last}") for power, last in lasts.items())
    most = max(6, *(count for year in years for count in year.centers.values()))
    height = max(HEIGHT, TOP + FOOT + NAME_HEIGHT * len(powers))  # a row for each name
    right = WIDTH - GAP - LETTER_WIDTH * longest
    scale = _Scale(height - FOOT, (right - LEFT) / (len(years) - 1), (height - TOP - FOOT) / most)
    every = -(-len(years) // MOST_YEARS_NAMED)
    return Chart(
        lines=tuple(_lines(years, lasts, scale)),
        counts=tuple(
            Mark(str(count), round(scale.y(count), 1))
            for count in range(0, most + 1, 6 if most > 12 else 3)
        ),
        years=tuple(
            Mark(year.title, round(scale.x(at), 1))
            for at, year in enumerate(years)
            if at % every == 0
        ),
        first=years[0].title,
        last=years[-1].title,
        height=height,
        right=right,
    )


class _Scale(NamedTuple):
    """Puts years and numbers of centres into the picture."""

    floor: int
    """Where a power without a centre is, from the top."""
    per_year: float
    per_centre: float

    def x(self, year: int) -> float:
        """Return where the end of a year is; the start counts as year 0."""
        return LEFT + year * self.per_year

    def y(self, count: int) -> float:
        """Return where this number of centres is."""
        return self.floor - count * self.per_centre


def _lines(years: Sequence[YearEnd], lasts: Mapping[str, int], scale: _Scale) -> Iterator[Line]:
    """Yield the line of each power, with its name at its end, moved off the others."""
    colours = colours_of(lasts)
    names = _apart({power: scale.y(last) + 4 for power, last in lasts.items()}, scale.floor)
    for index, (power, last) in enumerate(lasts.items()):
        counts = [year.centers.get(power, 0) for year in years]
        points = (f"{scale.x(at):.1f},{scale.y(count):.1f}" for at, count in enumerate(counts))
        yield Line(
            power=power,
            points=" ".join(points),
            colour=colours[power].line,
            dash=DASHES[index % len(DASHES)],
            name_y=round(names[power], 1),
            last=last,
        )


def _apart(wanted: dict[str, float], floor: float) -> dict[str, float]:
    """Move names apart that would overlap: from the foot upwards, then back from the top."""
    in_turn = sorted(wanted, key=lambda power: (-wanted[power], power))
    placed: dict[str, float] = {}
    free = floor + 4.0
    for power in in_turn:
        placed[power] = min(wanted[power], free)
        free = placed[power] - NAME_HEIGHT
    top = TOP + 4.0
    for power in reversed(in_turn):
        placed[power] = max(placed[power], top)
        top = placed[power] + NAME_HEIGHT
    return placed
