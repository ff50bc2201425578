"""VACATE: a player loses a power, and the seat is open."""

from __future__ import annotations

from games.acts import vacate
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import power_and_reason, power_of


class Vacate(ActCommand[vacate.Parameters]):
    name = "vacate"
    aliases = ("eject", "kick")
    usage = "VACATE power because reason"
    summary = "take a power from its player, and offer the seat to others"
    help = (
        "Everybody is told the reason. We ask you to confirm it first.\n"
        "Example: VACATE France because nothing has come for two weeks"
    )
    act = vacate.Vacate()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> vacate.Parameters:
        power, why = power_and_reason(game, call.argument)
        return vacate.Parameters(power=power_of(game, power), why=why)
