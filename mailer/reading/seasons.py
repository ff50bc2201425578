"""The seasons in the languages in which people play, and the phases named after them."""

from __future__ import annotations

import re

from games.queries.board import SEASONS

_LETTERS = {word: letter for letter, words in SEASONS.items() for word in words}
WORDS = "|".join(map(re.escape, sorted(_LETTERS, key=len, reverse=True)))
"""A season, for patterns that ignore case."""
_OF = r"(?:of|the|year|de|del|dell['’]anno|do|da|van|des|vom|von|av|roku)"
WITH_YEAR = (
    r"(?:(?!été\s+\d{1,3}\b)"  # "cela a été 10 fois"
    rf"(?P<season>{WORDS})[\s,]+(?:{_OF}\s+)*['’]?|(?P<letter>[sfw]))(?P<year>\d{{1,4}})"
    rf"|(?P<year_first>\d{{4}})\s+(?P<season_last>{WORDS})(?!\w)"
)
"""A season and a year: "Fall 1902", "F1902", "automne de 1902", "1902 Herbst"."""


def letter_of(word: str) -> str:
    """The letter of a season in the names of phases: F for "Herbst"; empty for any other word.

    Summer has the retreats of spring.
    """
    return _LETTERS.get(word.lower(), "")
