"""Canals (the Suez Canal of Colonial, DATC 7.C): a fleet goes through with the leave of the power
whose unit stands beside the canal, and stays there.

The leave is a convoy that the canal gives: a decision of its own, which is lost when that unit
moves away or is dislodged. So whatever is true of convoys is true of it, Szykman's rule on
paradoxes included. One fleet gets leave: by a permission or, without one, as the only fleet of that
power that wants to go through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.board import Board
from judge.legality.refusal import Illegal
from judge.movement.rule_in_phase import RuleInPhase
from judge.movement.state import MovementState, Ruling
from judge.orders import Convoy, Move, MovementOrder, Order, Permit, Ride, Support
from judge.places import Location, Province
from judge.units import Unit
from judge.variant_rules.base import Passage, VariantRule

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.movement.resolver import Resolver
    from judge.position import Position

_PRINTED = ("1971", "1982", "2000")
"""The rules of 4.A.2 that have no answer to a paradox with a canal in it."""


@dataclass(frozen=True)
class Canal(VariantRule):
    """A passage for fleets between two waters, past the province of the power that gives leave."""

    passage: Passage
    at: Location
    """Represents the canal in permissions; its index is the canal's own decision."""
    keeper: Province
    ends: tuple[Province, Province]

    @property
    def canal(self) -> Passage:
        """The canal's name."""
        return self.passage

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any], board: Board, slot: int) -> Canal:
        """Read a canal of a `variant.json`."""
        stand_in = Province(facts["id"].lower(), facts["name"], "impassable", index=slot)
        one, other = (board.province(end) for end in facts["ends"])
        keeper, spellings = board.province(facts["keeper"]), tuple(facts.get("spellings", ()))
        passage = Passage(facts["id"], facts["name"], spellings, (one, keeper, other))
        return cls(passage, Location(stand_in, None, slot, facts["id"]), keeper, (one, other))

    def stand_in(self, power: str) -> Unit:
        """Return what represents the canal in the power's permission."""
        return Unit("", self.at, power)

    def joins(self, start: Province, end: Province) -> bool:
        """Tell whether it leads from one to the other."""
        return (start, end) in (self.ends, self.ends[::-1])

    def far_end(self, start: Province) -> Province:
        """Return where the canal leads from one of its ends."""
        one, other = self.ends
        return other if start == one else one

    def carries(self, unit: Unit, to: Location, position: Position) -> bool:
        """A fleet may try to go through if a unit is there that may give leave."""
        if unit.kind != "F" or not self.joins(unit.location.province, to.province):
            return False
        return position.unit_at[self.keeper.index] is not None

    def objection(self, order: Order, position: Position) -> Illegal | None:
        """Say that nobody there could give leave, or how to write it."""
        if isinstance(order, Convoy | Support):
            return self._leave_instead(order)
        if not isinstance(order, Move) or order.unit.kind != "F":
            return None
        if not self.joins(order.unit.location.province, order.to.province):
            return None
        return Illegal(
            f"{order.unit} cannot go through the {self.passage.title}: there is no unit in "
            f"{self.keeper} that could give leave."
        )

    def _leave_instead(self, order: Convoy | Support) -> Illegal | None:
        fleet = order.army if isinstance(order, Convoy) else order.supported
        start, to = fleet.location.province, order.to
        is_there = order.unit.location.province == self.keeper
        if not is_there or to is None or not self.joins(start, to.province):
            return None
        return Illegal(
            f"To let a fleet through the {self.passage.title}, write "
            f"“{self.passage.id} F {start} - {to.province}”."
        )

    def illegality(self, order: Ride | Permit, position: Position, power: str) -> Illegal | None:
        """The power beside the canal gives leave, to a fleet at one of its ends."""
        assert isinstance(order, Permit), "a canal knows permissions only"
        keeper = position.unit_at[self.keeper.index]
        if keeper is None or keeper.power != power:
            return Illegal(
                f"Only the power with a unit in {self.keeper} lets fleets through the "
                f"{self.passage.title}."
            )
        start, end = order.fleet.location.province, order.to.province
        if not self.joins(start, end):
            one, other = self.ends
            return Illegal(f"The {self.passage.title} joins {one} and {other}.")
        fleet = position.unit_at[start.index]
        if fleet is None or fleet.kind != "F":
            return Illegal(f"There is no fleet in {start} to let through the {self.passage.title}.")
        return None

    def orders_of(self, unit: Unit, position: Position) -> Iterator[MovementOrder]:
        """Yield the move through the canal."""
        start = unit.location.province
        if start in self.ends:
            to = position.variant.board.location(self.far_end(start))
            if self.carries(unit, to, position):
                yield Move(unit, to)

    def permissions_of(self, power: str, position: Position) -> Iterator[Permit]:
        """Yield a permission for each fleet at an end of the canal, foreign or own."""
        keeper = position.unit_at[self.keeper.index]
        for start in self.ends if keeper is not None and keeper.power == power else ():
            fleet = position.unit_at[start.index]
            if fleet is not None and fleet.kind == "F":
                to = position.variant.board.location(self.far_end(start))
                yield Permit(self.stand_in(power), fleet, to)

    def enter(
        self, s: MovementState, orders: Mapping[int, MovementOrder], position: Position
    ) -> None:
        """Let at most one fleet through, and give it the canal's leave as its path."""
        passing = [
            order
            for order in orders.values()
            if type(order) is Move
            and order.unit.kind == "F"
            and self.joins(order.unit.location.province, order.to.province)
        ]
        permit = orders.get(self.at.index)
        if not passing:
            if isinstance(permit, Permit):
                s.in_play = (*s.in_play, OpenCanal(self, permit, 0, 0))
            return
        chosen = self.chosen(passing, permit, position)
        slot = s.board.bit[self.at.index]
        mask = refused = 0
        for order in passing:
            here = s.board.bit[order.unit.at]
            mask |= here
            s.by_land &= ~here
            s.pathed &= ~here
            s.convoyed |= here
            s.routes[order.unit.at] = slot
            refused |= 0 if order is chosen else here
        s.pathless |= refused
        if chosen:
            s.convoyers |= slot
        s.unusual |= mask
        s.in_play = (*s.in_play, OpenCanal(self, permit, mask, refused))

    def chosen(
        self, passing: Iterable[Move], permit: MovementOrder | None, position: Position
    ) -> Move | None:
        """Return the move that gets leave: the one named, or else the only one by a fleet of the
        power beside the canal (7.C.3-7.C.5)."""
        if isinstance(permit, Permit):
            named = permit.fleet.at, permit.to.province
            return next((one for one in passing if (one.unit.at, one.to.province) == named), None)
        keeper = position.unit_at[self.keeper.index]
        own = [one for one in passing if keeper is not None and one.unit.power == keeper.power]
        return own[0] if len(own) == 1 else None


class OpenCanal(RuleInPhase):
    """A canal in a phase in which somebody wants to go through, or gives leave."""

    def __init__(
        self, rule: Canal, permit: MovementOrder | None, passing: int, refused: int
    ) -> None:
        self.rule = rule
        self.permit = permit
        self.passing = passing
        self.refused = refused
        """The fleets that got no leave."""
        self.slot = 1 << rule.at.index
        self.own = self.slot
        self.paths = passing & ~refused

    def has_path(self, resolver: Resolver, unit: int) -> bool | None:
        """The fleet has its path as long as the leave holds."""
        s = resolver.s
        return True if s.available & self.slot else False if s.disrupted & self.slot else None

    def convoy_available(self, resolver: Resolver, unit: int) -> bool | None:
        """The leave holds while the unit beside the canal stays and is not dislodged."""
        s, keeper = resolver.s, self.rule.keeper.index
        here, into = s.board.bit[keeper], s.into[keeper]
        if s.moved & here or into & s.moved:
            return False
        return None if s.movers & here & ~s.failed or into & ~s.failed else True

    def reads(self, resolver: Resolver, unit: int) -> int:
        """Read the unit beside the canal and those who attack it."""
        s, keeper = resolver.s, self.rule.keeper.index
        return s.into[keeper] | s.board.bit[keeper] & s.movers

    def break_paradox(self, s: MovementState, circle: int, paradox_rule: str) -> int:
        """Under a printed rule, which has no answer, only the leave is lost (7.C.13, 7.C.14).

        Under any other, the leave is one of the convoys of the paradox.
        """
        if paradox_rule not in _PRINTED or not circle & self.slot & ~(s.available | s.disrupted):
            return circle
        s.disrupted |= self.slot
        words = "DATC 7.C: the fleet does not get through"
        s.rulings.append(Ruling("canal", self.slot, self.paths, words))
        return circle & ~s.convoyers

    def word_of(self, s: MovementState, unit: int, order: MovementOrder) -> str | None:
        """A permission is given; a fleet without leave fails."""
        if isinstance(order, Permit):
            return "given"
        return "fails" if self.passing & s.failed & 1 << unit else None

    def reason_of(self, reasons: Reasons, unit: int, order: MovementOrder) -> Reason | None:
        """Return why the fleet had no leave, or how it was lost."""
        s = reasons.s
        if not self.passing & s.pathless & 1 << unit:
            return None
        keeper = self.rule.keeper
        there = 1 << keeper.index
        if self.refused >> unit & 1:
            return self.why_refused(reasons, unit, there)
        title = self.rule.passage.title
        if ruling := reasons.ruling(self.rule.at.index):
            sentence = (
                f"The way through the {title} is part of a paradox, in which it is closed"
                f"{reasons.by(ruling)}."
            )
            return reasons.reason(sentence, ruling.circle)
        if s.moved & there:
            sentence = f"The {title} is closed: {reasons.order(keeper.index)} left it."
            return reasons.reason(sentence, there)
        by = s.into[keeper.index] & s.moved
        sentence = (
            f"The {title} is closed: {reasons.unit(keeper.index)} was dislodged by "
            f"{reasons.names(by)}."
        )
        return reasons.reason(sentence, there | by)

    def why_refused(self, reasons: Reasons, unit: int, there: int) -> Reason:
        """Return why the fleet got no leave."""
        title, keeper = self.rule.passage.title, reasons.unit(self.rule.keeper.index)
        if isinstance(self.permit, Permit):
            sentence = (
                f"{keeper.power} let another fleet through the {title}: {self.permit}. "
                "Only one gets leave."
            )
        elif reasons.unit(unit).power == keeper.power:
            sentence = (
                f"{keeper.power} ordered two fleets through the {title} and only one may go. "
                f"It has to say which: “{self.rule.passage.id} {reasons.order(unit)}”."
            )
        else:
            sentence = f"{keeper.power}, with {keeper}, did not let it through the {title}."
        return reasons.reason(sentence, there)
