"""The orders of a retreat phase."""

from __future__ import annotations

from atlas import signs
from atlas.drawn_orders import DrawnOrder
from atlas.shapes import Badge, Group, Path
from atlas.sheet import Point
from atlas.views.base import OrdersView
from judge import Location, Unit


class RetreatsView(OrdersView):
    """Draws retreats and disbands."""

    def draw(self) -> None:
        """Draw the units that were driven out beside their attackers, and where they went."""
        for unit in self.units:
            self.unit(unit, None)
        for one in self.position.dislodged:
            ways_out = [self.sheet.at(place) for place in one.retreats]
            at = self.obstacles.beside(self.sheet.at(one.unit.location), ways_out)
            self.obstacles.add_unit(at)
            self.driven_out(one.unit, at, self.order_of(one.unit))

    def driven_out(self, unit: Unit, at: Point, order: DrawnOrder | None) -> None:
        """Draw a dislodged unit and its retreat or end."""
        gone = order is not None and order.kind == "disband"
        province = unit.location.province.id
        key = f"{province}-leaving"
        sentence = order.sentence if order else f"{unit.power}: {unit} must retreat"
        badge = Badge(at, unit.kind, unit.power, tilted=True, faded=gone)
        self.groups["behind"].append(Group([signs.jagged_outline(at)], key, unit=province))
        self.groups["units"].append(Group([badge], key, sentence, province))
        if order and gone:
            self.add("above", order, signs.cross(self.corner(at)))
        elif order and order.to:
            self.retreat(order, at, order.to)

    def retreat(self, order: DrawnOrder, at: Point, to: Location) -> None:
        """Draw a retreat's line of dashes and dots."""
        colour = self.colour(order.power)
        path: Path = self.obstacles.way(at, self.sheet.at(to), 0.14, (22.0, 4.0))
        if order.failed:
            path = self.broken_off(path)
            self.add("signs", order, signs.cross(path.point(1)))
            self.add("moves", order, signs.line(path, colour, signs.RETREAT))
        else:
            line = signs.line(path, colour, signs.RETREAT)
            self.add("moves", order, [*line, signs.head(path, colour)])
