"""Why an order had the result it had: one sentence that names the cause and the unit behind it."""

from __future__ import annotations

from collections.abc import Mapping

from judge.board import bits
from judge.convoys import has_route
from judge.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.strengths import (
    attack_strength,
    defend_strength,
    head_to_head,
    hold_strength,
    prevent_strength,
)
from judge.struggle import Struggle
from judge.units import Unit


class Reasons:
    """Explains a decided struggle; every question is answered from its decisions alone."""

    def __init__(
        self,
        position: Position,
        orders: Mapping[int, MovementOrder],
        struggle: Struggle,
        rules: Rulebook = DATC,
    ) -> None:
        self.position = position
        self.orders = orders
        self.s = struggle
        self.never = rules.dislodged_bounce == "a"

    def unit(self, index: int) -> Unit:
        """Return the unit that stood in the province."""
        unit = self.position.unit_at[index]
        assert unit is not None, "a decision is about a unit"
        return unit

    def order(self, index: int) -> MovementOrder:
        """Return what the unit was ordered, a hold for want of anything else."""
        return self.orders.get(index) or Hold(self.unit(index))

    def names(self, mask: int) -> str:
        """Return the orders of these units as a list in words."""
        texts = [str(self.order(index)) for index in bits(mask)]
        return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)

    def of(self, index: int) -> str | None:
        """Return the reason for the unit's own result, None where it needs none."""
        order = self.orders.get(index)
        if isinstance(order, Move):
            return self.of_move(index, order)
        if isinstance(order, Support):
            return self.of_support(index, order)
        if isinstance(order, Convoy):
            return self.of_convoy(index, order)
        return None

    def of_dislodgement(self, index: int) -> str:
        """Return who dislodged the unit."""
        return f"Dislodged by {self.names(self.s.into[index] & self.s.moved)}."

    def of_move(self, index: int, order: Move) -> str | None:
        if self.s.moved >> index & 1:
            return None
        if self.s.pathless >> index & 1:
            return self.of_missing_path(index, order)
        if self.s.doomed >> index & 1:
            return "Fails as part of a convoy paradox."
        return self.of_repulse(index)

    def of_missing_path(self, index: int, order: Move) -> str:
        s = self.s
        fleets = s.routes[index]
        if not fleets:
            return f"No fleet was ordered to convoy {order.unit} to {order.to.province}."
        if not self.was_ordered_to_convoy(index):
            return f"{self.fleets(fleets)} alone cannot convoy {order.unit} to {order.to.province}."
        if dislodged := fleets & s.disrupted & self.s.beaten():
            return self.of_lost_fleet(dislodged)
        if paradox := fleets & s.disrupted:
            return f"The convoy by {self.fleets(paradox)} is part of a convoy paradox and fails."
        return f"The convoy by {self.fleets(fleets)} is part of a convoy paradox and fails."

    def was_ordered_to_convoy(self, index: int) -> bool:
        """Tell whether fleets were ordered to convoy the army all the way (else it is invalid)."""
        s = self.s
        return has_route(s.board, index, s.dest[index], s.routes[index])

    def of_lost_fleet(self, fleets: int) -> str:
        fleet = next(bits(fleets))
        by = self.names(self.s.into[fleet] & self.s.moved)
        return f"The convoying {self.unit(fleet)} was dislodged by {by}."

    def fleets(self, mask: int) -> str:
        """Return the units of the mask by name."""
        return " and ".join(str(self.unit(index)) for index in bits(mask))

    def of_repulse(self, index: int) -> str:
        """Return who kept an army or fleet with a path from moving: rivals, or the unit there."""
        s = self.s
        goal = s.dest[index]
        meets = bool(head_to_head(s, index))
        strength = attack_strength(s, index, meets)[0]
        rivals = 0
        for rival in bits(s.into[goal] & ~(1 << index)):
            if prevent_strength(s, rival, self.never)[1] >= strength:
                rivals |= 1 << rival
        if winner := rivals & s.moved:
            return f"Beaten by {self.names(winner)}."
        if rivals and strength:
            return f"Bounced with {self.names(rivals)}."
        return self.of_garrison(index, goal, strength, meets)

    def of_garrison(self, index: int, goal: int, strength: int, meets: bool) -> str:
        s = self.s
        there = self.unit(goal)
        if s.own[goal] >> index & 1:
            return f"{there} of the same power {self.stays(goal)}."
        own_help = s.helpers[index] & s.given & s.own[goal]
        resists = (defend_strength(s, goal) if meets else hold_strength(s, goal))[0]
        if own_help and strength + own_help.bit_count() > resists:
            return f"{self.fleets(own_help)} cannot help to dislodge {there} of the same power."
        if meets:
            return f"Bounced with {self.order(goal)}."
        if s.movers >> goal & 1:
            return f"Bounced with {there}, which {self.stays(goal)}."
        help_there = s.helpers[goal] & s.given
        backed = f" with the support of {self.fleets(help_there)}" if help_there else ""
        return f"{there} held{backed}."

    def stays(self, index: int) -> str:
        return "did not get away" if self.s.movers >> index & 1 else "stayed there"

    def of_support(self, index: int, order: Support) -> str | None:
        s = self.s
        if not s.supporters >> index & 1:
            return self.of_unmatched_support(order)
        if s.given >> index & 1:
            return None
        dislodger = s.into[index] & s.moved
        if dislodger:
            return f"Cut by {self.names(dislodger)}."
        attackers = s.into[index] & ~s.own[index] & ~s.pathless & ~s.harmless.get(index, 0)
        cutters = attackers & ~s.side[index] or attackers
        return f"Cut by {self.names(cutters)}."

    def of_unmatched_support(self, order: Support) -> str:
        supported = self.order(order.supported.location.province.index)
        if order.to is None:
            return f"{order.supported} was ordered to move: {supported}."
        if isinstance(supported, Move) and supported.to.province == order.to.province:
            return f"{order.supported} was ordered to the other coast: {supported}."
        return f"{order.supported} was not ordered to move to {order.to}: {supported}."

    def of_convoy(self, index: int, order: Convoy) -> str | None:
        s = self.s
        if not s.convoyers >> index & 1:
            army = self.order(order.army.location.province.index)
            return f"{order.army} was not ordered to move to {order.to.province}: {army}."
        if s.available >> index & 1:
            return None
        if self.s.into[index] & self.s.moved:
            return None
        return "Part of a convoy paradox, in which the convoy fails."
