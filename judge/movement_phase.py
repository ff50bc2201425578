"""A movement phase from the lines that were written to results, retreats and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, get_args

from judge.board import bits
from judge.calendar import following
from judge.chain import Chain
from judge.circles import resolve
from judge.illegal import Illegal
from judge.movement import Resolver
from judge.muster import muster
from judge.orders import Hold, Move, MovementOrder, Order
from judge.outcome import OrderResult, Outcome, Report, worded
from judge.position import Dislodged, Position
from judge.reasons import Reasons
from judge.results import STANDS, Words, words_of
from judge.retreats import retreats_of
from judge.rulebook import Rulebook
from judge.selection import Sheet, choose_all, lines_of
from judge.soundness import check_movement, check_units
from judge.struggle import Struggle
from judge.units import Unit


def adjudicate_movement(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of a movement phase."""
    written = sheets
    followed = orders_followed(sheets)
    orders = by_unit(followed)
    if len(orders) < len(followed):
        sheets = choose_all(sheets, position, rules)
        orders = by_unit(orders_followed(sheets))
    struggle = muster(position, orders, rules, unsupported(position, written, orders, rules))
    resolve(Resolver(struggle, rules), rules.convoy_paradoxes)
    check_movement(struggle)
    beaten = struggle.beaten()
    dislodged = tuple(dislodged_units(position, struggle, beaten, rules)) if beaten else ()
    units = units_after(position, orders, struggle.moved, beaten)
    check_units(len(position.units), units, dislodged)
    after, won = following(position, units, tuple([one for one in dislodged if one.retreats]))

    return Outcome(
        after, won, lambda: MovementReport(position, sheets, orders, struggle, dislodged, rules)
    )


def orders_followed(sheets: Iterable[Sheet]) -> list[Any]:
    """Return the orders that are legal by themselves: in a movement phase, movement orders."""
    return list(chain.from_iterable([sheet.followed() for sheet in sheets]))


def by_unit(orders: Iterable[MovementOrder]) -> dict[int, MovementOrder]:
    """Return the orders by the index of their unit's province, one for each unit."""
    return {order.unit.at: order for order in orders}


def unsupported(
    position: Position,
    sheets: Iterable[Sheet],
    orders: Mapping[int, MovementOrder],
    rules: Rulebook,
) -> int:
    """Return the units that must not be supported in holding, as a mask (4.D.9 a, 4.E.1 DPTG).

    An illegal move takes the support only from a unit of the power that wrote it, and only if no
    legal `orders` of that unit stand: the DPTG speaks of the order of the unit.
    """
    mask = 0
    if rules.illegal_orders == "DPTG":
        for line in lines_of(sheets):
            if not line.illegal or not isinstance(line.order, Move):
                continue
            here = line.order.unit.at
            unit = position.unit_at[here]
            if unit is not None and unit.power == line.power and here not in orders:
                mask |= 1 << here
    if rules.civil_disorder_support == "a":
        ordering = {sheet.power for sheet in sheets if sheet.orders}
        for unit in position.units:
            if unit.power not in ordering:
                mask |= 1 << unit.at
    return mask


def units_after(
    position: Position, orders: Mapping[int, Any], moved: int, beaten: int
) -> tuple[Unit, ...]:
    """Return the units where they stand after the moves, without the dislodged ones."""
    units, bit, unit_of = position.units, position.variant.board.bit, position.variant.unit
    if beaten:
        units = tuple([unit for unit in units if not beaten & bit[unit.at]])
    return tuple(
        [
            unit_of(unit.kind, orders[unit.at].to, unit.power) if moved & bit[unit.at] else unit
            for unit in units
        ]
    )


def dislodged_units(
    position: Position, s: Struggle, beaten: int, rules: Rulebook
) -> Iterator[Dislodged]:
    """Yield the dislodged units, each with its retreats (none: it is destroyed)."""
    occupied = s.occupied & ~s.moved | s.entered()
    for here in bits(beaten):
        unit = position.unit_at[here]
        assert unit is not None, "only a unit can be beaten"
        yield Dislodged(unit, retreats_of(unit, position, s, occupied, rules))


_MOVEMENT_ORDERS = frozenset(get_args(MovementOrder))
_NEED_NO_REASON = {"succeeds", "given", "available", "stands"}


class MovementReport(Report):
    """Says line by line what became of the orders of a movement phase."""

    def __init__(
        self,
        position: Position,
        sheets: Sequence[Sheet],
        orders: Mapping[int, MovementOrder],
        struggle: Struggle,
        dislodged: tuple[Dislodged, ...],
        rules: Rulebook,
    ) -> None:
        self.position = position
        self.sheets = sheets
        self.orders = orders
        self.s = struggle
        self.fate = {one.unit.at: "dislodged" if one.retreats else "destroyed" for one in dislodged}
        self.rules = rules
        self.fared = words_of(orders, struggle)
        """What became of the order of each unit that had one, and then of the unit."""
        for here, fate in self.fate.items():
            if here in self.fared:
                # A hold that is dislodged says so once (4.E.2).
                word = () if self.fared[here] == STANDS else self.fared[here]
                self.fared[here] = (*word, fate)

    @cached_property
    def reasons(self) -> Reasons:
        """The sentences, which take longer than the words and are not always asked for."""
        return Reasons(self.position, self.orders, self.s, self.rules)

    def results(self) -> list[OrderResult]:
        """Return a result per line, then one per unit that had no order to follow."""
        words = self.words()
        results: list[OrderResult] = []
        for sheet in self.sheets:
            self.tell(sheet, words, results)
        for unit, told in zip(self.unordered(), words, strict=True):
            reason = None if told[-1] in _NEED_NO_REASON else self.reason(unit.at)
            results.append(OrderResult(unit.power, None, str(Hold(unit)), told, reason))
        return results

    def tell(self, sheet: Sheet, words: Iterator[Words], results: list[OrderResult]) -> None:
        """Add the results of one power's lines; `words` goes on with those of the next."""
        power, texts, orders, refusals = sheet
        written: Any  # What is legal in a movement phase is a movement order.
        # The words are last here, so that none of the next sheet's is taken and lost.
        for text, written, refusal, told in zip(texts, orders, refusals, words, strict=False):
            if written is None or refusal is not None:
                results.append(refused(power, text, written, refusal, told))
                continue
            here = written.unit.at
            order = self.orders[here]
            canonical = str(order)
            # Of an order given as a value the text is what it says, with a coast unsaid.
            text = text or (canonical if order is written else str(written))
            reason = None if told[-1] in _NEED_NO_REASON else self.reason(here)
            results.append(OrderResult(power, text, canonical, told, reason))

    def words(self) -> Iterator[Words]:
        """Return the words of each of these results."""
        all_count = len(self.fared) == sum([len(sheet.orders) for sheet in self.sheets])
        by_line = self.fared.values() if all_count else self.words_by_line()
        if len(self.orders) == len(self.position.units):
            return iter(by_line)
        return chain(by_line, [(self.fate.get(unit.at, "stands"),) for unit in self.unordered()])

    def words_by_line(self) -> Iterator[Words]:
        fared, told = self.fared, set[int]()
        order: Any  # What is legal in a movement phase is a movement order.
        for power, _, orders, refusals in self.sheets:
            if not any(refusals):
                for order in orders:
                    yield fared[order.unit.at]
                continue
            for order, refusal in zip(orders, refusals, strict=True):
                if refusal is None and order is not None:
                    yield fared[order.unit.at]
                else:
                    yield self.words_of_refused(self.province_of(power, order), told)

    def words_of_refused(self, here: int, told: set[int]) -> Words:
        """Return the words of a line that does not count for the unit there (-1: for none).

        The first such line for a unit that is left without any order also tells the unit's fate, as
        DATC 6.A.5 does; `told` remembers of which units it was told.
        """
        if here in self.fate and here not in self.orders and here not in told:
            told.add(here)
            return "illegal", self.fate[here]
        return ("illegal",)

    def unordered(self) -> Iterator[Unit]:
        """Yield the units that had no order to follow."""
        for unit in self.position.units:
            if unit.at not in self.orders:
                yield unit

    def explain(self, unit: Unit) -> Iterator[str]:
        """Yield what became of the unit's order, and of each order that had to do with it."""
        return Chain(self.reasons).behind(unit.at)

    def province_of(self, power: str, order: Any) -> int:
        """Return the province of the power's own unit that the order speaks of, -1 if of none."""
        if type(order) not in _MOVEMENT_ORDERS:
            return -1
        here: int = order.unit.at
        unit = self.position.unit_at[here]
        return here if unit is not None and unit.power == power else -1

    def reason(self, here: int) -> str | None:
        """Return why the order failed and who dislodged the unit; None where neither happened."""
        return worded(lambda: self.sentence(here))

    def sentence(self, here: int) -> str | None:
        if here not in self.fate:
            reason = self.reasons.of(here)
            return reason and reason.sentence
        sentences = [reason.sentence for reason in self.reasons.all_of(here)]
        if self.fate[here] == "destroyed":
            sentences[-1] = f"{sentences[-1].removesuffix('.')}, with nowhere to retreat to."
        return " ".join(sentences) or None


def refused(
    power: str,
    text: str | None,
    order: Order | None,
    illegal: Illegal | None,
    words: Words,
) -> OrderResult:
    """Report a line that does not count."""
    canonical = str(order) if order else None
    sentence = illegal.sentence if illegal else None
    return OrderResult(power, text or canonical, canonical, words, sentence)
