"""Difficult borders (Loeb9, DATC 10) and the long way round the Cape (1900): a move over one loses
some of its strength, and no support is given over it.

The mark is the border's, not the provinces' (10.L), and a convoy goes round it (10.M, 10.N). A move
that nobody supports has a strength of a half: it enters an empty province, bounces with another one
like it, loses to every other move and cuts nothing (10.A, 10.C, 10.D).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.board import Board
from judge.legality.refusal import Illegal
from judge.movement.rule_in_phase import RuleInPhase
from judge.movement.state import MovementState
from judge.orders import Move, MovementOrder, Order, Support
from judge.places import Location
from judge.units import Unit
from judge.variant_rules.base import VariantRule

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.position import Position


@dataclass(frozen=True)
class WeakBorders(VariantRule):
    """The borders with one mark."""

    mark: str
    loss: float
    """What a move over such a border loses: one support if 1, else half its strength."""
    what: str
    """The word for such a border in sentences: "difficult"."""

    def crosses(self, board: Board, unit: Unit, to: Location) -> bool:
        """Tell whether the unit's way to `to` leads over one of these borders."""
        kind = "A" if unit.kind == "A" else "F"
        masks = board.marked.get(self.mark, {}).get(kind)
        return masks is not None and bool(masks[unit.location.index] >> to.province.index & 1)

    def objection(self, order: Order, position: Position) -> Illegal | None:
        """Say that no support is given over the border (10.E)."""
        if not isinstance(order, Support):
            return None
        target = order.to or order.supported.location
        if not self.crosses(position.variant.board, order.unit, target):
            return None
        unit = order.unit
        return Illegal(
            f"{unit} cannot support into {target.province}: no support is given over the "
            f"{self.what} border between {unit.location.province} and {target.province}."
        )

    def loses_retreat(self, board: Board, unit: Unit, to: Location) -> bool:
        """A retreat over the border gives way to one over any other (10.K)."""
        return self.crosses(board, unit, to)

    def enter(
        self, s: MovementState, orders: Mapping[int, MovementOrder], position: Position
    ) -> None:
        """Mark the moves over such a border, except by armies that go by convoy."""
        weak, slot = 0, s.board.mark_bits.get(self.mark, 0)
        for unit, order in orders.items():
            if type(order) is not Move or not self.crosses(s.board, order.unit, order.to):
                continue
            here = s.board.bit[unit]
            if s.optional & here:
                # Of two ways the one round the border is better.
                s.optional ^= here
                s.convoyed |= here
                s.pathed &= ~here
            elif s.by_land & here:
                weak |= here
                s.helpers[unit] |= slot
        if weak:
            s.unusual |= weak
            s.handicaps = (*s.handicaps, (slot, self.loss))
            s.in_play = (*s.in_play, Crossing(self, weak))


class Crossing(RuleInPhase):
    """The moves of a phase over such borders; their strength is in the state."""

    def __init__(self, rule: WeakBorders, weak: int) -> None:
        self.rule = rule
        self.weak = weak

    def reason_of(self, reasons: Reasons, unit: int, order: MovementOrder) -> Reason | None:
        """Add to the reason for a failed move what it lost on the way."""
        if not self.weak >> unit & 1 or not reasons.s.failed >> unit & 1:
            return None
        sentence, causes = reasons.of_repulse(unit)
        move = f"move over this {self.rule.what} border"
        if not reasons.s.helpers[unit] & reasons.s.given:
            lost = f"Without support a {move} yields to every other."
        elif self.rule.loss == 1:
            lost = f"A {move} has one support less."
        else:
            lost = f"A {move} has half its strength."
        return f"{sentence} {lost}", causes
