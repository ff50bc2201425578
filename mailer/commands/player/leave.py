"""LEAVE: a seat in a forming game is given back."""

from __future__ import annotations

import re

from games.queries import lookup
from games.services.joining import game_leave
from mailer.commands.base import Arrival, Receipt, Verb, player_of
from mailer.commands.calls import Call, Takes
from mailer.identity.senders import Sender


class Leave(Verb):
    name = "leave"
    aliases = ("unjoin", "withdraw")
    usage = "LEAVE game"
    summary = "give back your seat in a game that has not started"
    help = (
        "Write LEAVE and the game's name. It works until the game starts, and while you wait to be "
        "let in."
    )
    takes = Takes.SOMETHING
    argument = re.compile(r"(?!.*\b(?:orders?|moves?)\b).*", re.IGNORECASE)
    """"Withdraw my order for Brest" is about no seat."""
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game = lookup.game_by_name(call.argument)
        had_place = game_leave(
            game=game,
            player=player_of(sender),
            now=arrival.now,
            received_at=arrival.received_at,
        )
        return Receipt(
            title=f"You have left {game.name}",
            text=f"Your seat in the game {game.name} is free again."
            if had_place
            else f"You no longer wait to be let into the game {game.name}.",
            subject=f"[{game.name}] You have left",
        )
