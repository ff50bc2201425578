"""PROOF: what a signed receipt is good for, and a game's proof file by mail."""

from __future__ import annotations

import re

from django.conf import settings

from games.queries.audit.proofs import packed_lines, proof_file
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import game_watched
from mailer.identity.senders import Sender


class ProofFile(PlayerCommand):
    name = "proof"
    aliases = ("proofs",)
    usage = "PROOF [game]"
    summary = "get what it takes to check your game on your own machine"
    help = (
        "Mails you the proof file of your game: its log with all digests, and the orders of every "
        "phase that is over, with the salts of their seals. With it anybody can check, without "
        "this server, that nothing in the game was changed afterwards.\n"
        "Example: PROOF\n"
        "A receipt of orders ends with lines that begin with two colons: the orders that stand for "
        "you, when your mail came, and our signature. Keep that mail. Should the game ever be "
        "played with other orders than those, it proves what we had confirmed. Until the phase is "
        "over nobody but you can open the seal of your orders. The lines with colons in a result "
        "mail name the digest of the log, and of what the phase brought. docs/proofs.md of the "
        "program, and the page /proofs/ of this server, say how to check all of it with the mails "
        "you have."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.SHOWN
    argument = re.compile(r"\S*")  # "Proof that you lied" is said to people

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, _, _ = game_watched(call.argument, sender)
        return Receipt(
            title=f"The proof file of {game.name}",
            text="\n".join(
                [
                    f"To check it, save this mail and follow {settings.SITE_URL}/proofs/.",
                    "",
                    *packed_lines(proof_file(game)),
                ]
            ),
            subject=f"[{game.name}] The proof file",
        )
