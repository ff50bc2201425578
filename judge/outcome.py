"""What a phase brought: a result for every line, the next position, perhaps a winner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from judge.position import Position


@dataclass(frozen=True, slots=True)
class OrderResult:
    """What became of one line, or of an order that the judge gave for want of one.

    `text` is the line as written, None for a hold or disband that nobody wrote. `order` is the
    canonical notation, None when the line could not be read. `result` has the words of DATC 3.2,
    issue 4.E.2. `reason` is one sentence naming the cause, None where nothing needs explaining.
    `automatic` marks a disband chosen by the civil disorder rules or for want of a retreat.
    """

    power: str
    text: str | None
    order: str | None
    result: tuple[str, ...]
    reason: str | None = None
    automatic: bool = False


@dataclass(frozen=True)
class Outcome:
    """The position that follows, the winner if there is one, and the results.

    Results and their sentences are worked out when they are first asked for: a program that only
    looks for the next position does not wait for them.
    """

    next: Position
    winner: str | None
    _report: Callable[[], Iterable[OrderResult]] = field(repr=False, compare=False)

    @cached_property
    def results(self) -> tuple[OrderResult, ...]:
        """One result per line in the order of the input, then those of orders nobody wrote."""
        return tuple(self._report())
