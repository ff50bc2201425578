"""Orders that a mail does not write out again: SAME next to others, “F Bre as before”."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.errors import WrongState
from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_decisions
from games.queries.orders.repeated_orders import orders_again
from mailer.commands.calls import SAME
from mailer.commands.orders.in_doubt import Doubted
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

AS_BEFORE = says(  # This walks through each run of blanks once.
    r"(\S.{0,60}?)(?<!\s)\s*+[:,–-]?\s*+\b(?:(?:stays?|remains?|keeps?|is|goes|does|still) )?"
    r"(?:as (?:it was )?before|as in my (?:last|previous|earlier) (?:e-?mail|mail|message)"
    r"|unchanged)[\s.!]*",
)


def with_repeated(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines, with the orders of the last movement phase in place of SAME, and the current order
    in place of “F Bre as before”; also SAME and the reason, if there is nothing to repeat."""
    lines = _as_before(lines, seat, phase, view)
    asked = [line for line in lines if line.text == SAME]
    if not asked:
        return lines, ()
    others = [line for line in lines if line.text != SAME]
    try:
        again = orders_again(phase, seat.power)
    except WrongState as error:
        return others, [Doubted(Line(asked[0].number, SAME.upper()), str(error))]
    own = [line.text for line in others if board.reads_as_order(line.text)]  # not "HOLD ALL"
    ordered = _provinces(own, view)
    wanted = [text for text in again if _provinces([text], view).isdisjoint(ordered)]
    at = lines.index(asked[0])
    repeated = [Line(asked[0].number, text) for text in wanted]
    return [*lines[:at], *repeated, *(one for one in lines[at:] if one.text != SAME)], ()


def _as_before(lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint) -> Sequence[Line]:
    """The lines, with a unit's current order in place of a line that says only that it stays."""
    matches = [AS_BEFORE.fullmatch(line.text) for line in lines]
    if not any(matches):
        return lines
    stands = {
        province: order
        for _, order in current_decisions(phase, seat.power)
        if order
        for province in _provinces([order], view)
    }
    return [
        Line(line.number, text)
        for line, match in zip(lines, matches, strict=True)
        for text in (match and _orders_unchanged(match[1], stands, view)) or [line.text]
    ]


def _orders_unchanged(text: str, stands: Mapping[str, str], view: Viewpoint) -> Sequence[str]:
    """The orders that the text before “as before” means: “A Mar and F Bre” names units, “A Par -
    Bur” and “The rest holds” are orders themselves.

    None for anything else, or if one of the units had no order.
    """
    named = _provinces([f"{text} H"], view)
    if board.reads_as_order(text) or (not named and view.has_order([Line(0, text)])):
        return [text]
    return (
        [stands[province] for province in stands if province in named]
        if named <= stands.keys()
        else []
    )


def _provinces(texts: Sequence[str], view: Viewpoint) -> set[str]:
    """The provinces of the units that are ordered."""
    return {board.ordered_province(one.order) for one in view.readings(texts)} - {""}
