"""Buttons: a tap opens an answer with its text ready, which the player only has to send.

A label comes back when somebody quotes the mail, so no label is itself an order or a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from mailer.outbound.layout import REASON
from mailer.outbound.paragraphs import Paragraph, paragraphs

LONGEST = 1500
"""How many characters an address may have: some programs open no longer ones."""

_ASKED_FOR = re.compile(
    r"\bwith the word ([A-Z]{2,8})\b|(?<![A-Z] )\b([A-Z]{2,8}) on a line of its own"
)
"""Of two words, such as VOTE NO, the last one alone would say something else."""
_VOTES = re.compile(
    r"\breply to this mail with one line, YES or NO; in any other mail, write VOTE YES (\d+)", re.I
)
"""A button writes the longer words, since the mail it opens does not name the mail that it
answers."""
_LABELS = {
    "YES": "Say yes",
    "NO": "Say no",
    "REFUSE": "Say no",
    "CONFIRM": "Say that it is mine",
    "HERE": "Say that I am here",
    "WAIT": "Ask to wait for the deadline",
    "READY": "Say that I need no more time",
    "RETURN": "Keep my seat",
}
"""The words that our mails ask for, and what their buttons say."""

CHANGE = "Change my orders"
TO_CHANGE = "To change something, reply with your orders again"
"""The beginning of the sentence about what the button with this label does for the reader."""

_QUOTED = re.compile("“[^”]*”")
_OF_OTHERS = re.compile(f">|{REASON.pattern}")


class Button(NamedTuple):
    """The words on a button, and the text of the answer that it opens."""

    label: str
    text: str


MAIL_ON = Button("Get all of it again", "MAIL ON")
"""Brings back mails that were stopped; two words, which no sentence asks for by itself."""


def asked_for(body: str) -> Iterator[Button]:
    """Yield a button for each word that the mail offers as an answer.

    Only our own words count: one player's text must not put a button into another's mail.
    """
    return _asked_in(line for one in paragraphs(body) for line in _own_lines(one))


def _asked_in(lines: Iterable[str]) -> Iterator[Button]:
    """Yield a button for each word that these lines of ours ask for."""
    own = " ".join(" ".join(lines).split())
    asked = _ASKED_FOR.findall(own)
    for word in dict.fromkeys(one or other for one, other in asked):
        if word in _LABELS:
            yield Button(_LABELS[word], word)
    for number in dict.fromkeys(_VOTES.findall(own)):
        yield Button(f"Say yes to proposal {number}", f"VOTE YES {number}")
        yield Button(f"Say no to proposal {number}", f"VOTE NO {number}")


def _own_lines(one: Paragraph) -> Iterator[str]:
    """Yield the lines without quotes, and without reasons that people gave."""
    if one.kind != "quoted":
        for line in one.lines:
            if not _OF_OTHERS.match(line):
                yield _QUOTED.sub("", line)


def was_named(button: Button, parts: Sequence[Paragraph]) -> bool:
    """Whether these paragraphs have mentioned the command that the button writes."""
    command = re.match(r"[A-Z]{2,}\b", button.text)
    return command is not None and any(command[0] in line for one in parts for line in one.lines)


def beside(one: Paragraph, buttons: Sequence[Button], parts: Sequence[Paragraph]) -> list[Button]:
    """The buttons for commands that the paragraph gives in full, and for the same commands if no
    paragraph gives their words: it speaks of them, too.

    What the paragraph quotes asks for nothing.
    """
    if not buttons or one.kind == "quoted":
        return []
    asked = list(_asked_in(_own_lines(one)))
    said = [button for button in buttons if button in asked or _is_written_in(one, button)]
    if any(line.startswith(TO_CHANGE) for line in one.lines):
        said += [button for button in buttons if button.label == CHANGE]
    commands = {button.text.partition(" ")[0] for button in said}
    return [
        button
        for button in buttons
        if button in said
        or (
            button.text.partition(" ")[0] in commands
            and not any(_is_written_in(part, button) for part in parts)
        )
    ]


def _is_written_in(one: Paragraph, button: Button) -> bool:
    """Whether a paragraph says in full what the button writes: a command and a name."""
    having = [line for line in one.lines if button.text in line and " " in button.text]
    return any(re.search(rf"{re.escape(button.text)}(?=[.,;]|$| or )", line) for line in having)


def address(button: Button, *, to: str, subject: str) -> str:
    """Return the mailto address (RFC 6068), "" if it is longer than programs accept."""
    text = quote(button.text.replace("\n", "\r\n"), safe="")
    about = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    written = f"mailto:{quote(to, safe='@+')}?subject={quote(about, safe='')}&body={text}"
    return written if len(written) <= LONGEST else ""
