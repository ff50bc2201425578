"""Lines above orders that name their phase and power, in a text for people."""

from __future__ import annotations

from mailer.reading.patterns import one_word, says
from mailer.reading.phrases import LONGEST_RULED, NAMES_ORDERS
from mailer.reading.seasons import WITH_YEAR
from mailer.reading.speech import SAYS_TO_OTHERS, SPEAKS

_ABOUT = one_word(
    "my our the these here following are is as follows for of in game turn phase season year"
    " movement orders? moves? retreats? builds? disbands? adjustments?"
)
_SOME_NAME = r"[^\W\d_]{2,20}"
_HEADS_PHASE = says(
    rf"\W*(?:{_SOME_NAME}\s*[,:;–-]\s*)?(?:{_ABOUT}\W+){{0,6}}(?:{WITH_YEAR})[mra]?\b"
    rf"(?:\W+{_ABOUT}\b){{0,6}}(?:\W+{_SOME_NAME})?\W*"
)
"""A line that only names the phase and power of orders: "Italy, Spring 1901"."""
_MOST_HEADING = 6
"""The words of a heading in its writer's own words must be fewer than this: "Final orders
S1901"."""
_MOST_UNDATED = 3
_ORDERS = says(rf"\b{one_word('orders moves retreats builds adjustments')}\b")
_DATED = says(r"\b\d{4}\b", rf"\b(?:{WITH_YEAR})")


def is_heading(text: str) -> bool:
    """Whether a line is a heading of orders.

    If in doubt it is: then we ask its writer, while others would read any orders below a line that
    we took for part of a letter.
    """
    short = text[:LONGEST_RULED]
    if _HEADS_PHASE.fullmatch(short):
        return True
    if text.endswith(":"):
        return bool(NAMES_ORDERS.search(short) and not SAYS_TO_OTHERS.search(text))
    words = len(text.split())
    dated = words < _MOST_HEADING and _DATED.search(short) and NAMES_ORDERS.search(short)
    named = words <= _MOST_UNDATED and _ORDERS.search(short)
    return bool((dated or named) and not SPEAKS.search(short))
