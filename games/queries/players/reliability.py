"""How reliable a player has been: counts, and a share in per cent. Reads no clock and no row.

share = (10 + in time + late / 2) / (10 + in time + late + missed + 5 × abandoned)

Everybody begins with ten phases in time, so that newcomers are trusted and one bad day hurts
little. Only phases of the last 365 days count, and only those in which the player's power had
something to decide. Excused misses are left out, and so is everything that a rollback undid. Phases
that a power spends in civil disorder are not counted one by one; that its player left it so, or
that another had to take it over, counts once for each tenure, like five misses.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from games.models import Attendance
from games.queries.reports.wording import counted

Came = Attendance.Came

REMEMBERED = dt.timedelta(days=365)
HEAD_START = 10
"""Phases with orders in time that everybody begins with."""
ABANDONED_COUNTS = 5
"""As how many missed phases a power that was abandoned counts."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One phase of one tenure (`seat`, its key): what came, whether it was excused."""

    seat: int
    came: str
    excused: bool = False
    disorder: bool = False


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many phases were in time, late, missed and excused, and how many powers were left in
    civil disorder."""

    in_time: int = 0
    late: int = 0
    missed: int = 0
    excused: int = 0
    abandoned: int = 0

    @property
    def phases(self) -> int:
        """How many phases are counted one by one."""
        return self.in_time + self.late + self.missed

    @property
    def is_known(self) -> bool:
        """Whether there is anything to judge by."""
        return bool(self.phases or self.abandoned)

    @property
    def percent(self) -> int:
        """The share, from 0 to 100, rounded down."""
        good = 2 * (HEAD_START + self.in_time) + self.late
        whole = HEAD_START + self.phases + ABANDONED_COUNTS * self.abandoned
        return 100 * good // (2 * whole)


def reliability_of(marks: Iterable[Mark]) -> Reliability:
    """Count the marks, in whatever order they come."""
    marks = list(marks)
    single = [mark for mark in marks if not mark.excused and not mark.disorder]
    came = [mark.came for mark in single]
    return Reliability(
        in_time=came.count(Came.IN_TIME),
        late=came.count(Came.LATE),
        missed=came.count(Came.MISSED),
        excused=sum(mark.excused and mark.came == Came.MISSED for mark in marks),
        abandoned=len({mark.seat for mark in marks if mark.disorder and not mark.excused}),
    )


def reliability_text(found: Reliability) -> str:
    """Say it in words: "96%, with orders in time in 23 of 24 phases"; where the head start still
    hides what came, it is named."""
    if not found.is_known:
        return "nothing is known yet"
    details = [f"orders in time in {found.in_time} of {counted(found.phases, 'phase')}"]
    details += [f"late in {found.late}"] if found.late else []
    details += [f"{found.excused} more excused"] if found.excused else []
    left = f"{counted(found.abandoned, 'power')} left in civil disorder"
    details += [left] if found.abandoned else []
    is_hidden = found.percent < 100 and found.phases < HEAD_START
    head_start = " (everybody begins with ten phases in time)" if is_hidden else ""
    return f"{found.percent}%, with {', '.join(details)}{head_start}"
