"""Orders sent as a programmer's diff: the old one after “-”, the new one after “+”.

Both signs are bullets, too, so the text after “-” has to be an order that stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_decisions
from mailer.commands.orders.viewpoint import Viewpoint, is_order
from mailer.reading.quotes import Line

EITHER_SIGN = (
    "Some of your lines begin with “-”, and some with “+”, so we do not know whether you want "
    "this. Please send again what you want, without those signs."
)
_SIGNED = re.compile(r"\s*([-–−+](?![-–−+>]))\s*(\S.*)", re.DOTALL)
_MOST = 100
"""How many lines of a mail may be a difference; no set has so many."""
_LONGEST = 100
"""How many characters each of them may have."""


def of_difference(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> Sequence[Line] | None:
    """The new orders of a difference from the orders that stand, in winter with those that it
    keeps; None unless the lines are nothing else, and clear. Raises BadInput where an order may be
    taken out, and its unit gets no other: both signs may be bullets, too."""
    is_short = len(lines) <= _MOST and all(len(line.text) <= _LONGEST for line in lines)
    if not (is_short and is_signed(lines)):
        return None
    stands = [order for _, order in current_decisions(phase, seat.power) if order]
    said = [(line, *_sign_and_order(line, view)) for line in lines]
    old = [order for _, sign, order in said if sign != "+"]
    new = [Line(line.number, order) for line, sign, order in said if sign == "+"]
    gone = [order for _, sign, order in said if sign and sign != "+"]
    is_winter = view.position.phase.step == "A"
    units = {_unit(line.text, view) for line in new if line.text}
    takes_out = {*stands}.issuperset(gone) or not _is_whole_set(said, view)
    may_take_out = stands and not is_winter and all(gone) and takes_out
    if may_take_out and not units.issuperset(_unit(order, view) for order in gone):
        raise BadInput(EITHER_SIGN)
    if any(order not in stands for order in old) or not all(line.text for line in new):
        return None
    if is_winter:
        kept = (Counter(stands) - Counter(gone)).elements()
        return [*new, *(Line(new[-1].number, order) for order in kept)]
    return new


def _is_whole_set(said: Sequence[tuple[Line, str, str]], view: Viewpoint) -> bool:
    """Whether every unit has an order after one of the signs, as in a list with two bullets."""
    ordered = {_unit(order, view) for _, _, order in said if order}
    units = board.duty_of(view.position, view.power).units
    return ordered.issuperset(_unit(f"{unit} H", view) for unit in units)


def is_signed(lines: Sequence[Line]) -> bool:
    """Whether some of the lines begin with “-”, and others with “+”."""
    signs = {_sign(line) for line in lines}
    return "+" in signs and len(signs - {""}) > 1


def _sign(line: Line) -> str:
    """The sign at the beginning of a line; "" if there is no sign."""
    signed = _SIGNED.fullmatch(f"{line.bullet}{line.text}")
    return signed[1] if signed else ""


def _sign_and_order(line: Line, view: Viewpoint) -> tuple[str, str]:
    """The sign, and the one order after it that its unit can carry out; "" if there is no such
    order."""
    signed = _SIGNED.fullmatch(f"{line.bullet}{line.text}")
    read = view.readings([signed[2] if signed else line.text])
    is_one = len(read) == 1 and is_order(read[0]) and not (read[0].problem or read[0].guessed)
    return _sign(line), str(read[0].order) if is_one else ""


def _unit(order: str, view: Viewpoint) -> str:
    return board.ordered_province(view.readings([order])[0].order)
