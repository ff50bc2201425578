"""What people say when they come back."""

from __future__ import annotations

from mailer.reading.patterns import says

_BACK_FROM = r"from\s+(?!\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
BACK = says(
    r"(?<!when\s)(?<!until\s)(?<!till\s)(?<!once\s)(?<!before\s)(?<!soon\sas\s)"
    r"\b(?:i(?: a|['’])?m|we(?: a|['’])?re) (?:\w+ )?back\b"
    rf"(?: {_BACK_FROM}| (?:home|again|now|at home|in the game)\b|\W*$)",
    rf"^\W*(?:just |finally )?back {_BACK_FROM}",
)
"""A player who is back: "I am back from hospital"."""
WAS_AWAY = says(
    r"\b(?:was|were|been|being) (?:(?!going\b|to\b|hoping\b|planning\b)\w+ ){0,2}"
    "(?:away|absent|offline|gone|abroad|in hospital|travell?ing"
    r"|on (?:vacation|holidays?|leave))\b",
)
"""A player who missed something: "Sorry, I was away for three weeks"."""
