"""The base of the pictures of all kinds of phases."""

from __future__ import annotations

from abc import ABC, abstractmethod

from atlas import signs
from atlas.drawn_orders import DrawnOrder, DrawnOrders
from atlas.scene import Stage
from atlas.shapes import Badge, Group, Layer, Path, Shape
from atlas.sheet import Point
from judge import Position, Unit

LAYERS = ("supports", "convoys", "moves", "signs", "behind", "units", "above")
_FAILED_AT = (0.74, 0.66, 0.82, 0.58, 0.9, 0.96, 0.5)
"""How much of a line is drawn if the unit did not get there; the first is preferred."""
_CORNERS = ((16.0, -13.0), (16.0, 13.0), (-16.0, 13.0), (-16.0, -13.0))
"""Where a small sign on a unit may go, from its middle."""


class OrdersView(ABC):
    """Draws one phase: units where they stood, their orders, and what came of them."""

    def __init__(self, stage: Stage, position: Position, orders: DrawnOrders) -> None:
        self.stage = stage
        self.sheet = stage.sheet
        self.position = position
        self.orders = orders
        self.groups: dict[str, list[Group]] = {name: [] for name in LAYERS}
        self.units = sorted(position.units, key=self._height)
        spots = [self.sheet.at(unit.location) for unit in position.units]
        self.obstacles = stage.names.with_units(spots)

    @abstractmethod
    def draw(self) -> None:
        """Fill the groups."""

    def layers(self) -> list[Layer]:
        """Return the layers from the lines to the signs on units."""
        self.draw()
        return [Layer(name, self.groups[name]) for name in LAYERS]

    def add(self, layer: str, order: DrawnOrder, shapes: list[Shape]) -> None:
        """Add the shapes of one order to a layer, with the order's sentence."""
        province = order.at.province.id
        self.groups[layer].append(Group(shapes, province, order.sentence, province))

    def order_of(self, unit: Unit) -> DrawnOrder | None:
        """Return the order that counted for a unit."""
        return self.orders.by_unit.get((unit.power, unit.location))

    def colour(self, power: str) -> str:
        """Return the colour of a power's lines."""
        return self.stage.colours[power].line

    def broken_off(self, path: Path) -> Path:
        """Return what is drawn of a line, up to its cross, if the unit did not get there.

        The cross goes where the fewest names (which are written last), units and other crosses hide
        it.
        """
        parts = [path.until(share) for share in _FAILED_AT]
        part = min(parts, key=lambda one: self.obstacles.covered(one.point(1), 9, 9))
        self.obstacles.add_sign(part.point(1))
        return part

    def corner(self, at: Point) -> Point:
        """Return the corner of a unit where a small sign covers least."""
        spots = [(at[0] + x, at[1] + y) for x, y in _CORNERS]
        return min(spots, key=lambda spot: self.stage.names.covered(spot, 10, 10))

    def _height(self, unit: Unit) -> float:
        """Return how far down a unit stands. Those further down come later: where two touch, the
        nearer unit is in front."""
        return self.sheet.at(unit.location)[1]

    def unit(self, unit: Unit, order: DrawnOrder | None) -> None:
        """Draw a unit where it stood, and whether it was driven out or had an illegal order."""
        at = self.stage.sheet.at(unit.location)
        gone = order is not None and order.dislodged
        key = unit.location.province.id
        if gone:
            self.groups["behind"].append(Group([signs.jagged_outline(at)], key, unit=key))
        sentence = order.sentence if order else f"{unit.power}: {unit}"
        badge = Badge(at, unit.kind, unit.power, tilted=gone)
        self.groups["units"].append(Group([badge], key, sentence, key))
        if order and "destroyed" in order.words:
            self.groups["above"].append(Group(signs.cross(self.corner(at), 8.0), key, unit=key))
        elif (unit.power, unit.location) in self.orders.illegal:
            self.groups["above"].append(Group(signs.exclamation(self.corner(at)), key, unit=key))
