"""Finds the parts of a mail that are its text, and decodes them."""

from __future__ import annotations

import dataclasses
import re
from email.message import Message

from mailer.reading import phrases
from mailer.reading.clean import clean_lines, decode_bytes, unflow
from mailer.reading.html import read_html
from mailer.reading.parser import DEEPEST, LARGEST, LONGEST_TEXT, MOST_LINES, MOST_PARTS, parse_mail

_BEYOND = f"everything after the first {LONGEST_TEXT // 1024} KB or {MOST_LINES} lines of text"
PARTS_BEYOND = f"parts beyond the first {MOST_PARTS}, or nested deeper than {DEEPEST}"
ENCRYPTED = "the encrypted text: we have no key for it; please write plain text"
CUT_OFF = (
    f"what came after the first {LARGEST // 1024} KB of your mail; please send your orders without "
    "attachments"
)
READ = frozenset({"text/plain", "text/html", "text/markdown", "text/x-markdown"})
"""The kinds of text that we read if they stand in the mail itself."""
STRUCK_OUT = "what is struck out in your mail"
_COMMENT = re.compile(r"\([^()]*\)")  # in a header, RFC 2045, 5.1
_SOFT_BREAK_AND_BLANKS = re.compile(r"=[ \t]+(?=\r?\n)")  # a mail server added them, RFC 2045, 6.7
_FIRST_BOUNDARY = re.compile(
    r"^--(\S{1,70})[ \t]*\r?\n(?=content-[a-z-]{1,40}:|\r?\n)", re.IGNORECASE | re.MULTILINE
)


ATTACHMENT, AN_ATTACHMENT = "the attachment ", "an attachment"
"""What we call an attachment that we did not read, with its own name and without one."""
_LOOKS_LIKE_HTML = re.compile(
    r"\s*<(?:!doctype\s+html|html|head|body|div|p|table|meta|span|br|font)\b[^<>]*>", re.IGNORECASE
)


@dataclasses.dataclass(frozen=True)
class Attached:
    """A text file attached to a mail: its lines, and what we say if we do not read it."""

    lines: tuple[str, ...]
    left_out: str


@dataclasses.dataclass(frozen=True)
class Body:
    """The text of a mail as lines, and a sentence for each part that we did not read.

    `attached` is the first text among the files; we read it if the body itself says nothing.
    """

    lines: tuple[str, ...]
    left_out: tuple[str, ...]
    attached: Attached | None = None


@dataclasses.dataclass
class _Walk:
    """What we found on the way through the parts."""

    is_cut: bool
    parts: int = 0
    attachments: list[Message] = dataclasses.field(default_factory=list)
    unread: dict[str, None] = dataclasses.field(default_factory=dict)


def body_of(message: Message, *, is_cut: bool) -> Body:
    """The mail's text: its text/plain parts, or its HTML, or else a .txt attachment.

    With `is_cut` the end of the mail is missing, perhaps in the middle of a character. We never
    open returned mails (message/rfc822): the orders in them are not this mail's.
    """
    walk = _Walk(is_cut)
    text = _text(message, walk, 0)
    attached: Attached | None = None
    for part in walk.attachments:
        sentence = f"{ATTACHMENT}{_short(part.get_filename() or f'of the type {_kind(part)}')}"
        walk.unread.setdefault(sentence)
        if attached is None and _is_text(part):
            attached = Attached(
                tuple(_lines_within_limits(_readable_text(part, walk), walk)), sentence
            )
    return Body(tuple(_lines_within_limits(text, walk)), tuple(walk.unread), attached)


def _lines_within_limits(text: str, walk: _Walk) -> list[str]:
    """The lines of a text, as far as we read them."""
    lines = clean_lines(text[:LONGEST_TEXT])
    if len(text) > LONGEST_TEXT or len(lines) > MOST_LINES:
        walk.unread.setdefault(_BEYOND)
    return lines[:MOST_LINES]


def _kind(part: Message) -> str:
    """The content type without comments."""
    return _COMMENT.sub("", part.get_content_type()).strip()


def _is_text(part: Message) -> bool:
    """Whether a file is plain text: some programs say so only by its name."""
    named = str(part.get_filename() or "").lower().endswith(".txt")
    return _kind(part) == "text/plain" or (named and _kind(part) == "application/octet-stream")


def _text(part: Message, walk: _Walk, depth: int) -> str:
    walk.parts += 1
    if walk.parts > MOST_PARTS or depth > DEEPEST:
        walk.unread.setdefault(PARTS_BEYOND)
        return ""
    kind = _kind(part)
    if kind.startswith("multipart/") and not part.is_multipart():
        return _without_boundary(part, walk, depth)
    if part.is_multipart() and kind.startswith("multipart/"):
        children = [child for child in part.get_payload() if isinstance(child, Message)]
        if kind == "multipart/alternative":
            return _best(children, walk, depth)
        texts = [_text(child, walk, depth + 1) for child in children]
        return "\n".join(text for text in texts if text.strip())
    if kind.startswith("message/"):
        walk.unread.setdefault("a mail attached to yours")
        return ""
    if part.get_content_disposition() == "attachment" or kind not in READ:
        walk.attachments.append(part)
        return ""
    return _readable_text(part, walk)


def _without_boundary(part: Message, walk: _Walk, depth: int) -> str:
    """The text of parts whose boundary the header does not name, or names wrongly."""
    content = part.get_payload()
    assert isinstance(content, str), "no parts were found in it"
    found = _FIRST_BOUNDARY.search(content)
    if found is None:
        return _decode(part, walk)
    header = f'Content-Type: {_kind(part)}; boundary="{found[1]}"\n\n'
    again = parse_mail((header + content).encode("utf-8", "surrogateescape")).message
    return _text(again, walk, depth + 1) if again.is_multipart() else _decode(part, walk)


def _best(children: list[Message], walk: _Walk, depth: int) -> str:
    """The version to read: plain text, or another if the plain text is missing or only refers to
    it."""
    plain_first = sorted(children, key=lambda child: _kind(child) != "text/plain")
    texts = (_text(child, walk, depth + 1) for child in plain_first)
    first = next((text for text in texts if text.strip()), "")
    if not _may_be_stub(first):
        return first
    other = next((text for text in texts if text.strip()), "")
    return other if other and (_is_stub(first) or _has_order(other)) else first


def _may_be_stub(text: str) -> bool:
    return _is_stub(text) or not _has_order(text)


def _is_stub(text: str) -> bool:
    """Whether a text only says that the real one cannot be shown."""
    lines = [line for line in text[:LONGEST_TEXT].splitlines() if line.strip()]
    return len(lines) <= 6 and bool(phrases.STUB.search(text[:500])) and not _has_order(text)


def _has_order(text: str) -> bool:
    """Whether a line of the text looks like an order; quoted lines begin with a sign."""
    lines = text[:LONGEST_TEXT].splitlines()[:MOST_LINES]
    return any(
        phrases.UNIT_AND_PLACE.match(line[: phrases.LONGEST_RULED].strip()) for line in lines
    )


def _readable_text(part: Message, walk: _Walk) -> str:
    """The text of a part, cut before anything slow happens to it."""
    text = _decode(part, walk)
    if _kind(part) == "text/html" or _looks_like_html(text):
        found = read_html(text)
        if found.has_struck:
            walk.unread.setdefault(STRUCK_OUT)
        return found.text
    if len(text) > LONGEST_TEXT:
        walk.unread.setdefault(_BEYOND)
        text = text[:LONGEST_TEXT]
    if str(part.get_param("format", "")).lower() == "flowed":
        delete_space = str(part.get_param("delsp", "")).lower() == "yes"
        text = "\n".join(unflow(clean_lines(text), delete_space=delete_space))
    return _without_struck(text, walk)


def _without_struck(text: str, walk: _Walk) -> str:
    """The plain text without words that its writer struck out by hand."""
    left = phrases.STRUCK.sub("", text)
    if left != text:
        walk.unread.setdefault(STRUCK_OUT)
    return left


def _decode(part: Message, walk: _Walk) -> str:
    return decode_bytes(_bytes_of(part), _charset_of(part), is_cut=walk.is_cut)


def _bytes_of(part: Message) -> bytes:
    written = part.get_payload()
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding == "quoted-printable" and isinstance(written, str):
        part.set_payload(_SOFT_BREAK_AND_BLANKS.sub("=", written))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _charset_of(part: Message) -> str | None:
    charset = part.get_param("charset")
    return _COMMENT.sub("", str(charset)) if charset else None


def _short(name: object) -> str:
    return " ".join(clean_lines(str(name)))[:60]


def _looks_like_html(text: str) -> bool:
    """Whether a text is HTML, whatever its label says."""
    return "</" in text and bool(_LOOKS_LIKE_HTML.match(text))
