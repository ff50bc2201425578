"""Mail in and out in one list, newest first: what the demo's page shows."""

from __future__ import annotations

import datetime as dt
import heapq
import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from django.http import Http404
from django.shortcuts import get_object_or_404

from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.wording import MARKER

Way = Literal["in", "out"]

_GREETING = re.compile(r"^\s*Hello [^\n]*,\n")


@dataclass(frozen=True)
class Row:
    """One mail as a line of the list. `other` is the person: who wrote, or who is written to."""

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
    """A part of the list; `before` is where the next, older part begins (None: there is none)."""

    rows: list[Row]
    before: str | None


@dataclass(frozen=True)
class Block:
    """Lines of a mail that belong together; `ignored` says why the judge left them out, if so."""

    lines: list[str]
    ignored: str = ""


@dataclass(frozen=True)
class Opened:
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
    """Return the newest mails, or those older than `before`, with one person or with everybody."""
    limit = _moment(before)
    into = InboundMail.objects.defer("error").order_by("-stored_at", "-id")
    out = OutboundMail.objects.order_by("-created_at", "-id")
    if limit:
        into, out = into.filter(stored_at__lt=limit), out.filter(created_at__lt=limit)
    if other:
        into = into.filter(sender__iexact=other)
        out = out.filter(recipient__iexact=other)
    both = heapq.merge(
        (inbound_row(mail) for mail in into[: size + 1]),
        (outbound_row(mail) for mail in out[: size + 1]),
        key=lambda row: row.at,
        reverse=True,
    )
    rows = list(both)
    more = len(rows) > size
    rows = rows[:size]
    return Page(rows, rows[-1].at.isoformat() if more else None)


def gathered(rows: list[Row]) -> list[Row]:
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


def open_mail(key: str) -> Opened:
    """Return the mail with this key ("in-12", "out-7"). Raises Http404 when there is none."""
    way, _, number = key.partition("-")
    if not number.isdecimal():
        raise Http404
    if way == "in":
        return _opened_inbound(get_object_or_404(InboundMail, pk=number))
    if way == "out":
        return _opened_outbound(get_object_or_404(OutboundMail, pk=number))
    raise Http404


def inbound_row(mail: InboundMail) -> Row:
    """A mail that came in, as a line of the list."""
    lines = [line.text for line in read_letter(bytes(mail.raw)).lines]
    return Row(
        key=f"in-{mail.pk}",
        way="in",
        at=mail.stored_at,
        other=mail.sender or "(not read yet)",
        subject=mail.subject or "(no subject)",
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


def _opened_inbound(mail: InboundMail) -> Opened:
    raw = bytes(mail.raw)
    letter = read_letter(raw)
    return Opened(
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


def _opened_outbound(mail: OutboundMail) -> Opened:
    headers = {
        "To": mail.recipient,
        "Reply-To": mail.reply_to,
        "Subject": mail.subject,
        "Message-ID": mail.message_id,
        "In-Reply-To": mail.in_reply_to,
        "References": mail.references,
    }
    head = "\n".join(f"{name}: {value}" for name, value in headers.items() if value)
    return Opened(
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
    return " ".join(_GREETING.sub("", text).split())[:120]


def _blocks(letter: Letter) -> list[Block]:
    read = [(line.number, line.text, "") for line in letter.lines]
    left = [(line.number, line.text, line.why) for line in letter.ignored]
    in_order = sorted((*read, *left), key=lambda line: line[0])
    grouped = groupby(in_order, key=lambda line: line[2])
    return [Block([text for _, text, _ in lines], why) for why, lines in grouped]


def _moment(text: str) -> dt.datetime | None:
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
