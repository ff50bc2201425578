"""What stands below a greeting: “Hi Germany,” heads a letter to that power, and “Dear Carla,” in
Carla's own mail one to her, which she pasted. Orders and commands there are only told, so we do not
follow them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from games.queries.reports.wording import listed
from mailer.commands.orders.greeted import LONGEST_HEADING, spoken_in
from mailer.commands.orders.told_to_others import IN_A_TEXT, IN_IT_TOO, introduces
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint, pieces
from mailer.reading import courtesies
from mailer.reading.orders_heading import is_heading
from mailer.reading.quotes import Line

_TO_YOU = (
    "It stands below “{}”, as in a letter to you, so we do not follow it. To order it, send it "
    "again without that line."
)
_COMMAND_TO_YOU = (
    "It stands below “{}”, as in a letter to you, so nothing was done about it. If you want it, "
    "send it again without that line."
)
_COMMAND_TO_OTHERS = (
    "It stands below “{}”, as in a letter to {}, so nothing was done about it, and nobody has "
    "received the letter. If you want it, send it again without that line."
)
_SIGNS = re.compile(r"(?:greetings|ciao|salut|hej|good\s+(?:evening|day))\b[^,]*", re.IGNORECASE)
"""Words that are a farewell, too, if their writer's own name follows: “Ciao Carla”."""


def told_below_greetings(
    found: Sequence[Piece], greeted: Sequence[Line], view: Viewpoint
) -> Iterator[Reason]:
    """The orders right below “Hi Germany,”, and those below a greeting of the writer, each with the
    reason not to follow it.

    `greeted` are the greetings of the mail.
    """
    heading, begun, told, to_self = "", False, False, False
    texts = [(line, None) for line in greeted]
    pieces = [(piece.line, piece) for piece in found]
    for line, piece in sorted([*texts, *pieces], key=lambda one: one[0].number):
        greeting, after = _greeting(line.text, view)
        if greeting and (not after or (piece and piece.provinces)):
            heading, begun, told = greeting, False, False
            to_self = _is_to_self(greeting, view)
        if piece and piece.provinces:
            begun = True
            if heading:
                why = _TO_YOU if to_self else IN_A_TEXT
                yield piece, IN_IT_TOO if told else why.format(heading)
                told = True
        elif not greeting and (_heads_orders(line.text) or not (begun or to_self)):
            heading = ""


def _greets_self(text: str, view: Viewpoint) -> bool:
    """Whether a line only greets its own writer, so that the letter was written to them."""
    greeting, after = _greeting(text, view)
    return bool(greeting) and not after and _is_to_self(greeting, view)


def _in_letter(text: str, view: Viewpoint) -> str:
    """Why we do not carry out a command below a line that greets other powers; "" if it greets no
    one else."""
    greeting, _ = _greeting(text, view)
    spoken = spoken_in(greeting, view) if greeting else None
    others = spoken is not None and view.power not in spoken[0]
    return _COMMAND_TO_OTHERS.format(text, listed(spoken[0])) if spoken and others else ""


def _is_to_self(greeting: str, view: Viewpoint) -> bool:
    spoken = spoken_in(greeting, view)
    return spoken is not None and spoken[0] == [view.power]


def _begins_text(line: Line) -> bool:
    """Whether a greeting or heading begins something new: “Hi all,”, “My orders:”."""
    return _heads_orders(line.text) or greets(line)


def greets(line: Line) -> bool:
    """Whether a line begins with a greeting."""
    return bool(courtesies.HAS_GREETED.match(f"{line.text[:LONGEST_HEADING]} "))


def _heads_orders(text: str) -> bool:
    """Whether a line says that orders follow: “My orders:”, “Orders for Spring 1901”."""
    return introduces(text) or is_heading(text)


def _greeting(text: str, view: Viewpoint) -> tuple[str, str]:
    """The words that greet other powers at the beginning of a line, and the text after them.

    “Germany” alone, or with a colon, heads that power's orders.
    """
    spoken = spoken_in(text, view)
    greeting = text.removesuffix(spoken[1]).strip() if spoken else ""
    heads = greeting.endswith(":") or not re.search(r"[\s,!@]", greeting)
    signs = spoken is not None and spoken[0] == [view.power] and _SIGNS.fullmatch(greeting)
    return ("", "") if spoken is None or heads or signs else (greeting, spoken[1])


def below_greeting(
    commands: Sequence[int],
    texts: Collection[int],
    greeted: Sequence[Line],
    orders: Sequence[Line],
    view: Viewpoint,
) -> Mapping[int, str]:
    """Why we do not carry out commands on lines of these numbers: the last of the lines `greeted`
    above them greets their writer, or other powers.

    An order that we follow ends such a letter, so none of the `orders` between may be one. A
    command in `texts` has its own text to send: its greeting is for the readers of that.
    """
    begins = {line.number: line.text for line in greeted if _begins_text(line)}
    to_self = {at for at, text in begins.items() if view.greeted and _greets_self(text, view)}
    whys = {at: why for at, text in begins.items() if (why := _in_letter(text, view))}
    above = {at: max((one for one in begins if one < at), default=-1) for at in commands}
    followed = _numbers_followed(orders, greeted, view) if whys.keys() & above.values() else []
    return {
        at: _COMMAND_TO_YOU.format(begins[one]) if one in to_self else whys[one]
        for at, one in above.items()
        if one in to_self
        or (one in whys and at not in texts and not any(one < here < at for here in followed))
    }


def _numbers_followed(
    orders: Sequence[Line], greeted: Sequence[Line], view: Viewpoint
) -> Sequence[int]:
    """The numbers of lines with orders that we follow, there or because no greeting stands
    above."""
    found = pieces(orders, view)
    told = {piece for piece, _ in told_below_greetings(found, greeted, view)}
    return [piece.line.number for piece in found if piece.order and piece not in told]
