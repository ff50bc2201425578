"""OBSERVE: follow a game without playing in it."""

from __future__ import annotations

from typing import ClassVar

from games.errors import BadInput
from games.queries.parsing.game_names import game_by_name
from games.services.seating.observers import observe, observe_no_more
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import require_not_over
from mailer.identity.senders import Sender

_NO_MORE = {"off", "no", "end", "stop"}


class Observe(PlayerCommand):
    name = "observe"
    aliases: ClassVar[tuple[str, ...]] = ("watch",)
    usage = "OBSERVE game"
    summary = "follow a game in which you do not play"
    help = (
        "You get the results of each phase, and what is written to everybody. You see no other "
        "press and no orders before they are carried out, and you can neither order nor vote. "
        "HISTORY, MAP and STATUS with the game's name work for you, too.\n"
        "Example: OBSERVE marne\n"
        "Example: OBSERVE marne OFF (stops the mails about it)"
    )
    takes = Takes.SOMETHING
    names_game = True
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        words = call.argument.strip(" .!").split()
        off = [word for word in words if word.lower() in _NO_MORE]
        names = [word for word in words if word not in off]
        if len(names) != 1:
            raise BadInput("Please name one game, for example: OBSERVE marne, or OBSERVE marne OFF")
        game = game_by_name(names[0])
        if off:
            observe_no_more(game=game, player=player, now=arrival.now)
            text = f"You no longer observe the game {game.name}, and get no more mail about it."
        else:
            require_not_over(game, "so there is nothing left to observe", player)
            observe(game=game, player=player, now=arrival.now)
            text = (
                f"You now observe the game {game.name}: you get the results of each phase, "
                f"and what is written to everybody. To end that, write OBSERVE {game.name} OFF"
            )
        return Receipt(
            title=f"Observing {game.name}", text=text, subject=f"[{game.name}] Observing"
        )
