"""When a phase is due: pure arithmetic on (settings, now). Reads no clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

Step = Literal["M", "R", "A"]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long each kind of phase lasts."""

    movement: dt.timedelta
    retreat: dt.timedelta
    adjustment: dt.timedelta

    def length(self, step: Step) -> dt.timedelta:
        """Return how long a phase of this kind lasts."""
        return {"M": self.movement, "R": self.retreat, "A": self.adjustment}[step]


def due_at(pace: Pace, step: Step, opened_at: dt.datetime) -> dt.datetime:
    """Return when a phase that opens at `opened_at` (aware) is due."""
    return opened_at + pace.length(step)


def retry_at(attempts: int, now: dt.datetime) -> dt.datetime:
    """Return when a phase whose adjudication broke `attempts` times is tried again.

    One minute after the first time, four after the second, sixteen after the third.
    """
    return now + dt.timedelta(minutes=4 ** (attempts - 1))
