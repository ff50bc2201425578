"""Orders that also say where their unit does not go: “A Par - Pic, not Bur”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_decisions
from mailer.commands.orders.viewpoint import Viewpoint, is_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_LONGEST = 100
"""How many characters such a line may have."""
_DENIES = says(
    r"(?P<order>\S.*?),? \(?(?:(?:and|but) )?(?:not|rather than|instead of) "
    r"(?:(?:to|in|into|the) ){0,2}(?P<other>[^\W\d_][\w .'’-]{1,25}?)\)?[\s.!]*\)?[\s.!]*",
)


def without_denials(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> Sequence[Line]:
    """The lines without such words after their order, and without an order above for the same unit
    that goes where the unit is not to go.

    If the mail orders nothing else, they may change one of the orders that stand, and the others
    must not go: then the lines stay as they are.
    """
    said = {line: meant for line in lines if (meant := _order_and_place(line, view))}
    if not said:
        return lines
    others = view.readings([line.text for line in lines if line not in said])
    if not any(map(is_order, others)) and any(
        order for _, order in current_decisions(phase, seat.power)
    ):
        return lines
    kept = [replace(one, text=said[one][0]) if one in said else one for one in lines]
    for line, (order, place) in said.items():
        above = (one for one in kept if one.number < line.number)
        old = [one for one in above if _goes(one, order, place, view)]
        kept = [one for one in kept if one not in old]
    return kept


def _order_and_place(line: Line, view: Viewpoint) -> tuple[str, str] | None:
    """The one order of such a line, which its unit can carry out, and the place that is denied;
    None for any other line."""
    match = _DENIES.fullmatch(line.text) if len(line.text) <= _LONGEST else None
    if match is None:
        return None
    try:
        place = board.province_named(view.position.variant.name, match["other"])
    except BadInput:
        return None
    read = view.readings([match["order"]])
    is_one = len(read) == 1 and is_order(read[0]) and not (read[0].problem or read[0].guessed)
    return (match["order"], place) if is_one and place not in str(read[0].order) else None


def _goes(line: Line, order: str, place: str, view: Viewpoint) -> bool:
    """Whether a line is a move of the same unit as the order, to this place."""
    read, new = view.readings([line.text]), view.readings([order])
    if len(read) != 1 or board.ordered_province(read[0].order) != board.ordered_province(
        new[0].order
    ):
        return False
    return str(read[0].order).partition(" - ")[2].startswith(place)
