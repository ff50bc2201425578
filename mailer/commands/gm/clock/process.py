"""PROCESS: the open phase is adjudicated now."""

from __future__ import annotations

import re

from games.acts import process_now
from games.acts.game import phase_of
from games.errors import BadInput, WrongState
from games.models import Game
from games.queries.board import is_phase, phase_title
from games.queries.parsing.dates import begins_with_day
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import any_reason
from mailer.reading.patterns import any_of, one_word, says

_NEEDLESS = re.compile(
    r"(?:(?:the|this|current|open|turn|phase|season|round|game|orders|moves|it|now|early|please"
    r"|at\s+once|right\s+away)\b[\s,.!]*)+",
    re.IGNORECASE,
)
"""What may stand between PROCESS and the reason."""
_EVERYBODY = any_of(
    r"(?:all|each|every(?:body|one)?)\b", "we have (?:all|every)", "nobody", "no ?one", "the last"
)
_ARE_IN = one_word(
    "in here there ready orders? ordered moves? sen[dt] submit(?:ted)? arrived? received done"
    " missing late"
)
_WHEN_ALL_IN = says(
    rf"\W*(?:only )?(?:when(?:ever)?|once|as soon as|if|after|the moment) {_EVERYBODY}"
    rf"(?!.*\b(?:agree|want|vote|ok|happy)).{{0,40}}\b{_ARE_IN}\b",
)
"""Asks for what happens anyway: “process as soon as all orders are in”."""
_LATER = says(
    r"\W*(?:tonight|later|next|in (?:an?|\d+)|at \d+|on the \d+|not)\b",
)
"""Asks for another time, and so is no reason; days by name are looked for separately."""
_BY_ITSELF = (
    "That happens by itself: as soon as all orders are in, and nobody has said WAIT, the phase is "
    "decided, after the time that the game leaves for second thoughts. To decide it now, whatever "
    "is missing, write: PROCESS"
)
_NOT_EARLY = (
    "{} decides no phase before its deadline. To have it done as soon as all orders are in, choose "
    "Change settings on the game's page in the admin, and there Early processing. To decide this "
    "phase now, whatever is missing, write: PROCESS"
)


class Process(ActCommand[process_now.Parameters]):
    name = "process"
    aliases = ("adjudicate",)
    usage = "PROCESS [phase] [because reason]"
    summary = "adjudicate the open phase now, whatever the deadline"
    help = (
        "Nobody waits for missing orders. Everybody is told the reason. We ask you to confirm it "
        "first. If you name a phase, we do it only if that one is open.\n"
        "Example: PROCESS because all who still owe orders have told me that they are done"
    )
    act = process_now.ProcessNow()
    grave = True

    def not_now(self, argument: str, game: Game) -> str:
        if not _WHEN_ALL_IN.match(_NEEDLESS.sub("", argument, count=1)):
            return super().not_now(argument, game)
        return _BY_ITSELF if game.process_early else _NOT_EARLY.format(game.name)

    def read(self, call: Call, game: Game) -> process_now.Parameters:
        said = _NEEDLESS.sub("", call.argument, count=1)
        if _WHEN_ALL_IN.match(said) or _LATER.match(said) or begins_with_day(said):
            raise WrongState(self.not_now(said, game))
        first, _, rest = said.partition(" ")
        named, now = first.strip(".,:").upper(), phase_of(game).name
        if not is_phase(named):
            return process_now.Parameters(why=any_reason(said))
        if named != now:
            raise BadInput(f"{phase_title(named)} is not open: it is {phase_title(now)}.")
        return process_now.Parameters(why=any_reason(rest))
