"""Turns bytes into text, whatever their sender claims about them, and makes that text visible.

Signs that only look like a blank become one, and invisible ones go. Dashes stay as written: the
order reader knows them all.
"""

from __future__ import annotations

import codecs
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

# Bytes of cp1252 that came as control characters: dashes and quotation marks, mostly.
_CP1252 = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
# What is left of a text that programs encoded or decoded once too often: UTF-8 read as cp1252
# ("â€“" for a dash), quoted-printable that nobody declared ("=E2=80=93"), colours of a terminal.
_TWICE = re.compile("[\u00c2-\u00f4](?:[\x80-\xbf]|[\u0152-\u2122]){1,3}")
_PRINTABLE_QUOTED = re.compile(r"(?:=[0-9A-F]{2}){2,}")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_SYMBOLS = str.maketrans(
    {"\uf0e0": "→", "\uf0e8": "→", "\uf0f0": "→", "\uf0df": "←"}  # Wingdings
    | {sign: f"[{digit}]" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}  # no part of “Mun¹”
)

# A mark that changes the letter before it. The first kind has no combining class of its own and is
# replaced by marks that have one (Unicode Annex 15, 12).
_MARKS_BY_ANOTHER_NAME = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
_MOST_MARKS = 30  # on one letter: the Stream-Safe Text Format; sorting more takes quadratic time
# Codecs that are no charset of a mail, or that take quadratic time on hostile text.
_NEVER = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
# A text in one of these is hardly ever valid UTF-8 by chance, but UTF-8 is often labelled as one.
_ONE_BYTE = re.compile(r"cp125\d|iso8859|mac")
_PROOF, _FEWEST = 10_000, 4
# What senders call X but mean as the larger set Y (the table every browser uses).
_WIDER = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}


def clean_lines(text: str) -> list[str]:
    """The text's lines without invisible characters; trailing blanks stay (format=flowed).

    One line may become several, since undeclared quoted-printable may contain line ends.
    """
    lines = (_visible(line) for line in _LINE_ENDS.split(text))
    return [one for line in lines for one in _LINE_ENDS.split(line)]


def clean_line(text: str) -> str:
    """The text as one visible line with single blanks."""
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
    if "=" in line:
        line = _decode_printable(line)
    if line.isascii() and line.isprintable():
        return line
    line = _TWICE.sub(_once, _COLOUR.sub("", line)).translate(_SYMBOLS).translate(_CP1252)
    line = _without_heaps(_INVISIBLE.sub("", _BLANKS.sub(" ", line)))
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", line))


def _decode_printable(line: str) -> str:
    """The line with undeclared quoted-printable decoded, if it plainly is that."""
    decoded = _PRINTABLE_QUOTED.sub(_from_printable, line)
    return decoded.replace("=20", " ") if decoded != line or line.endswith("=20") else line


def _from_printable(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("=", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _once(match: re.Match[str]) -> str:
    """The letters read as UTF-8, if they are UTF-8 that was read as cp1252; otherwise unchanged."""
    for end in range(len(match[0]), 1, -1):
        try:
            return _as_utf_8(match[0][:end]) + match[0][end:]
        except UnicodeError:
            continue
    return match[0]


def _as_utf_8(text: str) -> str:
    raw = b"".join(
        bytes([ord(letter)]) if ord(letter) < 0x100 else letter.encode("cp1252") for letter in text
    )
    return raw.decode("utf-8")


def _without_heaps(line: str) -> str:
    """The line with at most `_MOST_MARKS` marks on one letter."""
    kept, marks = [], 0
    for character in line:
        is_mark = unicodedata.combining(character) or character in _MARKS_BY_ANOTHER_NAME
        marks = marks + 1 if is_mark else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def decode_bytes(raw: bytes, declared: str | None, *, is_cut: bool = False) -> str:
    """The text: by its declared charset, by UTF-8, or by cp1252; never fails.

    With `is_cut` the bytes may end in the middle of a character, which is then left out.
    """
    named = _usable(declared)
    first = "utf-8" if named and _ONE_BYTE.match(named) and _is_beyond_ascii(raw) else named
    for charset in (first, named, "utf-8", "cp1252"):
        if charset is None:
            continue
        try:
            return _decode(raw, charset, is_cut=is_cut)
        except (UnicodeError, ValueError):
            continue
    return raw.decode("latin-1")


def _is_beyond_ascii(raw: bytes) -> bool:
    """Whether so much of a text is not ASCII that it must be UTF-8 if it can be read as UTF-8."""
    return sum(byte > 0x7F for byte in raw[:_PROOF]) >= _FEWEST


def _decode(raw: bytes, charset: str, *, is_cut: bool) -> str:
    if not is_cut:
        return raw.decode(charset)
    return codecs.getincrementaldecoder(charset)().decode(raw)


def _usable(declared: str | None) -> str | None:
    """Python's name for a declared charset; None if it is not a charset of text."""
    if not declared:
        return None
    try:
        found = codecs.lookup(declared.strip().strip("\"'")[:40])
    except (LookupError, ValueError):
        return None
    name = found.name.replace("_", "-")
    if name in _NEVER or not getattr(found, "_is_text_encoding", True):
        return None
    # Programs that do not know write "us-ascii" or "latin1", but UTF-8 proves itself.
    return None if name in ("ascii", "iso8859-1") else _WIDER.get(name, found.name)
