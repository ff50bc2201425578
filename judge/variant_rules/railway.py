"""Railways (the Trans-Siberian Railroad of Colonial, DATC 7.B and the errata): an army of a power
that may use the line goes along it in one turn, as far as it gets.

A train is one order with a decision for each stop: its *legs*, movers of their own on the slots
behind the provinces. A leg has a path when the leg before it got through and need not stop there
(5.B.4). It cuts and dislodges nothing, keeps others out as any move does, and gets through an empty
province unless one of the others would get there, and through an own army that stays. The train
leaves when one of the stops it gets to has room for it, and ends in the last that has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.board import Board, bits
from judge.legality.refusal import Illegal, not_own
from judge.movement.rule_in_phase import RuleInPhase
from judge.movement.state import MovementState
from judge.orders import Move, MovementOrder, Order, Permit, Ride
from judge.places import Province
from judge.units import Unit
from judge.variant_rules.base import Passage, VariantRule
from judge.variant_rules.train import Train

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.position import Position


@dataclass(frozen=True)
class Railway(VariantRule):
    """A line: who may use it, and its stops from one end to the other."""

    passage: Passage
    users: tuple[str, ...]
    stops: tuple[Province, ...]
    first_slot: int

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any], board: Board, slot: int) -> Railway:
        """Read a railway of a `variant.json`."""
        stops = tuple(board.province(stop) for stop in facts["stops"])
        passage = Passage(facts["id"], facts["name"], tuple(facts.get("spellings", ())), stops)
        return cls(passage, tuple(facts["users"]), stops, slot)

    @property
    def railway(self) -> Passage:
        """The line's name."""
        return self.passage

    def way(self, start: Province, end: Province) -> tuple[Province, ...]:
        """Return the stops after `start` up to `end`; none when one of them is not on the line."""
        if start == end or start not in self.stops or end not in self.stops:
            return ()
        one, other = self.stops.index(start), self.stops.index(end)
        return self.stops[one + 1 : other + 1] if one < other else self.stops[other:one][::-1]

    def rides(self, unit: Unit, to: Province, position: Position) -> bool:
        """An army of a power that may use the line goes from stop to stop."""
        on_line = bool(self.way(unit.location.province, to))
        return unit.kind == "A" and unit.power in self.users and on_line

    def illegality(self, order: Ride | Permit, position: Position, power: str) -> Illegal | None:
        """Say who may not ride, or where the line does not go."""
        assert isinstance(order, Ride), "a railway knows rides only"
        unit, title = order.unit, self.passage.title
        if wrong := not_own(unit, position, power):
            return wrong
        if power not in self.users:
            return Illegal(f"Only {' and '.join(self.users)} may use the {title}.")
        if unit.kind != "A":
            return Illegal(f"{unit} is a fleet, and only armies go by rail.")
        if not self.way(unit.location.province, order.to.province):
            stops = ", ".join(stop.name for stop in self.stops)
            return Illegal(
                f"The {title} does not go from {unit.location} to {order.to}. It has these stops: "
                f"{stops}."
            )
        return None

    def objection(self, order: Order, position: Position) -> Illegal | None:
        """Say how to write a move that only the railway makes."""
        if not isinstance(order, Move) or not self.rides(order.unit, order.to.province, position):
            return None
        ride = Ride(order.unit, order.to, self.passage.id)
        return Illegal(f"{order.unit} gets to {order.to} by rail only: write “{ride}”.")

    def orders_of(self, unit: Unit, position: Position) -> Iterator[MovementOrder]:
        """Yield a ride to each other stop."""
        for stop in self.stops:
            if self.rides(unit, stop, position):
                yield Ride(unit, position.variant.board.location(stop), self.passage.id)

    def riders(self, orders: Iterable[object]) -> list[Ride]:
        """Return the rides on this line."""
        return [o for o in orders if isinstance(o, Ride) and o.line == self.passage.id]

    def announce(self, orders: Iterable[Ride | Permit], dest: list[int]) -> None:
        """Note where the train goes; two trains stop each other and hold (7.B.33)."""
        rides = self.riders(orders)
        if len(rides) == 1:
            dest[rides[0].unit.at] = rides[0].to.province.index

    def enter(
        self, s: MovementState, orders: Mapping[int, MovementOrder], position: Position
    ) -> None:
        """Let the train leave."""
        rides = self.riders(orders.values())
        if len(rides) > 1:
            s.in_play = (*s.in_play, ShortCircuit(self.passage.title, rides))
        for ride in rides if len(rides) == 1 else ():
            stops = [stop.index for stop in self.way(ride.unit.location.province, ride.to.province)]
            unowned = sum(
                s.board.bit[stop]
                for stop in stops
                if s.board.provinces[stop].center
                and position.centers.get(s.board.provinces[stop]) != ride.unit.power
            )
            s.own = [*s.own]
            s.in_play = (*s.in_play, depart(s, self, ride, stops, unowned))


def depart(s: MovementState, line: Railway, ride: Ride, stops: list[int], unowned: int) -> Train:
    """Put the legs of a train into the state, in which its supports have been matched.

    A unit that comes the opposite way makes it a battle only for the first stop (7.B.26-7.B.29).
    """
    start, bit = ride.unit.at, s.board.bit
    meets = s.dest[stops[0]] == start
    complete = len(stops) == 1 or not meets
    helpers, s.helpers[start] = s.helpers[start], 0
    if meets:
        stops = stops[:1]
    legs = range(line.first_slot, line.first_slot + len(stops))
    s.dest[start] = stops[0]
    everything = bit[start]
    for number, (stop, leg) in enumerate(zip(stops, legs, strict=True)):
        everything |= bit[leg]
        s.dest[leg], s.own[leg] = stop, s.own[start]
        if s.into[stop]:
            s.contested.add(stop)
        else:
            s.goals.append(stop)
        s.into[stop] |= bit[leg]
        if number:
            s.routes[leg] = bit[legs[number - 1]] | bit[stops[number - 1]] & s.movers
        else:
            s.routes[leg] = bit[stop] if meets else 0
    # Supports are for the last part of the way (7.B.15).
    if complete:
        s.helpers[legs[-1]] = helpers
    if len(stops) == 1 and complete:
        s.helpers[start] = helpers
    s.movers |= everything
    s.unusual |= everything
    s.by_land |= bit[start]
    s.pathed |= bit[start]
    s.convoyed |= everything & ~bit[start]
    for unit in bits(s.supporters):
        s.harmless[unit] = s.harmless.get(unit, 0) | everything & ~bit[start]
    return Train(line.passage.title, ride, tuple(stops), tuple(legs), unowned)


class ShortCircuit(RuleInPhase):
    """Two trains on one line: neither leaves (7.B.33)."""

    def __init__(self, title: str, rides: list[Ride]) -> None:
        self.title = title
        self.rides = rides

    def word_of(self, s: MovementState, unit: int, order: MovementOrder) -> str | None:
        """Neither of them gets away."""
        return "fails" if order in self.rides else None

    def reason_of(self, reasons: Reasons, unit: int, order: MovementOrder) -> Reason | None:
        """Name the other trains."""
        if order not in self.rides:
            return None
        others = [one for one in self.rides if one != order]
        mask = sum(1 << one.unit.at for one in others)
        ordered = f"{reasons.names(mask)} {'were' if len(others) > 1 else 'was'} ordered, too"
        sentence = f"Only one army a turn may use the {self.title}, and {ordered}."
        return reasons.reason(sentence, mask)
