"""How a notice becomes 72 columns of plain text that no mail reader can take for orders.

In a template one line is one paragraph or one entry; here it is wrapped. We must never read a line
of ours that a player quotes as an order, even without a quote mark. So an entry begins with the
power it is about, units in a list have a slash between them (a comma or "and" would separate
orders), and we never break a line where the rest could stand by itself, or begins with what could
be a command.

A line that ends in a blank goes on in the next (as in RFC 3676). So the HTML part can be made from
the text, and each says exactly as much as the other.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache

from django.template.loader import render_to_string

from mailer.text import GLUE, NUMBERED, WIDTH

REASON = re.compile(r"(?:.{1,80}? says? why|Why): ")
"""The beginning of a line with somebody's reason (templates/mail/why.txt), in words of theirs."""
ENTRY = re.compile(rf"^(- |\S+: |\S+ has \d|{REASON.pattern})")
_WORDS = """
    absence activate amend answer approve audit become board broadcast chronicle clear concede
    confirm control create dedication deny diary draw dummy eject end enddisorder erase export
    extend forcebegin form game games get getdedication gm help here history hold holiday iamalso
    info inquire invite ja join leave legacy list log mail map moderator moves nee nein nie no non
    nowait não observe official ok okay optout order orders oui pause phase position postalpress
    predict present press preview process promote proof proofs propose proxy quit ready refuse
    register rename resign results resume return reveal revive rollback rollforward rules same send
    set setorders si signoff signon signup sim standby standings status stop stopall summary
    suspend sí table takeover terminate tournament tournaments unjoin unstart unsubscribe vacate
    vacation variants version vote wait watch whatif whogame whois withdraw yes"""
COMMAND_WORDS = frozenset(_WORDS.split())
"""Words that begin commands: where we break a line, the next must not begin with one."""
UNBROKEN = re.compile(
    r' (["“]?[AF]) (?=[A-Z])| - |(?<= or) |(?<=/) |(?<=[A-Z]{3}) (?=TO\b)'
    r"| (?=[SFW]\d{3,4}[MRA]\b)"
    r"| (?=[A-Z]{3,}\b|propose\b|(?i:" + "|".join(sorted(COMMAND_WORDS)) + r")\b)"
)
ITEM = re.compile(r"(?<=[/:] )[A-Z][^/.:]{0,60}(?= /)|(?<=/ )[A-Z][^/.:]{0,60}")
"""The text between slashes: an order may be this long, and never breaks."""
LAST_WORDS = 4
LONGEST_END = 24
_NAMES = re.compile(r"[A-Z0-9]")


DUTY_HEADING = "WHAT YOU MUST DO NOW"
"""Stands above what the reader has to do; the HTML part puts a frame round what follows."""

GM_HINT = "You get this as the game master"
"""The beginning of the hint at the end of mails to GMs; the HTML part makes it small."""


def render(template: str, **context: object) -> str:
    """The body of a mail: templates/mail/<template>.txt, wrapped."""
    known = {"duty_heading": DUTY_HEADING, **context}
    return laid_out(render_to_string(f"mail/{template}.txt", known))


def part(template: str, **context: object) -> str:
    """A part of a mail for `render`, written once for many mails."""
    return render_to_string(f"mail/{template}.txt", context).strip()


def indented(text: str) -> str:
    """Somebody's own text, with every line indented so that they cannot make their words look like
    ours."""
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def laid_out(text: str) -> str:
    """Every line wrapped, at most one blank line in a row, one line break at the end."""
    lines = [
        line if len(line) <= WIDTH else _fold(line)
        for line in map(str.rstrip, text.strip().splitlines())
    ]
    whole = "\n".join(lines).replace(GLUE, " ")
    while "\n\n\n" in whole:  # a regular expression took half the time of all this
        whole = whole.replace("\n\n\n", "\n\n")
    return f"{whole}\n"


@lru_cache(maxsize=1024)  # most lines of a result stand in the mails of all players
def _fold(line: str) -> str:
    """A long line in 72 columns; an entry goes on indented.

    Names at its end stay with the text before them: alone on a line they could be an order.
    """
    if line.startswith("  "):  # words of a player
        return _wrap(line, "  ")
    indent = "  " if ENTRY.match(line) else ""
    filled = _wrap(_tie_end(tie_units(line)), indent)
    if max(map(len, filled.splitlines())) > WIDTH:  # words of somebody who writes in capitals
        filled = _wrap(line, indent)
    return filled.replace(GLUE, " ")


def _wrap(line: str, indent: str) -> str:
    words = line.lstrip(" ")
    lines = textwrap.wrap(
        words,
        WIDTH - 1,  # for the blank at the end
        # Before a word longer than a line, textwrap drops blanks that belong to the text.
        initial_indent=line[: len(line) - len(words)],
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \n".join(lines)


def tie_units(line: str) -> str:
    """The line with GLUE where it must not break: in units and orders, before a command, and
    between a number and what it counts."""
    for pattern in (ITEM, UNBROKEN, NUMBERED):
        line = pattern.sub(lambda found: found[0].replace(" ", GLUE), line)
    return line


def _tie_end(line: str) -> str:
    words = line.split(" ")
    last = words.pop()
    for _ in range(LAST_WORDS - 1):
        if not words or len(words[-1]) + len(last) > LONGEST_END:
            break
        if GLUE in last and not _NAMES.search(last):
            break
        last = f"{words.pop()}{GLUE}{last}"
    return " ".join([*words, last])
