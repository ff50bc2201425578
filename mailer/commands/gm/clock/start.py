"""START: a game begins, now or at a time that is set."""

from __future__ import annotations

import datetime as dt
import re

from django.contrib.auth.models import User

from games.acts import settings, start
from games.acts.parameters import Nothing
from games.errors import BadInput
from games.models import Game
from games.queries.parsing.start_times import EXAMPLE, means_no_start
from games.queries.players.seats import seats_free
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, GmAnswer
from mailer.commands.gm.lines.arguments import NEEDLESS, moment_and_reason, split_reason

_AT = re.compile(r"(?:(?:at|on|by|time|date)\b[\s:,]*)*", re.IGNORECASE)
"""Words that may stand before the day, and nowhere else: "Sat" and "Mon" end with such words."""


class _StartAt(ActCommand[settings.Parameters]):
    name = "start"
    usage = "START day and time because reason"
    summary = "set the time at which it starts"
    help = ""
    act = settings.Settings()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> settings.Parameters:
        before = _AT.match(call.argument)
        text = call.argument[before.end() if before else 0 :]
        at, why = moment_and_reason(text)
        at, why = (at, why) if at else split_reason(text)
        if not at:
            raise BadInput(f"Please write the day and the time after START, for example: {EXAMPLE}")
        return settings.Parameters(changes={"start": at}, why=why)


_START_AT = _StartAt()


class Start(ActCommand[Nothing]):
    name = "start"
    aliases = ("begin", "forcebegin")
    usage = "START [day and time because reason]"
    summary = "start a game whose seats are all taken, or set the time at which it starts"
    help = (
        "START alone gives out the powers and opens the first phase; we ask you to confirm it "
        "first. With a day and a time, in the game's time zone, the game starts then if all seats "
        "are taken, and otherwise a week later; if it has not filled after four more weeks, it "
        "is closed. Everybody who has joined is told, and reminded some hours before.\n"
        "Example: START Saturday 20:00 because you can all play then\n"
        "Example: START OFF because we cannot find a day (the game starts when it is full)"
    )
    act = start.Start()
    grave = True

    def asks_first(self, call: Call, game: Game, now: dt.datetime) -> bool:
        return not _is_time(call) or (means_no_start(_time_in(call)) and not seats_free(game))

    def foresee(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        if _is_time(call):
            return _START_AT.foresee(call, game, user, now)
        return super().foresee(call, game, user, now)

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        if _is_time(call):
            return _START_AT.run(call, game, user, now)
        return super().run(call, game, user, now)

    def read(self, call: Call, game: Game) -> Nothing:
        return Nothing()


def _is_time(call: Call) -> bool:
    """Whether the word is followed by more than "the game" or "now", and a reason."""
    said = _time_in(call)
    return bool(said) and not NEEDLESS.fullmatch(said)


def _time_in(call: Call) -> str:
    """The text between the word and the reason."""
    return split_reason(call.argument)[0]
