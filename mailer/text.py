"""How our mails write things: times, counts, lines of 72 columns."""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from zoneinfo import ZoneInfo

from games.queries.halts import will_move
from games.queries.reports.wording import listed, local_moment, time_left

WIDTH = 72
GLUE = "\ue000"  # a private character: textwrap does not break there, no text of ours has it
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
NUMBERED = re.compile(
    rf" (?:(?<=\d )(?=[a-z]{{3,}}\b|(?:{_MONTHS})\b)"
    r"|(?<=:\d\d )(?=[A-Z]{3,4}\b)"
    rf"|(?=\d)(?:(?<=\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|{_MONTHS}) )"
    r"|(?<=\bFall )|(?<=\b(?:Spring|Winter) )))"
)
"""The blank between a number and what it counts, and those in a day, a time and a season: no line
breaks in “1 hour”, “Thu 5 Mar 2026”, “12:00 UTC” or “Spring 1901 movement”."""
MARKER = "##- Please write above this line -##"
_STANDS_STILL = "The game is paused: its clock stands still."
HALTED = "The whole server stands still: it moves when the server goes on."
PAUSED = f"{_STANDS_STILL} We tell you when it goes on."


def paragraph(text: str, *, indent: str = "", first: str | None = None) -> str:
    """One paragraph in 72 columns; `first` replaces the indent of its first line."""
    filled = textwrap.fill(
        NUMBERED.sub(GLUE, " ".join(text.split())),
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace(GLUE, " ")


def bullets(items: Iterable[str]) -> str:
    """One line or more for each item, with a dash in front."""
    return "\n".join(paragraph(item, indent="  ", first="- ") for item in items)


def you_wrote(*said: str) -> str:
    """`You wrote “Hello”.`, without a second full stop after a sentence that ends in one."""
    wrote = f"You wrote {listed([f'“{one}”' for one in said])}"
    return wrote if said[-1].endswith((".", "?", "!", "…")) else f"{wrote}."


def quoted_text(text: str) -> str:
    """Somebody's text, marked as quoted: sending it back orders nothing."""
    return "\n".join(
        textwrap.fill(
            line,
            WIDTH,
            initial_indent="> ",
            subsequent_indent="> ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


ANOTHER_YEAR = dt.timedelta(days=270)
"""Further away than that, a day is another year's to a reader."""


@lru_cache(maxsize=256)  # the mails of a phase give many the same one
def brief(at: dt.datetime, timezone: str, now: dt.datetime | None = None) -> str:
    """A time for a reader, if there is little room: `Tue 24 Nov 20:00 CET`; with the year if it is
    many months from `now`."""
    local = at.astimezone(ZoneInfo(timezone))
    zone = local.tzname() or ""
    if not zone.isalpha():  # some zones have no name but their offset: "+03"
        zone = f"UTC{zone}"
    year = f" {local.year}" if now and abs(at - now) > ANOTHER_YEAR else ""
    return f"{local:%a} {local.day} {local:%b}{year} {local:%H:%M} {zone}"


def paused_until(resumes_at: dt.datetime | None, timezone: str) -> str:
    """That a game is paused, and when it goes on, if we know that."""
    if resumes_at is None:
        return PAUSED
    return f"{_STANDS_STILL} It goes on by itself on {local_moment(resumes_at, timezone)}."


def deadline(
    due_at: dt.datetime | None,
    timezone: str,
    now: dt.datetime,
    *,
    paused: bool = False,
    resumes_at: dt.datetime | None = None,
) -> str:
    """When a phase is due and how long that is; `There is no deadline.` without one.

    In a paused game we name no deadline: it will be another when the game goes on. If a deadline
    has passed, we look up whether the whole server stands still, so that it moves.
    """
    if paused:
        return paused_until(resumes_at, timezone)
    if due_at is None:
        return "There is no deadline."
    if due_at <= now:
        moves = f" {HALTED}" if will_move(due_at) else ""
        return f"The deadline was {local_moment(due_at, timezone)}.{moves}"
    return f"Deadline: {local_moment(due_at, timezone)}, in {time_left(due_at, now)}."


def due(
    due_at: dt.datetime | None,
    timezone: str,
    game_zone: str,
    now: dt.datetime,
    *,
    paused: bool = False,
    resumes_at: dt.datetime | None = None,
) -> list[str]:
    """When a phase is due in the reader's zone, and in that of the game if it is another."""
    lines = [deadline(due_at, timezone, now, paused=paused, resumes_at=resumes_at)]
    if due_at is not None and not paused and not _same_clock(due_at, timezone, game_zone):
        there = local_moment(due_at, game_zone)
        named = "" if game_zone in there else f", {game_zone}"
        lines.append(f"In the game's own zone{named}: {there}.")
    return lines


def _same_clock(at: dt.datetime, one: str, other: str) -> bool:
    """Whether clocks in two zones agree at a moment, or the other is UTC, which we name anyway."""
    if other == "UTC":
        return True
    return at.astimezone(ZoneInfo(one)).utcoffset() == at.astimezone(ZoneInfo(other)).utcoffset()


def join_slashes(items: Iterable[str]) -> str:
    """`A Paris / F Brest`: between commas, "A Paris" would be an order to build it."""
    return " / ".join(items)
