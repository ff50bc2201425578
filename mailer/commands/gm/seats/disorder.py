"""DISORDER: a power's units hold, and nobody waits for it."""

from __future__ import annotations

from games.acts import disorder
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import power_and_reason, power_of


class Disorder(ActCommand[disorder.Parameters]):
    name = "disorder"
    aliases = ("cd", "abandon", "dummy")
    usage = "DISORDER power because reason"
    summary = "declare civil disorder: a power's units hold, and nobody waits for it"
    help = (
        "Its seat opens, and we offer it to those on the standby list. Until somebody takes it, "
        "orders, READY or RETURN bring its player back. We ask you to confirm it first.\n"
        "Example: DISORDER Italy because Emma has not been heard of"
    )
    act = disorder.Disorder()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> disorder.Parameters:
        power, why = power_and_reason(game, call.argument)
        return disorder.Parameters(power=power_of(game, power), why=why)
