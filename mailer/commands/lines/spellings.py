"""Commands in other words than ours, from older judges and everyday speech: each becomes the
command that it means.

A line comes in as its writer wrote it, and goes out with our word for what begins it. The first row
of `_SPELLED` that fits counts; lines that keep earlier orders have tables of their own, in
`mailer.commands.lines.kept_orders`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.lines.kept_orders import ORDER_AFTER, ORDERS_FOLLOW, OTHERS_STAY, one_of
from mailer.commands.yes_and_no import NO_KINDLY, YES_KINDLY
from mailer.reading.patterns import led_by, one_word, says

_SLIPS_OF_WHAT = one_word("h?at+ ha ht ath hta aht")
_PEOPLE_AND_TIMES = one_word(r"\w+ing ahead in late left not next still the there out")
_YOUR = "(?:my|the)"
_MY_OWN = "(?:all )?(?:of )?my"
_ASKS = r"(?:please|pls|(?:can|could|would|will) you(?: please)?)"
_AMENDED = rf"{_YOUR} (?:orders?|moves?)"
_END = r"[\s.!]*$"

# Commands of two words, and two commands written as one, as the older judges have them.
_SPELLED: Sequence[tuple[re.Pattern[str], str]] = (
    (says(r"sign (on|off)\b"), r"sign\1"),
    (says(r"set(?=(?:no)?(?:wait|draw|concede|absence|holiday|vacation)\b)"), "set "),
    # "Who is winning", "who is still missing" and "who is Italy?" ask about a game, not about a
    # player.
    (
        says(rf"(who) (is(?! {_PEOPLE_AND_TIMES}\b| [^\W\d_]+\s*\?)|game)\b"),
        r"\1\2",
    ),
    (says(r"i am also\b"), "iamalso"),
    (says(r"force begin\b"), "forcebegin"),
    (says(r"postal press\b"), "postalpress"),
    (says(r"(?:gr[ea]y|anon(?:ymous)?) (press|broadcast)\b"), r"\1 grey"),
    (says(r"(?:private|secret) (press)(?= (?:to|for)\b)"), r"\1"),
    (says(r"fake (press|broadcast)(?= (?:to|from|as)\b)"), r"\1 fake"),
    (says(r"get dedication\b"), "getdedication"),
    (says(r"roll (back|forward)\b"), r"roll\1"),
    (says(r"set orders\b"), "setorders"),
    (says(r"end (?:the )?game\b"), "endgame"),
    (says(r"end (?:the )?(?:civil )?disorder\b"), "enddisorder"),
    (says(r"civil disorder\b"), "disorder"),
    # A slip in this word would turn orders to be tried out into real ones. Unless a game's name, a
    # power or an order follows, "what if" only begins a sentence.
    (
        says(
            rf"w{_SLIPS_OF_WHAT}[\s_'’–-]*(?:if+|fi)"
            r"(?:[\s?!.:,;-]*$"
            r"|(?=\s*[:,]| [\w-]+$| [^\W\d]+\s*:"
            r"| (?:a|f|army|fleet)\s[^?!.]*(?:[-–—→]|\bh)))"
        ),
        "whatif ",
    ),
    (says(r"(?:please )?opt[\s-]*out\b"), "optout"),
    (YES_KINDLY, "yes"),
    (NO_KINDLY, "no"),
    (
        says(
            "(?:please )?(?:(?:cancel|withdraw|revoke|take back|clear) (?:all )?(?:of )?(?:my )?"
            rf"orders|clear (?:all|everything))(?: please)?{_END}"
        ),
        "clear",
    ),
    (
        says(
            r"(?:please )?amend(?: (?:my|the|these))?(?: (?:orders?|moves?))?(?: as follows)?"
            r"\s*(?:[:.]+\s*|$|(?<=\s))"
        ),
        "amend ",
    ),
    (
        says(
            r"(?:please|i (?:want|need|would like)|i['’]d like)?(?:\s*to)?\s*"
            rf"(?:change {_AMENDED}"
            r"|(?:my|the|following|\s)*(?:changes?|amendments?) (?:to|in|of)"
            rf" {_YOUR} (?:orders?|moves))"
            r"(?: (?:as follows|below|like this)\s*[:.]*|\s*:)\s*"
        ),
        "amend ",
    ),
    (one_of(OTHERS_STAY), "amend"),
    (one_of(ORDERS_FOLLOW), "amend"),
    (one_of(ORDER_AFTER), "amend "),
    (
        says(
            rf"{_ASKS} (help|list|map|status|rules|history)"
            r"(?:[\s,]+(?:please|thanks|thank you))*[\s.!?]*$"
        ),
        r"\1",
    ),
    (
        says(
            rf"(?:{_ASKS} )?(?:re-?)?(?:send|show|give) (?:me )?"
            + led_by("the a current latest new")
            + r"(map|status|rules)(?:[\s,]+(?:again|please|thanks|thank you))*[\s.!?]*$"
        ),
        r"\1",
    ),
    (
        says(r"please (clear|extend|join|list|observe|ready|standby|stop|unsubscribe|vote|wait)\b"),
        r"\1",
    ),
    (says(r"pause (?:all |my )*mails?\b"), "mail off"),
    (says(r"(?:resume|restart) (?:all |my )*mails?\b"), "mail on"),
    (
        says(rf"(?:{_ASKS} )?(?:(?:send|give) me )?{_MY_OWN} data(?:,? please)?{_END}"),
        "export",
    ),
    (
        says(
            "(?:please )?(?:erase|delete|forget|unregister) "
            rf"(?:me|{_MY_OWN} (?:account|data|registration))(?: please)?{_END}"
        ),
        "erase",
    ),
)


def as_one_word(text: str) -> str:
    """A line with commands of two words joined into one, and double commands split in two."""
    for spelled, meant in _SPELLED:
        if spelled.match(text):
            return spelled.sub(meant, text, count=1)
    return text
