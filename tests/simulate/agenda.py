"""What is to happen when: the simulation goes from one thing to the next."""

from __future__ import annotations

import datetime as dt
import heapq
import itertools
from collections.abc import Callable

from tests.simulate.machinery.clock import Clock


class Agenda:
    """Things to do, each at its time."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._entries: list[tuple[dt.datetime, int, Callable[[], object]]] = []
        self._turns = itertools.count()

    def at(self, when: dt.datetime, do: Callable[[], object]) -> None:
        """Have something done then."""
        heapq.heappush(self._entries, (when, next(self._turns), do))

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        """Have something done so much later."""
        self.at(self.clock.now() + dt.timedelta(seconds=seconds), do)

    def clear(self) -> None:
        """Have nothing done any more."""
        self._entries.clear()

    def go_on(self, end: dt.datetime, *, then: Callable[[], object]) -> None:
        """Do everything up to the end, one thing after the other, and `then` this after each."""
        while self._entries and self._entries[0][0] < end:
            at, _, do = heapq.heappop(self._entries)
            self.clock.reach(at)
            do()
            then()
        self.clock.reach(end)
