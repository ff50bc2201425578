"""Whether a text denies something: then nobody may take it for a yes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mailer.reading.quotes import Line

_DENIAL = re.compile(
    r"\b(no|not|never|nothing|nobody|(did|was|is|do|have|ca|wo)n.?t|cannot|nein|nicht|kein\w*|non"
    r"|pas|niet|geen|nie|não|inte|ikke)\b",
    re.IGNORECASE,
)


def denies(lines: Iterable[Line]) -> bool:
    """Whether a word of denial stands in one of the lines, in one of several languages."""
    return any(_DENIAL.search(line.text) for line in lines)
