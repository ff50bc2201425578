"""Earlier orders that a change calls by their numbers: “Replace line 2 with A Par - Pic”.

People count the lines of their own mail, or those of our receipt, which has a line for each unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_lines
from mailer.commands.orders.viewpoint import Viewpoint

_NUMBERS = ("one|first", "two|second", "three|third", "four|fourth", "five|fifth", "six")
_NUMBER = rf"(?:{'|'.join(_NUMBERS)}|\d{{1,2}})"
WHICH = (
    r"(?:(?:the\s+)?(?:(?:orders?|moves?|items?|lines?|numbers?|paragraphs?|section|no\.?)\s*"
    rf"|[§#]\s*){_NUMBER}"
    r"|(?:the\s+|my\s+)?(?:first|second|third|fourth|fifth)\s+(?:order|move|line))"
)
"""An earlier order called by its number: “order two”, “§ 3”."""
BY_NUMBER = re.compile(WHICH, re.IGNORECASE)


def number_fits(text: str, unit: str, seat: Seat, phase: Phase, view: Viewpoint) -> bool:
    """Whether the number in a change, if it has one, may be that of the order for the `unit` in
    this province: otherwise we do not know which order it replaces."""
    called = BY_NUMBER.search(text)
    if called is None:
        return True
    number = _number(called[0])
    lines = current_lines(phase, seat.power)
    ordered = [
        _province(f"{one} H", view) for one in board.duty_of(view.position, view.power).units
    ]
    lists = (ordered, [_province(line, view) for line in lines])
    return not lines or any(unit == one[number - 1] for one in lists if 0 < number <= len(one))


def _number(called: str) -> int:
    (said,) = re.findall(_NUMBER, called.lower())
    if said.isdecimal():
        return int(said)
    return next(at for at, words in enumerate(_NUMBERS, 1) if said in words.split("|"))


def _province(text: str, view: Viewpoint) -> str:
    read: Sequence[board.Reading] = view.readings([text])
    return board.ordered_province(read[0].order) if len(read) == 1 else ""
