"""The seasons in the languages in which people play, and the phases that are named with them."""

from __future__ import annotations

import re

_WORDS = {
    "S": "spring summer frühling frühjahr fruehling fruehjahr sommer printemps été primavera verano"
    " estate lente voorjaar zomer verão wiosn[aęy] lat[oa] vår(?:en)? sommar(?:en)? forår"
    " весн[аыу] весной лето",
    "F": "fall autumn herbst automne otoño autunno herfst najaar outono jesień jesieni"
    " höst(?:en)? hoest efterår осень осени осенью",
    "W": "winter hiver invierno inverno zim[aęy] vinter(?:n)? зим[аыу] зимой",
}
WORDS = "|".join(word for words in _WORDS.values() for word in words.split())
"""A season, for patterns that do not look at capitals."""
_OF = r"(?:of|the|year|de|del|dell['’]anno|do|da|van|des|vom|von|av|roku)"
WITH_YEAR = (
    r"(?:(?!été\s+\d{1,3}\b)"  # "cela a été 10 fois"
    rf"(?P<season>{WORDS})[\s,]+(?:{_OF}\s+)*['’]?|(?P<letter>[sfw]))(?P<year>\d{{1,4}})"
    rf"|(?P<year_first>\d{{4}})\s+(?P<season_last>{WORDS})(?!\w)"
)
"""A season and a year: "Fall 1902", "F1902", "automne de 1902", "1902 Herbst"."""
_LETTERS = {letter: re.compile("|".join(words.split()), re.I) for letter, words in _WORDS.items()}


def letter_of(word: str) -> str:
    """The letter of a season in the names of phases: F for "Herbst". Summer is when those retreat
    who moved in spring. Empty for any other word."""
    fits = (letter for letter, words in _LETTERS.items() if words.fullmatch(word))
    return next(fits, "")
