"""What people say who were away."""

from __future__ import annotations

import re

_BACK_FROM = r"from\s+(?!\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
BACK = re.compile(
    r"\b(?:i(?:\s+a|['’])?m|we(?:\s+a|['’])?re)\s+(?:\w+\s+)?back\b"
    rf"(?:\s+{_BACK_FROM}|\s+(?:home|again|now|at\s+home|in\s+the\s+game)\b|\W*$)"
    rf"|^\W*(?:just\s+|finally\s+)?back\s+{_BACK_FROM}",
    re.IGNORECASE,
)
"""What somebody says who was away: "I am back from hospital"."""
WAS_AWAY = re.compile(
    r"\b(?:was|were|been|being)\s+(?:(?!going\b|to\b|hoping\b|planning\b)\w+\s+){0,2}"
    r"(?:away|absent|offline|gone|abroad|in\s+hospital|travell?ing|on\s+(?:vacation|holidays?|leave))\b",
    re.IGNORECASE,
)
"""What somebody says who missed something: "Sorry, I was away for three weeks"."""
