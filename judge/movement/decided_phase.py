"""A decided movement phase in the terms that sentences need: units, orders and rulings by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.board import bits
from judge.movement.results import Words, words_of
from judge.movement.state import MovementState, Ruling
from judge.once import once
from judge.orders import Hold, MovementOrder
from judge.position import Position
from judge.rulebook import DATC, Rulebook, issue_choices
from judge.units import Unit
from judge.wording import in_words

Reason = tuple[str, int]
"""A sentence, and the mask of the units whose orders are the cause."""


class DecidedPhase:
    """The orders of a phase with their results, and names for all of it."""

    def __init__(
        self,
        position: Position,
        orders: Mapping[int, MovementOrder],
        state: MovementState,
        rules: Rulebook = DATC,
    ) -> None:
        self.position = position
        self.orders = orders
        self.s = state
        self.unit_at = position.unit_at
        self.never = rules.dislodged_bounce == "a"
        self.repelled = state.failed & ~(state.pathless | state.doomed)
        """The movers that others kept from moving."""
        self.rules = rules

    @once
    def beaten(self) -> int:
        """The units that were dislodged, as a mask."""
        return self.s.beaten()

    @once
    def words(self) -> Sequence[Words]:
        """Per unit: the word for what became of its order, but not for what became of the unit."""
        return words_of(self.orders, self.s)

    def unit(self, index: int) -> Unit:
        """Return the unit that stood in the province."""
        unit = self.unit_at[index]
        assert unit is not None, "a decision is about a unit"
        return unit

    def order(self, index: int) -> MovementOrder:
        """Return the unit's order: a hold if it has no other."""
        return self.orders.get(index) or Hold(self.unit(index))

    def visible(self, mask: int) -> int:
        """Return the units of the mask; a decision of a variant's rule becomes its unit, if any."""
        seen = mask & (1 << len(self.s.board.provinces)) - 1
        for slot, unit in self.s.stand_ins.items():
            if mask >> slot & 1:
                seen |= 1 << unit
        return seen

    def reason(self, sentence: str, causes: int = 0) -> Reason:
        """Return the reason that a rule of the variant gives."""
        return sentence, self.visible(causes)

    def names(self, mask: int) -> str:
        """Return the orders of these units as a list in words."""
        mask = self.visible(mask) if self.s.in_play else mask
        if mask.bit_count() == 1:
            order = self.order(mask.bit_length() - 1)
            return order.printed or str(order)
        return in_words([str(self.order(index)) for index in bits(mask)])

    def units(self, mask: int) -> str:
        """Return these units as a list in words."""
        if mask.bit_count() == 1:
            return self.unit(mask.bit_length() - 1).name
        return in_words([self.unit(index).name for index in bits(mask)])

    # Rulings on paradoxes.

    def ruling(self, index: int) -> Ruling | None:
        """Return the ruling that broke a paradox in which the unit was involved, if there is
        one."""
        of_unit = (one for one in self.s.rulings if (one.circle | one.armies) >> index & 1)
        return next(of_unit, None)

    def paradox_of(self, index: int) -> int:
        """Return the units whose orders make the paradox, this one included."""
        ruling = self.ruling(index)
        return ruling.circle | ruling.armies if ruling else 0

    def ruled(self, index: int) -> str:
        """Say which rule broke the paradox, for the sentence about the unit."""
        ruling = self.ruling(index)
        return self.by(ruling) if ruling else ""

    def by(self, ruling: Ruling) -> str:
        """Return the ruling's authority in brackets."""
        return f" ({self.authority(ruling)})"

    def authority(self, ruling: Ruling) -> str:
        """Return the rule by name and in words: the fallback if the chosen rule has no answer."""
        if ruling.words:
            return ruling.words
        chosen, meanings = self.rules.convoy_paradoxes, issue_choices("4.A.2")
        if chosen in ("1971", "1982", "2000"):
            szykman = f"so Szykman's rule is used: {meanings['Szykman']}"
            return f"4.A.2: the {chosen} rules give no answer, {szykman}"
        return f"4.A.2 {ruling.name}: {meanings[ruling.name]}"
