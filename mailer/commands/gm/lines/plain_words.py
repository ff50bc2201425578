"""A game master's lines in plain words: “Please process the turn”, “Who is missing?”.

A kind word before a command is left out, and a question that a command answers becomes that
command. We guess at nothing else: `elsewhere.py` answers other sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mailer.commands.calls import AMEND, HELP, ORDERS, Call
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.lines.arguments import TAKES_BACK, UNTIL
from mailer.commands.gm.lines.doubts import says_more
from mailer.commands.gm.lines.sentences import wished_for
from mailer.commands.lines.which_command import command_in, word_of
from mailer.reading.patterns import any_of, one_word, says
from mailer.reading.quotes import Line

_KIND = any_of(
    rf"{one_word('please pls plz kindly bitte hi hello ok(?:ay)?')}\b[\s,.!]*",
    "(?:i (?:want|need|would like)|i['’]d like) (?:you )?to ",
)
_KINDLY = says(rf"{_KIND}+")
_ASKING = says(rf"{_KIND}*{one_word('can could would will')} you {_KIND}*")
"""A player may have asked this of the game master, and the words may be theirs: we do not do it at
once."""
_REASON_AFTER_QUESTION = re.compile(r"(?<![\s?])\s*+\?++\s+(?=\w[^?]*$)")
"""“Could you pause the game? Germany is away” says what and why."""
_TELL_ME = says(rf"(?:and )?(?:tell me )?(?={one_word('who what when how')}\b)")
"""Words before a question: “tell me who is late”."""
_NEXT_QUESTION = re.compile(r"(?<=\?)\s+")
_HOW = says(
    rf"how {one_word('do does can could should would to')}\b"
    rf"(?: {one_word('i we you one')}\b)?(?P<what>.*)",
)
_ANYBODY = r"any(?:body|one)"
_EVERYBODY = r"every(?:body|one)"
_OWES = any_of(
    rf"\b{one_word('missing late waiting outstanding plays playing owes?')}",
    rf"\b(?:has|have) (?:yet )?to {one_word('send order write')}",
    rf"(?:\bnot|n['’]t)\b.{{0,15}}\b{one_word('orders? ordered in sent')}",
)
_QUESTIONS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (says(rf"{any_of(*rows)}\W*"), command)
    for command, *rows in (
        (
            "status",
            rf"who\b.{{0,30}}{_OWES}\b.{{0,20}}",
            rf"(?:has|have|did) (?:{_ANYBODY}|{_EVERYBODY}|all|\w+) (?:already )?"
            rf"{one_word('order(?:ed)? sen[dt] submit(?:ted)?')}\b.{{0,20}}",
            rf"(?:are|is) (?:all|{_EVERYBODY}|{_ANYBODY}|any)\b.{{0,20}}"
            rf"\b{one_word('in missing ready')}\b.{{0,10}}",
            r"wer fehlt\b.{0,10}",
            "what(?: is|['’]s) missing",
            r"(?:when|what)\s*(?:is|['’]s|will) the (?:next )?deadline(?: be)?",
        ),
        ("map", r"what(?: is|['’]s) the (?:current )?(?:position|board)\b.{0,15}"),
        ("history", "(?:re)?send (?:me )?the (?:last )?results?(?: again)?"),
        (HELP, r"(?:what|which) commands?\b.{0,30}", r"what can i (?:do|write)\b.{0,10}"),
    )
)
_UNTIL = ("extend", "pause")
"""Commands that need “until” and a day, which are no condition there."""


def in_plain_words(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls of a game master's mail, in the order of the lines; each command in plain words
    becomes a call of its own.

    In a mail that also has a command that changes the game, plain words change nothing: below
    PAUSE, “Please resume sending orders on Monday” is for the players.
    """
    may_change = not any(map(_changes, calls))
    found = [one for call in calls for one in _apart(call, may_change=may_change)]
    return tuple(sorted(found, key=lambda one: one.number))


def as_command(text: str) -> str:
    """A line without “Could you please” in front, and with its reason after “because”; "" if it
    asks for nothing."""
    if not (found := _ASKING.match(text)):
        return _KINDLY.sub("", text, count=1) if _KINDLY.match(text) else text
    return _REASON_AFTER_QUESTION.sub(" because ", text[found.end() :].rstrip(" ?"))


def _changes(call: Call) -> bool:
    return call.command in COMMANDS and COMMANDS[call.command].changes


def _apart(call: Call, *, may_change: bool) -> Iterator[Call]:
    if call.command not in (ORDERS, AMEND):
        yield call
        return
    meant = {line: _command_meant(line, may_change=may_change) for line in call.lines}
    yield from (one for one in meant.values() if one)
    rest = tuple(line for line, one in meant.items() if not one)
    if rest or not call.lines:
        yield replace(call, lines=rest, number=rest[0].number if rest else call.number)


def _is_unclear(command: str, argument: str) -> bool:
    takes_back = TAKES_BACK.match(argument) and not (command in _UNTIL and UNTIL.match(argument))
    return "?" in argument or bool(takes_back) or says_more(command, argument)


def _command_meant(line: Line, *, may_change: bool) -> Call | None:
    """The command that a line without a command's word asks for; None if we do not know, or should
    not do it.

    A text to send ends where its writer says so, so none begins after a kind word.
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
        if (about := next(named, "")) or not wished_for(line.text):
            return Call(HELP, about, line.number, word=HELP)
        return None
    questions = map(as_command, _NEXT_QUESTION.split(line.text))
    said = [_TELL_ME.sub("", one, count=1) for one in questions]
    asked = (command for question, command in _QUESTIONS if any(map(question.fullmatch, said)))
    command = next(asked, "")
    return Call(command, "", line.number, word=command) if command else None
