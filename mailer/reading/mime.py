"""Which parts of a mail are its text, and that text decoded."""

from __future__ import annotations

import dataclasses
from email.message import Message

from mailer.reading.bounds import DEEPEST, LARGEST, LONGEST_TEXT, MOST_LINES, MOST_PARTS
from mailer.reading.charsets import decode_bytes
from mailer.reading.clean import clean_lines, unflow
from mailer.reading.html import html_to_text

_BEYOND = f"everything after the first {LONGEST_TEXT // 1024} KB or {MOST_LINES} lines of text"
PARTS_BEYOND = f"parts beyond the first {MOST_PARTS}, or nested deeper than {DEEPEST}"
CUT_OFF = (
    f"what came after the first {LARGEST // 1024} KB of your mail; please send your orders without "
    "attachments"
)


@dataclasses.dataclass(frozen=True)
class Body:
    """The text of a mail as lines, and a sentence for each thing of it that was not read."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclasses.dataclass
class _Walk:
    """What has been met on the way through the parts."""

    is_cut: bool
    parts: int = 0
    attachments: list[Message] = dataclasses.field(default_factory=list)
    unread: dict[str, None] = dataclasses.field(default_factory=dict)


def body_of(message: Message, *, is_cut: bool = False) -> Body:
    """The mail's text: its text/plain parts, or its HTML, or else a .txt attachment.

    With `is_cut` the end of the mail is missing, perhaps from the middle of a character on.

    Returned mails (message/rfc822) are never opened: the orders in them are not this mail's.
    """
    walk = _Walk(is_cut)
    text = _text(message, walk, 0)
    for part in walk.attachments:
        name = part.get_filename() or "without a name"
        if text.strip() or part.get_content_type() != "text/plain":
            walk.unread.setdefault(f"the attachment {_short(name)}")
        else:
            text = _decoded(part, walk)
    lines = clean_lines(text[:LONGEST_TEXT])
    if len(text) > LONGEST_TEXT or len(lines) > MOST_LINES:
        walk.unread.setdefault(_BEYOND)
    return Body(tuple(lines[:MOST_LINES]), tuple(walk.unread))


def _text(part: Message, walk: _Walk, depth: int) -> str:
    walk.parts += 1
    if walk.parts > MOST_PARTS or depth > DEEPEST:
        walk.unread.setdefault(PARTS_BEYOND)
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
    return _decoded(part, walk) if kind in ("text/plain", "text/html") else ""


def _best(children: list[Message], walk: _Walk, depth: int) -> str:
    """Plain text before anything else; another version only when there is none."""
    plain_first = sorted(children, key=lambda child: child.get_content_type() != "text/plain")
    for child in plain_first:
        text = _text(child, walk, depth + 1)
        if text.strip():
            return text
    return ""


def _decoded(part: Message, walk: _Walk) -> str:
    """The text of a part, cut before anything is done to it that takes long over long texts."""
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    declared = part.get_param("charset")
    charset = declared[2] if isinstance(declared, tuple) else declared
    text = decode_bytes(raw, charset, is_cut=walk.is_cut)
    if part.get_content_type() == "text/html":
        return html_to_text(text)
    if len(text) > LONGEST_TEXT:
        walk.unread.setdefault(_BEYOND)
        text = text[:LONGEST_TEXT]
    if str(part.get_param("format", "")).lower() == "flowed":
        delete_space = str(part.get_param("delsp", "")).lower() == "yes"
        return "\n".join(unflow(clean_lines(text), delete_space=delete_space))
    return text


def _short(name: object) -> str:
    return " ".join(clean_lines(str(name)))[:60]
