"""EXTEND: the deadline moves."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from django.contrib.auth.models import User

from games.acts import extend
from games.errors import BadInput, GameError
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, GmAnswer
from mailer.commands.gm.lines.arguments import (
    any_reason,
    length_and_reason,
    moment_and_reason,
    name_at,
)

_REGULAR = re.compile(
    r"(?:to\s+)?(?:the\s+)?(?:next\s+)?regular(?:\s+deadline)?\b[\s:,-]*", re.IGNORECASE
)

_NEEDLESS = re.compile(
    r"(?:(?:the|this|our|next|current|deadline|phase|turn|game|it|back|out)\b[\s,:]*)+"
    r"(?=(?:by|to|until|till|for|\d|an?|one)\b)",
    re.IGNORECASE,
)
"""What may stand between EXTEND and how far."""
_FOR = "for "
_FOR_ALL = "- All powers have the same deadline: it moves for everybody, not for {} alone."
_BARE_NUMBER = re.compile(r"(?:(?:by|for)\s+)?(\d{1,3})(?=$|\s+because\b)", re.IGNORECASE)


class Extend(ActCommand[extend.Parameters]):
    name = "extend"
    aliases = ("postpone", "delay")
    usage = "EXTEND length | TO date | REGULAR because reason"
    summary = "move the deadline of the open phase to a later time"
    help = (
        "REGULAR is the next time of the game's clock. Everybody is told the reason. If you put "
        "the deadline off too far by mistake, EXTEND TO and the right time takes it back, but not "
        "to before the deadline that you had put off, and everybody gets a day to read of it, or "
        "a phase's length if that is less. We ask you to confirm this first, as we do when you put "
        "a deadline off by months. Moderators can take it back, too, but only they can take back a "
        "delay of theirs.\n"
        "Example: EXTEND 24h because the mail server was down\n"
        "Example: EXTEND TO 2026-12-28 20:00 because of the holidays\n"
        "Example: EXTEND TO Friday 21:00 because two of you are ill\n"
        "Example: EXTEND REGULAR because France is ill"
    )
    act: extend.Extend = extend.Extend()
    takes = Takes.SOMETHING
    for_all = "Extend all games"

    def asks_first(self, call: Call, game: Game, now: dt.datetime) -> bool:
        try:
            self.act.check(given := self.read(call, game))
            return bool(_for_one(given.why, game)) or self.act.is_unusual(game, given, now)
        except GameError:
            return False  # it is refused at once

    def foresee(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        said = super().foresee(call, game, user, now)
        name = _for_one(self.read(call, game).why, game)
        return GmAnswer(f"{_FOR_ALL.format(name)}\n{said.text}") if name else said

    def read(self, call: Call, game: Game) -> extend.Parameters:
        given = self._parse(call)
        why = f"{_FOR}{given.why}"
        is_for_one = call.argument.lower().endswith(why.lower()) and _for_one(why, game)
        return replace(given, why=why) if is_for_one else given

    def _parse(self, call: Call) -> extend.Parameters:
        text = _NEEDLESS.sub("", call.argument, count=1)
        if found := _REGULAR.match(text):
            return extend.Parameters(why=any_reason(text[found.end() :]))
        to, why = moment_and_reason(text)
        if to:
            return extend.Parameters(to=to, why=why)
        length, why = length_and_reason(text)
        if length is None and (number := _BARE_NUMBER.match(text)):
            raise BadInput(f"Do you mean {number[1]}h or {number[1]}d, hours or days?")
        if length is None:
            raise BadInput("Please say how much later, or TO and a date.")
        return extend.Parameters(later=length, why=why)


def _for_one(why: str, game: Game) -> str:
    """The one power or player that the extension may be meant for: “24h for Germany”; "" for
    everybody."""
    return name_at(game, why.removeprefix(_FOR)) if why.startswith(_FOR) else ""
