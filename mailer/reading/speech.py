"""Words by which a line is a sentence, and neither a command nor a heading, and those by which its
writer is not sure of it.

As in `phrases.py`, every pattern is tried on short lines only and reads them once.
"""

from __future__ import annotations

import re


def _any_of(*words: str) -> str:
    """One of these words, as a pattern; those of a group stand in one text, with blanks between."""
    return "|".join(" ".join(words).split())


_HELPING = "is was were has have had will would can could may might does did"
"""Verbs that a sentence has, and neither a heading nor what follows a command's word."""
_TELLING = "looks? seems? shows? says? tells? teaches repeats?"
GOES_ON_AS_SENTENCE = re.compile(
    rf"(?:games?\s+)?(?:{_any_of(_HELPING, 'are must should', _TELLING)})(?:n['’]t)?\s+\w",
    re.IGNORECASE,
)
"""What follows the first word of a sentence: "History will judge us!"."""
_PEOPLE = "i we us me it you your"
_ASKING = "what how why if"
_CALLING = "let lets see shall do want went thanks good nice great"
_BOUNDING = "not no never until till since"
SPEAKS = re.compile(
    rf"\b(?:{_any_of(_PEOPLE, _ASKING, _HELPING, _CALLING, _BOUNDING)})\b", re.IGNORECASE
)
"""What a sentence has, and no heading: "See you in Fall 1902", "Nice moves"."""
SAYS_TO_OTHERS = re.compile(
    rf"\b(?:{_any_of('would could might if you your what how')})\b", re.IGNORECASE
)
"""What a heading has that is for other people: "My moves would be:"."""
_PERHAPS = "if unless or never maybe perhaps could might may can"
_UNSURE = rf"\?|\b(?:{_any_of(_PERHAPS)}|should\s+(?:i|we)|not\s+(?:sure|yet|only|both))\b|n['’]t\b"
UNSURE = re.compile(_UNSURE, re.IGNORECASE)
"""What a change of orders has that is only thought of: "Maybe Paris to Picardy instead"."""
_LIMITING = r"not only but when until provided providing subject otherwise else both"
_ASSUMING = r"depend\w* assumed? assumes assuming"
MAY_CHANGE_OTHERS = re.compile(rf"{_UNSURE}|\b(?:{_any_of(_LIMITING, _ASSUMING)})\b", re.IGNORECASE)
"""What a sentence has that may change what the one before it orders."""
