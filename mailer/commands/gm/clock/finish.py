"""FINISH: a game ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from games.acts import end
from games.acts.powers import remaining
from games.errors import BadInput
from games.models import Game
from games.queries.parsing.press_audience import read_audience
from games.queries.players.seats import power_names
from games.queries.reports.wording import listed
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import split_reason

_RESULT = re.compile(
    r"(?:(?:as|in|with|an?|the|it|draw|win|won|victory|solo|conce(?:de|ssion)|between|among|of|for|to)\b[\s:,]*)*",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"(?:(?:as|in|with|it|an?)\s+)*draw[\s:,]*(?:(?:among|between|of|all|the|survivors|everybody|everyone)\b\s*)*",
    re.IGNORECASE,
)
_DRAW = re.compile(r"(?:(?:as|in|with|it|an?)\s+)*draw\b", re.IGNORECASE)
_NO_DRAW = "A draw is shared by two powers or more. If {0} has won, write FINISH WIN {0} and why."
_NO_RESULT = ("", "none", "nobody", "without result", "no result")


class Finish(ActCommand[end.Parameters]):
    name = "finish"
    aliases = ("terminate", "endgame")
    usage = "FINISH DRAW power, power because reason"
    summary = "end the game with a winner, a draw or no result"
    help = (
        "Only a rollback brings it back; before the start nothing does. Everybody is told the "
        "reason. We ask you to confirm it first.\n"
        "Example: FINISH DRAW France, Italy because all have agreed to it\n"
        "Example: FINISH DRAW because all have agreed to it (among all survivors)\n"
        "Example: FINISH WIN France because the others have conceded\n"
        "Example: FINISH NONE because too few have stayed"
    )
    act = end.End()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> end.Parameters:
        result, why = split_reason(call.argument)
        if _OF_ALL.fullmatch(result):
            return end.Parameters(winners=tuple(sorted(remaining(game))), why=why)
        named = _RESULT.sub("", result, count=1).strip()
        if result.strip() and not named:
            raise BadInput("Please write who has won.")
        if named.lower() in _NO_RESULT:
            return end.Parameters(why=why)
        winners = _winners(named, power_names(game))
        if len(winners) == 1 and _DRAW.match(result):
            raise BadInput(_NO_DRAW.format(winners[0]))
        return end.Parameters(winners=winners, why=why)


def _winners(text: str, powers: Sequence[str]) -> tuple[str, ...]:
    """The powers that share the result. Raises BadInput."""
    with suppress(BadInput):
        if found := read_audience(text, powers, "").powers:
            return found
    raise BadInput(f"We cannot read “{text}” as powers of this game: {listed(powers)}.")
