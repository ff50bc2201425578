"""What the header says, read so that nobody can be mistaken for somebody else."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from mailer.reading.bounds import LONGEST_HEADER
from mailer.reading.bounds import LONGEST_LINE as _LONGEST
from mailer.reading.charsets import decode_bytes
from mailer.reading.clean import clean_line

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_MAILBOX = rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"
_BARE = re.compile(_MAILBOX)
_NAMED = re.compile(rf'(?:"(?:[^"\\]|\\.)*"|[^<>"(),;:@\[\]\\]*)\s*<({_MAILBOX})>')
_WITH_NAME_BEHIND = re.compile(rf"({_MAILBOX})\s*\([^<>\"(),;:@\[\]\\]*\)")
_RECIPIENT_HEADERS = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")


def header(message: Message, name: str) -> str:
    """The first header of that name, unfolded, undecoded; empty when there is none."""
    return unfolded(message.get(name, ""))


def unfolded(value: object) -> str:
    """A header's value on one line, without the characters no header may have."""
    text = str(value).encode("utf-8", "replace").decode("utf-8", "replace")
    return " ".join(text.replace("\0", " ").split())


def strict_sender(message: Message) -> str | None:
    """The one mailbox in the one From header, lower-case; None for anything less plain.

    Comments, groups, quoted local parts and second addresses have all been used to show one
    address to a reader and another to a program (CVE-2023-27043): whoever writes so is nobody.
    Only a plain name in brackets behind the address is read, as old programs write it.
    """
    values = message.get_all("From") or []
    if len(values) != 1:
        return None
    value = unfolded(values[0])
    if len(value) > _LONGEST:
        return None
    named = _NAMED.fullmatch(value) or _WITH_NAME_BEHIND.fullmatch(value)
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
            for address in _BARE.findall(unfolded(value)[:LONGEST_HEADER]):
                found.setdefault(address.lower())
    return tuple(found)[:50]


def subject(message: Message) -> str:
    """The subject as its writer sees it, at most 200 characters on one line."""
    return decoded(header(message, "Subject"))[:200]


def message_id(message: Message) -> str:
    """The mail's own Message-ID with its brackets; empty when it has none that is usable."""
    found = _MESSAGE_ID.search(header(message, "Message-ID")[:_LONGEST])
    return found.group() if found else ""


def references(message: Message) -> tuple[str, ...]:
    """The last ten Message-IDs of the thread, oldest first."""
    value = f"{header(message, 'References')} {header(message, 'In-Reply-To')}"
    return tuple(dict.fromkeys(_MESSAGE_ID.findall(value[-LONGEST_HEADER:])))[-10:]


def authentication_results(message: Message) -> tuple[str, ...]:
    """The first ten Authentication-Results headers, unfolded, the newest (topmost) first."""
    values = message.get_all("Authentication-Results") or []
    return tuple(unfolded(value)[: 4 * _LONGEST] for value in values[:10])


def decoded(value: str) -> str:
    """A header with its encoded words (RFC 2047) read, whatever their charset claims to be."""
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
