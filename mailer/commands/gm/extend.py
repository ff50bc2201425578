"""EXTEND, PAUSE, RESUME, PROCESS and PREVIEW: the clock of a game, and what it would bring."""

from __future__ import annotations

import re
from typing import ClassVar

from games.durations import LENGTH
from games.models import Game
from mailer.gm.base import Answers, Deed, split_reason
from mailer.script import Call, Takes

_LENGTH = re.compile(rf"(?:(?:by|for)\s+)?({LENGTH})[\s:,-]*", re.IGNORECASE)


def length_and_reason(text: str) -> tuple[str, str]:
    """`24h because …` as its length (empty: none) and its reason."""
    match = _LENGTH.match(text)
    length, rest = (match[1].strip(), text[match.end() :]) if match else ("", text)
    before, why = split_reason(rest)
    return length, why or before


def any_reason(call: Call) -> str:
    """The reason behind a command that has nothing else, with `because` or without."""
    before, why = split_reason(call.argument)
    return why or before


class Extend(Deed):
    name = "extend"
    usage = "EXTEND length because reason"
    summary = "move the deadline of the open phase to a later time"
    help = "Everybody is told the reason.\nExample: EXTEND 24h because the mail server was down"
    act = "extend"
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        length, why = length_and_reason(call.argument)
        return {"later": length, "why": why}


class Pause(Deed):
    name = "pause"
    aliases: ClassVar[tuple[str, ...]] = ("suspend",)
    usage = "PAUSE [length] because reason"
    summary = "stop the clock, for so long or until RESUME"
    help = (
        "Orders are still taken. Everybody is told the reason.\n"
        "Example: PAUSE 10d because of the holidays\n"
        "Example: PAUSE because we look for a substitute"
    )
    act = "pause"
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        length, why = length_and_reason(call.argument)
        return {"length": length, "why": why}


class Resume(Deed):
    name = "resume"
    aliases = ("unpause", "continue")
    usage = "RESUME [because reason]"
    summary = "let the clock of a paused game run again"
    help = (
        "Everybody has then the time that was left when it was paused, and is told the reason.\n"
        "Example: RESUME because the mail server is back"
    )
    act = "resume"

    def answers(self, call: Call, game: Game) -> Answers:
        return {"why": any_reason(call)}


class Process(Deed):
    name = "process"
    aliases = ("adjudicate",)
    usage = "PROCESS [because reason]"
    summary = "adjudicate the open phase now, whatever the deadline"
    help = (
        "Orders that are missing are not waited for. Everybody is told the reason. You are asked "
        "first whether to do it.\n"
        "Example: PROCESS because all who still owe orders have told me that they are done"
    )
    act = "process_now"
    grave = True

    def answers(self, call: Call, game: Game) -> Answers:
        return {"why": any_reason(call)}


class Preview(Deed):
    name = "preview"
    aliases = ("predict",)
    usage = "PREVIEW because reason"
    summary = "see what the orders that stand would bring"
    help = (
        "Nothing of it is stored. It shows orders, so everybody is told that you looked, and why; "
        "it is for games whose game master may see orders. You are asked first whether to do it.\n"
        "Example: PREVIEW because France asked whether a convoy was read rightly"
    )
    act = "preview"
    grave = True
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        return {"why": any_reason(call)}
