"""Says in words what a picture shows: for people who cannot see it, and under it in a mail.

Replies bring these words back, quoted and wrapped in every way that mail programs know, and the
server looks for orders and commands in replies. So they say nothing about a single unit, name no
place, and avoid the words with which commands begin ("map", "board", "same" …) wherever a line may
break.
"""

from __future__ import annotations

from atlas.drawn_orders import DrawnOrders
from judge import Position

_ALSO_IN_TEXT = "Everything in it is also in the text."
CAPTIONS = {
    "M": (
        "A whole line with a head is a move that worked; a broken one that ends in a cross is one"
        " that did not. Dots are support; two red strokes mean that it was cut. A ring is for"
        " convoys, a jagged edge for a unit that was dislodged."
    ),
    "R": (
        "A jagged edge marks each unit that was dislodged. Dashes and dots lead to where it went; a"
        " cross means that it is gone."
    ),
    "A": "A green ring with a plus marks each new unit, a cross each one that is gone.",
}
"""Under the orders picture, by the step of the phase."""
BOARD_CAPTION = (
    "Dots lead from where each unit was. A ring round a star marks a centre that changed hands, a"
    " jagged edge a unit that has yet to find a new place."
)
STILL_CAPTION = "Stars are centres that have an owner, dots in a ring those that have none."
DISLODGED_CAPTION = " A jagged edge marks a unit that has yet to find a new place."
"""Added to the words under the orders picture, where there are such units."""

CROSSING_CAPTION = " A short arrow with two heads joins neighbours that do not touch."
"""Added to either picture, if the drawing has such links."""
PASSAGE_CAPTION = " Dark and light pieces make the railway; blue between dark edges is the canal."
"""Added to either picture, if the drawing has such ways."""
VEIL_CAPTION = (
    " Grey land and dark water are out of sight; an empty ring there is a centre, whoever owns it."
)
"""Added to either picture in fog of war."""
_IN_FOG = ", as far as you can see"


def told_orders(position: Position, orders: DrawnOrders, *, is_trial: bool, in_fog: bool) -> str:
    """Say what the orders picture of a phase shows, in numbers."""
    step = position.phase.step
    if step == "M":
        parts = _movement(orders)
    elif step == "R":
        parts = _retreats(orders)
    else:
        parts = _adjustments(orders)
    told = f": {', '.join(parts)}" if parts else ""
    went = f"{'would go' if is_trial else 'went'}{_IN_FOG if in_fog else ''}"
    return f"This picture shows how the {position.phase.long_name} {went}{told}. {_ALSO_IN_TEXT}"


def told_board(position: Position, after: Position | None, *, is_trial: bool, in_fog: bool) -> str:
    """Say what the board picture of a phase shows, in numbers."""
    now = after or position
    parts = [_count(len(now.units) + len(now.dislodged), "unit")]
    if now.dislodged:
        parts.append(f"{len(now.dislodged)} of them dislodged")
    owned = len(now.centers)
    parts.append(f"{owned} of {len(now.variant.board.centers)} centres owned")
    stood = "stand after" if after else "stand before"
    stood = f"would {stood}" if is_trial else stood
    fog = _IN_FOG if in_fog else ""
    told = f"{stood} the {position.phase.long_name}{fog}: {', '.join(parts)}"
    return f"This picture shows how things {told}. {_ALSO_IN_TEXT}"


def _movement(orders: DrawnOrders) -> list[str]:
    told = list(orders.by_unit.values())
    parts = []
    for kind in ("move", "support", "convoy"):
        of_kind = [order for order in told if order.kind == kind]
        if of_kind:
            worked = sum(not order.failed for order in of_kind)
            parts.append(f"{worked} of {_count(len(of_kind), kind)} worked")
    beaten = sum(order.dislodged for order in told)
    return [*parts, *([f"{_count(beaten, 'unit')} dislodged"] if beaten else [])]


def _retreats(orders: DrawnOrders) -> list[str]:
    told = list(orders.by_unit.values())
    went = sum(order.kind == "move" and not order.failed for order in told)
    # In fog the position has units, too, whose orders nobody tells.
    return [f"{went} of {_count(len(told), 'dislodged unit')} found a new place"] if told else []


def _adjustments(orders: DrawnOrders) -> list[str]:
    gone = sum(d.kind == "disband" and not d.failed for d in orders.by_unit.values())
    new = sum(not order.failed for order in orders.builds)
    parts = [(new, _count(new, "new unit")), (gone, f"{_count(gone, 'unit')} gone")]
    return [told for number, told in parts if number] or ["no new units, and none gone"]


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
