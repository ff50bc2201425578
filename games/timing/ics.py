"""Deadlines as a calendar file (RFC 5545, RFC 5546): values in, text out, no row and no clock.

A deadline is a moment in UTC, which every calendar shows in its reader's own zone, also when clocks
change in between. It is published, not an invitation: nobody is asked to answer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from icalendar import Calendar, Event, vCalAddress

Method = Literal["PUBLISH", "CANCEL"]
PRODUCT = "-//Diplomacy by mail//deadlines//EN"
REFRESH = "PT1H"
"""How often programs that follow a calendar are asked to look again."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """One entry of a calendar."""

    uid: str
    """The same for one deadline, however often it moves."""
    sequence: int
    """Grows with every change: an entry with a smaller one is an older word."""
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
    calendar = Calendar()
    calendar.add("PRODID", PRODUCT)
    calendar.add("VERSION", "2.0")
    calendar.add("METHOD", method)
    if name:
        calendar.add("X-WR-CALNAME", name)
        calendar.add("REFRESH-INTERVAL;VALUE=DURATION", REFRESH)
        calendar.add("X-PUBLISHED-TTL", REFRESH)
    for deadline in deadlines:
        calendar.add_component(_entry(deadline, judge))
    data: bytes = calendar.to_ical()
    return data


def _entry(deadline: Deadline, judge: str) -> Event:
    entry = Event()
    entry.add("UID", deadline.uid)
    entry.add("SEQUENCE", deadline.sequence)
    entry.add("DTSTAMP", deadline.changed_at.astimezone(dt.UTC))
    entry.add("DTSTART", deadline.at.astimezone(dt.UTC))
    entry.add("SUMMARY", deadline.title)
    entry.add("DESCRIPTION", deadline.text)
    if deadline.address:
        entry.add("URL", deadline.address)
    entry.add("ORGANIZER", vCalAddress(f"mailto:{judge}"))
    entry.add("STATUS", "CANCELLED" if deadline.cancelled else "CONFIRMED")
    # A deadline is no time of which one can say that one is busy.
    entry.add("TRANSP", "TRANSPARENT")
    return entry
