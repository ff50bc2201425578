"""The bytes of a mail as a Letter: who wrote it, to whom, which lines are the writer's own, and
which are text for people: press, notes, letters to a moderator."""

from __future__ import annotations

import codecs
import dataclasses
import datetime as dt
import logging
from collections.abc import Sequence
from email.message import Message

from games.errors import fault
from games.services.time_limit import TimeLimit, TookTooLong
from mailer.reading import phrases
from mailer.reading.complaint import Complaint, complaint_in
from mailer.reading.forwarded import forwarded_lines, passed_on
from mailer.reading.headers import (
    Signature,
    authentication_results,
    date,
    from_addresses,
    is_plain,
    message_id,
    recipients,
    references,
    signatures,
    strict_sender,
    subject,
    to_or_cc,
)
from mailer.reading.machine import Mark, mark_of
from mailer.reading.mime import CUT_OFF, ENCRYPTED, PARTS_BEYOND, Body, body_of
from mailer.reading.parser import LARGEST, READING_SECONDS, TooMuch, parse_mail, parsed_header
from mailer.reading.quotes import COURTESY, SIGNATURE, Ignored, Line, own_lines
from mailer.reading.report import Report, delivery_report

__all__ = ["Ignored", "Letter", "Line", "read_letter"]

logger = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Letter:
    """A mail as read: pure data, the same for the same bytes."""

    sender: str | None
    """None when From is not one plain mailbox, or the header can be read in two ways."""
    recipients: tuple[str, ...]
    subject: str
    message_id: str
    references: tuple[str, ...]
    mark: Mark | None
    """Why we think that a program wrote it."""
    lines: tuple[Line, ...]
    """Its writer's own lines; a delivery report has none."""
    ignored: tuple[Ignored, ...]
    left_out: tuple[str, ...] = ()
    """What we did not read at all, such as attachments, named for its writer."""
    authentication: tuple[str, ...] = ()
    """Its Authentication-Results, the newest first, whoever wrote them."""
    report: Report | None = None
    """A mail server's report about a mail of ours, if it is one."""
    complaint: Complaint | None = None
    """A reader's complaint about a mail of ours, if it is one."""
    claimed: tuple[str, ...] = ()
    """All addresses in From."""
    to: tuple[str, ...] = ()
    """Empty if the header stands there more than once; so is `cc`."""
    cc: tuple[str, ...] = ()
    date: dt.datetime | None = None
    """None if it stands there more than once, or cannot be read."""
    signatures: tuple[Signature, ...] = ()
    """Its DKIM signatures, valid or not."""
    resent: bool = False
    """Whether somebody sent an earlier mail on by hand, unchanged."""


def read_letter(raw: bytes) -> Letter:
    """Read any bytes as a mail, in bounded time.

    What cannot be read is left out; it is never an error. If we cannot read its parts at all, we
    still read the header.
    """
    plain, named = is_plain(raw), from_addresses(raw)
    raw = raw.removeprefix(codecs.BOM_UTF8)  # some editors put it before a file
    try:
        with TimeLimit(READING_SECONDS):
            letter = _whole(raw)
    except TookTooLong:
        letter = _header_only(raw, "because it took too long")
    except TooMuch as reason:
        letter = _header_only(raw, str(reason))
    except Exception as error:  # the parsers of others; RecursionError is one of these, too
        logger.warning("A mail could not be taken apart: %s", fault(error))
        letter = _header_only(raw, "because its parts cannot be told apart")
    cut_off = (CUT_OFF,) if len(raw) >= LARGEST else ()
    sender = letter.sender if plain else None
    left_out = (*letter.left_out, *cut_off)
    return dataclasses.replace(letter, sender=sender, claimed=named, left_out=left_out)


def _whole(raw: bytes) -> Letter:
    mail = parse_mail(raw)
    mark = _mark(mail.message)
    is_report = mark is not None and mark.is_report
    is_cut = len(raw) >= LARGEST
    body = Body((), ()) if is_report else body_of(mail.message, is_cut=is_cut)
    if not mail.is_whole and PARTS_BEYOND not in body.left_out:
        body = Body(body.lines, (*body.left_out, PARTS_BEYOND))
    report = delivery_report(mail.message) if mark else None
    complaint = complaint_in(mail.message) if is_report else None
    letter = _letter(mail.message, body, mark)
    return dataclasses.replace(letter, report=report, complaint=complaint)


def _header_only(raw: bytes, why: str) -> Letter:
    try:
        with TimeLimit(READING_SECONDS):
            header = parsed_header(raw)
            return _letter(header, Body((), (f"your mail, {why}",)), _mark(header))
    except Exception as error:
        logger.warning("The header of a mail could not be read: %s", fault(error))
        return _letter(Message(), Body((), (f"your mail, {why}",)), None)


def _letter(message: Message, body: Body, mark: Mark | None) -> Letter:
    lines, ignored = own_lines(body.lines)
    writer = strict_sender(message)
    if writer and all(phrases.SAYS_FORWARDED.fullmatch(line.text[:200]) for line in lines):
        forwarded = forwarded_lines(body.lines, subject(message), writer)
        lines, ignored = forwarded if forwarded[0] else (lines, ignored)
    lines = (*passed_on(subject(message), lines), *lines)
    attached = body.attached
    if attached and all(phrases.SAYS_ATTACHED.fullmatch(line.text[:200]) for line in lines):
        (lines, ignored), name = own_lines(attached.lines), attached.left_out
        body = Body(body.lines, tuple(one for one in body.left_out if one != name))
    encrypted = any(line.text == phrases.ENCRYPTED for line in ignored)
    if encrypted:
        ignored = tuple(line for line in ignored if line.why != SIGNATURE)
    return Letter(
        sender=writer,
        recipients=recipients(message),
        subject=subject(message),
        message_id=message_id(message),
        references=references(message),
        mark=mark,
        lines=lines,
        ignored=ignored,
        left_out=(*body.left_out, *[ENCRYPTED] * encrypted),
        authentication=authentication_results(message),
        to=to_or_cc(message, "To"),
        cc=to_or_cc(message, "Cc"),
        date=date(message),
        signatures=signatures(message),
        resent="Resent-From" in message,
    )


def _mark(message: Message) -> Mark | None:
    return mark_of(message, strict_sender(message), subject(message))


def prose(letter: Letter) -> tuple[Line, ...]:
    """The lines of a letter with its greetings: text for people to read."""
    return between([*letter.lines, *greetings(letter)], 0, None)


def greetings(letter: Letter) -> list[Line]:
    """The lines of a letter that speak to people and are no order or command."""
    return [Line(one.number, one.text) for one in letter.ignored if one.why == COURTESY]


def between(lines: Sequence[Line], above: int, below: int | None) -> tuple[Line, ...]:
    """The lines between two line numbers, in their order."""
    inside = [
        line for line in lines if line.number > above and (below is None or line.number < below)
    ]
    return tuple(sorted(inside, key=lambda line: line.number))


def text_of(lines: Sequence[Line]) -> str:
    """The lines as one text, with a blank line wherever one is missing in between."""
    text: list[str] = []
    last = lines[0].number if lines else 0
    for line in lines:
        if line.number > last + 1:
            text.append("")
        text.append(f"{line.bullet}{line.text}")
        last = line.number
    return "\n".join(text)
