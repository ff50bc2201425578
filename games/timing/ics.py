"""Deadlines as a calendar file (RFC 5545, RFC 5546): values in, text out, no row and no clock.

A deadline is a moment in UTC, which every calendar shows in its reader's own zone, also when clocks
change in between. It is published, not an invitation: nobody is asked to answer.

The few lines are written here: a library that builds a tree of components took a sixth of a phase
for its seven files. The tests read them by that library.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Method = Literal["PUBLISH", "CANCEL"]
PRODUCT = "-//Diplomacy by mail//deadlines//EN"
REFRESH = "PT1H"
"""How often programs that follow a calendar are asked to look again."""
LONGEST_LINE = 75
"""Bytes (RFC 5545, 3.1)."""
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})


@dataclass(frozen=True, slots=True)
class Deadline:
    """One entry of a calendar."""

    uid: str
    """The same for one deadline, however often it moves."""
    sequence: int
    """Grows with every change: of two entries, the one with the smaller number is older."""
    cancelled: bool
    at: dt.datetime
    title: str
    text: str
    changed_at: dt.datetime
    address: str = ""
    """Where to read more."""


def calendar_file(
    deadlines: Sequence[Deadline], *, judge: str, name: str = "", method: Method = "PUBLISH"
) -> bytes:
    """Return a calendar with these deadlines; `judge` is the server's address.

    With a `name` it is one that programs follow by its address. CANCEL takes entries back.
    """
    lines = ["BEGIN:VCALENDAR", f"PRODID:{PRODUCT}", "VERSION:2.0", f"METHOD:{method}"]
    if name:
        lines += [
            f"X-WR-CALNAME:{_text(name)}",
            f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}",
            f"X-PUBLISHED-TTL:{REFRESH}",
        ]
    for deadline in deadlines:
        lines += _entry(deadline, judge)
    return "".join(map(_fold, [*lines, "END:VCALENDAR"])).encode()


def _entry(deadline: Deadline, judge: str) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{_text(deadline.uid)}",
        f"SEQUENCE:{deadline.sequence}",
        f"DTSTAMP:{_moment(deadline.changed_at)}",
        f"DTSTART:{_moment(deadline.at)}",
        f"SUMMARY:{_text(deadline.title)}",
        f"DESCRIPTION:{_text(deadline.text)}",
        *([f"URL:{deadline.address}"] if deadline.address else []),
        f"ORGANIZER:mailto:{judge}",
        f"STATUS:{'CANCELLED' if deadline.cancelled else 'CONFIRMED'}",
        "TRANSP:TRANSPARENT",  # a deadline keeps nobody busy
        "END:VEVENT",
    ]


def _moment(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    """Words with what separates values escaped (RFC 5545, 3.3.11)."""
    return words.translate(_ESCAPED)


def _fold(line: str) -> str:
    """The line as it stands in the file: a long one goes on in the next, after a blank."""
    if line.isascii() and len(line) <= LONGEST_LINE:  # as nearly every line does
        return f"{line}\r\n"
    if line.isascii():
        first, rest = line[:LONGEST_LINE], range(LONGEST_LINE, len(line), LONGEST_LINE - 1)
        return "\r\n ".join([first, *(line[at : at + LONGEST_LINE - 1] for at in rest)]) + "\r\n"
    parts, start, used = [], 0, 0
    for place, letter in enumerate(line):  # do not cut a letter in half
        size = 1 if letter.isascii() else len(letter.encode())
        if used + size > LONGEST_LINE:
            parts.append(line[start:place])
            start, used = place, 1  # the blank
        used += size
    return "\r\n ".join([*parts, line[start:]]) + "\r\n"
