"""Words that make a line a sentence rather than a command or a heading, and words that show that
its writer is not sure.

As in `phrases.py`, we try every pattern on short lines only, and each reads them once.
"""

from __future__ import annotations

from mailer.reading.patterns import any_of, one_word, says

_HELPING = "is was were has have had will would can could may might does did"
"""Verbs of sentences that occur neither in headings nor after a command's word."""
_TELLING = "looks? seems? shows? says? tells? teaches repeats?"
GOES_ON_AS_SENTENCE = says(
    rf"(?:games? )?{one_word(f'{_HELPING} are must should {_TELLING}')}(?:n['’]t)? \w"
)
"""Words after the first word of a sentence: "History will judge us!"."""
_PEOPLE = "i we us me it you your"
_ASKING = "what how why if"
_CALLING = "let lets see shall do want went thanks good nice great"
_BOUNDING = "not no never until till since"
SPEAKS = says(rf"\b{one_word(f'{_PEOPLE} {_ASKING} {_HELPING} {_CALLING} {_BOUNDING}')}\b")
"""Signs of a sentence that occur in no heading: "See you in Fall 1902", "Nice moves"."""
SAYS_TO_OTHERS = says(rf"\b{one_word('would could might if you your what how')}\b")
"""A sign that a heading is for other people: "My moves would be:"."""
_PERHAPS = "if unless or never maybe perhaps could might may can"
_PERHAPS_NOT = any_of(one_word(_PERHAPS), "should (?:i|we)", "not (?:sure|yet|only|both)")
_UNSURE = (r"\?", rf"\b{_PERHAPS_NOT}\b", r"n['’]t\b")
UNSURE = says(*_UNSURE)
"""A sign that a change of orders is only an idea: "Maybe Paris to Picardy instead"."""
_LIMITING = r"not only but when until provided providing subject otherwise else both"
_ASSUMING = r"depend\w* assumed? assumes assuming"
MAY_CHANGE_OTHERS = says(*_UNSURE, rf"\b{one_word(f'{_LIMITING} {_ASSUMING}')}\b")
"""A sign that a sentence may change the orders of the one before it."""
