"""REPLACE: another player gets a power."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.acts import replace
from games.errors import BadInput, NotAllowed
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import (
    FEWEST_WORDS,
    LETTERS,
    is_reason,
    names_apart,
    power_of,
    powers_in,
    split_reason,
)

_BY = re.compile(
    r"(?P<power>.+?)(?<!\s)\s++(?:(?:by|with|to)\s+(?P<player>.+)|(?P<address>\S+@\S+))",
    re.IGNORECASE,
)

_OTHER_GM = (
    "To have somebody else run the game, choose Add a co-GM or deputy on the game's page in the "
    "admin."
)
_RESPECTIVELY = re.compile(r",?\s+respectively\W*$", re.IGNORECASE)


class Replace(ActCommand[replace.Parameters]):
    name = "replace"
    aliases = ("substitute", "seat")
    usage = "REPLACE power BY player because reason"
    summary = "give a power to another player, whoever has it now"
    help = (
        "Name the player as they are registered. If they have played, or asked to play, in a game "
        "of yours, their address will do. Everybody is told the reason. Before the start it gives "
        "them a power that nobody has yet, and only they are told. We ask you to confirm it "
        "first.\n"
        "Example: REPLACE France BY Hugo because Carla has fallen ill"
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
        player = match["player"] or match["address"]
        name, _, said = player.partition(", ")
        if not why and is_reason(said) and len(LETTERS.findall(said)) >= FEWEST_WORDS:
            player, why = name, said
        if powers := powers_in(game, match["power"]):
            raise NotAllowed(_one_by_one(powers, player, why))
        return replace.Parameters(
            power=power_of(game, match["power"]),
            player=player,
            why=why,
        )


def _one_by_one(powers: Sequence[str], players: str, why: str) -> str:
    """What to write for several powers: replace them one by one, since nobody plays two."""
    names = names_apart(_RESPECTIVELY.sub("", players))
    matched = names if len(names) == len(powers) else ["player"] * len(powers)
    lines = [
        f"REPLACE {power} BY {name} because {why or 'reason'}"
        for power, name in zip(powers, matched, strict=True)
    ]
    said = "Please give each power to its player in a mail of its own. Write:"
    return "\n".join([said, *lines])
