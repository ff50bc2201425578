"""LOG: every act in a game, with digests that would show later changes."""

from __future__ import annotations

from games.queries.reports.log_text import Entry, entries
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import game_watched
from mailer.identity.senders import Sender


class Log(PlayerCommand):
    name = "log"
    aliases = ("chronicle", "audit")
    usage = "LOG [game]"
    summary = "see everything that players, GM and server did in your game"
    help = (
        "Lists what happened in the game. Each entry ends with the first digits of its digest, "
        "which depends on all entries before it. Every result mail names the newest digest: if "
        "it still stands in the log, nothing before it was changed. PROOF mails you all of "
        "it, to be checked without us.\n"
        "Example: LOG\n"
        "It is for those who play, have played or observe the game."
    )
    takes = Takes.MAYBE
    names_game = True
    asked = QuestionMark.SHOWN

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, _, _ = game_watched(call.argument, sender)
        lines = [_line(entry) for entry in entries(game)]
        return Receipt(
            title="What happened so far",
            text="\n".join([f"The log of the game {game.name}:", "", *lines]),
            subject=f"[{game.name}] The log",
        )


def _line(entry: Entry) -> str:
    return f"- {entry.number}. {entry.at}: {entry.sentence} [{entry.digest}]"
