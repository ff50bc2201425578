"""What we keep about a player, as a page to read: the same as the document for programs."""

from __future__ import annotations

import datetime as dt
import json
import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from games.queries.reports.wording import local_moment
from mailer.text import WIDTH

MAILS = {
    "mails from you": "from-you/{:%Y-%m-%d}-{}.eml",
    "mails to you": "to-you/{:%Y-%m-%d}-{}.txt",
}
"""The names of the files with a mail's words, by the kind of mail, with its day and number."""
HEADINGS = {
    "player": "Your account",
    "addresses": "Your addresses",
    "seats": "The powers you play or have played",
    "applications": "The games you have asked to join",
    "wishes to join": "The games whose game master has not answered you yet",
    "absences": "When you are or were away",
    "attendance": "How often you were in time, by phase",
    "orders": "What you have ordered",
    "orders for later phases": "What you have ordered ahead",
    "press written": "What you have written to others",
    "diary": "Your diary",
    "votes": "How you have voted",
    "proposals": "What you have proposed",
    "offers": "The seats that you were offered",
    "standby": "The standby list",
    "observed games": "The games that you observe",
    "file of the moderators": "What you and the moderators have said, and what they did",
    "requests for your data": "When you asked for your data",
    "links used": "The links to unsubscribe that were used in mails to you",
    "mails from you": "Your mails",
    "mails to you": "Our mails to you",
}
NOT_READ = frozenset({"id", "player", "source", "reading"})
"""Columns that tell a reader nothing: numbers of rows, whose they are, how programs read lines."""


def in_words(document: Mapping[str, Any], timezone: str, files: Collection[str]) -> str:
    """Write the document for people, with times in this zone; `files` are the mails that had
    room."""
    title = f"All that this server keeps about you. Times are in the zone {timezone}."
    return "\n".join([title, *_chapters(document, timezone, files)]) + "\n"


def _chapters(document: Mapping[str, Any], timezone: str, files: Collection[str]) -> Iterator[str]:
    for name, rows in document.items():
        if isinstance(rows, Mapping):
            yield from ("", name.upper(), *_chapters(rows, timezone, files))
            continue
        heading = HEADINGS.get(name, name)
        yield from ("", heading, "-" * len(heading), *([] if rows else ["None."]))
        for row in rows:
            if name in MAILS:
                yield _mail(name, row, timezone, files)
            else:
                yield from (*_row(row, timezone), "")


def _mail(name: str, row: Mapping[str, Any], timezone: str, files: Collection[str]) -> str:
    """When a mail came or went, its subject, and where its words are."""
    at = row["received_at"] if name == "mails from you" else row["created_at"]
    file = MAILS[name].format(at, row["id"])
    where = file if file in files else "its words had no room"
    return f"{local_moment(at, timezone)}: “{row['subject']}” ({where})"


def _row(row: Mapping[str, Any], timezone: str) -> Iterator[str]:
    """Every value in a row, as “name: value”; empty ones are left out."""
    for name, value in row.items():
        if name in NOT_READ or value in (None, "", [], {}):
            continue
        said, label = _value_text(value, timezone), name.replace("_", " ")
        if "\n" in said:
            yield f"{label}:"
            yield textwrap.indent(said, "    ")
        else:
            yield textwrap.fill(f"{label}: {said}", WIDTH, subsequent_indent="    ")


def _value_text(value: Any, timezone: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        return local_moment(value, timezone)
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
