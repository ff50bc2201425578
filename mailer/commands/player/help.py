"""HELP: generated from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping

from games.errors import NotFound
from games.queries.wording import did_you_mean
from mailer.commands import player
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Call, Takes
from mailer.identity.senders import Sender
from mailer.notices.sections import slashed

FIRST = ("list", "join", "orders", "ready", "press", "status", "extend", "vote", "set")
"""What most players need, in the order in which they do."""

_KINDLY = re.compile(r"^(?:with|about|on|for)\s+|\W+(?:please|pls|thanks|thank you)\W*$", re.I)
"""What people write around the command in “Help with JOIN, please”."""


class Help(Verb):
    name = "help"
    aliases = ("info",)
    usage = "HELP [command]"
    summary = "see all commands, or one of them explained"
    help = "Write HELP for all commands, or HELP and a command for what there is to know about it."
    takes = Takes.MAYBE
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        wanted = _KINDLY.sub("", call.argument).strip(" .!?").lower()
        word = player.WORDS.get(wanted)
        if word is None and wanted:
            raise NotFound(_no_such_topic(call.argument))
        if word is None:
            return Receipt(title="What you can write", text=overview(player.VERBS), subject="Help")
        return Receipt(
            title=f"About {word.verb.upper()}",
            text=explanation(player.VERBS[word.verb]),
            subject=f"Help: {word.verb.upper()}",
        )


def _no_such_topic(wanted: str) -> str:
    """That there is no such topic, what may have been meant, and all there are."""
    topics = sorted(verb.upper() for verb, one in player.VERBS.items() if one.usage[0].isupper())
    said = f"There is no help about “{wanted.strip()}”.{did_you_mean(wanted, topics)}"
    return f"{said} HELP alone shows everything you can write; these are the topics: " + slashed(
        topics
    )


def overview(commands: Mapping[str, Verb]) -> str:
    """Every command with its summary, one entry each: first what most players need."""
    first = [commands[name] for name in FIRST if name in commands]
    others = [one for _, one in sorted(commands.items()) if one not in first]
    return "\n".join(
        [
            "Write commands as plain lines, one on a line, in capitals or not. The subject of "
            "your mail does not matter. Orders are lines, too: reply to the newest mail about "
            "your game and write them at the top.",
            "",
            "START HERE",
            "",
            *map(_entry, first),
            "",
            "EVERYTHING ELSE",
            "",
            *map(_entry, others),
            "",
            "To know more about one of them, write HELP and its first word.",
        ]
    )


def _entry(one: Verb) -> str:
    return f"- {_written(one, 'Write ')}: {one.summary}."


def _written(verb: Verb, write: str) -> str:
    """`Write HOLD ALL`; what has no word of its own is only described."""
    usage = verb.usage
    return f"{write}{usage}" if usage[0].isupper() else f"{usage[0].upper()}{usage[1:]}"


def explanation(verb: Verb) -> str:
    """One command explained: how it is written, what it does, which words do as well."""
    words = slashed(alias.upper() for alias in verb.aliases)
    return "\n".join(
        [
            _written(verb, "Write: "),
            "",
            verb.help,
            *(["", f"{verb.aliases_are}: {words}."] if words else []),
        ]
    )
