"""What became of the orders of a movement phase, line by line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import cast

from judge.legality.lines import Sheet
from judge.legality.refusal import Illegal
from judge.movement.explain import Explainer
from judge.movement.reasons import Reasons
from judge.movement.reasons_at_sight import reasons_at_sight
from judge.movement.results import STANDS, Words, words_of
from judge.movement.state import MovementState
from judge.once import once
from judge.orders import Hold, MovementOrder, Order, Ride
from judge.outcome import Columns, Report, Row, without_words
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Dislodged, Unit

_Sheet = tuple[
    str, Sequence[str | None], Sequence[MovementOrder | None], Sequence[Illegal | None], bool
]
"""A sheet. Every legal order in a movement phase is a movement order; nobody asks any other for its
unit."""
_printed = attrgetter("printed")
_NEED_NO_REASON = {"succeeds", "given", "available", "stands"}


class MovementReport(Report):
    """Says line by line what became of the orders of a movement phase."""

    def __init__(
        self,
        position: Position,
        sheets: Sequence[Sheet],
        orders: Mapping[int, MovementOrder],
        state: MovementState,
        dislodged: tuple[Dislodged, ...],
        rules: Rulebook,
        all_count: bool,
    ) -> None:
        self.position = position
        self.sheets = cast("Sequence[_Sheet]", sheets)
        self.orders = orders
        self.s = state
        self.fate: dict[int, str] = {}
        """Per dislodged unit what became of it."""
        for one in dislodged:
            self.fate[one.unit.at] = "dislodged" if one.retreats else "destroyed"
        self.rules = rules
        self.all_count = all_count
        """Every line counts, and no two are for the same unit."""
        self.fared = words_of(orders, state)
        """Per unit what became of its order, if it had one, and then of itself."""
        units = position.units
        self.unordered: Sequence[Unit] = ()
        """The units that had no order to follow."""
        if len(orders) < len(units) or state.in_play:
            self.unordered = [unit for unit in units if unit.at not in orders]
        for here, fate in self.fate.items():
            if here in orders:
                # A hold that is dislodged is reported as dislodged only (4.E.2).
                word = () if self.fared[here] == STANDS else self.fared[here]
                self.fared[here] = (*word, fate)

    @once
    def reasons(self) -> Reasons:
        """What the sentences are made from."""
        return Reasons(self.position, self.orders, self.s, self.rules)

    def results(self, *, reasons: bool = True) -> list[Row]:
        """Return a result per line, then one per unit that had no order to follow."""
        results: list[Row] = []
        told: set[int] = set()
        add = results.append
        orders, fared, any_rides = self.orders, self.fared, self.s.in_play
        plain = self.at_sight()[0] if reasons else {}
        for power, texts, given, refusals, _ in self.sheets:
            # The columns are of one length: to have that checked takes as long as five lines.
            for text, said, illegal in zip(texts, given, refusals):  # noqa: B905
                if illegal or said is None:
                    add(self.refused(power, text, said, illegal if reasons else None, told))
                    continue
                here = said.unit.at
                order, words = orders[here], fared[here]
                reason = ends = None
                if reasons and words[-1] not in _NEED_NO_REASON:
                    reason = plain.get(here) or self.reason(here)
                if any_rides and type(order) is Ride:
                    ends = self.end_of(here)
                printed = order.printed or str(order)
                # The text of an order given as a value is its notation, even if that leaves a coast
                # out.
                add((power, text or str(said), printed, words, reason, False, ends))
        for unit in self.unordered:
            words = (self.fate.get(unit.at, "stands"),)
            reason = self.reason(unit.at) if reasons and words[-1] not in _NEED_NO_REASON else None
            add((unit.power, None, str(Hold(unit)), words, reason, False, None))
        return results

    def columns(self, *, reasons: bool = True) -> Columns | None:
        """Return the results of lines that all count; None if there are other results."""
        if not self.all_count or self.unordered or self.s.in_play:
            return None
        powers: list[str] = []
        texts: list[str | None] = []
        for power, written, _, _, _ in self.sheets:
            powers += [power] * len(written)
            texts += written
        if not all(texts):
            given = [order for sheet in self.sheets for order in sheet[2]]
            texts = [text or str(order) for text, order in zip(texts, given, strict=True)]
        # The orders are in the order of the lines.
        orders = self.orders
        printed = list(map(_printed, orders.values()))
        if not all(printed):
            printed = list(map(str, orders.values()))
        results = map(self.fared.__getitem__, orders)
        why = map(self.sentences().get, orders) if reasons else repeat(None)
        return Columns(powers, cast("list[str]", texts), printed, results, why)

    def sentences(self) -> dict[int, str | None]:
        """Return the reason for each standard order that needs one, by its unit."""
        s, bit = self.s, self.s.board.bit
        plain, told = self.at_sight()
        sentences: dict[int, str | None] = {**plain}
        need = (s.failed | s.cut | s.disrupted | s.unmatched | self.reasons.beaten) & ~told
        while need:
            here = need.bit_length() - 1
            need ^= bit[here]
            sentences[here] = self.reason(here)
        return sentences

    def refused(
        self,
        power: str,
        text: str | None,
        order: MovementOrder | None,
        illegal: Illegal | None,
        told: set[int],
    ) -> Row:
        """Return the result of a line that does not count; without `illegal` it has no reason."""
        own = self.province_of(power, order)
        words = self.words_of_refused(own, told)
        canonical = str(order) if order else None
        sentence = illegal.sentence if illegal else None
        ends = str(order.unit.location) if order and type(order) is Ride and own >= 0 else None
        return power, text or canonical, canonical, words, sentence, False, ends

    def end_of(self, here: int) -> str:
        """Return where the army that stood there is at the end."""
        return str(self.position.variant.board.locations[self.s.ends.get(here, here)])

    def words(self) -> Iterable[Words]:
        """Return the words of each of these results."""
        if self.all_count and not self.unordered:
            return in_turn(self.fared, self.orders)
        unordered = [(self.fate.get(unit.at, "stands"),) for unit in self.unordered]
        return [*self.words_by_line(), *unordered]

    def words_by_line(self) -> list[Words]:
        """Return the words of each line's result."""
        fared, words = self.fared, []
        told: set[int] = set()
        for power, _, orders, refusals, refuses in self.sheets:
            if not refuses:
                words += [fared[order.unit.at] for order in orders if order]
                continue
            for order, illegal in zip(orders, refusals, strict=True):
                if illegal is None and order is not None:
                    words.append(fared[order.unit.at])
                else:
                    words.append(self.words_of_refused(self.province_of(power, order), told))
        return words

    def words_of_refused(self, here: int, told: set[int]) -> Words:
        """Return the words of a line that does not count for the unit there (-1: for none).

        The first such line for a unit that is left without any order also tells the unit's fate, as
        DATC 6.A.5 does; `told` has the units whose fate was told.
        """
        if here in self.fate and here not in self.orders and here not in told:
            told.add(here)
            return "illegal", self.fate[here]
        return ("illegal",)

    def explain(self, unit: Unit) -> Iterator[str]:
        """Yield what became of the unit's order, then of each order that affected it.

        If no order of the unit counted, say first why not.
        """
        if unit.at not in self.orders:
            yield from self.why_refused(unit)
        yield from Explainer(self.reasons).behind(unit.at)

    def why_refused(self, unit: Unit) -> Iterator[str]:
        """Yield each line for the unit, with what makes it illegal."""
        for power, _, orders, refusals, _ in self.sheets:
            for order, illegal in zip(orders, refusals, strict=True):
                if illegal and self.province_of(power, order) == unit.at:
                    yield f"{order}: illegal. {illegal.sentence}"

    def province_of(self, power: str, order: Order | None) -> int:
        """Return the province of the power's own unit that the order is about, or -1."""
        if not isinstance(order, MovementOrder):
            return -1
        here = order.unit.at
        unit = self.position.unit_at[here]
        return here if unit is not None and unit.power == power else -1

    def at_sight(self) -> tuple[dict[int, str], int]:
        """Return the reasons that are plain to see, and the units that they are of as a mask."""
        try:
            return reasons_at_sight(self.reasons)
        except Exception:
            without_words()
            return {}, 0

    def reason(self, here: int) -> str | None:
        """Return why the order failed and who dislodged the unit; None where neither happened."""
        try:
            if here in self.fate:
                return self.of_dislodged(here)
            reason = self.reasons.of(here)
            return reason[0] if reason else None
        except Exception:
            return without_words()

    def of_dislodged(self, here: int) -> str | None:
        sentences = [sentence for sentence, _ in self.reasons.all_of(here)]
        if self.fate[here] == "destroyed":
            sentences[-1] = f"{sentences[-1].removesuffix('.')}, with nowhere to retreat to."
        return " ".join(sentences) or None


def in_turn(words: Sequence[Words], units: Collection[int]) -> tuple[Words, ...]:
    """Return the word for each of the units."""
    if len(units) > 1:  # In two thirds of the time of a loop; of one unit it would give no tuple.
        found: tuple[Words, ...] = itemgetter(*units)(words)
        return found
    return tuple([words[unit] for unit in units])
