"""What follows a greeting on its line: "Hi, A Par - Bur", "hello, status please"."""

from __future__ import annotations

import dataclasses

from mailer.commands.misspelt import begins_as_order
from mailer.commands.player import WORDS
from mailer.commands.prose import greetings
from mailer.commands.script import command_of
from mailer.letter import Letter, read_letter
from mailer.reading.phrases import HAS_GREETED
from mailer.reading.quotes import Line

_WITHOUT_BODY = {word: one for word, one in WORDS.items() if not (one.has_body or one.prose)}


def read_with_greetings(raw: bytes) -> Letter:
    """Read a mail as `read_letter` does, but for lines that greet and then say what to do."""
    letter = read_letter(raw)
    said = [*letter.lines, *greetings(letter)]
    heard = {line.number: found for line in said if (found := _behind_greeting(line))}
    if not heard:
        return letter
    lines = {line.number: line for line in letter.lines} | heard
    return dataclasses.replace(
        letter,
        lines=tuple(lines[at] for at in sorted(lines)),
        ignored=tuple(one for one in letter.ignored if one.number not in heard),
    )


def _behind_greeting(line: Line) -> Line | None:
    """The order or command after the greeting of a line, where the greeting stays as its bullet."""
    greeting = HAS_GREETED.match(line.text)
    if greeting is None:
        return None
    rest = line.text[greeting.end() :]
    is_name = rest.istitle() and not greeting["pause"]  # "Hello Master"
    if begins_as_order(rest) or (command_of(rest, _WITHOUT_BODY) and not is_name):
        return Line(line.number, rest, f"{line.bullet}{greeting[0]}")
    return None
