"""The time: it passes when the simulation says so. The server's machine may show another."""

from __future__ import annotations

import datetime as dt

BEGINNING = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)
IN_AUTUMN = dt.datetime(2026, 10, 12, 12, 0, tzinfo=dt.UTC)
"""Clocks are put back within weeks, and show an hour twice."""


def beginning_of(seed: int) -> dt.datetime:
    """Return when a seed begins: one of ten in autumn."""
    return IN_AUTUMN if seed % 10 == 5 else BEGINNING


class Clock:
    """Stands in for the module `time`, and with `shown` for `django.utils.timezone.now`."""

    def __init__(self, beginning: dt.datetime = BEGINNING) -> None:
        self.at = self.beginning = beginning
        self.wrong_by = dt.timedelta(0)

    def now(self) -> dt.datetime:
        """Return what time it is."""
        return self.at

    def shown(self) -> dt.datetime:
        """Return what time the clock of the server's machine shows."""
        return self.at + self.wrong_by

    def monotonic(self) -> float:
        """Return seconds on the clock that only ever runs on."""
        return (self.at - self.beginning).total_seconds()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.at += dt.timedelta(seconds=seconds)

    def reach(self, at: dt.datetime) -> None:
        """Let time pass until then; it never goes back."""
        self.at = max(self.at, at)
