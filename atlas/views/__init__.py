"""The drawings for each kind of phase, and for the board that followed."""

from __future__ import annotations

from atlas.views.adjustments import AdjustmentsView
from atlas.views.base import OrdersView
from atlas.views.board import BoardView
from atlas.views.movement import MovementView
from atlas.views.retreats import RetreatsView

ORDERS_VIEWS: dict[str, type[OrdersView]] = {
    "M": MovementView,
    "R": RetreatsView,
    "A": AdjustmentsView,
}
"""By the step of the phase."""

__all__ = ["ORDERS_VIEWS", "BoardView", "OrdersView"]
