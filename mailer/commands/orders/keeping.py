"""What a mail keeps of the earlier orders that it changes in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_decisions
from mailer.commands.lines.kept_orders import REST_STAYS, one_of
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.reading.quotes import Line

_STAYS = one_of([REST_STAYS])
_LONGEST = 100
"""How many characters at the end of a line we search for words that others stay."""


def with_builds_kept(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> Sequence[Line]:
    """The lines of a winter's AMEND, then the earlier builds that a waived build makes room for: a
    power that had “Waive; Build F Bre” and adds an army keeps the fleet."""
    stands = [order for _, order in current_decisions(phase, seat.power)]
    if view.position.phase.step != "A" or board.WAIVED not in stands:
        return lines
    read = [one for one in view.readings([line.text for line in lines]) if one.counts]
    orders = [one.order for one in read if one.order and not one.problem]
    places = {board.ordered_province(order) for order in orders} - {""}
    earlier = [order for order in stands if order and order != board.WAIVED]
    kept = [order for order in earlier if _province(order, view) not in places]
    room = len(stands) - len(orders) if places else 0
    return [*lines, *(Line(lines[-1].number, order) for order in kept[: max(room, 0)])]


def without_rest(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> Sequence[Line]:
    """The lines of moves without “the others stay”, if earlier orders stand for it to keep: read as
    an order, it would make all other units hold."""
    if view.position.phase.step != "M" or not any(
        _STAYS.search(one.text[-_LONGEST:]) for one in lines
    ):
        return lines
    if not any(order for _, order in current_decisions(phase, seat.power)):
        return lines
    said = [replace(one, text=_without_end(one.text)) for one in lines]
    return [one for one in said if one.text]


def _without_end(text: str) -> str:
    return text[:-_LONGEST] + _STAYS.sub("", text[-_LONGEST:])


def _province(order: str, view: Viewpoint) -> str:
    return board.ordered_province(view.readings([order])[0].order)
