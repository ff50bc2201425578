"""Reads what mail servers report about a mail of ours (RFC 3464), and what older ones write
instead.

Nothing here decides whether to believe a report: see mailer/inbound/bounces.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser

from mailer.reading.clean import clean_line
from mailer.reading.headers import decode_words, header

RETURN_TO = "X-Return-To"
"""Our header with the secret address of a mail, if all mails have the same envelope sender
(`VERP=0`). A server that sends the mail back returns its header; no answer to it does."""
FAILED, DELAYED = "failed", "delayed"
_WORST_FIRST = (FAILED, DELAYED, "expanded", "relayed", "delivered")
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_OF_THE_MAIL = re.compile(r"5\.(2\.3|3\.4|6\.\d+|7\.(?!(?:2|124|13[3-6])$)\d+)")
"""Too large, or refused for its content or by some policy (RFC 3463, 3). The policies of one
address have codes of their own: 5.7.2 for a mailing list, and Exchange's for a mailbox or group
that takes mail only from some people."""
_MEANS = {
    **dict.fromkeys(("1.1", "1.3", "1.6"), "there is no such mailbox"),
    **dict.fromkeys(("1.2", "1.10", "4.4"), "there is no mail server for this domain"),
    "2.1": "the mailbox has been closed",
    "2.2": "the mailbox is full",
}
_GENERAL = re.compile(r"[245]\.0\.0")
_REPLY_CODE = re.compile(r"(?<![\d.-])([45]\d\d)[ -](?!\d)")
_LATE = re.compile(r"delay|warning|still being retried|will (be )?retr|not yet|temporar", re.I)
_RETURNED = re.compile(
    r"deliver|failure|failed|returned mail|bounce|warning|(un|nicht )zustell|fehlgeschlagen"
    r"|non remis|non distribu|no se pudo entregar|mancato recapito|onbestelbaar",
    re.I,
)
_MOST_TEXT = 16 * 1024
"""How many characters of a report we search."""
_LONGEST_SAID = 300
"""How many characters of a mail server's words we keep."""
_DEEPEST = 5
"""How deeply we search the parts of a report for the mail that it returns."""


@dataclasses.dataclass(frozen=True)
class Report:
    """What became of one mail."""

    action: str
    """RFC 3464's word for it."""
    status: str
    """Its code, such as 5.1.1; may be empty."""
    said: str
    """What the last server answered, on one line."""
    returned_to: str = ""
    """The envelope sender in the header of the mail that it is about; a mail that only looks like a
    report has none."""

    @property
    def lost(self) -> bool:
        """Whether the mail will never arrive, for whatever reason."""
        return self.action == FAILED

    @property
    def late(self) -> bool:
        """Whether the mail is still being tried."""
        return self.action == DELAYED


def is_of_the_mail(said: str) -> bool:
    """Whether a server that said this refused the mail for what it is, not for where it goes.

    Without a code that says more, 552 and 554 mean the mail (RFC 5321, 4.2.3). The code 5.7.1 says
    only that the sender may not send there (RFC 3463, 3.8), which may be the fault of either. We
    blame the mail: trying for two days costs little, while giving up an address costs a player.
    """
    codes = [one for one in _STATUS.findall(said) if not _GENERAL.fullmatch(one)]
    if codes:
        return bool(_OF_THE_MAIL.fullmatch(codes[0]))
    reply = _REPLY_CODE.search(said)
    return reply is not None and reply.group(1) in ("552", "554")


def in_words(said: str) -> str:
    """A server's words, after the meaning of its code if that is a common one (RFC 3463, 3): few of
    their readers know the codes."""
    codes = (one.partition(".")[2] for one in _STATUS.findall(said))
    means = next((_MEANS[one] for one in codes if one in _MEANS), "")
    return f"{means} ({said})" if means else said


def delivery_report(message: Message) -> Report | None:
    """The report in a program's mail; None if it reports nothing."""
    parts = list(parts_of(message))
    recipients = [
        block
        for part in parts
        if part.get_content_type() == "message/delivery-status"
        for block in _blocks(part)
        if "Action" in block
    ]
    if not recipients:
        return _loose_report(message, parts)
    actions = [header(block, "Action").lower().split(" ")[0] for block in recipients]
    worst = next((one for one in _WORST_FIRST if one in actions), None)
    if worst is None:
        return None
    block = recipients[actions.index(worst)]
    found = _STATUS.search(header(block, "Status"))
    said = header(block, "Diagnostic-Code") or header(block, "Status")
    return Report(
        action=worst,
        status=found.group() if found else "",
        said=_short(said.partition(";")[2] or said),
        returned_to=returned_to(parts),
    )


def parts_of(part: Message, depth: int = 0) -> Iterator[Message]:
    """The parts of a mail, without those of mails attached to it."""
    yield part
    if depth < _DEEPEST and part.get_content_type().startswith("multipart/"):
        children = part.get_payload()
        for child in children if isinstance(children, list) else []:
            if isinstance(child, Message):
                yield from parts_of(child, depth + 1)


def _blocks(part: Message) -> list[Message]:
    """The groups of fields in a delivery status: one for the mail, one for each recipient."""
    payload = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def returned_to(parts: list[Message]) -> str:
    """The envelope sender in the header of the mail that comes back, whole or only its header; ""
    without one.

    It stands in a header of our own if the server that sends our mail wants one sender for all, and
    in Return-Path if a server has put the mail into a mailbox. An answer to the mail, or a mail
    that quotes it, has the Message-ID, but neither of these.
    """
    for part in parts:
        kind = part.get_content_type()
        payload = part.get_payload()
        if kind == "message/rfc822" and isinstance(payload, list) and payload:
            returned = payload[0]
            return _sender_named(returned) if isinstance(returned, Message) else ""
        if kind in ("text/rfc822-headers", "message/rfc822-headers"):
            return _sender_named(HeaderParser().parsestr(_text(part)))
    return ""


def _sender_named(returned: Message) -> str:
    said = header(returned, RETURN_TO) or header(returned, "Return-Path")
    return said.strip(" <>").lower()


def _loose_report(message: Message, parts: list[Message]) -> Report | None:
    """A report by qmail, older Exim or Exchange: known by its look, and read as far as possible."""
    subject = decode_words(header(message, "Subject"))
    plain = "\n".join(_text(part) for part in parts if part.get_content_type() == "text/plain")
    robot = re.search(r"mailer-daemon|postmaster", header(message, "From"), re.I)
    if "X-Failed-Recipients" not in message and not (robot and _RETURNED.search(subject + plain)):
        return None
    # Below this line qmail quotes our own mail, whose words are not the server's.
    plain = plain.partition("\n--- Below this line is a copy")[0][:_MOST_TEXT]
    status, code = _STATUS.search(plain), _REPLY_CODE.search(plain)
    late = bool(_LATE.search(subject))
    found = status or code
    return Report(
        action=DELAYED if late else FAILED,
        status=status.group() if status else "",
        said=_short(_line_around(plain, found) if found else subject),
    )


def _line_around(text: str, found: re.Match[str]) -> str:
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    return text[start : end if end >= 0 else len(text)]


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    return raw[: 4 * _MOST_TEXT].decode("utf-8", "replace").replace("\r\n", "\n")


def _short(text: str) -> str:
    return " ".join(clean_line(text).split())[:_LONGEST_SAID]
