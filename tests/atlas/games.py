"""Phases to draw: from random games, and set up by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from atlas import Subject
from benchmarks.random_games import random_orders
from judge import Position, adjudicate, load_variant

Lines = Mapping[str, list[str]]


def adjudicated(position: Position, orders: Lines) -> Subject:
    """The phase with its results and what followed."""
    outcome = adjudicate(position, orders)
    return Subject(position, outcome.results, outcome.next)


def setting(
    units: Lines, orders: Lines, phase: str = "S1901M", variant: str = "standard", **state: object
) -> Subject:
    """A phase set up by hand, adjudicated."""
    facts = {"phase": phase, "units": units, **state}
    return adjudicated(Position.from_state(load_variant(variant), facts), orders)


def game(seed: int, variant: str = "standard", phases: int = 60) -> Iterator[Subject]:
    """The phases of a random game, with now and then an order that is illegal or missing."""
    rng = Random(seed)
    position = Position.start(load_variant(variant))
    for _ in range(phases):
        orders = {
            power: [str(order) for order in orders]
            for power, orders in random_orders(position, rng).items()
        }
        if position.phase.step == "M":
            _spoil(orders, position, rng)
        outcome = adjudicate(position, orders)
        yield Subject(position, outcome.results, outcome.next)
        if outcome.winner:
            return
        position = outcome.next


@cache
def beginning(variant: str) -> tuple[Subject, ...]:
    """The first twelve phases of a random game of any variant."""
    return tuple(game(3, variant, 12))


def _spoil(orders: dict[str, list[str]], position: Position, rng: Random) -> None:
    for power in orders:
        units = position.units_of(power)
        if units and rng.random() < 0.15:
            orders[power][0] = f"{units[0]} - Switzerland"
        elif units and rng.random() < 0.15:
            orders[power].pop()


@cache
def crowded(count: int) -> tuple[Subject, ...]:
    """That many movement phases with more than 28 units."""
    found: list[Subject] = []
    for seed in range(1, 1000):
        for subject in game(seed):
            position = subject.position
            if position.phase.step == "M" and len(position.units) > 28:
                found.append(subject)
                if len(found) == count:
                    return tuple(found)
    raise AssertionError("no game was crowded enough")
