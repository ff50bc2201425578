"""OFFER: an open seat is offered to people on the standby list."""

from __future__ import annotations

from games.acts import offer
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import power_of, split_reason


class Offer(ActCommand[offer.Parameters]):
    name = "offer"
    usage = "OFFER power"
    summary = "offer an open seat to those on the standby list"
    help = "The first to accept gets it. Nobody else is told.\nExample: OFFER France"
    act = offer.Offer()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> offer.Parameters:
        return offer.Parameters(power=power_of(game, split_reason(call.argument)[0]))
