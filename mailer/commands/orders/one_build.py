"""One of the builds that stand given up by its number: “Waive the second build”."""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries.orders.current_orders import current_decisions
from mailer.commands.orders.viewpoint import Viewpoint, is_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

WHICH_BUILD = (
    "“{}” is all that you order now, and new orders replace your earlier ones, so all builds that "
    "stand would be lost. Please send again the builds that you want to keep, with a line WAIVE "
    "for the one that you give up."
)
_LONGEST = 100
"""How many characters such a line may have."""
_ONE_OF_THEM = says(r"\b(?:second|third|last|other) (?:build|one)\b")


def require_builds(lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint) -> None:
    """Raise BadInput if the lines order nothing but that one of the builds that stand is given up:
    whoever writes so wants to keep the others."""
    if view.position.phase.step != "A":
        return
    said = (line.text for line in lines if len(line.text) <= _LONGEST)
    named = next((text for text in said if _ONE_OF_THEM.search(text)), None)
    if named is None:
        return
    orders = [
        str(one.order) for one in view.readings([line.text for line in lines]) if is_order(one)
    ]
    stands = [str(order) for _, order in current_decisions(phase, seat.power) if order]
    if {*orders} == {"Waive"} and any(order.startswith("Build") for order in stands):
        raise BadInput(WHICH_BUILD.format(named.strip(" .!")))
