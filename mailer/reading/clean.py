"""Characters: what only looks like a blank becomes one, what nobody can see goes away.

Dashes stay as they are written: the order reader knows them all.
"""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = re.compile("[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Controls, soft hyphens, zero-width and direction marks, lone surrogates, private and unassigned
# tag characters: none of them is visible, some of them are poison for PostgreSQL (NUL).
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def clean_lines(text: str) -> list[str]:
    """The text's lines without invisible characters; trailing blanks stay (format=flowed)."""
    return [_visible(line) for line in _LINE_ENDS.split(text)]


def clean_line(text: str) -> str:
    """One line of visible text with single blanks."""
    return " ".join(_visible(_LINE_ENDS.sub(" ", text)).split())


def unflow(lines: list[str], *, delete_space: bool) -> list[str]:
    """Paragraphs of format=flowed (RFC 3676): soft-broken lines of one quote depth joined again."""
    result: list[str] = []
    open_depth: int | None = None
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        soft = text.endswith(" ") and text != "-- "
        shown = text[:-1] if soft and delete_space else text
        if open_depth == depth and text != "-- ":
            result[-1] += shown
        else:
            result.append(f"{'>' * depth} {shown}" if depth else shown)
        open_depth = depth if soft else None
    return result


def _visible(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    line = _INVISIBLE.sub("", _BLANKS.sub(" ", line))
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", line))
