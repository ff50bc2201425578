"""WRITE and ORDERS: what a GM writes to players, and orders that he sets in a player's place."""

from __future__ import annotations

import re

from games.audience import read_audience
from games.models import Game
from games.services.games import power_names
from mailer.gm.base import Answers, Deed, power_of, split_reason
from mailer.script import Call, Takes, text_of

_TO = re.compile(r"(?:to\b)?\s*(?P<to>[^:]*)(?::\s*(?P<text>.*))?", re.IGNORECASE)


class Write(Deed):
    name = "write"
    aliases = ("broadcast", "announce", "press")
    usage = "WRITE TO ALL, or WRITE TO power, power"
    summary = "write to all players, or to some"
    help = (
        "Your text stands on the lines below it; END closes it. It goes out in your name as the "
        "game master. Answers come to you alone.\n"
        "Example: WRITE TO ALL\n"
        "Example: WRITE TO Italy, Turkey"
    )
    act = "write"
    argument = re.compile(r"(to\b.*)?", re.IGNORECASE)
    has_body = True
    prose = True

    def answers(self, call: Call, game: Game) -> Answers:
        match = _TO.fullmatch(call.argument)
        assert match, "anything matches"
        to = read_audience(match["to"] or "all", power_names(game), "")
        text = "\n".join(filter(None, [match["text"], text_of(call.lines)]))
        return {"to": [] if to.public else list(to.powers), "text": text}


class Orders(Deed):
    name = "setorders"
    aliases = ("become",)
    usage = "SETORDERS power because reason"
    summary = "give a power's orders in its player's place"
    help = (
        "The orders stand on the lines below it; END closes them. Everybody is told that it was "
        "done, and why, but not which orders. You are asked first whether to do it.\n"
        "Example: SETORDERS Italy because his provider is down"
    )
    act = "set_orders"
    grave = True
    takes = Takes.SOMETHING
    has_body = True

    def answers(self, call: Call, game: Game) -> Answers:
        power, why = split_reason(call.argument)
        lines = "\n".join(line.text for line in call.lines)
        return {"power": power_of(game, power), "orders": lines, "why": why}
