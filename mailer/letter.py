"""The bytes of a mail as a Letter: who wrote it, to whom, and which lines are his own words."""

from __future__ import annotations

import codecs
import dataclasses
import email
import re
from email.message import Message

from mailer.reading.headers import (
    authentication_results,
    message_id,
    recipients,
    references,
    strict_sender,
    subject,
)
from mailer.reading.machine import machine_reason
from mailer.reading.mime import MOST_PARTS, Body, body_of
from mailer.reading.quotes import Ignored, Line, own_lines
from mailer.reading.report import Report, delivery_report

__all__ = ["Ignored", "Letter", "Line", "read_letter"]

_LONGEST_HEADER = 64 * 1024
_CONTENT_HEADER = re.compile(rb"^content-[^\n]*(\n[ \t][^\n]*)*\n?", re.IGNORECASE | re.MULTILINE)
_NUL_IN_VALUE = re.compile(rb"\*(?:\d{0,3}\*)?\s{0,9}=[^;\n]{0,200}%(?:00|0?[\s;])")
_DECODED = (b"name", b"boundary", b"charset", b"format", b"delsp")


@dataclasses.dataclass(frozen=True)
class Letter:
    """A mail as read: pure data, the same for the same bytes.

    `sender` is None when From is not one plain mailbox. `machine` says why a program must have
    written it; then there are no lines. `left_out` names what was not read at all (attachments).
    `authentication` are its Authentication-Results, the newest first, whoever wrote them.
    `report` is what a mail server says about a mail of ours, if it is one that says it.
    """

    sender: str | None
    recipients: tuple[str, ...]
    subject: str
    message_id: str
    references: tuple[str, ...]
    machine: str | None
    lines: tuple[Line, ...]
    ignored: tuple[Ignored, ...]
    left_out: tuple[str, ...] = ()
    authentication: tuple[str, ...] = ()
    report: Report | None = None


def read_letter(raw: bytes) -> Letter:
    """Reads any bytes as a mail; what cannot be read is left out, never an error."""
    raw = raw.removeprefix(codecs.BOM_UTF8)  # some editors put it before a file
    message = _parsed(raw)
    sender, title = strict_sender(message), subject(message)
    machine = machine_reason(message, sender, title)
    body = Body((), ()) if machine else _body(message, raw)
    lines, ignored = own_lines(body.lines)
    return Letter(
        sender=sender,
        recipients=recipients(message),
        subject=title,
        message_id=message_id(message),
        references=references(message),
        machine=machine,
        lines=lines,
        ignored=ignored,
        left_out=body.left_out,
        authentication=authentication_results(message),
        report=delivery_report(message) if machine and _has_readable_body(raw) else None,
    )


def _parsed(raw: bytes) -> Message:
    """The message in the lenient old form of the email package.

    Its modern policy raises on a quarter of the odd headers people really send and takes seconds
    for hostile ones. A header that is too long is cut: nobody writes 64 KB of it.
    """
    if not _has_readable_body(raw):
        return email.message_from_bytes(_CONTENT_HEADER.sub(b"", _header_of(raw)))
    return email.message_from_bytes(_short_header(raw))


def _has_readable_body(raw: bytes) -> bool:
    """Whether the parser can be trusted with the body.

    It takes seconds for more nested parts than a person's mail has, and raises for a parameter
    (RFC 2231) with a NUL in its charset.
    """
    if raw.count(b"oundary=") > MOST_PARTS:
        return False
    ends = (
        raw[max(found.start() - 8, 0) : found.start()].lower()
        for found in _NUL_IN_VALUE.finditer(raw)
    )
    return not any(end.endswith(_DECODED) for end in ends)


def _short_header(raw: bytes) -> bytes:
    head = _header_of(raw)
    if len(head) <= _LONGEST_HEADER:
        return raw
    kept = head[:_LONGEST_HEADER].rpartition(b"\n")[0]
    return kept + b"\n\n" + raw[len(head) :].lstrip(b"\r\n")


def _header_of(raw: bytes) -> bytes:
    ends = [end for end in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if end >= 0]
    return raw[: min(ends)] if ends else raw


def _body(message: Message, raw: bytes) -> Body:
    if not _has_readable_body(raw):
        return Body((), ("the mail, because its parts cannot be told apart",))
    return body_of(message)
