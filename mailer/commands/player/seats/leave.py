"""LEAVE: gives back a seat in a game that has not started."""

from __future__ import annotations

import re

from games.errors import WrongState
from games.queries.parsing.game_names import game_by_name
from games.queries.players.seats import PLAYED
from games.services.seating.joining import game_leave
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.lines.reasons import without_reason
from mailer.commands.receipt import Receipt
from mailer.commands.seats import require_not_over
from mailer.identity.senders import Sender


class Leave(PlayerCommand):
    name = "leave"
    aliases = ("unjoin", "withdraw")
    usage = "LEAVE game"
    summary = "give back your seat in a game that has not started"
    help = (
        "Write LEAVE and the game's name. It works until the game starts, and while you wait to be "
        "let in. To give up a power that you play, write RESIGN."
    )
    takes = Takes.SOMETHING
    names_game = True
    argument = re.compile(
        r"(?!.*\b(?:orders?|moves?|where|alone|in\s+place)\b)(?!(?:me|us|him|her|them|it|that|this)\b)"
        r"(?!(?:(?:my|the)\s+)?(?:a|f|army|fleet)\s+(?!game\b)\w).*",
        re.IGNORECASE,
    )
    """Not about a seat: "Withdraw my order for Brest", "Leave Marseilles where it is"."""
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, player = game_by_name(without_reason(call.argument)), player_of(sender)
        require_not_over(game, "so there is no place to give back", player)
        if game.status in PLAYED:
            raise WrongState(
                f"The game {game.name} has started, so LEAVE does nothing. To give up your power "
                f"in it, write RESIGN {game.name}"
            )
        had_place = game_leave(
            game=game,
            player=player,
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
