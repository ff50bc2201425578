"""The outcome of a phase: a result for every line, the next position, perhaps a winner."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import Any, Final, NamedTuple, Protocol, cast

from judge.errors import UnknownName
from judge.once import once
from judge.position import Position
from judge.units import Unit

logger = logging.getLogger("judge")
_DISLODGED_BY = re.compile(r"(?:^|(?<=\. ))(?:\w+ and d|D)islodged (by [^.]*\.) ?")


def without_words() -> str | None:
    """Log a fault in the wording of a sentence, and return None in place of the sentence.

    A result is good without its sentence, so a fault in the wording holds up no phase.
    """
    logger.exception("A reason could not be put into words; its result stands without it.")
    return None


class OrderResult(NamedTuple):
    """What became of one line, or of an order that the judge gave because nobody wrote one."""

    power: str
    text: str | None
    """The line as written, None for a hold or disband that nobody wrote."""
    order: str | None
    """The canonical notation, None if the line could not be read."""
    result: tuple[str, ...]
    """The words of DATC 3.2, issue 4.E.2."""
    reason: str | None = None
    """One sentence with the cause, None where nothing needs explaining."""
    automatic: bool = False
    """Whether it is a disband chosen by the civil disorder rules, or for want of a retreat."""
    ends: str | None = None
    """Where an army that goes by rail ended, wherever it was ordered."""


Row = tuple[str, str | None, str | None, tuple[str, ...], str | None, bool, str | None]
"""An `OrderResult` as the plain tuple it is; the JSON Lines door needs no more."""
_new = cast("Callable[[type[OrderResult], Row], OrderResult]", tuple.__new__)


def _order_results(rows: Iterable[Row]) -> tuple[OrderResult, ...]:
    """Return the results made from rows, in 1,100 instructions each; calling the class takes
    2,600."""
    return tuple(map(_new, repeat(OrderResult), rows))


class Columns(NamedTuple):
    """The results of lines that all count, a column for each field that they may differ in."""

    powers: Sequence[str]
    texts: Sequence[str]
    orders: Sequence[str]
    results: Iterable[tuple[str, ...]]
    reasons: Iterable[str | None]


class Report(Protocol):
    """Says what became of a phase's orders."""

    def columns(self, *, reasons: bool = True) -> Columns | None:
        """Return the results by columns if all are of lines that count, else None."""
        return None

    def results(self, *, reasons: bool = True) -> Iterable[Row]:
        """Return one result per line, then those of orders nobody wrote."""
        ...

    def words(self) -> Iterable[tuple[str, ...]]:
        """Return the words of these results alone."""
        ...

    def explain(self, unit: Unit) -> Iterable[str]:
        """Return what became of the unit, sentence by sentence, down to the last cause."""
        ...


def with_reason(words: str, reason: str) -> str:
    """Return a result and its cause as they are read: `fails. Beaten by A Vienna - Tyrolia.`, but
    `dislodged by A Vienna - Tyrolia.`, which says it once, before what else the cause tells."""
    driven_out = _DISLODGED_BY.search(reason) if words.endswith("dislodged") else None
    if driven_out is None:
        return f"{words}. {reason}".rstrip()
    rest = f"{reason[: driven_out.start()]}{reason[driven_out.end() :]}"
    return f"{words} {driven_out[1]} {rest}".rstrip()


@dataclass(frozen=True)
class PlainReport(Report):
    """A report whose results explain themselves: for retreats and adjustments."""

    make: Callable[[], Iterable[OrderResult]]

    def results(self, *, reasons: bool = True) -> Iterable[OrderResult]:
        """Return one result per line, then those of orders nobody wrote."""
        return self.make() if reasons else map(_without_reason, self.make())

    def words(self) -> Iterable[tuple[str, ...]]:
        """Return the words of these results alone."""
        return (result.result for result in self.make())

    def explain(self, unit: Unit) -> Iterable[str]:
        """Return what became of the unit's orders."""
        for result in self.make():
            if result.power == unit.power and _is_about(result.order or "", unit.name):
                told = f"{result.order}: {', '.join(result.result)}."
                yield f"{told} {result.reason}" if result.reason else told


@dataclass(frozen=True)
class ToldReport(Report):
    """A report made earlier: what is left of an outcome that was pickled."""

    told: tuple[OrderResult, ...]
    explained: Mapping[Unit, tuple[str, ...]]

    def results(self, *, reasons: bool = True) -> Iterable[OrderResult]:
        """Return one result per line, then those of orders nobody wrote."""
        return self.told if reasons else map(_without_reason, self.told)

    def words(self) -> Iterable[tuple[str, ...]]:
        """Return the words of these results alone."""
        return (result.result for result in self.told)

    def explain(self, unit: Unit) -> Iterable[str]:
        """Return what became of the unit."""
        return self.explained[unit]


# `Final` instead of `frozen`, as in `judge.orders`: it is made in half the time.
@dataclass(unsafe_hash=True)
class Outcome:
    """The outcome of a phase: the next position, the winner if there is one, and the results.

    Results and their sentences are worked out when they are first asked for: a program that wants
    only the next position does not wait for them. `outcome["A Paris"]` is the result of that unit's
    order.
    """

    before: Final[Position]
    """The position that was adjudicated."""
    next: Final[Position]
    """The position that follows."""
    winner: Final[str | None]
    _make_report: Final[Callable[[], Report]] = field(repr=False, compare=False)
    __iter__ = None
    """Iterate over `results`, not over this. Without this line Python would try 0, 1, 2 as
    names."""

    @once
    def _report(self) -> Report:
        return self._make_report()

    @once
    def results(self) -> tuple[OrderResult, ...]:
        """One result per line in the order of the input, then those of orders nobody wrote."""
        columns = self._report.columns()
        if columns:
            return _order_results(zip(*columns, repeat(False), repeat(None)))
        return _order_results(self._report.results())

    def results_without_reasons(self) -> tuple[OrderResult, ...]:
        """Return the same with `reason` always None, in half the time."""
        return _order_results(self._report.results(reasons=False))

    def rows(self, *, reasons: bool = True) -> Iterable[Row]:
        """Return the same as plain tuples, with their reasons or without."""
        return self._report.results(reasons=reasons)

    def columns(self, *, reasons: bool = True) -> Columns | None:
        """Return the same by columns if all lines count and no order is automatic, else None."""
        return self._report.columns(reasons=reasons)

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """What became of each order: `result` of each of the `results`, without their sentences."""
        return tuple(self._report.words())

    def __getitem__(self, unit: Unit | str) -> OrderResult:
        """Return the result of the order that counted for the unit, "A Paris" or a value.

        If none counted, it is the result of the unit's first line, or of the hold it was given. A
        unit built in an adjustment phase can be asked for as well. Raises UnknownName if no result
        is about such a unit.
        """
        one = unit if isinstance(unit, Unit) else self._unit_called(unit)
        found = [
            result
            for result in self.results
            if one.power in ("", result.power) and _is_about(result.order or "", one.name)
        ]
        if not found:
            raise UnknownName(f"There is no order for “{unit}”.")
        counted = (one for one in found if one.text is not None and one.result[0] != "illegal")
        return next(counted, found[0])

    def _unit_called(self, name: str) -> Unit:
        try:
            return self.before.unit(name)
        except UnknownName:
            if self.before.phase.step != "A":
                raise
            return self.next.unit(name)

    def explain(self, unit: Unit | str) -> tuple[str, ...]:
        """Return why the unit fared as it did: its order, then each order that led to that.

        If no order of the unit counted, the sentences first say what makes its lines illegal.

        `unit` is one of the position that was adjudicated or one that was built, or its name: "A
        Paris". Raises UnknownName if there is no such unit.
        """
        if not isinstance(unit, Unit):
            unit = self._unit_called(unit)
        elif unit not in self._units():
            raise UnknownName(f"There is no unit “{unit}”.")
        return tuple(self._report.explain(unit))

    def _units(self) -> tuple[Unit, ...]:
        """Return the units that may have had an order, and those that were built."""
        dislodged = (one.unit for one in self.before.dislodged)
        built = self.next.units if self.before.phase.step == "A" else ()
        return (*dislodged, *self.before.units, *built)

    def __reduce__(self) -> tuple[Any, ...]:
        explained = {unit: self.explain(unit) for unit in self._units()}
        report = ToldReport(self.results, explained)
        return Outcome, (self.before, self.next, self.winner, partial(_the_same, report))


def _without_reason(result: OrderResult) -> OrderResult:
    return result._replace(reason=None)


def _the_same(report: Report) -> Report:
    return report


def _is_about(order: str, name: str) -> bool:
    """Tell whether an order in canonical notation is for the unit of that name."""
    # On some maps one name begins another: "F Java" is not "F Java Sea".
    if order.startswith(tuple(f"{name} {sign}" for sign in _AFTER_THE_UNIT)):
        return True
    return order in (f"Disband {name}", f"Build {name}")


_AFTER_THE_UNIT = ("- ", "Holds", "Supports ", "Convoys ")
