"""Lines that keep earlier orders: “The rest as before”, “Same as before, but …”.

Each of them counts as AMEND. Each row is one way to say it: an example, and its pattern (see
`mailer.reading.patterns`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from mailer.reading.patterns import any_of, followed_by, led_by, says


class Saying(NamedTuple):
    """One way to say it."""

    example: str
    """A line that no other row of its table reads."""
    words: str
    """The pattern in short: a blank stands for any run of blanks."""


_ORDERS = "(?:orders?|moves?)"
_PARAGRAPHS = "(?:provisions?|paragraphs?|sections?|clauses?|items?|lines?)"
_NUMBER = any_of(
    *("one", "two", "three", "four", "five", "six", "first", "second", "third", "fourth", "fifth"),
    r"\d{1,2}",
)
_END = r"[\s.!]*$"
_COLON = r"\s*:\s*$"
_REST = any_of("rest", "others?", "(?:every(?:thing|body|one)|all) else")
_ARE_THEY = "(?:it|they) (?:is|are|was|were)"
_AS_BEFORE = any_of(
    "same(?: as before)?",
    *("unchanged", "right", "fine", "correct"),
    "(?:as )?before",
    *("as is", f"as {_ARE_THEY}"),
    "as (?:i )?(?:sent|ordered)(?: (?:before|earlier|already|yesterday))?",
    "as in my (?:last|previous|first|earlier|other) (?:e-?mail|mail|message|orders)",
)
_REST_ABROAD = any_of("rest", "andere[ns]?", "übrigen?", "reste", "resto", "demás")
_STAYS_ABROAD = any_of(
    *("bleib(?:t|en)", "wie gehabt"),
    "blijf(?:t|ven)",
    *("ne change(?:nt)? pas", "(?:est )?inchangée?"),
    *("igual", "sin cambios"),
    "(?:resta )?(?:uguale|invariato)",
)
_AS_IT_IS_ABROAD = any_of(
    *("so", "gleich", "unverändert", "bestehen", "wie (?:es ist|gehabt)"),
    *("hetzelfde", "zo", "staan", "ongewijzigd"),
)
OTHERS_STAY = (
    Saying(
        "And the rest of my orders stays as before",
        led_by("and please keep leave all the")
        + _REST
        + followed_by(
            "of the my orders? moves? units? is are as stays? remains? keeps? two three four five"
        )
        + rf" {_AS_BEFORE}(?: please)?{_END}",
    ),
    Saying(
        "Der Rest bleibt unverändert",
        f"(?:(?:der|die|alles|de|het|le|il|el) )?{_REST_ABROAD} {_STAYS_ABROAD}"
        f"(?: {_AS_IT_IS_ABROAD})?{_END}",
    ),
    Saying(
        "No further changes",
        led_by("but and there are")
        + rf"no (?:other|further|more) (?:changes?|corr?ections?|amendments?){_END}",
    ),
    Saying(
        "Nobody else changes",
        rf"(?:and )?no(?:thing|body|[ -]?one) else (?:changes|(?:is|has) changed){_END}",
    ),
    Saying(
        "Orders two and three unchanged",
        led_by("and my the")
        + rf"(?:(?:{_ORDERS}|{_PARAGRAPHS}|numbers?|§{{1,2}}) )?{_NUMBER}"
        + rf"(?:(?:,| and| &)? {_NUMBER}){{0,4}}"
        + rf"(?: {_ORDERS})? (?:(?:is|are|stays?|remains?) )?(?:stands?|unchanged|(?:the )?same"
        + rf"|as (?:before|(?:they|it) (?:is|are|was|were))){_END}",
    ),
    Saying(
        "All my other orders from yesterday still stand",
        led_by("and all of the my")
        + "(?:others?|remaining|earlier|previous|rest of (?:my|the))"
        + f" (?:{_ORDERS}|{_PARAGRAPHS})"
        + followed_by(r"that i sent from before yesterday \w+day")
        + " (?:still )?(?:stand|stay|remain|apply|are (?:still )?(?:valid|good|fine|ok(?:ay)?))"
        + f"(?: (?:valid|in (?:full )?force(?: and effect)?|unchanged|the same))?{_END}",
    ),
)
"""That all other orders stay, as a whole line."""

REST_STAYS = Saying(
    "The others stay",
    r"(?:^|[,;.]\s+)"
    + led_by("and all the")
    + _REST
    + followed_by("of the my orders? moves? units?")
    + rf" (?:stays?|stands?|remains?)(?:,? please|,? thanks)?{_END}",
)
"""That all other orders stay, or that all other units hold their ground: with earlier orders it
means the former."""

_BUT_FOR = any_of("but", "except(?: for)?", "apart from")
_LEADS = r"[\s:.…-]*$"
_TO_ORDERS = rf"(?:my|the) (?:\w+ )?{_ORDERS}"
ORDERS_FOLLOW = (
    Saying(
        "Same, with these changes:",
        led_by("please the all my keep use")
        + rf"same(?: {_ORDERS})?(?: as before)?\s*,?\s*"
        + f"(?:but|except|with (?:this|these|one) changes?)(?: (?:for|that|this))?{_LEADS}",
    ),
    Saying(
        "All orders in my mail are fine, only Paris is different:",
        led_by("please keep use the")
        + r"(?:all|everything|my|same|as)\b"
        + r"[^,;:.!?]{0,40}\b(?:orders|moves|mail|sent|before)\b[^,;:.!?]{0,30},?\s*"
        + "(?:(?:except|but|apart from)"
        + followed_by("for that this these here one the following changes?")
        + rf"|only (?:[\w-]+ ){{1,3}}(?:is|are|changes?)(?: different)?){_LEADS}",
    ),
    Saying(
        "Just one small change to my orders, please:",
        led_by("just only one a two small minor")
        + rf"(?:changes?|corr?ections?|update)(?: (?:to|in|of) {_TO_ORDERS})?"
        + rf",?(?: please)?{_COLON}",
    ),
    Saying(
        "Everything but Paris is as before",
        rf"(?:please )?(?:keep )?(?:everything|all)\b[\w\s]{{0,15}}\b{_BUT_FOR} "
        rf"[^,;:.!?–—>-]{{1,30}}\s{led_by('is are stays? remains? as the it was')}"
        r"(?:before|unchanged|same)[\s.:!]*$",
    ),
    Saying("In addition to my orders:", rf"in addition to {_TO_ORDERS}\s*:?\s*$"),
    Saying(
        "Please add these to my orders",
        r"(?:[^:]{0,40}[,.;]\s*)?(?:please )?add (?:(?:it|these|this|the following) )?"
        rf"to {_TO_ORDERS}\s*:?\s*$",
    ),
    Saying(
        "Sorry, but please change only Paris:",
        r"(?:[^:]{0,20}[,.;]\s*)?(?:but )?(?:please )?change (?:only )?(?!my mind)"
        rf"\w+(?: \w+)?{_COLON}",
    ),
    Saying(
        "Here's my missing order:",
        r"(?:here(?:['’]s| is| are| comes?) )?(?:the|my|an?|one) (?:missing|forgotten) "
        r"(?:orders?|moves?|one)\s*[:.]?\s*$",
    ),
    Saying(
        "I forgot my fleet, sorry:",
        r"(?:(?:[^:]{0,60}[,.;!]\s*)?(?:please )?add (?:it|them|this|that|these|the following)"
        r"|(?:[^:]{0,20}[,.;!]\s*)?(?:(?:i|we) )?forgot (?:about )?(?:my|the|one|an?) "
        r"(?:\w+ )?(?:fleet|army|unit|order|move|one)s?[,.!]*(?: sorry)?)"
        rf"(?: {_ORDERS})?(?:,? please)?{_COLON}",
    ),
    Saying(
        "Please leave all others alone",
        led_by("please and just")
        + "(?:keep|leave) "
        + led_by("all of the my")
        + "(?:rest|others|other (?:two|three|four|five)|everything else|all else)"
        + f"(?: (?:alone|orders|moves))?(?: please)?{_END}",
    ),
    Saying(
        "Yes, all of my orders still stand",
        r"(?:(?:yes|ok(?:ay)?|all|of)\W+)*(?:my|our) (?:orders|moves|builds|retreats|disbands) "
        r"(?:(?:still )?stand(?: as (?:they are|sent))?|(?:have|did)\s*(?:not|n['’]t) changed?"
        r"|are unchanged"
        rf"|(?:are|remain|stay) (?:still )?(?:the same|as (?:before|sent))){_END}",
    ),
    Saying(
        "Please keep all of my other orders as they are",
        rf"(?:please )?(?:keep|leave) (?:all )?(?:of )?my other {_ORDERS}"
        rf"(?: (?:as (?:they|it) (?:is|are|was|were)|the same|unchanged))?(?: please)?{_END}",
    ),
)
"""That all others stay, or that the orders on the lines below are added or changed."""

_UNIT = r"(?:a|f|army|fleet)\b"
_PLACE = r"[^\W\d_]{3,20}"
_MOVES = rf"\s*(?:-|–|→|->|\sto\s)\s*{_PLACE}(?:\s{_PLACE}){{0,2}}"
_BARE_ORDER = rf"(?!(?:i|we|you|they|if|not|no)\b){_PLACE}(?:\s{_PLACE})?(?:{_MOVES}| holds?){_END}"
"""An order without its letter: “Paris - Burgundy”, “Paris holds”."""
ORDER_AFTER = (
    Saying(
        "Everything as before, except now A Paris - Burgundy",
        r"(?=.{0,60}\b(?:before|sent|mail|message|unchanged|stands?)\b)"
        + led_by("please keep leave use the")
        + r"(?:all|everything|same|as)\b"
        + followed_by(
            "of my the orders? moves? as in i it they is are was were stays? remains? sent stands?"
            " unchanged before last previous first earlier e-?mail mail message yesterday"
        )
        + r"\s*[,;:–-]*\s*(?:but|except|apart from|only|plus|just|with)\b"
        + followed_by(
            "for the my that this these now also one following changes? fleets?"
            r" arm(?:y|ies)(?=\W*:)"
        )
        + rf"\s*[:.…-]*\s*(?=$|{_UNIT}|{_BARE_ORDER})",
    ),
    Saying(
        "Oops! I forgot my fleet: F Brest - English Channel",
        r"(?:(?:sorry|oops)\W+)?(?:i )?forgot(?: (?:the|my|an?|one|to order(?: the)?) "
        rf"(?:fleet|army|unit|order|move|one)s?)?\s*[:!.–-]+\s*(?={_UNIT})",
    ),
    Saying(
        "Just a quick correction: A Paris - Burgundy",
        r"(?:(?:just|only|one|a|small|quick|minor|tiny|little) ){1,4}(?:change|corr?ection)\s*:\s*"
        r"(?=(?:a|f|army|fleet|build|disband)\b)(?!.*\binstead\b)",
    ),
    Saying(
        "Please also add A Paris - Burgundy",
        led_by("please also") + r"add\s*:?\s*(?=(?:(?-i:[AF])|army|fleet) \S+"
        r"(?:\s*[-–—>→]| (?:[hsc]|to|holds?|supports?|convoys?)\b)|build (?:[af]|army|fleet)\b)",
    ),
)
"""The same in front of an order on the same line."""


def one_of(sayings: Iterable[Saying]) -> re.Pattern[str]:
    """The pattern that finds one of them at the beginning of a line."""
    return says(*(one.words for one in sayings))
