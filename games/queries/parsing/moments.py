"""A moment at the beginning of a text: TO 2026-12-24 20:00 because …"""

from __future__ import annotations

import re

from games.timing.moments import MOMENT

_MOMENT_FIRST = re.compile(rf"(?:to|until|till)\s+({MOMENT})[\s:,-]*", re.IGNORECASE)


def moment_and_rest(text: str) -> tuple[str, str]:
    """Return the moment behind TO or UNTIL with which the text begins, as it was written, and what
    follows; an empty one, and all of the text, where it begins otherwise."""
    found = _MOMENT_FIRST.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)
