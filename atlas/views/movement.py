"""The orders of a movement phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from atlas import signs
from atlas.drawn_orders import DrawnOrder
from atlas.shapes import Group, Path, Track
from atlas.sheet import Point
from atlas.views.base import OrdersView
from atlas.views.tracks import carriers, track
from judge import Location, Province

_NEVER_LEFT_AT = 0.42
"""How much of a move's line is drawn if the unit could not even set out."""
_OVER = -5.0
"""A head goes 5 pixels past the middle of an empty place, to lie where a unit would stand."""
_STRAY_AT = 0.66
"""How much of a line is drawn that leads nowhere."""
_JOIN_AT = 0.5
_JOIN_TRACK_AT = 0.62
"""Where on its line supports meet a convoyed move: past the sea on most ways."""


class MovementView(OrdersView):
    """Draws holds, moves, supports and convoys."""

    def draw(self) -> None:
        """Draw moves first: supports lead to the lines of moves."""
        orders = [order for unit in self.units if (order := self.order_of(unit))]
        self.occupied = {unit.location.province for unit in self.units}
        self.paths = {
            order.at.province: self.path(order, order.to)
            for order in orders
            if order.kind == "move" and order.to
        }
        # What failed lies under what succeeded.
        for order in sorted(orders, key=lambda order: not order.failed):
            if order.at.province in self.paths:
                self.move(order, self.paths[order.at.province])
        self.supports(order for order in orders if order.kind == "support")
        for order in orders:
            if order.kind == "convoy" and order.helped:
                self.convoy(order, order.helped)
            elif order.kind == "hold" and order.written:
                shapes = signs.base(self.sheet.at(order.at), self.colour(order.power))
                self.add("signs", order, shapes)
        for unit in self.units:
            self.unit(unit, self.order_of(unit))

    def path(self, order: DrawnOrder, to: Location) -> Path:
        """Return the line of a move: through the fleets that carry it, or else the freest curve."""
        start, end = self.sheet.at(order.at), self.sheet.at(to)
        gap = 24.0 if to.province in self.occupied else _OVER
        fleets = carriers(order, self.orders.by_unit.values(), self.position.variant.board)
        if fleets:
            return track([start, *map(self.sheet.at, fleets), end], 18.0, gap)
        return self.obstacles.way(start, end, 0.12, (18.0, gap), head=not order.failed)

    def move(self, order: DrawnOrder, path: Path) -> None:
        """Draw a move: whole with a head, or broken off in a cross."""
        colour = self.colour(order.power)
        if not order.failed:
            self.add("moves", order, [*signs.line(path, colour), signs.head(path, colour)])
            return
        lost = "invalid" in order.words
        short = path.until(_NEVER_LEFT_AT) if lost else self.broken_off(path)
        self.add("moves", order, signs.line(short, colour, signs.BROKEN))
        self.add("signs", order, signs.cross(short.point(1)))

    def supports(self, orders: Iterable[DrawnOrder]) -> None:
        """Draw supports, and their number where several join one move."""
        joined: Counter[Province] = Counter()
        for order in orders:
            if order.helped and self.support(order, order.helped):
                joined[order.helped.province] += 1
        for province, count in joined.items():
            unit = self.position.unit_at[province.index]
            if unit:
                at = _joint(self.paths[province])
                shapes = signs.joint(at, count, self.colour(unit.power))
                self.groups["signs"].append(Group(shapes, f"joint-{province.id}", unit=province.id))

    def support(self, order: DrawnOrder, helped: Location) -> bool:
        """Draw a support's dots and how they end; return whether they join the line of a move."""
        start = self.sheet.at(order.at)
        invalid = "invalid" in order.words
        move = self.paths.get(helped.province) if order.to and not invalid else None
        if move:
            path = self.obstacles.way(start, _joint(move), 0.06, (17.0, 0.0))
        else:
            end = self.sheet.at(self.stands_at(order.to or helped))
            path = self.obstacles.way(start, end, 0.06, (17.0, 25.0))
        if invalid:
            path = path.until(_STRAY_AT)
        colour = self.colour(order.power)
        self.add("supports", order, signs.dotted_line(path, colour))
        if "cut" in order.words:
            self.add("signs", order, signs.cut(path))
        elif invalid:
            self.add("signs", order, signs.void(path.point(1)))
        elif not move:
            self.add("signs", order, signs.bar(path, colour))
        return move is not None and not order.failed

    def stands_at(self, place: Location) -> Location:
        """Return where the unit in a province stands, or the place itself if none does."""
        unit = self.position.unit_at[place.province.index]
        return unit.location if unit else place

    def convoy(self, order: DrawnOrder, army: Location) -> None:
        """Draw a ring round the fleet; the army's line goes through it."""
        at, colour = self.sheet.at(order.at), self.colour(order.power)
        if "invalid" in order.words:
            end = self.sheet.at(self.stands_at(army))
            path = self.obstacles.way(at, end, 0.06, (26.0, 25.0)).until(_STRAY_AT)
            self.add("supports", order, signs.dotted_line(path, colour))
            self.add("signs", order, signs.void(path.point(1)))
            self.add("convoys", order, signs.ring(at, colour, signs.DOTTED_RING))
        elif "disrupted" in order.words:
            self.add("convoys", order, signs.ring(at, colour, signs.BROKEN_RING))
            self.add("signs", order, signs.broken_ring(at))
        else:
            self.add("convoys", order, signs.ring(at, colour))


def _joint(path: Path) -> Point:
    """Return where supports meet a move."""
    return path.point(_JOIN_TRACK_AT if isinstance(path, Track) else _JOIN_AT)
