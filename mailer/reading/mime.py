"""Which parts of a mail are its text, and that text decoded."""

from __future__ import annotations

import dataclasses
from email.message import Message

from mailer.reading.charsets import decode_bytes
from mailer.reading.clean import clean_lines, unflow
from mailer.reading.html import html_to_text

MOST_PARTS = 200
DEEPEST = 20
LONGEST_TEXT = 64 * 1024
MOST_LINES = 2000
_LONGEST_HTML = 256 * 1024


@dataclasses.dataclass(frozen=True)
class Body:
    """The text of a mail as lines, and a sentence for each thing of it that was not read."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclasses.dataclass
class _Walk:
    """What has been met on the way through the parts."""

    parts: int = 0
    attachments: list[Message] = dataclasses.field(default_factory=list)
    unread: dict[str, None] = dataclasses.field(default_factory=dict)


def body_of(message: Message) -> Body:
    """The mail's text: its text/plain parts, or its HTML, or else a .txt attachment.

    Returned mails (message/rfc822) are never opened: the orders in them are not this mail's.
    """
    walk = _Walk()
    text = _text(message, walk, 0)
    for part in walk.attachments:
        name = part.get_filename() or "without a name"
        if text.strip() or part.get_content_type() != "text/plain":
            walk.unread.setdefault(f"the attachment {_short(name)}")
        else:
            text = _decoded(part)
    lines = clean_lines(text[:LONGEST_TEXT])
    if len(text) > LONGEST_TEXT or len(lines) > MOST_LINES:
        walk.unread.setdefault("everything after the first 64 KB or 2000 lines of text")
    return Body(tuple(lines[:MOST_LINES]), tuple(walk.unread))


def _text(part: Message, walk: _Walk, depth: int) -> str:
    walk.parts += 1
    if walk.parts > MOST_PARTS or depth > DEEPEST:
        walk.unread.setdefault("parts beyond the first 200, or nested deeper than 20")
        return ""
    kind = part.get_content_type()
    if part.is_multipart() and kind.startswith("multipart/"):
        children = [child for child in part.get_payload() if isinstance(child, Message)]
        if kind == "multipart/alternative":
            return _best(children, walk, depth)
        texts = [_text(child, walk, depth + 1) for child in children]
        return "\n".join(text for text in texts if text.strip())
    if kind.startswith("message/"):
        walk.unread.setdefault("a mail attached to yours")
        return ""
    if part.get_content_disposition() == "attachment" or not kind.startswith("text/"):
        walk.attachments.append(part)
        return ""
    return _decoded(part) if kind in ("text/plain", "text/html") else ""


def _best(children: list[Message], walk: _Walk, depth: int) -> str:
    """Plain text before anything else; another version only when there is none."""
    plain_first = sorted(children, key=lambda child: child.get_content_type() != "text/plain")
    for child in plain_first:
        text = _text(child, walk, depth + 1)
        if text.strip():
            return text
    return ""


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    declared = part.get_param("charset")
    charset = declared[2] if isinstance(declared, tuple) else declared
    text = decode_bytes(raw[:_LONGEST_HTML], charset)
    if part.get_content_type() == "text/html":
        return html_to_text(text)
    if str(part.get_param("format", "")).lower() == "flowed":
        delete_space = str(part.get_param("delsp", "")).lower() == "yes"
        return "\n".join(unflow(clean_lines(text), delete_space=delete_space))
    return text


def _short(name: object) -> str:
    return " ".join(clean_lines(str(name)))[:60]
