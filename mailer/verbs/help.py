"""HELP: generated from the commands themselves."""

from __future__ import annotations

from collections.abc import Mapping

from mailer import verbs
from mailer.identity import Sender
from mailer.script import Call, Takes
from mailer.verbs.base import Arrival, Receipt, Verb


class Help(Verb):
    name = "help"
    aliases = ("info",)
    usage = "HELP [command]"
    summary = "see all commands, or one of them explained"
    help = "Write HELP for all commands, or HELP and a command for what there is to know about it."
    takes = Takes.MAYBE
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        wanted = call.argument.strip(" .!?").lower()
        word = verbs.WORDS.get(wanted)
        if word is None:
            return Receipt(title="What you can write", text=overview(verbs.VERBS), subject="Help")
        return Receipt(
            title=f"About {word.verb.upper()}",
            text=explanation(verbs.VERBS[word.verb]),
            subject=f"Help: {word.verb.upper()}",
        )


def overview(commands: Mapping[str, Verb]) -> str:
    """Every command with its summary, one entry each."""
    entries = [f"- Write {one.usage}: {one.summary}." for _, one in sorted(commands.items())]
    return "\n".join(
        [
            "Write commands as plain lines, one on a line, in capitals or not. The subject of "
            "your mail does not matter. Orders are lines, too: reply to the newest mail about "
            "your game and write them at the top.",
            "",
            *entries,
            "",
            "To know more about one of them, write HELP and its first word.",
        ]
    )


def explanation(verb: Verb) -> str:
    """One command explained: how it is written, what it does, which words mean the same."""
    words = ", ".join(alias.upper() for alias in verb.aliases)
    return "\n".join(
        [
            f"Write: {verb.usage}",
            "",
            verb.help,
            *(["", f"These words mean the same: {words}."] if words else []),
        ]
    )
