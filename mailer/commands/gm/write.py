"""WRITE: a mail to all players, or to some."""

from __future__ import annotations

import datetime as dt
import re

from django.contrib.auth.models import User

from games.acts import write
from games.models import Game
from games.queries.parsing.press_audience import read_audience
from games.queries.players.seats import power_names, powers_by_name
from mailer.commands import gm
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand, GmAnswer
from mailer.commands.gm.lines.arguments import names_apart, power_of_player
from mailer.commands.lines.press_heading import require_for_all
from mailer.commands.lines.which_command import command_of
from mailer.letter import text_of

_ONLY_WRITTEN = (
    "That was sent, too, and nothing else was done about it. To have it done, write it below a "
    "line END, or in a mail of its own."
)
_TO = re.compile(r"(?:to\b)?\s*(?P<to>[^:]*)(?::\s*(?P<text>.*))?", re.IGNORECASE)


class Write(ActCommand[write.Parameters]):
    name = "write"
    aliases = ("broadcast", "announce", "press")
    usage = "WRITE TO ALL, or WRITE TO power, power"
    summary = "write to all players, or to some"
    help = (
        "Write your text on the lines below it; END closes it. It goes out in your name as the "
        "game master. An answer comes to you, and a reply to all goes to all who got it, too.\n"
        "Example: WRITE TO ALL\n"
        "Example: WRITE TO Italy, Turkey"
    )
    act = write.Write()
    argument = re.compile(r"(to\b.*)?", re.IGNORECASE)
    has_body = True
    prose = True

    def read(self, call: Call, game: Game) -> write.Parameters:
        match = _TO.fullmatch(call.argument)
        assert match, "anything matches"
        to = read_audience(_powers_of(game, match["to"]) or "all", power_names(game), "")
        text = "\n".join(filter(None, [match["text"], text_of(call.lines)]))
        require_for_all(text, to, power_names(game), powers_by_name(game), "WRITE")
        return write.Parameters(to=() if to.public else to.powers, text=text)

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        said = super().run(call, game, user, now)
        stray = next((line.text for line in call.lines if _is_command(line.text)), "")
        note = f"\n\nYou wrote “{stray}” in it. {_ONLY_WRITTEN}" if stray else ""
        return said._replace(text=f"{said.text}{note}")


def _is_command(text: str) -> bool:
    """Whether a line of a text is a command, judging by a first word in capitals."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    command = command_of(text, gm.WORDS) if word.isupper() and "?" not in text else None
    return command is not None and gm.COMMANDS[command].changes


def _powers_of(game: Game, text: str) -> str:
    """The powers written to; a player's name counts as their power."""
    named = names_apart(text)
    powers = [power_of_player(game, one) for one in named]
    if not any(powers):
        return text
    return ", ".join(power or one for power, one in zip(powers, named, strict=True))
