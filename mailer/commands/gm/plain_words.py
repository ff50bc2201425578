"""A game master's lines in plain words: “Please process the turn”, “Who is missing?”.

A kind word before a command is left out, and a question that a command answers becomes that
command. Nothing else is guessed at: what other sentences want is said in `elsewhere.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mailer.commands.calls import AMEND, HELP, ORDERS, Call
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.base import TAKES_BACK, UNTIL
from mailer.commands.gm.doubts import says_more
from mailer.commands.which_command import command_in, word_of
from mailer.reading.quotes import Line

_KIND = (
    r"(?:(?:please|pls|plz|kindly|bitte|hi|hello|ok(?:ay)?)\b[\s,.!]*"
    r"|(?:i\s+(?:want|need|would\s+like)|i['’]d\s+like)\s+(?:you\s+)?to\s+)"
)
_KINDLY = re.compile(rf"{_KIND}+", re.IGNORECASE)
_ASKING = re.compile(rf"{_KIND}*(?:can|could|would|will)\s+you\s+{_KIND}*", re.IGNORECASE)
"""A player may have asked the game master so, whose words stand here: it is not done at once."""
_REASON_BEHIND_QUESTION = re.compile(r"(?<![\s?])\s*+\?++\s+(?=\w[^?]*$)")
"""“Could you pause the game? Germany is away” says what and why."""
_TELL_ME = re.compile(r"(?:and\s+)?(?:tell\s+me\s+)?(?=(?:who|what|when|how)\b)", re.IGNORECASE)
"""What leads to a question: “tell me who is late”."""
_NEXT_QUESTION = re.compile(r"(?<=\?)\s+")
_HOW = re.compile(
    r"how\s+(?:do|does|can|could|should|would|to)\b(?:\s+(?:i|we|you|one)\b)?(?P<what>.*)", re.I
)
_QUESTIONS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(rf"(?:{words})\W*", re.IGNORECASE), command)
    for words, command in (
        (
            r"who\b.{0,30}(?:\b(?:missing|late|waiting|outstanding|plays|playing)"
            r"|\bowes?|\b(?:has|have)\s+(?:yet\s+)?to\s+(?:send|order|write)"
            r"|(?:\bnot|n['’]t)\b.{0,15}\b(?:order|ordered|orders|in|sent))\b.{0,20}"
            r"|(?:has|have|did)\s+(?:any(?:body|one)|every(?:body|one)|all|\w+)\s+(?:already\s+)?"
            r"(?:order(?:ed)?|sen[dt]|submit(?:ted)?)\b.{0,20}"
            r"|(?:are|is)\s+(?:all|every(?:body|one)|any(?:body|one)?)\b.{0,20}"
            r"\b(?:in|missing|ready)\b.{0,10}|wer\s+fehlt\b.{0,10}|what\s+(?:is|['’]s)\s+missing"
            r"|when\s*(?:is|['’]s|will)\s+the\s+(?:next\s+)?deadline(?:\s+be)?",
            "status",
        ),
        (r"what(?:\s+is|['’]s)\s+the\s+(?:current\s+)?(?:position|board)\b.{0,15}", "map"),
        (r"(?:re)?send\s+(?:me\s+)?the\s+(?:last\s+)?results?(?:\s+again)?", "history"),
        (r"(?:what|which)\s+commands?\b.{0,30}|what\s+can\s+i\s+(?:do|write)\b.{0,10}", HELP),
    )
)
_UNTIL = ("extend", "pause")
"""Commands of which “until” and a day is what they need, and no condition."""


def in_plain_words(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls of a game master's mail, with those of its lines that are commands in plain words
    as calls of their own, in the order of the lines.

    Beside a command that changes the game they change nothing: below PAUSE, “Please resume sending
    orders on Monday” is for the players.
    """
    may_change = not any(map(_changes, calls))
    found = [one for call in calls for one in _apart(call, may_change=may_change)]
    return tuple(sorted(found, key=lambda one: one.number))


def as_command(text: str) -> str:
    """A line without “Could you please” before what it asks for, and its reason behind
    “because”; "" if it asks for nothing."""
    if not (found := _ASKING.match(text)):
        return _KINDLY.sub("", text, count=1) if _KINDLY.match(text) else text
    return _REASON_BEHIND_QUESTION.sub(" because ", text[found.end() :].rstrip(" ?"))


def _changes(call: Call) -> bool:
    return call.command in COMMANDS and COMMANDS[call.command].changes


def _apart(call: Call, *, may_change: bool) -> Iterator[Call]:
    if call.command not in (ORDERS, AMEND):
        yield call
        return
    meant = {line: _meant(line, may_change=may_change) for line in call.lines}
    yield from (one for one in meant.values() if one)
    rest = tuple(line for line, one in meant.items() if not one)
    if rest or not call.lines:
        yield replace(call, lines=rest, number=rest[0].number if rest else call.number)


def _is_unclear(command: str, argument: str) -> bool:
    takes_back = TAKES_BACK.match(argument) and not (command in _UNTIL and UNTIL.match(argument))
    return "?" in argument or bool(takes_back) or says_more(command, argument)


def _meant(line: Line, *, may_change: bool) -> Call | None:
    """The command that a line without one asks for; None if we do not know, or should not do it.

    A text to pass on ends where its writer says so, hence none begins behind a kind word.
    """
    text = as_command(line.text)
    if text != line.text:
        word, argument = command_in(text, WORDS)
        if word and not (word.has_body or _is_unclear(word.command, argument)):
            call = Call(word.command, argument, line.number, word=word_of(text))
            is_sure = may_change and not _ASKING.match(line.text)
            return call if is_sure or not _changes(call) else None
    if how := _HOW.fullmatch(text):
        named = (
            one for one in re.findall(r"\w+", how["what"].lower()) if one in WORDS and one != "game"
        )
        return Call(HELP, next(named, ""), line.number, word=HELP)
    questions = map(as_command, _NEXT_QUESTION.split(line.text))
    said = [_TELL_ME.sub("", one, count=1) for one in questions]
    asked = (command for question, command in _QUESTIONS if any(map(question.fullmatch, said)))
    command = next(asked, "")
    return Call(command, "", line.number, word=command) if command else None
