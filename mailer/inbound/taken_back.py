"""Commands that the line below takes back or attaches a condition to, and commands that the line
above calls somebody else's words.

A vote may end the game, and nobody can take back what others have read, so we carry out none of
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm.lines.doubts import puts_off_above
from mailer.commands.lines.which_command import SAID_ALONE
from mailer.commands.orders.words_of_others import heads_words_of_others
from mailer.commands.player import COMMANDS
from mailer.commands.player.clock.ready import Ready, Wait
from mailer.commands.receipt import Receipt
from mailer.commands.yes_and_no import ANY_NO, ANY_YES, takes_back
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.quotes import Line
from mailer.text import you_wrote

_VOTES = ("vote", "draw", "concede")
_YES_OR_NO = re.compile(rf"(?:(?P<yes>{ANY_YES})|{ANY_NO})\b(?P<on>.*)", re.IGNORECASE)
_BELOW = (
    "Below it you wrote “{}”, so nothing was done about it. If you want it, please send it again "
    "without those words."
)
_ABOVE = (
    "Above it you wrote “{}”, so it may not be your own wish, and nothing was done about it. If it "
    "is, please send it again without those words."
)
_BOTH = "You vote both yes and no, so neither is counted. Please vote once more."


def without_taken_back(calls: Sequence[Call]) -> tuple[list[Call], list[Receipt]]:
    """The calls that still stand, and a receipt for each of the others."""
    said = {line.number: line for call in calls if _is_rest(call) for line in call.lines}
    taken = {call: found for call in calls if (found := _taken_back_by(call, said))}
    both = _both_ways(calls)
    receipts = [
        Receipt(call.written, why, done=False, refused=f"NOT done: {call.written}")
        for call in calls
        if (why := _why(call, taken.get(call), both))
    ]
    kept = [call for call in calls if call not in taken and call not in both]
    return _without_lines(kept, [*taken.values()]), receipts


def _taken_back_by(call: Call, said: Mapping[int, Line]) -> Line | None:
    """The line right below the call that takes it back, or the one above that says whose words it
    is; None if there is neither."""
    if not _can_be_taken_back(call):
        return None
    below, above = said.get(call.number + 1), said.get(call.number - 1)
    if below and _takes_back(below.text):
        return below
    return above if above and heads_words_of_others(above.text) else None


def _why(call: Call, line: Line | None, both: Sequence[Call]) -> str:
    if line:
        written = f"{call.written} {call.argument}".strip()
        why = _BELOW if line.number > call.number else _ABOVE
        return f"{you_wrote(written)} {why.format(line.text)}"
    return _BOTH if call in both[:1] else ""


def _is_rest(call: Call) -> bool:
    return call.command in (ORDERS, AMEND)


def _can_be_taken_back(call: Call) -> bool:
    command = COMMANDS[call.command]
    is_order = _is_rest(call) or call.command in (Ready.name, Wait.name, *SAID_ALONE)
    return command.secured and not (is_order or command.has_body or call.lines)


def _takes_back(text: str) -> bool:
    return takes_back(text) or (puts_off_above(text) and not looks_like_order(text))


def _both_ways(calls: Sequence[Call]) -> list[Call]:
    """The votes of a mail that say both yes and no to the same proposal."""
    votes = [
        (call, bool(match["yes"]), (call.command, match["on"].strip(" .!")))
        for call in calls
        if call.command in _VOTES and (match := _YES_OR_NO.match(call.argument))
    ]
    return [
        call
        for call, yes, on in votes
        if any(other != yes and about == on for _, other, about in votes)
    ]


def _without_lines(calls: Sequence[Call], lines: Sequence[Line]) -> list[Call]:
    """The calls without lines that only took a command back: those are no failed orders."""
    kept = [
        replace(call, lines=tuple(one for one in call.lines if one not in lines))
        if _is_rest(call) and all(one in lines for one in call.lines)
        else call
        for call in calls
    ]
    return [new for new, old in zip(kept, calls, strict=True) if new.lines or not old.lines]
