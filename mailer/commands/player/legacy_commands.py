"""Words of the older judges (njudge, DPjudge) for what is done otherwise here, or by others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Asked, Call, Takes
from mailer.identity.senders import Sender

_FOR_GMS = (
    "That is for the game master. If you are one, reply to a mail that you got as the game master, "
    "or write GM and the game's name in front; GM HELP shows what you can do. If you are not, "
    "write to the game master: PRESS TO GM."
)
_PRIVATE = (
    "We tell nobody who is registered here. Your game's start mail says who plays in it, unless "
    "the game is anonymous; STATUS shows how the game stands."
)
_HELP_ONLY = (
    "There are no files to be sent. HELP shows everything you can write, HELP and a command "
    "explains it."
)
_ADDRESS = (
    "To be known under another address as well, write SET ADDRESS and that address: we ask there "
    "whether it is yours."
)
_STORY = "HISTORY shows the last phase, HISTORY F1901M another one, MAP the board, STATUS the pace."

SENTENCES: Mapping[str, str] = {
    **dict.fromkeys(("get", "send"), _HELP_ONLY),
    **dict.fromkeys(("whois", "whogame", "inquire"), _PRIVATE),
    **dict.fromkeys(
        (
            "become",
            "process",
            "rollback",
            "rollforward",
            "unstart",
            "forcebegin",
            "predict",
            "preview",
            "eject",
            "promote",
            "pause",
            "suspend",
            "resume",
            "terminate",
            "activate",
            "form",
            "dummy",
            "revive",
            "official",
            "reveal",
            "control",
            "invite",
            "deny",
            "approve",
            "vacate",
            "setorders",
            "enddisorder",
            "rename",
        ),
        _FOR_GMS,
    ),
    "version": "This is neither njudge nor DPjudge. HELP shows everything that you can write here.",
    "iamalso": _ADDRESS,
    "summary": _STORY,
    "postalpress": "Press is passed on at once, not with the results: write PRESS TO and to whom.",
    "dedication": "STATUS shows how the game stands; LOG shows what came in time and what did not.",
}


class Former(Verb):
    name = "former"
    aliases: ClassVar[tuple[str, ...]] = tuple(SENTENCES)
    aliases_are = "These are such words"
    usage = "words of older judges"
    summary = "we say what to write here instead"
    help = "Most words of njudge and DPjudge work here, too; for the others we say what to do."
    takes = Takes.MAYBE
    asked = Asked.ITSELF
    # "Get ready" or "Process of elimination, I know" are no commands: sentences are longer.
    argument = re.compile(r"(\S+\s*){0,3}")

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        word = call.word.upper() or "That"
        text = SENTENCES.get(call.word, _HELP_ONLY)
        return Receipt(title=f"About {word}", text=text, done=False)
