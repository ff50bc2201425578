"""Press that ends with the writer's own orders, which others would read."""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import BadInput
from games.models import Seat
from games.queries import board, lookup
from mailer.commands import player
from mailer.commands.calls import Call
from mailer.commands.lines.which_command import command_of
from mailer.commands.orders.viewpoint import Viewpoint, is_order
from mailer.reading.kinds_of_line import is_courtesy, is_farewell, looks_like_order
from mailer.reading.orders_heading import is_heading
from mailer.reading.quotes import Line

_FEWEST = 2
"""How many units the orders must cover: a single order is often part of a letter."""
_AFTER_ORDERS = ("ready", "wait")
_BELOW_PRESS = (
    "If these are your orders, write END PRESS above them; if they belong to your letter, write "
    "END PRESS below them."
)


def require_no_own_set(call: Call, seat: Seat, instead: str = _BELOW_PRESS) -> None:
    """Raise BadInput, with what to do `instead`, if a text without END closes with a paragraph that
    orders all the writer's units and says nothing else.

    It may have been meant for us, and nobody can take it back once others have read it.
    """
    orders = [] if call.ended else _last_orders(call.lines, seat)
    if orders:
        raise BadInput(
            f"Nobody has got it: its last lines order all your units, like “{orders[0].text}”, and "
            f"its readers would have seen that. We have not followed them, either. {instead}"
        )


def _last_orders(lines: Sequence[Line], seat: Seat) -> list[Line]:
    """The last paragraph, or the lines below a heading of orders, if it orders all units of a seat
    and the paragraphs above do not announce it."""
    while lines and _is_kind(lines[-1]):
        lines = lines[:-1]
    above, last = _parted_at_heading(lines)
    if not last:
        *before, last = _paragraphs(lines) or [[]]
        above = [line for part in before for line in part]
    if not above or above[-1].text.rstrip().endswith(":"):
        return []
    return list(last) if _is_whole_set(last, seat) else []


def _parted_at_heading(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
    """The text above the last heading of orders and the text below it; nothing without one."""
    at = next((at for at in range(len(lines) - 1, -1, -1) if is_heading(lines[at].text)), None)
    return ((), ()) if at is None else (lines[:at], lines[at + 1 :])


def _is_kind(line: Line) -> bool:
    """Whether a line may follow orders without being one: a farewell, or READY."""
    said = command_of(line.text, player.WORDS)
    return said in _AFTER_ORDERS or is_courtesy(line.text) or is_farewell(line.text)


def _is_whole_set(lines: Sequence[Line], seat: Seat) -> bool:
    phase = lookup.open_phase(seat.power.game) if looks_like_order(lines[0].text) else None
    if phase is None:
        return False
    view = Viewpoint.of(phase, seat.power.name)
    units = set(board.duty_of(view.position, view.power).units)
    read = view.readings([line.text for line in lines])
    ordered = {board.ordered_unit(one.order) for one in read}
    return len(units) >= _FEWEST and all(map(is_order, read)) and ordered == units


def _paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in paragraphs: a missing number between two lines was a blank line."""
    parts = list[list[Line]]()
    for line in lines:
        if parts and line.number == parts[-1][-1].number + 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts
