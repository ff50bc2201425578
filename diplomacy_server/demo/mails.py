"""Mail in and out in one list, newest first: what the demo's page shows."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.text import Truncator

from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.text import MARKER

Way = Literal["in", "out"]

Place = tuple[dt.datetime, str, int]

# A phase of one game tells at most this many people at the same moment.
MOST_AT_ONCE = 40

_GREETING = re.compile(r"^\s*Hello [^\n]*,\n")


@dataclass(frozen=True)
class Row:
    """One mail as a line of the list. `other` is the person who wrote, or to whom it went."""

    key: str
    way: Way
    at: dt.datetime
    other: str
    subject: str
    state: str
    excerpt: str
    more: int = 0


@dataclass(frozen=True)
class Page:
    """A part of the list; `before` leads to the next, older part, and is None in the last."""

    rows: list[Row]
    before: str | None


@dataclass(frozen=True)
class Block:
    """Lines of a mail that belong together; `ignored` says why the judge left them out, if so."""

    lines: list[str]
    ignored: str = ""


@dataclass(frozen=True)
class MailView:
    """One mail opened for reading."""

    row: Row
    sender: str
    recipient: str
    reply_to: str
    message_id: str
    note: str
    blocks: list[Block]
    raw: str
    answers: list[Row]
    questions: list[Row]


def mails_page(*, other: str = "", before: str = "", size: int = 40) -> Page:
    """Return the newest mails, or those after the row `before`, with one person or with
    everybody."""
    into = InboundMail.objects.order_by("-stored_at", "-id")
    out = OutboundMail.objects.order_by("-created_at", "-id")
    if (last := _place(before)) is not None:
        into, out = into.filter(stored_at__lte=last[0]), out.filter(created_at__lte=last[0])
    if other:
        into = into.filter(sender__iexact=other)
        out = out.filter(recipient__iexact=other)
    # Several mails may have the moment at which a page ends; their keys tell them apart.
    fetched = size + 1 + (MOST_AT_ONCE if last else 0)
    rows = [inbound_row(mail) for mail in into[:fetched]]
    rows += [outbound_row(mail) for mail in out[:fetched]]
    rows.sort(key=_order, reverse=True)
    if last is not None:
        rows = [row for row in rows if _order(row) < last]
    more = len(rows) > size
    return Page(rows[:size], _cursor(rows[size - 1]) if more else None)


def gather(rows: list[Row]) -> list[Row]:
    """Put mails that tell several people the same thing into one row; `more` counts the others."""
    seen: dict[tuple[Way, str, str], Row] = {}
    for row in rows:
        key = (row.way, row.subject, row.at.isoformat() if row.way == "out" else row.key)
        first = seen.get(key)
        seen[key] = replace(first, more=first.more + 1) if first else row
    return list(seen.values())


def people() -> list[str]:
    """Return every address that mail came from or went to."""
    into = InboundMail.objects.exclude(sender="").values_list("sender", flat=True).distinct()
    out = OutboundMail.objects.values_list("recipient", flat=True).distinct()
    return sorted({address.lower() for address in (*into.order_by(), *out.order_by())})


def open_mail(key: str) -> MailView:
    """Return the mail with this key ("in-12", "out-7"). Raises Http404 without one."""
    way, _, number = key.partition("-")
    if not number.isdecimal():
        raise Http404
    if way == "in":
        return _inbound_view(get_object_or_404(InboundMail, pk=number))
    if way == "out":
        return _outbound_view(get_object_or_404(OutboundMail, pk=number))
    raise Http404


def inbound_row(mail: InboundMail) -> Row:
    """A mail that came in, as a line of the list."""
    letter = read_letter(bytes(mail.raw))
    lines = [line.text for line in letter.lines]
    return Row(
        key=f"in-{mail.pk}",
        way="in",
        at=mail.stored_at,
        other=mail.sender or letter.sender or "(no plain address)",
        subject=mail.subject or letter.subject or "(no subject)",
        state=mail.get_state_display(),
        excerpt=_excerpt(" / ".join(line.strip() for line in lines if line.strip())),
    )


def outbound_row(mail: OutboundMail) -> Row:
    """A mail that went out, as a line of the list."""
    return Row(
        key=f"out-{mail.pk}",
        way="out",
        at=mail.created_at,
        other=mail.recipient,
        subject=mail.subject,
        state=mail.get_state_display(),
        excerpt=_excerpt(mail.body[:500].removeprefix(MARKER)),
    )


def _inbound_view(mail: InboundMail) -> MailView:
    raw = bytes(mail.raw)
    letter = read_letter(raw)
    return MailView(
        row=inbound_row(mail),
        sender=mail.sender or letter.sender or "",
        recipient=", ".join(letter.recipients[:3]),
        reply_to="",
        message_id=mail.message_id,
        note=mail.note or mail.error,
        blocks=_blocks(letter),
        raw=raw.decode("utf-8", "replace"),
        answers=[outbound_row(answer) for answer in mail.answers.all()],
        questions=[],
    )


def _outbound_view(mail: OutboundMail) -> MailView:
    headers = {
        "To": mail.recipient,
        "Reply-To": mail.reply_to,
        "Subject": mail.subject,
        "Message-ID": mail.message_id,
        "In-Reply-To": mail.in_reply_to,
        "References": mail.references,
    }
    head = "\n".join(f"{name}: {value}" for name, value in headers.items() if value)
    return MailView(
        row=outbound_row(mail),
        sender="the judge",
        recipient=mail.recipient,
        reply_to=mail.reply_to,
        message_id=mail.message_id,
        note=mail.last_error,
        blocks=[Block(mail.body.splitlines())],
        raw=f"{head}\n\n{mail.body}",
        answers=[],
        questions=[inbound_row(mail.answers)] if mail.answers else [],
    )


def _excerpt(text: str) -> str:
    return Truncator(" ".join(_GREETING.sub("", text).split())).chars(120)


def _blocks(letter: Letter) -> list[Block]:
    read = [(line.number, line.text, "") for line in letter.lines]
    left = [(line.number, line.text, line.why) for line in letter.ignored]
    in_order = sorted((*read, *left), key=lambda line: line[0])
    grouped = groupby(in_order, key=lambda line: line[2])
    return [Block([text for _, text, _ in lines], why) for why, lines in grouped]


def _order(row: Row) -> Place:
    way, _, number = row.key.partition("-")
    return row.at, way, int(number)


def _cursor(row: Row) -> str:
    return f"{row.at.isoformat()}~{row.key}"


def _place(cursor: str) -> Place | None:
    """Return the place in the list that a cursor names, None for anything that is not a cursor."""
    at, _, key = cursor.partition("~")
    way, _, number = key.partition("-")
    try:
        place = dt.datetime.fromisoformat(at), way, int(number)
    except ValueError:
        return None
    return place if place[0].tzinfo else None
