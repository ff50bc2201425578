"""HELP: generated from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.errors import NotFound
from games.queries.reports.wording import did_you_mean
from mailer.commands import player
from mailer.commands.advice.fitting import advised_command
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import HELP, ORDERS, Call, QuestionMark, Takes
from mailer.commands.receipt import JUST_ASKED, Receipt
from mailer.identity.senders import Sender
from mailer.text import join_slashes

REGISTER = "register"
"""What strangers need first."""
FIRST = ("list", "join", "orders", "ready", "press", "status", "extend", "vote", "set")
"""What most players need, most urgent first."""

_TOPICS: Mapping[str, str] = {
    **dict.fromkeys(
        ("retreat", "build", "disband", "convoy", "support", "coast", "move"), "orders"
    ),
    "deadline": "extend",
    **dict.fromkeys(("njudge", "dpjudge"), "legacy"),
    **dict.fromkeys(("letter", "message", "talk", "negotiate", "chat"), "press"),
    **dict.fromkeys(
        ("address", "email", "reminder", "calendar", "timezone", "zone", "name"), "set"
    ),
    **dict.fromkeys(("code", "invitation"), "join"),
    **dict.fromkeys(("private", "gunboat", "invite", "friend"), "create"),
    **dict.fromkeys(("cheat", "cheating", "cheater", "complain", "complaint"), "moderator"),
    **dict.fromkeys(("win", "winner", "victory", "solo"), "rules"),
    **dict.fromkeys(("condition", "ahead"), "phase"),
    **dict.fromkeys(("reliability", "scoring", "score"), "status"),
    **dict.fromkeys(("disorder", "substitute"), "standby"),
    **dict.fromkeys(("receipt", "signature"), "proof"),
    "account": "erase",
    "away": "absence",
    "fog": "rules",
    "password": "signon",
    "quit": "resign",
    "surrender": "resign",
    "turn": "status",
    "observer": "observe",
}
"""A word that people ask about, and the command whose help answers."""
_PHRASES: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(rf"\b(?:{words})\b"), command)
    for words, command in (
        (r"(?:write|speak) to|(?:contact|reach|ask) .*(?:gm|master|players?|others?)", "press"),
        (r"(?:next|later|future|coming) (?:turn|phase|season|year)s?", "phase"),
        (r"try (?:out|orders|something)", "whatif"),
        (r"(?:stop|give up) playing", "resign"),
        (r"miss(?:ed)? .*(?:deadline|turn|phase)s?", "return"),
        (r"take over", "takeover"),
        (r"(?:i am|i'm|i’m|we are) (?:done|finished)", "ready"),
        (r"when|how long|who .*(?:winning|ahead|leading)", "status"),
    )
)
"""Several words that people ask about, and the command whose help answers."""
_EVERYWHERE = frozenset({"game", "games"})
"""Words of any question: one of them is the topic only if there is no other word."""
SHORTEST_TOPIC = 4
"""How many letters a word of a question must have to count: shorter words are in every sentence."""

_KINDLY = re.compile(
    r"^(?:me|with|about|on|for)\b\s*|(?:^|\b\W*)(?:please|pls|thanks|thank you)\W*$",
    re.IGNORECASE,
)
"""Words around the command in “Help with JOIN, please”."""
NOT_FOUND = "We do not know which command you ask about, so here are all of them."
ALL_HELP = "If you meant something else, write HELP alone: it shows everything you can write."


class Help(PlayerCommand):
    name = HELP
    aliases = ("info",)
    usage = "HELP [command]"
    summary = "see all commands, or one of them explained"
    help = (
        "Write HELP for all commands, or HELP and a command to read about that one. A question in "
        "plain words will do, too. If you put a question mark after a command, we only explain it: "
        "JOIN? takes no seat.\n"
        "Example: HELP how do I make a game"
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        wanted = _KINDLY.sub("", call.argument.strip(" .!?")).strip(" .!?").lower()
        command = _topic(wanted)
        if command is None and wanted and not wanted.count(" "):
            topic = call.argument.strip(" .!?")
            raise NotFound(_no_such_topic(topic), wrote=topic)
        if command is None:
            unknown = f"{NOT_FOUND}\n\n" if wanted else ""
            first = FIRST if sender.player else (REGISTER, *FIRST)
            text = f"{unknown}{overview(player.COMMANDS, first)}"
            return Receipt(title="What you can write", text=text, subject="Help")
        asked = player.WORDS[call.word].command != self.name if call.word else False
        return Receipt(
            title=f"About {command.upper()}",
            text="".join(
                [
                    JUST_ASKED if asked else "",
                    explanation(player.COMMANDS[command]),
                    "" if wanted in player.WORDS else f"\n\n{ALL_HELP}",
                ]
            ),
            subject=f"Help: {command.upper()}",
            quotes=asked,
        )


def _topic(wanted: str) -> str | None:
    """The command that the question is about: the whole text names it, or one of its words does."""
    if wanted in player.WORDS:
        return player.WORDS[wanted].command
    words = re.findall(r"[^\W\d_]+", wanted)
    if len(words) > 1 and (asked := _command_asked_about(" ".join(wanted.split()))):
        return asked
    short = {*player.COMMANDS, *_TOPICS}
    words.sort(key=_EVERYWHERE.__contains__)
    found = (_topic_named(word) for word in words if len(word) >= SHORTEST_TOPIC or word in short)
    return next(filter(None, found), None)


def _command_asked_about(question: str) -> str | None:
    """The command that a question in everyday words is about: "how do I make a game"."""
    for pattern, command in _PHRASES:
        if pattern.search(question):
            return command
    if advised := advised_command(question):
        return player.WORDS[advised.removeprefix("HELP ").split()[0].lower()].command
    return None


def _topic_named(word: str) -> str | None:
    """The command that this word names, even in the plural."""
    meant = _TOPICS.get(word) or _TOPICS.get(word.removesuffix("s"))
    known = player.WORDS.get(word)
    return meant or (known.command if known and known.command != "legacy" else None)


def _no_such_topic(wanted: str) -> str:
    """That there is no such topic, which one may be meant, and all there are."""
    topics = sorted(command.upper() for command, one in player.COMMANDS.items() if _is_topic(one))
    said = f"There is no help about “{wanted}”.{did_you_mean(wanted, topics)}"
    return (
        f"{said} HELP alone shows everything you can write; these are the topics: "
        + join_slashes(topics)
    )


def _is_topic(one: PlayerCommand) -> bool:
    """Whether a command has a word of its own, or is one that everybody asks about."""
    return one.usage[0].isupper() or one.name == ORDERS


def overview(commands: Mapping[str, PlayerCommand], first_ones: Sequence[str] = FIRST) -> str:
    """Every command with its summary, one entry each: first what most players need."""
    first = [commands[name] for name in first_ones if name in commands]
    others = [one for _, one in sorted(commands.items()) if one not in first]
    return "\n".join(
        [
            "Write commands as plain lines, one per line, in capitals or not. The subject of "
            "your mail does not matter. Orders are lines, too: reply to the newest mail about "
            "your game and write them at the top.",
            "",
            "TO BEGIN WITH",
            "",
            *map(_entry, first),
            "",
            "EVERYTHING ELSE",
            "",
            *map(_entry, others),
            "",
            "For more about one of them, write HELP and its first word.",
        ]
    )


def _entry(one: PlayerCommand) -> str:
    return f"- {_usage(one, 'Write ')}: {one.summary}."


def _usage(command: PlayerCommand, write: str) -> str:
    """`Write HOLD ALL`; a command without a word of its own is only described."""
    usage = command.usage
    return f"{write}{usage}" if usage[0].isupper() else f"{usage[0].upper()}{usage[1:]}"


def explanation(command: PlayerCommand) -> str:
    """One command explained: how to write it, what it does, and which other words mean the same."""
    words = join_slashes(alias.upper() for alias in command.aliases)
    return "\n".join(
        [
            _usage(command, "Write: "),
            "",
            command.help_in_paragraphs(),
            *(["", f"{_as_well(command)}: {words}."] if words else []),
        ]
    )


def _as_well(command: PlayerCommand) -> str:
    return "This word means the same" if len(command.aliases) == 1 else command.aliases_are
