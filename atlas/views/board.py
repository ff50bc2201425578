"""The board picture: how things stand now, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from atlas import signs
from atlas.drawn_orders import DrawnOrder
from atlas.obstacles import arc_between
from atlas.scene import Stage
from atlas.shapes import Badge, Disc, Group, Layer, Path, Shape, Stroke
from atlas.views.tracks import carriers, track
from judge import Location, Position, Province


class BoardView:
    """Draws a position and what has changed: the new owners of centres, and the orders that were
    carried out."""

    def __init__(
        self,
        stage: Stage,
        position: Position,
        gained: Mapping[Province, str],
        orders: Iterable[DrawnOrder],
    ) -> None:
        self.stage = stage
        self.position = position
        self.gained = gained
        self.orders = tuple(orders)

    def layers(self) -> list[Layer]:
        """Return the layers from the rings of new centres to the signs on units."""
        behind, units = self.units()
        return [
            Layer("gains", self.gains()),
            Layer("traces", self.traces()),
            Layer("behind", behind),
            Layer("units", units),
            Layer("above", []),
        ]

    def gains(self) -> list[Group]:
        """Return a ring round each centre with a new owner."""
        groups = []
        for province, power in self.gained.items():
            shape = signs.capture_ring(
                self.stage.centres[province.id], self.stage.colours[power].line
            )
            groups.append(Group([shape], province.id, f"{power} gained {province}"))
        return groups

    def traces(self) -> list[Group]:
        """Return dots leading from where each unit came."""
        return [
            Group(
                self.trace(order, order.to),
                order.at.province.id,
                order.sentence,
                order.to.province.id,
            )
            for order in self.orders
            if order.kind == "move" and not order.failed and order.to
        ]

    def trace(self, order: DrawnOrder, to: Location) -> list[Shape]:
        """Return the dots of one move, from an empty ring where it began."""
        colour = self.stage.colours[order.power].line
        sheet = self.stage.sheet
        start, end = sheet.at(order.at), sheet.at(to)
        fleets = carriers(order, self.orders, self.position.variant.board)
        path: Path = arc_between(start, end, 0.08, (5.0, 18.0))
        if fleets:
            path = track([start, *map(sheet.at, fleets), end], 5.0, 18.0)
        return [
            Stroke(path, colour, 3.0, signs.TRACE, 0.75),
            Disc(start, 4.4, "", colour, 2.0),
        ]

    def units(self) -> tuple[list[Group], list[Group]]:
        """Return all units, with those that must retreat beside the ones that drove them out.

        What is behind them comes first.
        """
        sheet = self.stage.sheet
        obstacles = self.stage.names.with_units(sheet.at(u.location) for u in self.position.units)
        behind, groups = [], []
        for unit in sorted(self.position.units, key=lambda unit: sheet.at(unit.location)[1]):
            key = unit.location.province.id
            badge = Badge(sheet.at(unit.location), unit.kind, unit.power)
            groups.append(Group([badge], key, f"{unit.power}: {unit}", key))
        for one in self.position.dislodged:
            ways_out = [sheet.at(place) for place in one.retreats]
            at = obstacles.beside(sheet.at(one.unit.location), ways_out)
            obstacles.add_unit(at)
            key = one.unit.location.province.id
            badge = Badge(at, one.unit.kind, one.unit.power, tilted=True)
            title = f"{one.unit.power}: {one.unit} must retreat"
            behind.append(Group([signs.jagged_outline(at)], f"{key}-leaving", unit=key))
            groups.append(Group([badge], f"{key}-leaving", title, key))
        return behind, groups
