"""REPLACE: another player gets a power."""

from __future__ import annotations

import re

from games.acts import replace
from games.errors import BadInput
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, power_of, split_reason

_BY = re.compile(
    r"(?P<power>.+?)(?<!\s)\s++(?:(?:by|with|to)\s+(?P<player>.+)|(?P<address>\S+@\S+))",
    re.IGNORECASE,
)

_OTHER_GM = (
    "To have somebody else run the game, choose Add a co-GM or deputy on the game's page in the "
    "admin."
)


class Replace(ActCommand[replace.Parameters]):
    name = "replace"
    aliases = ("substitute", "seat")
    usage = "REPLACE power BY player because reason"
    summary = "give a power to another player, whoever has it now"
    help = (
        "Name the player as they are registered, or write their address. Everybody is told the "
        "reason. Before the start it gives them a power that nobody has yet, and only they are "
        "told. We ask you to confirm it first.\n"
        "Example: REPLACE France BY hugo@players.example because Carla has fallen ill"
    )
    act = replace.Replace()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> replace.Parameters:
        who, why = split_reason(call.argument)
        match = _BY.fullmatch(who)
        if match is None:
            raise BadInput("Please say who will play it.")
        if match["power"].lower() in ("me", "myself"):
            raise BadInput(_OTHER_GM)
        return replace.Parameters(
            power=power_of(game, match["power"]),
            player=match["player"] or match["address"],
            why=why,
        )
