"""The equations of DATC 5.B written down once more, as a check of any claimed result.

This resolves nothing. It takes a claim of which units moved, and evaluates every equation from that
in the plainest way: a result of any adjudicator is right when no equation contradicts it. Only a
circle or a convoy paradox leaves room for two such results, or for none.

The rules of chapter 4 that bear on the equations are followed as the rulebook has them, written
from their texts: 4.A.1 to 4.A.4, 4.A.6, 4.A.7 and 6.E.7. It finds routes by trying every chain.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge import DATC, Outcome, Position, Province, Rulebook, Unit
from judge.orders import Convoy, Move, Order, Support

Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A move whose claimed result is not the one its equation gives."""

    order: Move
    claimed: bool
    attack: int
    opposition: int

    def __str__(self) -> str:
        said = "succeeds" if self.claimed else "fails"
        return f"{self.order} {said} with {self.attack} against {self.opposition}"


@dataclass(slots=True)
class Claim:
    """A result to be checked: the orders that count, and the units said to have moved."""

    position: Position
    orders: Mapping[Unit, Order]
    """The orders of all units that neither hold nor have an illegal or unmatched order."""
    pathless: frozenset[Unit]
    """Movers for which no convoy was ordered at all."""
    moved: frozenset[Unit]
    rules: Rulebook = DATC
    given: dict[Unit, bool] = field(init=False)
    at: dict[Province, Unit] = field(init=False)

    def __post_init__(self) -> None:
        self.at = {unit.location.province: unit for unit in self.position.units}
        self.given = {
            unit: self.support_given(unit, order)
            for unit, order in self.orders.items()
            if isinstance(order, Support)
        }

    def allowed(self) -> list[frozenset[Unit]]:
        """Return every set of movers that no equation contradicts, by trying all there are."""
        movers = [unit for unit, order in self.orders.items() if isinstance(order, Move)]
        sizes = range(len(movers) + 1)
        thinkable = itertools.chain.from_iterable(
            itertools.combinations(movers, size) for size in sizes
        )
        return [moved for moved in map(frozenset, thinkable) if self._is_allowed(moved)]

    def _is_allowed(self, moved: frozenset[Unit]) -> bool:
        other = Claim(self.position, self.orders, self.pathless, moved, self.rules)
        return not any(other.violations())

    def violations(self) -> Iterator[Violation]:
        """Yield the moves whose claimed result contradicts the equations."""
        for unit, order in self.orders.items():
            if not isinstance(order, Move):
                continue
            if self.succeeds(unit, order) != (unit in self.moved):
                attack, opposition = self.attack(unit, order), self.opposition(unit, order)
                yield Violation(order, unit in self.moved, attack, opposition)

    def succeeds(self, unit: Unit, order: Move) -> bool:
        """5.B.1, with 6.E.7: where help against an own unit counts against rivals all the same."""
        attack = self.attack(unit, order)
        against_rivals = attack
        if self.rules.help_against_own_unit == "DPTG" and self.has_path(unit, order):
            against_rivals = 1 + len(self.supporters(unit, order.to.province))
        rivals = list(self.rivals(unit, order))
        return attack > self.garrison(unit, order) and all(against_rivals > r for r in rivals)

    def movers_to(self, province: Province) -> Iterator[tuple[Unit, Move]]:
        for unit, order in self.orders.items():
            if isinstance(order, Move) and order.to.province == province:
                yield unit, order

    def dislodged(self, unit: Unit) -> bool:
        here = unit.location.province
        return unit not in self.moved and any(u in self.moved for u, _ in self.movers_to(here))

    def by_convoy(self, unit: Unit, order: Move) -> bool:
        """Say whether the army goes by convoy: there is no way over land, or the rules take its
        order that way (4.A.3)."""
        way = self.way(unit, order)
        return way == "convoy" or (way == "either" and self.convoy_holds(unit, order))

    def way(self, unit: Unit, order: Move) -> str:
        """Return "land", "convoy", or "either": by convoy if that holds, else over land."""
        assert unit.kind
        if unit.kind == "F":
            return "land"
        by_path = order.path and self.rules.convoy_paths != "a"
        if by_path or not self.position.variant.board.arrivals(
            unit.kind, unit.location, order.to.province
        ):
            return "convoy"
        fleets = list(self.convoyers(unit, order))
        own_fleet = any(fleet.power == unit.power for fleet in fleets)
        waters = {fleet.location.province for fleet in fleets}
        complete = any(True for _ in self.chains(unit, order, waters))
        other = self.at.get(order.to.province)
        back = self.orders.get(other) if other else None
        trades = isinstance(back, Move) and back.to.province == unit.location.province
        match self.rules.adjacent_convoys:
            case "1971":
                return "either" if trades and complete else "land"
            case "1982":
                own_trade = trades and complete and other is not None and other.power == unit.power
                return "convoy" if own_fleet or own_trade else "land"
            case "DPTG":
                return "convoy" if order.via_convoy else "land"
            case "2000fallback":
                return "either" if (own_fleet or order.via_convoy) and complete else "land"
            case _:
                return "convoy" if own_fleet or order.via_convoy else "land"

    def convoyers(self, unit: Unit, order: Move) -> Iterator[Unit]:
        for fleet, convoy in self.orders.items():
            if not isinstance(convoy, Convoy) or convoy.army != unit:
                continue
            if convoy.to.province == order.to.province:
                yield fleet

    def waters(self, unit: Unit, order: Move) -> set[Province]:
        """Return where the fleets are that count for the convoy (4.A.1, 4.A.6)."""
        fleets = list(self.convoyers(unit, order))
        waters = {fleet.location.province for fleet in fleets}
        if self.rules.convoy_paths != "a" and order.path:
            waters &= {water.province for water in order.path}
        elif self.rules.convoy_paths == "c":
            return set()
        own = waters & {f.location.province for f in fleets if f.power == unit.power}
        by_countrymen = self.rules.multi_route_convoys == "DPTG"
        return own if by_countrymen and any(True for _ in self.chains(unit, order, own)) else waters

    def chains(
        self, unit: Unit, order: Move, waters: Iterable[Province]
    ) -> Iterator[tuple[Province, ...]]:
        """Yield every chain through some of the waters that passes none of them twice."""
        start, end, waters = unit.location.province, order.to.province, set(waters)
        pending: list[tuple[Province, ...]] = [
            (water,) for water in waters if self.beside(water, start)
        ]
        while pending:
            chain = pending.pop()
            if self.beside(chain[-1], end):
                yield chain
            pending += [
                (*chain, water)
                for water in waters.difference(chain)
                if self.beside(chain[-1], water)
            ]

    def proper_chains(self, unit: Unit, order: Move) -> Iterator[tuple[Province, ...]]:
        """Yield the chains in which no node could have been reached from an earlier one (4.E.1)."""
        start, end = unit.location.province, order.to.province
        for chain in self.chains(unit, order, self.waters(unit, order)):
            nodes = (*chain, end)
            if not any(self.beside(node, start) for node in chain[1:]) and not any(
                self.beside(chain[i], nodes[j])
                for i in range(len(chain))
                for j in range(i + 2, len(nodes))
            ):
                yield chain

    def convoy_holds(self, unit: Unit, order: Move) -> bool:
        """4.A.1"""
        afloat = {f.location.province for f in self.convoyers(unit, order) if not self.dislodged(f)}
        waters = self.waters(unit, order)
        if self.rules.multi_route_convoys == "b":
            return any(True for _ in self.chains(unit, order, waters & afloat))
        if self.rules.multi_route_convoys == "DPTG":
            needed = {water for chain in self.chains(unit, order, waters) for water in chain}
        else:
            needed = {water for chain in self.proper_chains(unit, order) for water in chain}
        return bool(needed) and needed <= afloat

    def has_path(self, unit: Unit, order: Move) -> bool:
        """5.B.4"""
        if unit in self.pathless:
            return False
        return self.way(unit, order) != "convoy" or self.convoy_holds(unit, order)

    def beside(self, sea: Province, other: Province) -> bool:
        board = self.position.variant.board
        return bool(board.shores[sea.index] >> other.index & 1)

    def support_given(self, unit: Unit, order: Support) -> bool:
        """5.B.2"""
        against = (order.to or order.supported.location).province
        for attacker, move in self.movers_to(unit.location.province):
            if attacker.power == unit.power or self.is_harmless(attacker, move, unit, order):
                continue
            if self.origin(attacker, move) == against:
                if attacker in self.moved:
                    return False
            elif self.has_path(attacker, move):
                return False
        return True

    def origin(self, attacker: Unit, move: Move) -> Province | None:
        """Return where an attack comes from, None for nowhere (4.A.4)."""
        choice = self.rules.convoyed_attack
        if choice == "start" or self.way(attacker, move) != "convoy":
            return attacker.location.province
        return self.last_water(attacker, move) if choice == "Brannan" else None

    def last_water(self, unit: Unit, order: Move) -> Province | None:
        """Return the water from which the army lands, if only one is possible (Brannan, 4.A.4)."""
        if self.rules.convoyed_attack != "Brannan" or self.way(unit, order) != "convoy":
            return None
        last = [w for w in self.waters(unit, order) if self.beside(w, order.to.province)]
        return last[0] if len(last) == 1 else None

    def is_harmless(self, army: Unit, move: Move, unit: Unit, order: Support) -> bool:
        """Tell whether the convoyed army cuts nothing under a printed rule of 4.A.2."""
        rule = self.rules.convoy_paradoxes
        if rule not in ("1971", "1982", "2000") or self.way(army, move) != "convoy":
            return False
        if rule != "2000" and unit.kind != "F":
            return False
        target = (order.to or order.supported.location).province
        if rule == "1982":
            there = self.at.get(target)
            return there is not None and isinstance(self.orders.get(there), Convoy)
        if order.to is None:
            return False
        chains = list(self.proper_chains(army, move))
        if rule == "1971" or self.rules.multi_route_convoys != "b":
            return any(target in chain for chain in chains)
        return bool(chains) and all(target in chain for chain in chains)

    def supporters(self, unit: Unit, to: Province | None) -> list[Unit]:
        """Return the units whose given support is for this unit's move to ``to``, or for its
        hold."""
        return [
            helper
            for helper, given in self.given.items()
            if given and self.helps(self.orders[helper], unit, to)
        ]

    def helps(self, order: Order, unit: Unit, to: Province | None) -> bool:
        assert isinstance(order, Support)
        goal = order.to.province if order.to else None
        return order.supported == unit and goal == to

    def head_to_head(self, unit: Unit, order: Move) -> Unit | None:
        other = self.at.get(order.to.province)
        back = self.orders.get(other) if other else None
        if other is None or not isinstance(back, Move):
            return None
        if back.to.province != unit.location.province:
            return other if back.to.province == self.last_water(unit, order) else None
        return None if self.by_convoy(unit, order) or self.by_convoy(other, back) else other

    def attack(self, unit: Unit, order: Move) -> int:
        """5.B.8"""
        if not self.has_path(unit, order):
            return 0
        helpers = self.supporters(unit, order.to.province)
        there = self.at.get(order.to.province)
        if there is None or (there in self.moved and self.head_to_head(unit, order) is None):
            return 1 + len(helpers)
        if there.power == unit.power:
            return 0
        return 1 + sum(helper.power != there.power for helper in helpers)

    def opposition(self, unit: Unit, order: Move) -> int:
        """5.B.1: the strongest of what the move must beat."""
        return max([self.garrison(unit, order), *self.rivals(unit, order)])

    def garrison(self, unit: Unit, order: Move) -> int:
        """Return the strength that the move meets in the province itself."""
        enemy = self.head_to_head(unit, order)
        return self.defend(enemy) if enemy else self.hold(order.to.province)

    def rivals(self, unit: Unit, order: Move) -> Iterator[int]:
        """Yield the strengths of others who would go to the same province; under Brannan's rule
        also of a convoyed army that lands here from the water where the unit goes."""
        for rival, move in self.movers_to(order.to.province):
            if rival != unit:
                yield self.prevent(rival, move)
        for army, move in self.movers_to(unit.location.province):
            if self.last_water(army, move) == order.to.province:
                yield self.defend(army)

    def defend(self, unit: Unit) -> int:
        """5.B.7"""
        order = self.orders[unit]
        assert isinstance(order, Move)
        return 1 + len(self.supporters(unit, order.to.province))

    def hold(self, province: Province) -> int:
        """5.B.5"""
        there = self.at.get(province)
        if there is None or there in self.moved:
            return 0
        if isinstance(self.orders.get(there), Move):
            return 1
        return 1 + len(self.supporters(there, None))

    def prevent(self, unit: Unit, order: Move) -> int:
        """5.B.6"""
        if not self.has_path(unit, order):
            return 0
        other = self.at.get(order.to.province)
        back = self.orders.get(other) if other else None
        facing = isinstance(back, Move) and back.to.province == unit.location.province
        if facing and other in self.moved and unit not in self.moved:
            never = self.rules.dislodged_bounce == "a"
            if never or self.head_to_head(unit, order) is not None:
                return 0
        return 1 + len(self.supporters(unit, order.to.province))


def claim(
    position: Position,
    outcome: Outcome,
    orders: Iterable[Order],
    moved: Iterable[Unit],
    rules: Rulebook = DATC,
) -> Claim:
    """Return a claim that ``moved`` moved, with the orders that ``outcome`` calls legal and
    matched."""
    words = {(result.power, result.order): result.result[0] for result in outcome.results}
    counting: dict[Unit, Order] = {}
    pathless = set()
    for order in orders:
        if not isinstance(order, Move | Support | Convoy):
            continue
        word = words[order.unit.power, str(order)]
        if isinstance(order, Move) and word == "invalid":
            pathless.add(order.unit)
        elif word in ("illegal", "invalid"):
            continue
        counting[order.unit] = order
    return Claim(position, counting, frozenset(pathless), frozenset(moved), rules)


def moved_by_us(outcome: Outcome, orders: Iterable[Order]) -> Iterator[Unit]:
    """Yield the units whose moves succeed, as our judge has it."""
    words = {(result.power, result.order): result.result for result in outcome.results}
    for order in orders:
        if isinstance(order, Move) and words[order.unit.power, str(order)] == ("succeeds",):
            yield order.unit


def flat(orders: Orders) -> Iterator[Order]:
    """Yield the orders of all powers, one after the other."""
    for given in orders.values():
        yield from given
