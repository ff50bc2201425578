"""Reads the header so that nobody can be mistaken for somebody else."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from mailer.reading.clean import clean_line, decode_bytes
from mailer.reading.parser import LONGEST_HEADER
from mailer.reading.parser import LONGEST_LINE as _LONGEST

LONGEST_SUBJECT = 200
"""How many characters of a subject we read."""
_LETTER = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_ATOM = f"{_LETTER}+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_MAILBOX = rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
# Tried only where an address can begin: trying at each letter of "a.a.a.a…" would take quadratic
# time.
_BARE = re.compile(rf"(?<!{_LETTER})(?<!{_LETTER}\.){_MAILBOX}")
_NAMED = re.compile(rf'(?:"(?:[^"\\]|\\.)*"|[^<>"(),;:@\[\]\\]*)\s*<({_MAILBOX})>')
_WITH_NAME_AFTER = re.compile(rf"({_MAILBOX})\s*\([^<>\"(),;:@\[\]\\]*\)")
_ASIDE = re.compile(r'"(?:[^"\\]|\\.)*+"?|\([^()]*\)?')
_RECIPIENT = re.compile(rf"({_MAILBOX})|[^<>]*<\s*({_MAILBOX})\s*>")
_RECIPIENT_HEADERS = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_FIELD = re.compile(rb"([!-9;-~]+):")
_FROM = re.compile(rb"(?:^|[\r\n])from[ \t]*:([^\r\n]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a DKIM signature (RFC 6376) says about itself; nothing here has checked it.

    `domain` is empty if it names no domain, or one too long to read whole. `fields` are the names
    of the headers that it covers, in lower case; `made_at` is the time it gives.
    """

    domain: str
    fields: frozenset[str]
    made_at: dt.datetime | None


def header(message: Message, name: str) -> str:
    """The first header of that name, unfolded but not decoded; "" if there is no such header."""
    return unfold(message.get(name, ""))


def unfold(value: object) -> str:
    """A header's value on one line, without the characters that no header may have."""
    text = str(value).encode("utf-8", "replace").decode("utf-8", "replace")
    return " ".join(text.replace("\0", " ").split())


def is_plain(raw: bytes) -> bool:
    """Whether every program reads the same headers in these bytes, and one From among them.

    Lines end with CRLF, or LF if the mail is stored so; each begins with a name and a colon (RFC
    5322, 2.2) or goes on with a blank. A lone CR, a blank before the colon or a line that is no
    header ends a line, a field or the whole header for some programs and not for others: the server
    that judged the sender may then have seen another From than we do.
    """
    senders = 0
    for number, line in enumerate(raw.split(b"\n")):
        line = line.removesuffix(b"\r")
        if not line:
            break
        if b"\r" in line or b"\0" in line:
            return False
        if line[:1] in (b" ", b"\t"):
            if number == 0:
                return False
            continue
        field = _FIELD.match(line)
        if field is None:
            return False
        senders += field.group(1).lower() == b"from"
    else:
        if len(raw) > LONGEST_HEADER:
            return False  # more of the header may have been cut off
    return senders == 1


def from_addresses(raw: bytes) -> tuple[str, ...]:
    """Every bare address in what some program may take for a From line, lower-case, at most 10."""
    head = raw[: 64 * 1024].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    texts = (found.decode("ascii", "replace")[:_LONGEST] for found in _FROM.findall(head))
    return tuple(dict.fromkeys(one.lower() for text in texts for one in _BARE.findall(text)))[:10]


def strict_sender(message: Message) -> str | None:
    """The only mailbox in the only From header, lower-case; None for anything less plain.

    Comments, groups, quoted local parts and second addresses have all been used to show one address
    to a reader and another to a program (CVE-2023-27043): such a sender is nobody to us. We accept
    only a plain name in brackets after the address, as old programs write it.
    """
    values = message.get_all("From") or []
    if len(values) != 1:
        return None
    value = unfold(values[0])
    if len(value) > _LONGEST:
        return None
    named = _NAMED.fullmatch(value) or _WITH_NAME_AFTER.fullmatch(value)
    if named:
        return named.group(1).lower()
    return value.lower() if _BARE.fullmatch(value) else None


def recipients(message: Message) -> tuple[str, ...]:
    """Every bare address the mail was sent to, lower-case, at most 50."""
    return mailboxes_in(message, *_RECIPIENT_HEADERS)


def mailboxes_in(message: Message, *names: str) -> tuple[str, ...]:
    """Every bare address in the headers of these names, lower-case, at most 50."""
    found: dict[str, None] = {}
    for name in names:
        for value in message.get_all(name) or []:
            for address in _BARE.findall(unfold(value)[:LONGEST_HEADER]):
                found.setdefault(address.lower())
    return tuple(found)[:50]


def to_or_cc(message: Message, name: str) -> tuple[str, ...]:
    """The bare addresses in To and Cc; none if a header stands there twice, since somebody may have
    added one.

    An address in a name or a comment is no recipient: somebody may call themselves by our address,
    and get answers that only seem to go to us.
    """
    values = message.get_all(name) or []
    if len(values) != 1:
        return ()
    plain = _ASIDE.sub(" ", unfold(values[0])[:LONGEST_HEADER])
    found = (_RECIPIENT.fullmatch(one.strip()) for one in re.split("[,;:]", plain))
    return tuple((one[1] or one[2]).lower() for one in found if one)[:50]


def date(message: Message) -> dt.datetime | None:
    """When the mail was written, as its writer's program says; None unless exactly one header says
    so."""
    values = message.get_all("Date") or []
    try:
        found = parsedate_to_datetime(unfold(values[0])[:_LONGEST]) if len(values) == 1 else None
    except (ValueError, TypeError, OverflowError):
        return None
    return found.replace(tzinfo=dt.UTC) if found and found.tzinfo is None else found


def signatures(message: Message) -> tuple[Signature, ...]:
    """All DKIM signatures of a mail, valid or not, the newest first.

    We must not overlook any, though others can put more above it, and blanks into it that break no
    signature.
    """
    return tuple(_signature(str(value)) for value in message.get_all("DKIM-Signature") or [])


def _signature(value: str) -> Signature:
    if len(value) >= LONGEST_HEADER:  # the parser has cut it off, perhaps in the domain
        return Signature("", frozenset(), None)
    pairs = (part.partition("=") for part in unfold(value).split(";"))
    tags = {name.strip(): text.strip() for name, _, text in pairs}
    return Signature(
        domain=tags.get("d", "").lower(),
        fields=frozenset(name.strip().lower() for name in tags.get("h", "").split(":")),
        made_at=_moment(tags.get("t", "")),
    )


def _moment(seconds: str) -> dt.datetime | None:
    """The time so many seconds after 1970; None for anything else."""
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) < 12):
        return None
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC)


def subject(message: Message) -> str:
    """The subject as its writer sees it, at most LONGEST_SUBJECT characters on one line, with its
    letters encoded in ASCII or as they are (RFC 6532)."""
    raw = next((str(one) for name, one in message.raw_items() if name.lower() == "subject"), "")
    text = decode_bytes(raw.encode("utf-8", "surrogateescape"), None)
    return decode_words(unfold(text))[:LONGEST_SUBJECT]


def message_id(message: Message) -> str:
    """The mail's own Message-ID with its brackets, "" if it has no usable one."""
    found = _MESSAGE_ID.search(header(message, "Message-ID")[:_LONGEST])
    return found.group() if found else ""


def references(message: Message) -> tuple[str, ...]:
    """The last ten Message-IDs of the thread, oldest first."""
    value = f"{header(message, 'References')} {header(message, 'In-Reply-To')}"
    return tuple(dict.fromkeys(_MESSAGE_ID.findall(value[-LONGEST_HEADER:])))[-10:]


def authentication_results(message: Message) -> tuple[str, ...]:
    """The first ten Authentication-Results headers, unfolded, the newest (topmost) first.

    One that was cut off ends in an open bracket, so that nobody takes it for whole: a sender can
    cause so many results that we would lose the last of them, or half of a name.
    """
    values = map(str, message.get_all("Authentication-Results") or [])
    first = islice(values, 10)
    return tuple(unfold(one) + "(" * (len(one) >= LONGEST_HEADER) for one in first)


def decode_words(value: str) -> str:
    """A header with its encoded words (RFC 2047) decoded, whatever charset they claim."""
    try:
        pieces = decode_header(value[: 4 * _LONGEST])
    except (ValueError, HeaderParseError):  # broken base64: show it as it came
        return clean_line(value)
    return clean_line(
        "".join(
            piece if isinstance(piece, str) else decode_bytes(piece, charset)
            for piece, charset in pieces
        )
    )
