"""PAUSE: the clock stops."""

from __future__ import annotations

import datetime as dt
import re

from games.acts import pause
from games.errors import BadInput
from games.models import Game
from games.queries.parsing.dates import begins_with_day
from games.queries.parsing.lengths import length_and_rest
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import moment_and_reason, split_reason
from mailer.reading.patterns import one_word, says

_BEGINS_NOW = (
    "A pause begins at once, so it has no first day. Write UNTIL and the day on which the clock is "
    "to run again. To keep deadlines off days to come, set them as days off on the game's page in "
    "the admin."
)

_NO_DAY = (
    "We cannot read “{}” as a day, so nothing is paused. Write days like 24 Dec or 2026-12-24; "
    "without a day, PAUSE and why stops the clock until RESUME."
)
_NEEDLESS = says(rf"(?:{one_word('please now again the this our game clock it')}\b\W*)+")
"""Words that may stand between PAUSE and the reason.

Anything else might be how long the pause lasts; ignored, it would leave the clock stopped until
somebody notices.
"""
_IDLY = says(r"for (?:(?:a|one|some) )?(?:moment|minute|second|while|breath|thought|effect)s?\b")
"""Words after PAUSE that make it no command: “PAUSE for thought: who expected that?”"""
_UNTIL = re.compile(r"(?:until|till|to)\b", re.IGNORECASE)
_FOR = re.compile(r"for\s+(.+?)\s+because\b", re.IGNORECASE)


class Pause(ActCommand[pause.Parameters]):
    name = "pause"
    aliases = ("suspend",)
    usage = "PAUSE [length | UNTIL date] because reason"
    summary = "stop the clock, for that long, until that day, or until RESUME"
    help = (
        "Orders are still taken. Everybody is told the reason. In a paused game it changes the end "
        "of the pause. A day without a time means the time "
        "of the game's movement deadlines, or the beginning of that day where they have none.\n"
        "Example: PAUSE 10d because of the holidays\n"
        "Example: PAUSE UNTIL 2027-01-02 because of the holidays\n"
        "Example: PAUSE UNTIL Jan 7 21:00 because of the holidays\n"
        "Example: PAUSE because we are looking for a substitute"
    )
    act = pause.Pause()
    takes = Takes.SOMETHING
    for_all = "Pause all games"

    def asks_first(self, call: Call, game: Game, now: dt.datetime) -> bool:
        return bool(_IDLY.match(call.argument)) or super().asks_first(call, game, now)

    def read(self, call: Call, game: Game) -> pause.Parameters:
        needless = _NEEDLESS.match(call.argument)
        after = call.argument[needless.end() :] if needless else ""
        said = after if _UNTIL.match(after) else call.argument
        to, why = moment_and_reason(said)
        if to:
            return _until(to, why)
        length, rest = length_and_rest(said)
        if length is None and begins_with_day(said):
            raise BadInput(_BEGINS_NOW)
        before, why = split_reason(rest)
        wished = _FOR.match(rest)
        if wished or (why and before and not _NEEDLESS.fullmatch(before)):
            unread = wished[1] if wished else before
            raise BadInput(f"We cannot read “{unread}” as a length of time, so nothing is paused.")
        left = "" if _NEEDLESS.fullmatch(before) else before
        return pause.Parameters(length=length, why=why or left)


def _until(to: str, why: str) -> pause.Parameters:
    """A pause until that day. Raises BadInput for text that names no day."""
    if not (begins_with_day(to) or re.search(r"\d", to)):
        raise BadInput(_NO_DAY.format(to))
    return pause.Parameters(to=to, why=why)
