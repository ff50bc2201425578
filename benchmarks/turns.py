"""Movement phases to measure with: from random games, from the DATC's paradoxes, on big boards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.random_games import random_orders
from judge import Position, adjudicate, load_variant, read_orders
from judge.orders import Order

DATC_F = Path(__file__).parents[1] / "tests" / "judge" / "datc" / "6f.json"
PARADOXES = ("6.F.23", "6.F.24", "6.F.27", "6.F.28", "6.F.29")
YEARS = 14


@dataclass(frozen=True, slots=True)
class Turn:
    """One movement phase with its orders."""

    position: Position
    orders: Mapping[str, Sequence[Order]]

    @property
    def texts(self) -> dict[str, list[str]]:
        return {power: [str(order) for order in given] for power, given in self.orders.items()}


def mid_game(count: int, seed: int = 1901) -> list[Turn]:
    """Return movement phases with 30 to 34 units from random games that have gone on for some
    years."""
    turns: list[Turn] = []
    rng = Random(seed)
    while len(turns) < count:
        turns += [turn for turn in play(rng) if 30 <= len(turn.position.units) <= 34]
    return turns[:count]


def play(rng: Random) -> Iterator[Turn]:
    """Yield the movement phases of one random game."""
    position = Position.start(load_variant("standard"))
    last = position.phase.year + YEARS
    while position.phase.year < last:
        orders = random_orders(position, rng)
        if position.phase.step == "M":
            yield Turn(position, orders)
        position = adjudicate(position, orders).next


def paradoxes() -> Iterator[tuple[str, Turn]]:
    """Yield the DATC's convoy paradoxes of higher order."""
    for case in json.loads(DATC_F.read_text("utf-8")):
        if case["id"] in PARADOXES:
            texts = {power: [text for text, _ in lines] for power, lines in case["orders"].items()}
            yield f"DATC {case['id']}", turn_of({**case, "centers": {}}, texts)


def turn_of(state: Mapping[str, Any], texts: Mapping[str, Sequence[str]]) -> Turn:
    """Return the turn of a JSON Lines state and its lines."""
    position = Position.from_state(
        load_variant("standard"), {name: state[name] for name in ("phase", "units", "centers")}
    )
    orders: dict[str, list[Order]] = {}
    for power, lines in texts.items():
        readings = read_orders(position, power, lines)
        orders[power] = [reading.order for reading in readings if reading.order is not None]
    return Turn(position, orders)


def every_fleet_convoys() -> Turn:
    """Return a turn in which fleets in all seas carry one army the longest way; fourteen more
    armies want to follow it."""
    board = load_variant("standard").board
    seas = [province.name for province in board.provinces if province.kind == "sea"]
    shores = ["Norway", "Edinburgh", "Brest", "Spain", "Portugal", "Naples", "Tunis", "Greece"]
    shores += ["London", "Sweden", "Denmark", "Kiel", "Holland", "Belgium", "Wales"]
    return turn_of(
        {
            "phase": "S1901M",
            "units": {
                "England": [f"F {sea}" for sea in seas],
                "Turkey": [f"A {shore}" for shore in shores],
            },
            "centers": {},
        },
        {
            "England": [f"F {sea} Convoys A Norway - Syria" for sea in seas],
            "Turkey": [f"A {shore} - Syria" for shore in shores],
        },
    )


def long_chain() -> Turn:
    """Return a turn with as many units as a walk over the board is long, each following the one
    before it."""
    board = load_variant("standard").board
    walk = [board.province("Portugal")]
    while True:
        here = walk[-1]
        steps = (at.province for at in board.steps("A", board.location(here)))
        onward = [province for province in steps if province not in walk]
        if not onward:
            break
        walk.append(min(onward, key=lambda p: (len(board.steps("A", board.location(p))), p.id)))
    units = [f"A {province.name}" for province in walk[:-1]]
    moves = [f"{unit} - {to.name}" for unit, to in zip(units, walk[1:], strict=True)]
    state = {"phase": "S1901M", "units": {"France": units}, "centers": {}}
    return turn_of(state, {"France": moves})
