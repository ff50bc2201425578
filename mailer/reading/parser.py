"""Takes the bytes of a mail apart, within bounds for bytes, parts, depth, text and time.

We check the bounds before doing the work, not after it. We leave out whatever exceeds them, and
tell the sender.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from email.feedparser import BytesFeedParser
from email.message import Message
from email.policy import Compat32, Policy
from typing import Any

from mailer.reading.clean import decode_bytes

# However the parameter is written: in any case, with blanks, in RFC 2231's numbered pieces.
_BOUNDARY = re.compile(rb"boundary[\s*\d]*=", re.IGNORECASE)
_CONTENT_HEADER = re.compile(rb"^content-[^\n]*(\n[ \t][^\n]*)*\n?", re.IGNORECASE | re.MULTILINE)
LARGEST = 256 * 1024
"""How many bytes of a mail we fetch, store and read. The text comes first; photographs follow
it."""

MOST_PARTS = 200
DEEPEST = 20
"""How deeply parts may be nested: Python's parser calls itself for each level."""

MOST_WORK = 2_000_000
"""Lines times boundaries: Python's parser compares every line with every open boundary."""

LONGEST_LINE = 998
"""RFC 5322, 2.1.1: no line of a mail may be longer."""

LONGEST_HEADER = 20 * LONGEST_LINE
LONGEST_CONTENT_HEADER = 2 * LONGEST_LINE
"""Python reads parameters in quadratic time; a long file name has 1,000 characters."""

LONGEST_TEXT = 64 * 1024
MOST_LINES = 2000

READING_SECONDS = 2.0
"""Processor time for one mail. The slowest letter written by a person takes a tenth of a second."""


class TooMuch(Exception):
    """A mail exceeds a bound; the message says why, as half a sentence for its sender."""


@dataclasses.dataclass(frozen=True)
class Parsed:
    """A mail's parts, and whether there were more than we look at."""

    message: Message
    is_whole: bool = True


class _ShortHeaders(Compat32):
    """Python's lenient old policy, with each header cut to the length that people need.

    The modern policy raises on a quarter of the odd headers that people really send, and spends
    seconds on hostile ones.
    """

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        is_content = name.lower().startswith("content-")
        return name, value[: LONGEST_CONTENT_HEADER if is_content else LONGEST_HEADER]


_POLICY = _ShortHeaders()


class _TooManyParts(Exception):
    pass


class _Part(Message):
    """A part that no charset can break, whatever its header calls one.

    Python's own part decodes some texts and parameters itself, and raises on a charset that is not
    for text, has a null character, or was written in pieces or with a language (RFC 2231).
    """

    _payload: Any

    def get_payload(self, i: int | None = None, decode: bool = False) -> Any:  # noqa: FBT001
        """Return the parts, or the text with its bytes beyond ASCII as surrogates; with `decode`
        the bytes without their transfer encoding."""
        if i is None and not decode:
            return self._payload
        return super().get_payload(i, decode)  # type: ignore[call-overload]

    def get_param(self, *asked: Any, **options: Any) -> Any:
        """Return a parameter as text, or for a missing one the value given for that case."""
        found = super().get_param(*asked, **options)
        if not isinstance(found, tuple):
            return found
        charset, _, text = found
        return decode_bytes(text.encode("raw-unicode-escape"), charset)


class _Parts:
    """Makes the parts of one mail, and stops the parser at the first one too many."""

    def __init__(self) -> None:
        self.made: list[Message] = []

    def __call__(self, policy: Policy[Message] = _POLICY) -> Message:
        if len(self.made) == MOST_PARTS:
            raise _TooManyParts
        self.made.append(_Part(policy=policy))
        return self.made[-1]


def parse_mail(raw: bytes) -> Parsed:
    """The parts of a mail, at most MOST_PARTS of them.

    Raises TooMuch, before anything is parsed, if parsing would cost too much.
    """
    raw = raw[:LARGEST]
    lines = raw.count(b"\n") + raw.count(b"\r")
    if lines * sum(1 for _ in _BOUNDARY.finditer(raw)) > MOST_WORK:
        raise TooMuch("because too many parts are nested in it")
    parts = _Parts()
    parser = BytesFeedParser(parts, policy=_POLICY)
    parts.made.clear()  # the parser has made one to see whether it can
    try:
        parser.feed(raw)
        return Parsed(parser.close())
    except _TooManyParts:
        return Parsed(parts.made[0], is_whole=False)


def parsed_header(raw: bytes) -> Message:
    """The header alone, for a mail whose body cannot be read, without what it says about the
    body."""
    return parse_mail(_CONTENT_HEADER.sub(b"", header_of(raw[:LARGEST])) + b"\n").message


def header_of(raw: bytes) -> bytes:
    """The header's bytes, without the blank line that ends it."""
    ends = [end for end in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if end >= 0]
    return raw[: min(ends)] if ends else raw
