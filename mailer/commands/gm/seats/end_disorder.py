"""ENDDISORDER: a power may order again."""

from __future__ import annotations

from games.acts import end_disorder
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import power_of, split_reason


class EndDisorder(ActCommand[end_disorder.Parameters]):
    name = "enddisorder"
    aliases = ("revive",)
    usage = "ENDDISORDER power because reason"
    summary = "take a power's orders again, and wait for them"
    help = (
        "We ask you to confirm it first.\n"
        "Example: ENDDISORDER Italy because Emma is back from hospital"
    )
    act = end_disorder.EndDisorder()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> end_disorder.Parameters:
        power, why = split_reason(call.argument)
        return end_disorder.Parameters(power=power_of(game, power), why=why)
