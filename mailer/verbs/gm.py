"""GM: what a game master writes by mail; each command a class of its own in `mailer.gm`."""

from __future__ import annotations

from games.errors import NotAllowed
from mailer.gm import asking
from mailer.identity import Sender
from mailer.script import Call, Takes
from mailer.verbs.base import Arrival, Receipt, Verb


class Gm(Verb):
    name = "gm"
    usage = "GM game command"
    summary = "for game masters: act on your game"
    help = (
        "For the game master of a game. Write GM and a command, or GM and the game's name and the "
        "commands below it. In a reply to a mail that you got as the game master the commands "
        "alone do. What cannot be taken back, and what comes without proof, is asked back first.\n"
        "Example: GM EXTEND 24h because the mail server was down\n"
        "Example: GM marne HELP (shows all commands)"
    )
    takes = Takes.MAYBE
    has_body = True
    prose = True
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if sender.user is None:
            raise NotAllowed("You are not the game master of a game here.")
        outcomes = asking.outcomes(call, sender, arrival.now)
        text = "\n\n".join(
            "\n".join([f"{one.title}{'' if one.done else ' (NOT DONE)'}:", "", *one.lines])
            for one in outcomes
        )
        game = asking.game_of(call, sender)
        what = outcomes[0].title if len(outcomes) == 1 else "Your commands"
        return Receipt(
            title=f"Your commands for {game.name}",
            text=text,
            done=all(one.done for one in outcomes),
            subject=f"[{game.name}] {what}",
        )
