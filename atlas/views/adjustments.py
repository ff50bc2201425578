"""The orders of an adjustment phase."""

from __future__ import annotations

from atlas import signs
from atlas.drawn_orders import DrawnOrder
from atlas.shapes import Badge, Group
from atlas.views.base import OrdersView
from judge import Unit


class AdjustmentsView(OrdersView):
    """Draws builds and disbands; waived builds are in the legend."""

    def draw(self) -> None:
        """Draw what was built and what was disbanded."""
        for unit in self.units:
            self.stays_or_goes(unit, self.order_of(unit))
        for order in self.orders.builds:
            if not order.failed:
                self.build(order)

    def stays_or_goes(self, unit: Unit, order: DrawnOrder | None) -> None:
        """Draw a unit, faded and with a cross if it was disbanded."""
        at, key = self.sheet.at(unit.location), unit.location.province.id
        sentence = order.sentence if order else f"{unit.power}: {unit}"
        gone = order is not None and order.kind == "disband" and not order.failed
        badge = Badge(at, unit.kind, unit.power, faded=gone)
        self.groups["units"].append(Group([badge], key, sentence, key))
        if order and gone:
            self.add("above", order, signs.cross(self.corner(at)))

    def build(self, order: DrawnOrder) -> None:
        """Draw a new unit in a green ring with a plus."""
        at = self.sheet.at(order.at)
        self.add("behind", order, [signs.green_ring(at)])
        self.add("units", order, [Badge(at, order.unit, order.power)])
        self.add("above", order, signs.plus((at[0] + 18, at[1] - 15)))
