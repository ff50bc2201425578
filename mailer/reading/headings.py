"""What stands above a quote: `On Friday, X wrote:`, or the header of a mail, copied in there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from mailer.reading import phrases


def labelled(kind: re.Pattern[str], lines: Sequence[str], number: int = 2) -> bool:
    """Whether so many of the lines are of a header."""
    return sum(kind.fullmatch(one[: phrases.LONGEST_RULED]) is not None for one in lines) >= number


def is_by_hand(header: Sequence[str]) -> bool:
    """Whether somebody wrote "From: France", "To: GM" themselves above their orders: a program
    writes an address or the time of day."""
    lines = (line[: phrases.LONGEST_RULED] for line in itertools.takewhile(bool, header))
    return not any("@" in line or phrases.CLOCK.search(line) for line in lines)


def is_run_on(text: str) -> bool:
    """Whether a line is the heading of a quote and goes on with what it quotes."""
    return bool(phrases.OPENS_ATTRIBUTION.match(text) and phrases.RUN_ON.search(text))


def is_attribution(text: str) -> bool:
    """Whether a text is the heading of a quote, by words that we know or by its form."""
    if len(text) > phrases.LONGEST_RULED:
        return False
    if phrases.BETWEEN_DASHES.fullmatch(text):
        return True
    if not text.endswith((":", "：")):
        return False
    if phrases.WROTE.search(text):
        return True
    dated = any(character.isdigit() for character in text)
    if phrases.WROTE_BEFORE_NAME.search(text):
        return dated or "@" in text
    return dated and (bool(phrases.ADDRESS_AT_END.search(text)) or "年" in text)


def names_writer(text: str) -> bool:
    """Whether a text ends as the heading of a quote, and has a number and an address in it."""
    if len(text) > phrases.LONGEST_RULED or not text.endswith((":", "：")):
        return False
    return any(map(str.isdigit, text)) and bool(phrases.ADDRESS.search(text))
