"""Words that make a line a sentence, and neither a command nor a heading, and words that show that
its writer is not sure.

As in `phrases.py`, every pattern is tried on short lines only and reads them once.
"""

from __future__ import annotations

from mailer.reading.patterns import any_of, one_word, says

_HELPING = "is was were has have had will would can could may might does did"
"""Verbs that occur in sentences, but neither in headings nor in what follows a command's word."""
_TELLING = "looks? seems? shows? says? tells? teaches repeats?"
GOES_ON_AS_SENTENCE = says(
    rf"(?:games? )?{one_word(f'{_HELPING} are must should {_TELLING}')}(?:n['’]t)? \w"
)
"""What follows the first word of a sentence: "History will judge us!"."""
_PEOPLE = "i we us me it you your"
_ASKING = "what how why if"
_CALLING = "let lets see shall do want went thanks good nice great"
_BOUNDING = "not no never until till since"
SPEAKS = says(rf"\b{one_word(f'{_PEOPLE} {_ASKING} {_HELPING} {_CALLING} {_BOUNDING}')}\b")
"""What occurs in sentences, but in no heading: "See you in Fall 1902", "Nice moves"."""
SAYS_TO_OTHERS = says(rf"\b{one_word('would could might if you your what how')}\b")
"""What shows that a heading is for other people: "My moves would be:"."""
_PERHAPS = "if unless or never maybe perhaps could might may can"
_PERHAPS_NOT = any_of(one_word(_PERHAPS), "should (?:i|we)", "not (?:sure|yet|only|both)")
_UNSURE = (r"\?", rf"\b{_PERHAPS_NOT}\b", r"n['’]t\b")
UNSURE = says(*_UNSURE)
"""What shows that a change of orders is only an idea: "Maybe Paris to Picardy instead"."""
_LIMITING = r"not only but when until provided providing subject otherwise else both"
_ASSUMING = r"depend\w* assumed? assumes assuming"
MAY_CHANGE_OTHERS = says(*_UNSURE, rf"\b{one_word(f'{_LIMITING} {_ASSUMING}')}\b")
"""What a sentence has if it may change what the one before it orders."""
