"""Builds said in a whole sentence, put into the words of an order.

Two fleets, one in London and one in Edinburgh      two fleets: London and Edinburgh
Build F Lon, keep the other build in reserve        Build F Lon, waive
"""

from __future__ import annotations

import re

_PLACE = r"[^\W\d_][^\W\d_ ./'’-]*(?:[ ./'’-]{1,2}[^\W\d_]+){0,2}(?:\s?\([nsew]c\))?"
_ONE_EACH = re.compile(
    r"\b(?:two|2)\s+(?:new\s+)?(?P<kind>fleets|armies)\s*[,:;–-]\s*"
    rf"one\s+(?:in|at)\s+(?P<one>{_PLACE}?)(?P<link>\s*,\s*(?:and\s+)?|\s+and\s+)"
    rf"(?:one|the\s+other)(?:\s+one)?\s+(?:in|at)\s+(?P<other>{_PLACE})",
    re.IGNORECASE,
)
_ONE = r"(?:(?:(?:the|my|one)\s+)?(?:other|second|third|last|remaining)|the|my|one)"
_LATER = r"(?:in\s+(?:hand|reserve)|back|for\s+(?:later|next\s+(?:year|winter|time)))"
_KEPT = re.compile(
    r"(?P<ends>[.!]\s+)?\b(?:i\s+(?:will\s+)?|i['’]ll\s+)?"
    rf"(?:(?:keep|save|reserve)\s+{_ONE}\s+(?:build|one)\s+{_LATER}|save\s+{_ONE}\s+build)"
    r"(?=\s*(?:[.,;!]|$))",
    re.IGNORECASE,
)
"""“Keep the other build” alone may mean the build that another mail ordered."""
_MAY_SAY = re.compile(r"\b(?:fleets|armies|keep|save|reserve)\b", re.IGNORECASE)


def in_order_words(line: str) -> str:
    """Return the line with such sentences in an order's words, others as they are."""
    if not _MAY_SAY.search(line):
        return line
    counted = _ONE_EACH.sub(r"2 \g<kind>: \g<one>, \g<other>", line)
    return _KEPT.sub(lambda kept: "; waive" if kept["ends"] else "waive", counted)
