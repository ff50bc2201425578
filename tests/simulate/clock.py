"""The only clock there is: it moves when the simulation says so."""

from __future__ import annotations

import datetime as dt

BEGINNING = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)


class Clock:
    """Stands in for `django.utils.timezone.now` and for the module `time`."""

    def __init__(self) -> None:
        self.at = BEGINNING

    def now(self) -> dt.datetime:
        """Return the time on the wall."""
        return self.at

    def monotonic(self) -> float:
        """Return seconds on the clock that only ever runs on."""
        return (self.at - BEGINNING).total_seconds()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.at += dt.timedelta(seconds=seconds)

    def reach(self, at: dt.datetime) -> None:
        """Let time pass until then; it never goes back."""
        self.at = max(self.at, at)
