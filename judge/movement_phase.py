"""A movement phase from the lines that were written to results, retreats and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.board import bits
from judge.calendar import following
from judge.circles import resolve
from judge.movement import Resolver
from judge.muster import muster
from judge.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.outcome import OrderResult, Outcome, Report
from judge.position import Dislodged, Position
from judge.reasons import Reasons
from judge.retreats import contested, retreats_of
from judge.rulebook import Rulebook
from judge.selection import Line
from judge.struggle import Struggle
from judge.units import Unit


def adjudicate_movement(position: Position, lines: Sequence[Line], rules: Rulebook) -> Outcome:
    """Return the outcome of a movement phase."""
    orders = orders_that_count(position, lines)
    struggle = muster(position, orders, rules, unsupported(position, lines, rules))
    resolve(Resolver(struggle, rules), rules.convoy_paradoxes)
    beaten = struggle.beaten()
    dislodged = tuple(dislodged_units(position, struggle, beaten, rules)) if beaten else ()
    units = units_after(position, orders, struggle.moved, beaten)
    after, won = following(position, units, tuple(one for one in dislodged if one.retreats))

    return Outcome(
        after, won, lambda: MovementReport(position, lines, orders, struggle, dislodged, rules)
    )


def orders_that_count(position: Position, lines: Iterable[Line]) -> dict[int, MovementOrder]:
    """Return the order to follow for each unit that has one, by the index of its province."""
    orders: dict[int, MovementOrder] = {}
    for line in lines:
        # What is legal in a movement phase is a movement order.
        order: Any = line.order
        if order is None or line.illegal is not None:
            continue
        if type(order) is Move and (order.to.coast or order.to.province.coasts):
            order = complete(order, position)
        orders[order.unit.location.province.index] = order
    return orders


def complete(order: Move, position: Position) -> Move:
    """Return the move with the destination's coast as it is meant (4.B.2, 4.B.6)."""
    board, kind = position.variant.board, order.unit.kind
    if kind == "A":
        return replace(order, to=board.location(order.to.province)) if order.to.coast else order
    arrivals = board.arrivals("F", order.unit.location, order.to.province)
    return order if order.to in arrivals else replace(order, to=arrivals[0])


def unsupported(position: Position, lines: Iterable[Line], rules: Rulebook) -> int:
    """Return the units that must not be supported in holding, as a mask (4.D.9 a, 4.E.1 DPTG)."""
    mask = 0
    if rules.illegal_orders == "DPTG":
        for line in lines:
            if line.illegal and isinstance(line.order, Move):
                mask |= 1 << line.order.unit.location.province.index
    if rules.civil_disorder_support == "a":
        ordering = {line.power for line in lines}
        for unit in position.units:
            if unit.power not in ordering:
                mask |= 1 << unit.location.province.index
    return mask


def units_after(
    position: Position, orders: Mapping[int, MovementOrder], moved: int, beaten: int
) -> Iterator[Unit]:
    """Yield the units where they stand after the moves, without the dislodged ones."""
    away = moved | beaten
    for unit in position.units:
        here = unit.location.province.index
        if not away >> here & 1:
            yield unit
        elif moved >> here & 1:
            order = orders[here]
            assert isinstance(order, Move), "only a mover has moved"
            yield Unit(unit.kind, order.to, unit.power)


def dislodged_units(
    position: Position, s: Struggle, beaten: int, rules: Rulebook
) -> Iterator[Dislodged]:
    """Yield the dislodged units, each with its retreats (none: it is destroyed)."""
    closed = s.occupied & ~s.moved | s.entered() | contested(s, rules)
    for here in bits(beaten):
        unit = position.unit_at[here]
        assert unit is not None, "only a unit can be beaten"
        yield Dislodged(unit, retreats_of(unit, position, s, closed, rules))


_NEED_NO_REASON = {"succeeds", "given", "available", "stands"}


class MovementReport(Report):
    """Says line by line what became of the orders of a movement phase."""

    def __init__(
        self,
        position: Position,
        lines: Sequence[Line],
        orders: Mapping[int, MovementOrder],
        struggle: Struggle,
        dislodged: tuple[Dislodged, ...],
        rules: Rulebook,
    ) -> None:
        self.position = position
        self.lines = lines
        self.orders = orders
        self.s = struggle
        self.fate = {
            one.unit.location.province.index: "dislodged" if one.retreats else "destroyed"
            for one in dislodged
        }
        self.reasons = Reasons(position, orders, struggle, rules)

    def results(self) -> Iterator[OrderResult]:
        """Yield a result per line, then one per unit that had no order to follow."""
        told: set[int] = set()
        for line in self.lines:
            if line.order is None or line.illegal is not None:
                yield self.refused(line, told)
            else:
                yield self.followed(line, line.order)
        for unit in self.position.units:
            here = unit.location.province.index
            if here not in self.orders:
                yield self.holding(unit, here)

    def explain(self, unit: Unit) -> Iterator[str]:
        """Yield what became of the unit's order, and of each order that had to do with it."""
        return self.reasons.chain(unit.location.province.index)

    def province_of(self, line: Line) -> int:
        """Return the province of the power's own unit that the line speaks of, -1 if of none."""
        if not isinstance(line.order, Hold | Move | Support | Convoy):
            return -1
        here = line.order.unit.location.province.index
        unit = self.position.unit_at[here]
        return here if unit is not None and unit.power == line.power else -1

    def refused(self, line: Line, told: set[int]) -> OrderResult:
        """Report a line that does not count; the first one for a unit that is left without any
        order also tells the unit's fate, as DATC 6.A.5 does."""
        here = self.province_of(line)
        words: tuple[str, ...] = ("illegal",)
        if here in self.fate and here not in self.orders and here not in told:
            told.add(here)
            words += (self.fate[here],)
        order = str(line.order) if line.order else None
        sentence = line.illegal.sentence if line.illegal else None
        return OrderResult(line.power, line.text or order, order, words, sentence)

    def followed(self, line: Line, written: Any) -> OrderResult:
        """Report a line that counts. `written` is its order, in which a coast may be unsaid."""
        here = written.unit.location.province.index
        order = self.orders[here]
        canonical = str(order)
        text = line.text or (canonical if order is written else str(written))
        word = self.reasons.word(here)
        if here in self.fate:
            words = (*_unless_stands(word), self.fate[here])
            return OrderResult(line.power, text, canonical, words, self.reason(here))
        reason = None if word in _NEED_NO_REASON else self.reason(here)
        return OrderResult(line.power, text, canonical, (word,), reason)

    def holding(self, unit: Unit, here: int) -> OrderResult:
        if here not in self.fate:
            return OrderResult(unit.power, None, str(Hold(unit)), ("stands",))
        return OrderResult(unit.power, None, str(Hold(unit)), (self.fate[here],), self.reason(here))

    def reason(self, here: int) -> str | None:
        """Return why the order failed and who dislodged the unit."""
        sentences = [reason.sentence for reason in self.reasons.all_of(here)]
        if self.fate.get(here) == "destroyed":
            sentences[-1] = f"{sentences[-1].removesuffix('.')}, with nowhere to retreat to."
        return " ".join(sentences) or None


def _unless_stands(word: str) -> tuple[str, ...]:
    """Return the word; a hold that is dislodged says so once (4.E.2)."""
    return () if word == "stands" else (word,)
