"""The equations of DATC 5.B written down once more, as a check of any claimed result.

This resolves nothing. It is told which units moved and evaluates every equation from that claim in
the plainest way: a result of any adjudicator is right when no equation contradicts it. Only a
circle or a convoy paradox leaves room for two such results, or for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge import Outcome, Position, Province, Unit
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
    given: dict[Unit, bool] = field(init=False)
    at: dict[Province, Unit] = field(init=False)

    def __post_init__(self) -> None:
        self.at = {unit.location.province: unit for unit in self.position.units}
        self.given = {
            unit: self.support_given(unit, order)
            for unit, order in self.orders.items()
            if isinstance(order, Support)
        }

    def violations(self) -> Iterator[Violation]:
        """The moves whose claimed result contradicts the equations."""
        for unit, order in self.orders.items():
            if not isinstance(order, Move):
                continue
            attack, opposition = self.attack(unit, order), self.opposition(unit, order)
            if (attack > opposition) != (unit in self.moved):
                yield Violation(order, unit in self.moved, attack, opposition)

    def movers_to(self, province: Province) -> Iterator[tuple[Unit, Move]]:
        for unit, order in self.orders.items():
            if isinstance(order, Move) and order.to.province == province:
                yield unit, order

    def dislodged(self, unit: Unit) -> bool:
        here = unit.location.province
        return unit not in self.moved and any(u in self.moved for u, _ in self.movers_to(here))

    def by_convoy(self, unit: Unit, order: Move) -> bool:
        """No way over land, or the convoy is asked for by its own power (4.A.3)."""
        assert unit.kind
        board = self.position.variant.board
        if unit.kind == "F":
            return False
        if not board.arrivals(unit.kind, unit.location, order.to.province) or order.via_convoy:
            return True
        return any(fleet.power == unit.power for fleet in self.convoyers(unit, order))

    def convoyers(self, unit: Unit, order: Move) -> Iterator[Unit]:
        for fleet, convoy in self.orders.items():
            if isinstance(convoy, Convoy) and convoy.army == unit and convoy.to == order.to:
                yield fleet

    def has_path(self, unit: Unit, order: Move) -> bool:
        """5.B.4"""
        if unit in self.pathless:
            return False
        if not self.by_convoy(unit, order):
            return True
        afloat = {f.location.province for f in self.convoyers(unit, order) if not self.dislodged(f)}
        reached = {p for p in afloat if self.beside(p, unit.location.province)}
        frontier = list(reached)
        while frontier:
            sea = frontier.pop()
            onward = {p for p in afloat - reached if self.beside(sea, p)}
            reached |= onward
            frontier += onward
        return any(self.beside(sea, order.to.province) for sea in reached)

    def beside(self, sea: Province, other: Province) -> bool:
        board = self.position.variant.board
        return bool(board.shores[sea.index] >> other.index & 1)

    def support_given(self, unit: Unit, order: Support) -> bool:
        """5.B.2"""
        if self.dislodged(unit):
            return False
        against = (order.to or order.supported.location).province
        return not any(
            attacker.power != unit.power
            and attacker.location.province != against
            and self.has_path(attacker, move)
            for attacker, move in self.movers_to(unit.location.province)
        )

    def supporters(self, unit: Unit, to: Province | None) -> list[Unit]:
        """The units whose given support is for this unit's move to ``to``, or for its hold."""
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
            return None
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
        goal = order.to.province
        enemy = self.head_to_head(unit, order)
        rivals = [self.prevent(u, move) for u, move in self.movers_to(goal) if u != unit]
        return max([self.defend(enemy) if enemy else self.hold(goal), *rivals])

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
        enemy = self.head_to_head(unit, order)
        if not self.has_path(unit, order) or (enemy is not None and enemy in self.moved):
            return 0
        return 1 + len(self.supporters(unit, order.to.province))


def claim(
    position: Position, outcome: Outcome, orders: Iterable[Order], moved: Iterable[Unit]
) -> Claim:
    """A claim that ``moved`` moved, with the orders that ``outcome`` calls legal and matched."""
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
    return Claim(position, counting, frozenset(pathless), frozenset(moved))


def moved_by_us(outcome: Outcome, orders: Iterable[Order]) -> Iterator[Unit]:
    """The units whose moves succeed, as the judge has it."""
    words = {(result.power, result.order): result.result for result in outcome.results}
    for order in orders:
        if isinstance(order, Move) and words[order.unit.power, str(order)] == ("succeeds",):
            yield order.unit


def flat(orders: Orders) -> Iterator[Order]:
    """The orders of all powers, one after the other."""
    for given in orders.values():
        yield from given
