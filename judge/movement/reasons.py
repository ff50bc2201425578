"""Why an order had its result: one sentence with the cause and the unit behind it.

`Reasons.of` gives that sentence for an order, `Reasons.all_of` also says what became of its unit.
`judge.movement.explain` follows each cause to its own causes.
"""

from __future__ import annotations

from judge.board import bits
from judge.convoys import has_route, roundabout_fleets, useful_fleets
from judge.movement.decided_phase import DecidedPhase, Reason
from judge.movement.strengths import (
    attack_strength,
    defend_strength,
    duelling_armies,
    head_to_head,
    hold_strength,
    prevent_strength,
    supported,
)
from judge.orders import Convoy, Move, Support


class Reasons(DecidedPhase):
    """Explains a decided phase; every question is answered from its decisions alone."""

    def of(self, index: int) -> Reason | None:
        """Return the reason for what became of the unit's order, None where it needs none."""
        s, order = self.s, self.orders.get(index)
        if s.in_play and order is not None:
            own = (rule.reason_of(self, index, order) for rule in s.in_play)
            if reason := next(filter(None, own), None):
                return reason
        if self.repelled & s.board.bit[index]:
            return self.of_repulse(index)
        if type(order) is Move:
            return self.of_move(index, order)
        if type(order) is Support:
            return self.of_support(index, order)
        if type(order) is Convoy:
            return self.of_convoy(index, order)
        return None

    def of_dislodgement(self, index: int) -> Reason:
        """Return who dislodged the unit."""
        dislodger = self.s.into[index] & self.s.moved
        return f"Dislodged by {self.names(dislodger)}.", dislodger

    # Moves.

    def of_move(self, index: int, order: Move) -> Reason | None:
        """Return why a move failed that no other unit kept out; None if it did not."""
        s = self.s
        here = s.board.bit[index]
        if s.pathless & here:
            return self.of_missing_path(index, order)
        if s.doomed & here:
            paradox = self.paradox_of(index)
            return f"Fails as part of a convoy paradox{self.ruled(index)}.", paradox
        return None

    def of_missing_path(self, index: int, order: Move) -> Reason:
        """Return why no convoy took the army: never ordered, too short, beaten, or a paradox."""
        s = self.s
        fleets = s.routes[index]
        if not fleets and self.rules.convoy_paths == "c" and not order.path:
            return "The order does not name the convoy's path, as these rules ask (4.A.6).", 0
        if not fleets:
            way = " by the way named" if order.path else ""
            return f"No fleet was ordered to convoy {order.unit} to {order.to.province}{way}.", 0
        if not self.was_ordered_to_convoy(index):
            return f"{self.units(fleets)} alone cannot convoy it to {order.to.province}.", 0
        lost = self.fleets_in_use(index) & s.disrupted & self.beaten
        ruling = self.ruling(index)
        # A fleet of a paradox may be dislodged just because the rule lets its convoy fail.
        by_rule = not lost or (ruling is not None and ruling.armies >> index & 1)
        reasons = [self.of_paradox(index)] if by_rule else []
        reasons += [self.of_lost_fleet(fleet) for fleet in bits(lost)]
        causes = 0
        for _, units in reasons:
            causes |= units
        return " ".join(sentence for sentence, _ in reasons), causes

    def of_lost_fleet(self, fleet: int) -> Reason:
        """Return who dislodged a fleet of the convoy."""
        by = self.s.into[fleet] & self.s.moved
        return f"{self.unit(fleet)} was dislodged by {self.names(by)}.", 1 << fleet | by

    def of_paradox(self, index: int) -> Reason:
        """Return which convoy a rule on paradoxes let fail, and all who make the paradox."""
        s = self.s
        paradox = self.paradox_of(index)
        used = s.routes[index]
        fleets = used & paradox & s.convoyers or used & s.disrupted or used
        sentence = f"The convoy by {self.units(fleets)} is part of a paradox{self.ruled(index)}."
        return sentence, paradox

    def fleets_in_use(self, index: int) -> int:
        """Return the fleets ordered to convoy the army that lie on a way to where it goes."""
        s = self.s
        on_a_route = (
            roundabout_fleets if self.rules.multi_route_convoys == "DPTG" else useful_fleets
        )
        return on_a_route(s.board, index, s.dest[index], s.routes[index])

    def was_ordered_to_convoy(self, index: int) -> bool:
        """Tell whether fleets were ordered to convoy the army all the way (else it is invalid)."""
        s = self.s
        return has_route(s.board, index, s.dest[index], s.routes[index])

    def of_repulse(self, index: int) -> Reason:
        """Return who kept a unit with a path from moving: rivals, or the unit that is there."""
        s = self.s
        goal = s.dest[index]
        facing = s.dest[goal] == index or s.last_fleet
        alone = s.into[goal] == s.board.bit[index] and not s.last_fleet
        meets = bool(facing and head_to_head(s, index))
        strength = attack_strength(s, index, meets)[0]
        opponent = 1 << goal if meets and 0 < strength <= defend_strength(s, goal)[1] else 0
        if opponent & s.moved:
            return f"Beaten by {self.order(goal)}.", opponent
        against_rivals = self.strength_against_rivals(index, goal, strength, meets)
        rivals = 0 if alone else self.rivals_as_strong(index, against_rivals)
        if winner := rivals & s.moved:
            return f"Beaten by {self.names(winner)}.", winner
        if opponent or (rivals and against_rivals):
            return self.of_standoff(index, goal, rivals | opponent)
        return self.of_garrison(index, goal, meets)

    def strength_against_rivals(self, index: int, goal: int, strength: float, meets: bool) -> float:
        """Return with what strength the mover meets others on its way to the same province.

        Against an own unit that could not leave the attack has none; had the unit left, the others
        would still have been there.
        """
        s = self.s
        bit = s.board.bit
        own_mover = s.own[goal] & bit[index] and s.movers & bit[goal] and not meets
        if own_mover or self.rules.help_against_own_unit == "DPTG":
            return supported(s, s.helpers[index])[0]
        return strength

    def of_standoff(self, index: int, goal: int, rivals: int) -> Reason:
        """Return with whom the mover bounced, and what support did not count, if that decided."""
        s = self.s
        sentence = f"Bounced with {self.names(rivals)}."
        helpers = s.helpers[index]
        own_help = helpers and helpers & s.given & s.own[goal] & ~s.own[index]
        if not own_help:
            return sentence, rivals
        whole = supported(s, s.helpers[index])[0]
        stronger = rivals >> goal & 1 and defend_strength(s, goal)[1] >= whole
        if stronger or self.rivals_as_strong(index, whole):
            return sentence, rivals
        unhelpful, causes = self.of_own_help(goal, own_help)
        return f"{sentence} {unhelpful}", rivals | causes

    def of_own_help(self, goal: int, own_help: int) -> Reason:
        """Return whose supports cannot help: they are of the same power as the unit there."""
        helpers, there = self.units(own_help), self.unit(goal)
        sentence = f"{helpers} cannot help to dislodge {there} of the same power."
        return sentence, own_help | 1 << goal

    def rivals_as_strong(self, index: int, strength: float) -> int:
        """Return the other movers that an attack of that strength does not get past."""
        s = self.s
        bit = s.board.bit
        strong, others = 0, s.into[s.dest[index]] ^ bit[index]
        while others:
            rival = others.bit_length() - 1
            others ^= bit[rival]
            if prevent_strength(s, rival, self.never)[1] >= strength:
                strong |= bit[rival]
        if s.last_fleet:
            for army in bits(duelling_armies(s, index)):
                if defend_strength(s, army)[1] >= strength:
                    strong |= bit[army]
        return strong

    def of_garrison(self, index: int, goal: int, meets: bool) -> Reason:
        """Return how the unit in the province kept the attacker out."""
        s = self.s
        bit = s.board.bit
        there, here = self.unit(goal), bit[goal]
        if s.own[goal] & bit[index]:
            stayed = "did not get away" if s.movers & here else "stayed there"
            if meets:
                stayed = "came the opposite way"
            return f"{there.name} of the same power {stayed}.", here
        helpers = s.helpers[index]
        own_help = helpers and helpers & s.given & s.own[goal]
        if own_help:
            strength = attack_strength(s, index, meets)[0] + own_help.bit_count()
            if strength > hold_strength(s, goal)[0]:
                return self.of_own_help(goal, own_help)
        if s.movers & here:
            return f"Bounced with {there.name}, which did not get away.", here
        backing = s.helpers[goal] & s.given
        if not backing:
            return f"{there.name} held.", here
        return f"{there.name} held with the support of {self.units(backing)}.", here | backing

    # Supports and convoys.

    def of_support(self, index: int, order: Support) -> Reason | None:
        """Return who cut a support, or why it fits no order; None if it was given."""
        s = self.s
        here = s.board.bit[index]
        if not s.supporters & here:
            return self.of_unmatched_support(order)
        return None if s.given & here else self.of_cut(index)

    def of_cut(self, index: int) -> Reason:
        """Return who cut a support."""
        s = self.s
        attackers = s.into[index] & ~s.own[index] & ~s.pathless & ~s.harmless.get(index, 0)
        cutters = s.into[index] & s.moved or attackers & ~s.side[index] or attackers
        return f"Cut by {self.names(cutters)}.", cutters

    def of_unmatched_support(self, order: Support) -> Reason:
        """Return what the supported unit was ordered instead."""
        other = order.supported.at
        supported = self.order(other)
        if order.to is None:
            if not isinstance(supported, Move):
                return f"{order.supported} may not be supported{self.barred()}.", 1 << other
            return f"{order.supported} was ordered to move: {supported}.", 1 << other
        if isinstance(supported, Move) and supported.to.province == order.to.province:
            sentence = f"{order.supported} was ordered to the other coast: {supported}."
            return sentence, 1 << other
        sentence = f"{order.supported} was not ordered to move to {order.to}: {supported}."
        return sentence, 1 << other

    def barred(self) -> str:
        """Return why some units may not be supported to hold, where one rule alone says so."""
        if self.rules.illegal_orders != "DPTG":
            return ": its power gave no orders (4.D.9)"
        if self.rules.civil_disorder_support != "a":
            return ": it was ordered to make an illegal move (4.E.1)"
        return ""

    def of_convoy(self, index: int, order: Convoy) -> Reason | None:
        """Return why a convoy fits no order, or which rule lets it fail; None for any other."""
        s = self.s
        if not s.convoyers >> index & 1:
            army = order.army.at
            sentence = f"{order.army} was not ordered to move to {order.to}: {self.order(army)}."
            return sentence, 1 << army
        ruled = self.ruled(index)
        if s.available >> index & 1 or not ruled:
            return None
        sentence = f"Part of a convoy paradox, in which the convoy fails{ruled}."
        return sentence, self.paradox_of(index)

    # Together.

    def all_of(self, index: int) -> list[Reason]:
        """Return why the order failed and who dislodged the unit, as far as they apply."""
        reason = self.of(index)
        reasons = [] if reason is None else [reason]
        if self.beaten >> index & 1:
            sentence, dislodgers = self.of_dislodgement(index)
            lost = self.lost_to(index)
            if lost and reason is not None and reason[1] == dislodgers:
                return [(f"{lost} and dislodged by {self.names(dislodgers)}.", dislodgers)]
            reasons.append((sentence, dislodgers))
        return reasons

    def lost_to(self, index: int) -> str:
        """Return what an attacker did to the order, nothing where the order came to nothing by
        itself: a support that matched nothing is never cut."""
        if self.s.failed >> index & 1:
            return "Beaten"
        return "Cut" if self.s.cut >> index & 1 else ""
