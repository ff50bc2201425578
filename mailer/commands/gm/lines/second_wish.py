"""Two wishes on one line: the second hides in the reason of the first, where everybody would read
it and nobody would act on it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.lines.reasons import can_be_read
from mailer.commands.lines.which_command import command_in
from mailer.commands.receipt import Receipt
from mailer.reading.patterns import says

_NEXT_CLAUSE = re.compile(r"[,.;:!…–—-]+\s+|\s(?=(?:and|also|then|plus)\s)", re.IGNORECASE)
_BESIDES = says(
    r"(?:(?:and|also|then|plus|please|pls|kindly|(?:can|could) you)\b[\s,]*)+",
)
"""Words before a second wish."""
_ALSO = re.compile(r".*\b(?:also|then|please|pls|kindly|you)\b", re.IGNORECASE)
"""Leads that never come before an event, as “and” does in “it rains and process”."""
IN_THE_REASON = (
    "“{}” stands in your reason: all players would read it, and we would not do it. To have it "
    "done, write it on a line of its own."
)


def second_wish(call: Call, game: Game) -> str:
    """A second request inside a reason, which nobody would act on: “24h because Carla is ill, and
    please remind Turkey”; "" without one."""
    _, *clauses = _NEXT_CLAUSE.split(call.argument)
    return next(filter(None, (_wish(one.strip(" .!"), game) for one in clauses)), "")


def second_wishes(commands: Sequence[Call], game: Game) -> list[Receipt]:
    """Our answers to wishes hidden in the reasons for other wishes."""
    wishes = [wish for one in commands if (wish := second_wish(one, game))]
    said = "\n".join(IN_THE_REASON.format(wish) for wish in wishes)
    return [Receipt("In your reason", said)] if wishes else []


def _wish(clause: str, game: Game) -> str:
    """The wish of a clause that begins with a kind word and a command's word, or is a whole
    command; "" for any other."""
    lead = _BESIDES.match(clause)
    text = clause[lead.end() :] if lead else clause
    known = WORDS.get(text.split()[0].strip(",.").lower()) if text else None
    if known is None or known.command not in COMMANDS:
        return ""
    if lead and _ALSO.match(lead[0]):
        return text
    word, argument = command_in(text, WORDS)
    one = Call(word.command, f"{argument} because reason", 0) if word and argument else None
    works = one is not None and COMMANDS[one.command].changes and can_be_read(one, game)
    return text if works else ""
