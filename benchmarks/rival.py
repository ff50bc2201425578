"""PyPI `diplomacy` 1.1.2 behind our own values: it takes a position and orders, and returns the
board that follows.

Only the names differ: the provinces have the same abbreviations in both, powers are in capitals,
an order reads "A PAR S A MAR - BUR", and an army that is to go by sea needs "VIA".
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge import Location, Position, Unit
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from diplomacy import Game


@dataclass(frozen=True, slots=True)
class Board:
    """What stands where after a phase, in the rival's names: the part that we can compare."""

    phase: str
    units: frozenset[tuple[str, str]]
    dislodged: frozenset[tuple[str, str, frozenset[str]]]
    centers: frozenset[tuple[str, str]]


class Rival:
    """One game object, set up again for each position."""

    def __init__(self) -> None:
        self.game = Game()
        self.results: dict[str, list[str]] = {}

    def adjudicate(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> Board:
        """Return the board after the phase of ``position``."""
        self.game.set_state(state_of(position))
        # A saved state does not mention the units that this object's last phase destroyed.
        self.game.popped, self.game.dislodged = [], {}
        self.order(position, orders)
        return self.process()

    def order(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        """Hand in the orders, in the rival's own notation."""
        for power, given in orders.items():
            self.game.set_orders(power.upper(), [order_text(order, position) for order in given])

    def process(self) -> Board:
        """Adjudicate what was handed in; `results` then has the rival's word for each unit."""
        done = self.game.process()
        self.results = {
            unit: [str(word) for word in words if str(word)] for unit, words in done.results.items()
        }
        return self.board()

    def board(self) -> Board:
        powers = self.game.powers.values()
        return Board(
            self.game.get_current_phase(),
            frozenset((power.name, unit) for power in powers for unit in power.units),
            frozenset(
                (power.name, unit, frozenset(places))
                for power in powers
                for unit, places in power.retreats.items()
            ),
            frozenset((power.name, center) for power in powers for center in power.centers),
        )


def board_of(position: Position) -> Board:
    """Return our position in the rival's names."""
    return Board(
        str(position.phase),
        frozenset((unit.power.upper(), unit_name(unit)) for unit in position.units),
        frozenset(
            (one.unit.power.upper(), unit_name(one.unit), frozenset(map(place_name, one.retreats)))
            for one in position.dislodged
        ),
        frozenset((power.upper(), center.id.upper()) for center, power in position.centers.items()),
    )


def state_of(position: Position) -> dict[str, object]:
    """Return our position as the rival's saved state."""
    powers = position.variant.powers
    units = {power.upper(): [unit_name(u) for u in position.units_of(power)] for power in powers}
    retreats: dict[str, dict[str, list[str]]] = {power.upper(): {} for power in powers}
    for one in position.dislodged:
        name = unit_name(one.unit)
        units[one.unit.power.upper()].append(f"*{name}")
        retreats[one.unit.power.upper()][name] = [place_name(place) for place in one.retreats]
    centers: dict[str, list[str]] = {power.upper(): [] for power in powers}
    for center, power in position.centers.items():
        centers[power.upper()].append(center.id.upper())
    name = str(position.phase)
    return {"name": name, "units": units, "retreats": retreats, "centers": centers}


def place_name(place: Location) -> str:
    """BUL/EC"""
    name = place.province.id.upper()
    return f"{name}/{place.coast.upper()}" if place.coast else name


def unit_name(unit: Unit) -> str:
    """F BUL/EC"""
    return f"{unit.kind} {place_name(unit.location)}"


def order_text(order: Order, position: Position) -> str:
    """The order in the rival's notation."""
    match order:
        case Hold(unit):
            return f"{unit_name(unit)} H"
        case Move(unit, to):
            via = " VIA" if order.via_convoy or needs_convoy(order, position) else ""
            return f"{unit_name(unit)} - {place_name(to)}{via}"
        case Support(unit, supported, None):
            return f"{unit_name(unit)} S {unit_name(supported)}"
        case Support(unit, supported, Location() as to):
            return f"{unit_name(unit)} S {unit_name(supported)} - {place_name(to)}"
        case Convoy(unit, army, to):
            return f"{unit_name(unit)} C {unit_name(army)} - {place_name(to)}"
        case Retreat(unit, to):
            return f"{unit_name(unit)} R {place_name(to)}"
        case Disband(unit):
            return f"{unit_name(unit)} D"
        case Build(_, kind, place):
            return f"{kind} {place_name(place)} B"
        case Waive():
            return "WAIVE"
    raise AssertionError(order)


def needs_convoy(order: Move, position: Position) -> bool:
    """Say whether no step leads there: then the order means a convoy without saying so."""
    assert order.unit.kind
    board = position.variant.board
    return not board.arrivals(order.unit.kind, order.unit.location, order.to.province)
