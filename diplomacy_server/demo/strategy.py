"""How a scripted player decides: a map in their head, some ambition, and chance.

They look at the map as a person does (who can go where), go for the centres of others, attack with
support where they can, and sometimes land by convoy. They are not masters, but their games move:
units meet, are driven out, built and disbanded.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from diplomacy_server.demo.reading import Situation
from judge import Board, Location, Province, load_variant

FAR = 9

Kind = Literal["A", "F"]


@dataclass(frozen=True)
class Piece:
    """A unit on the player's own map."""

    kind: Kind
    at: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


@dataclass
class Plan:
    """Orders as they come together; `taken` are the provinces where the power's own units will
    stand."""

    orders: dict[Piece, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def give(self, piece: Piece, order: str, place: Location) -> None:
        """Order a unit that will stand at `place` afterwards."""
        self.orders[piece] = order
        self.taken.add(place.province.id)


class Strategist:
    """One player deciding one phase, on the board of the game's variant."""

    def __init__(
        self, situation: Situation, chance: random.Random, variant: str = "standard"
    ) -> None:
        self._now = situation
        self._chance = chance
        self._board: Board = load_variant(variant).board
        self._own = [self._piece(unit) for unit in situation.to_order]
        self._mine = set(situation.centres.get(situation.power, ()))
        self._foreign = {
            self._piece(unit).at.province.id
            for power, units in situation.units.items()
            if power != situation.power
            for unit in units
        }

    def orders(self) -> list[str]:
        """Return the orders for everything the mail asked for."""
        if self._now.retreats:
            return [self._retreat(one.unit, one.to) for one in self._now.retreats]
        if self._now.builds:
            return self._builds()
        if self._now.disbands:
            return self._disbands()
        return self._moves()

    def _moves(self) -> list[str]:
        plan = Plan()
        self._land(plan)
        self._attack(plan)
        rest = [piece for piece in self._own if piece not in plan.orders]
        self._chance.shuffle(rest)
        for piece in rest:
            self._advance(piece, plan)
        return [plan.orders[piece] for piece in self._own]

    def _attack(self, plan: Plan) -> None:
        """Drive foreign units out where two of ours can reach them."""
        targets = sorted(self._foreign, key=lambda id: (-self._worth(id), self._chance.random()))
        for target in targets:
            free = [piece for piece in self._own if piece not in plan.orders]
            able = [piece for piece in free if self._ways(piece, target)]
            if len(able) >= 2 and self._chance.random() < 0.8:
                self._strike(able, target, plan)

    def _strike(self, able: list[Piece], target: str, plan: Plan) -> None:
        attacker, *helpers = self._chance.sample(able, min(len(able), 3))
        goal = self._ways(attacker, target)[0]
        plan.give(attacker, f"{attacker} - {goal}", goal)
        for helper in helpers:
            order = f"{helper} Supports {attacker} - {goal.province}"
            plan.give(helper, order, helper.at)

    def _land(self, plan: Plan) -> None:
        """Carry an army over one sea to a foreign centre, now and then."""
        for army in (piece for piece in self._own if piece.kind == "A"):
            crossings = [
                (fleet, shore)
                for fleet in self._own
                if fleet.kind == "F" and fleet.at.province.convoys and fleet not in plan.orders
                for shore in self._shores(fleet, army)
                if shore.id not in plan.taken
            ]
            if army not in plan.orders and crossings and self._chance.random() < 0.7:
                fleet, shore = self._chance.choice(crossings)
                goal = self._board.location(shore)
                plan.give(army, f"{army} - {goal}", goal)
                plan.give(fleet, f"{fleet} Convoys {army} - {goal}", fleet.at)

    def _shores(self, fleet: Piece, army: Piece) -> list[Province]:
        near = {place.province for place in self._board.steps("F", fleet.at)}
        reach = {place.province for place in self._board.steps("A", army.at)}
        if army.at.province not in near:
            return []
        away = near - reach - {army.at.province}
        wanted = (p for p in away if p.center and p.name not in self._mine)
        return sorted(wanted, key=lambda province: province.id)

    def _advance(self, piece: Piece, plan: Plan) -> None:
        """Go where it is worth most, or stay and help a neighbour."""
        standing = {p.at.province.id for p in self._own if not self._leaves(p, plan)}
        goals = [
            goal
            for goal in self._board.steps(piece.kind, piece.at)
            if goal.province.id not in plan.taken | (standing - {piece.at.province.id})
        ]
        stay = self._pull(piece.kind, piece.at)
        best = max(goals, key=lambda goal: self._pull(piece.kind, goal), default=None)
        if best and self._pull(piece.kind, best) >= stay:
            plan.give(piece, f"{piece} - {best}", best)
        else:
            plan.give(piece, self._help(piece, plan), piece.at)

    def _help(self, piece: Piece, plan: Plan) -> str:
        """Support a neighbour's move if one goes where this unit could go, or else hold."""
        for other, order in plan.orders.items():
            goal = order.partition(" - ")[2]
            if goal and order.startswith(f"{other} - "):
                province = self._board.place(goal).province
                if self._ways(piece, province.id) and province.id != piece.at.province.id:
                    return f"{piece} Supports {other} - {province}"
        return f"{piece} Holds"

    def _leaves(self, piece: Piece, plan: Plan) -> bool:
        return plan.orders.get(piece, "").startswith(f"{piece} - ")

    def _pull(self, kind: Kind, place: Location) -> float:
        """Return how much a unit wants to be there: near centres that are not ours."""
        return (
            self._worth(place.province.id)
            - self._steps_to_go(kind, place)
            + (2.5 * self._chance.random())
        )

    def _worth(self, province_id: str) -> float:
        province = self._board.province(province_id)
        if not province.center or province.name in self._mine:
            return 0.0
        return 3.0 if province.id not in self._foreign else 2.0

    def _steps_to_go(self, kind: Kind, start: Location) -> int:
        """Return how many steps it is to the nearest centre that is not ours."""
        seen, queue = {start}, deque([(start, 0)])
        while queue:
            place, steps = queue.popleft()
            if place.province.center and place.province.name not in self._mine:
                return steps
            for following in self._board.steps(kind, place):
                if following not in seen:
                    seen.add(following)
                    queue.append((following, steps + 1))
        return FAR

    def _retreat(self, unit: str, places: tuple[str, ...]) -> str:
        piece = self._piece(unit)
        if not places:
            return f"Disband {unit}"
        ranked = sorted(
            places, key=lambda name: self._pull(piece.kind, self._board.place(name)), reverse=True
        )
        return f"{unit} - {ranked[0]}"

    def _builds(self) -> list[str]:
        sites = list(self._now.build_sites)
        self._chance.shuffle(sites)
        return [f"Build {self._new_unit(site)}" for site in sites[: self._now.builds]]

    def _new_unit(self, site: str) -> str:
        province = self._board.place(site).province
        quays = self._board.fleet_places(province)
        if quays and self._chance.random() < 0.5:
            return f"F {self._chance.choice(quays)}"
        return f"A {province}"

    def _disbands(self) -> list[str]:
        units = [self._piece(unit) for unit in self._now.units.get(self._now.power, ())]
        units.sort(key=lambda piece: -self._steps_to_go(piece.kind, piece.at))
        return [f"Disband {piece}" for piece in units[: self._now.disbands]]

    def _ways(self, piece: Piece, province_id: str) -> tuple[Location, ...]:
        return self._board.arrivals(piece.kind, piece.at, self._board.province(province_id))

    def _piece(self, unit: str) -> Piece:
        kind, _, place = unit.partition(" ")
        return Piece("A" if kind == "A" else "F", self._board.place(place))
