"""Bytes to text, whatever the sender claims about them."""

from __future__ import annotations

import codecs

# Codecs that are no charset of a mail, or that take quadratic time on hostile text.
_NEVER = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
# What senders call X but mean as the larger set Y (the table every browser uses).
_WIDER = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}


def decode_bytes(raw: bytes, declared: str | None, *, is_cut: bool = False) -> str:
    """The text: by its declared charset, by UTF-8, or by cp1252; never fails.

    With `is_cut` the bytes may end in the middle of a character, which is left out then.
    """
    for charset in (_usable(declared), "utf-8", "cp1252"):
        if charset is None:
            continue
        try:
            return _decoded(raw, charset, is_cut=is_cut)
        except (UnicodeError, ValueError):
            continue
    return raw.decode("latin-1")


def _decoded(raw: bytes, charset: str, *, is_cut: bool) -> str:
    if not is_cut:
        return raw.decode(charset)
    return codecs.getincrementaldecoder(charset)().decode(raw)


def _usable(declared: str | None) -> str | None:
    """Python's name of a declared charset; None when there is no such charset of text."""
    if not declared:
        return None
    try:
        found = codecs.lookup(declared.strip().strip("\"'")[:40])
    except (LookupError, ValueError):
        return None
    name = found.name.replace("_", "-")
    if name in _NEVER or not getattr(found, "_is_text_encoding", True):
        return None
    # "us-ascii" and "latin1" are what programs write when they do not know: UTF-8 proves itself.
    return None if name in ("ascii", "iso8859-1") else _WIDER.get(name, found.name)
