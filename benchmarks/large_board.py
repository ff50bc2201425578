"""A board of any size, and turns with any number of units on it.

The board is a grid in stripes of land, coast, sea, coast. Every province lies beside four others,
so moves, supports and convoys meet about as often as on the standard board.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from benchmarks.random_games import random_orders
from benchmarks.turns import Turn
from judge import Phase, Position, Unit, Variant
from judge.board import Board
from judge.places import Border, Province, ProvinceKind
from judge.variant_powers import Power

STRIPES: tuple[ProvinceKind, ...] = ("land", "coast", "sea", "coast")
PASSABLE = {("coast", "coast"): "AF", ("coast", "sea"): "F", ("sea", "sea"): "F"}
POWERS = tuple(f"Power {letter}" for letter in "ABCDEFG")


def grid(width: int, height: int) -> Variant:
    """Return a variant of seven powers without centres on a grid of ``width`` by ``height``."""
    kinds = {(x, y): STRIPES[x % 4] for x in range(width) for y in range(height)}
    provinces = [
        Province(name(at), f"Place {name(at)}", kind, convoys=kind == "sea")
        for at, kind in kinds.items()
    ]
    borders = [
        Border(name(one), name(other), passage(kinds[one], kinds[other]))
        for one in kinds
        for other in ((one[0] + 1, one[1]), (one[0], one[1] + 1))
        if other in kinds
    ]
    return Variant(
        name="grid",
        title="Grid",
        board=Board(provinces, borders),
        first_phase=Phase(1901, "S", "M"),
        victory_centers=1,
        build_sites="home",
        by_name={power: Power(power, power, (), (), ()) for power in POWERS},
    )


def name(at: tuple[int, int]) -> str:
    return f"x{at[0]}y{at[1]}"


def passage(one: ProvinceKind, other: ProvinceKind) -> str:
    """Return who passes between two kinds of province: armies, fleets or both."""
    low, high = sorted((one, other))
    return PASSABLE.get((low, high), "A")


def crowd(variant: Variant, units: int, rng: Random) -> Turn:
    """Return a turn with that many units on random places of the board."""
    position = Position(variant, variant.first_phase, tuple(scattered(variant, units, rng)))
    return Turn(position, random_orders(position, rng))


def scattered(variant: Variant, units: int, rng: Random) -> Iterator[Unit]:
    for number, province in enumerate(rng.sample(variant.board.provinces, units)):
        at_sea = province.kind == "sea" or (province.kind == "coast" and rng.random() < 0.5)
        location = variant.board.location(province)
        yield Unit("F" if at_sea else "A", location, POWERS[number % len(POWERS)])
