"""Commands in other words than ours, as the older judges and everyday speech have them: each is
written as the command that it means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.yes_and_no import NO_KINDLY, YES_KINDLY

# Commands of two words, and two commands written as one: so the older judges have them.
_SPELLED: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"sign\s+(on|off)\b", re.IGNORECASE), r"sign\1"),
    (re.compile(r"set(?=(?:no)?(?:wait|draw|concede|absence|holiday|vacation)\b)", re.I), "set "),
    # "Who is winning", "who is still missing" and "who is Italy?" ask about a game, not about a
    # player.
    (
        re.compile(
            r"(who)\s+(is(?!\s+(?:\w+ing|ahead|in|late|left|not|next|still|the|there|out)\b"
            r"|\s+[^\W\d_]+\s*\?)|game)\b",
            re.IGNORECASE,
        ),
        r"\1\2",
    ),
    (re.compile(r"i\s+am\s+also\b", re.IGNORECASE), "iamalso"),
    (re.compile(r"force\s+begin\b", re.IGNORECASE), "forcebegin"),
    (re.compile(r"postal\s+press\b", re.IGNORECASE), "postalpress"),
    (re.compile(r"(?:gr[ea]y|anon(?:ymous)?)\s+(press|broadcast)\b", re.IGNORECASE), r"\1 grey"),
    (re.compile(r"fake\s+(press|broadcast)(?=\s+(?:to|from|as)\b)", re.I), r"\1 fake"),
    (re.compile(r"get\s+dedication\b", re.IGNORECASE), "getdedication"),
    (re.compile(r"roll\s+(back|forward)\b", re.IGNORECASE), r"roll\1"),
    (re.compile(r"set\s+orders\b", re.IGNORECASE), "setorders"),
    (re.compile(r"end\s+(?:the\s+)?game\b", re.IGNORECASE), "endgame"),
    (re.compile(r"civil\s+disorder\b", re.IGNORECASE), "disorder"),
    # A slip in this word would turn orders that were only to be tried out into real ones. Unless a
    # game's name, a power or an order follows, "what if" is how a sentence begins.
    (
        re.compile(
            r"w(?:h?at+|ha|ht|ath|hta|aht)[\s_'’–-]*(?:if+|fi)(?:[\s?!.:,;-]*$|(?=\s*[:,]|"
            r"\s+[\w-]+$|\s+[^\W\d]+\s*:|\s+(?:a|f|army|fleet)\s[^?!.]*(?:[-–—→]|\bh)))",
            re.IGNORECASE,
        ),
        "whatif ",
    ),
    (re.compile(r"(?:please\s+)?opt[\s-]*out\b", re.IGNORECASE), "optout"),
    (YES_KINDLY, "yes"),
    (NO_KINDLY, "no"),
    (
        re.compile(
            r"(?:please\s+)?(?:cancel|withdraw|revoke|take\s+back)\s+(?:all\s+)?(?:of\s+)?(?:my\s+)?"
            r"orders(?:\s+please)?[ .!]*$",
            re.IGNORECASE,
        ),
        "clear",
    ),
    (
        re.compile(
            r"(?:please\s+)?amend(?:\s+(?:my|the|these))?(?:\s+(?:orders?|moves?))?"
            r"(?:\s+as\s+follows)?\s*(?:[:.]+\s*|$|(?<=\s))",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:please|i\s+(?:want|need|would\s+like)|i['’]d\s+like)?(?:\s*to)?\s*"
            r"(?:change\s+(?:my|the)\s+(?:orders?|moves?)"
            r"|(?:my|the|following|\s)*(?:changes?|amendments?)\s+(?:to|in|of)\s+(?:my|the)\s+(?:orders?|moves))"
            r"(?:\s+(?:as\s+follows|below|like\s+this)\s*[:.]*|\s*:)\s*",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:(?:and|please|keep|leave|all|the)\s+)*(?:rest|others?|(?:everything|all)\s+else)"
            r"(?:\s+(?:of|the|my|orders?|moves?|units?|is|are|as|stays?|remains?|keeps?|two|three|four|five))*\s+"
            r"(?:same(?:\s+as\s+before)?|unchanged|(?:as\s+)?before|as\s+(?:it|they)\s+(?:is|are|was|were)"
            r"|as\s+(?:i\s+)?sent(?:\s+(?:before|earlier|already|yesterday))?"
            r"|as\s+in\s+my\s+(?:last|previous|first|earlier|other)\s+(?:e-?mail|mail|message|orders))"
            r"(?:\s+please)?[\s.!]*$"
            r"|(?:(?:der|die|alles|de|het|le|il|el)\s+)?(?:rest|andere[ns]?|übrigen?|reste|resto|demás)\s+"
            r"(?:bleib(?:t|en)|blijf(?:t|ven)|ne\s+change(?:nt)?\s+pas|(?:est\s+)?inchangée?|igual|sin\s+cambios"
            r"|(?:resta\s+)?(?:uguale|invariato)|wie\s+gehabt)(?:\s+(?:so|gleich|unverändert|bestehen|wie\s+(?:es\s+ist|gehabt)"
            r"|hetzelfde|zo|staan|ongewijzigd))?[\s.!]*$"
            r"|(?:(?:and|all|of|the|my)\s+)*(?:others?|remaining|earlier|previous|rest\s+of\s+(?:my|the))\s+"
            r"(?:orders?|moves?)(?:\s+(?:that|i|sent|from|before|yesterday|\w+day))*\s+(?:still\s+)?"
            r"(?:stand|stay|remain|apply|are\s+(?:still\s+)?(?:valid|good|fine|ok(?:ay)?))"
            r"(?:\s+(?:valid|in\s+force|unchanged|the\s+same))?[\s.!]*$",
            re.IGNORECASE,
        ),
        "amend",
    ),
    (
        re.compile(
            r"(?:(?:please|the|all|my|keep|use)\s+)*same(?:\s+(?:orders?|moves?))?(?:\s+as\s+before)?"
            r"\s*,?\s*(?:but|except|with\s+(?:this|these|one)\s+changes?)(?:\s+(?:for|that|this))?"
            r"[\s:.…-]*$"
            r"|(?:(?:please|keep|use|the)\s+)*(?:all|everything|my|same|as)\b"
            r"[^,;:.!?]{0,40}\b(?:orders|moves|mail|sent|before)\b[^,;:.!?]{0,30},?\s*"
            r"(?:(?:except|but|apart\s+from)(?:\s+(?:for|that|this|these|here|one|the|following|changes?))*"
            r"|only\s+(?:[\w-]+\s+){1,3}(?:is|are|changes?)(?:\s+different)?)[\s:.…-]*$"
            r"|(?:(?:just|only|one|a|two|small|minor)\s+)*(?:changes?|corr?ections?|update)"
            r"(?:\s+(?:to|in|of)\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?))?,?(?:\s+please)?\s*:\s*$"
            r"|(?:please\s+)?(?:keep\s+)?(?:everything|all)\b[\w\s]{0,15}\b(?:but|except(?:\s+for)?|apart\s+from)\s+"
            r"[^,;:.!?–—>-]{1,30}\s(?:(?:is|are|stays?|remains?|as|the|it|was)\s+)*"
            r"(?:before|unchanged|same)[\s.:!]*$"
            r"|in\s+addition\s+to\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?)\s*:?\s*$"
            r"|(?:[^:]{0,40}[,.;]\s*)?(?:please\s+)?add\s+(?:(?:it|these|this|the\s+following)\s+)?"
            r"to\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?)\s*:?\s*$"
            r"|(?:[^:]{0,20}[,.;]\s*)?(?:but\s+)?(?:please\s+)?change\s+(?:only\s+)?(?!my\s+mind)"
            r"\w+(?:\s+\w+)?\s*:\s*$"
            r"|(?:here(?:['’]s|\s+is|\s+are|\s+comes?)\s+)?(?:the|my|an?|one)\s+(?:missing|forgotten)\s+"
            r"(?:orders?|moves?|one)\s*[:.]?\s*$"
            r"|(?:(?:[^:]{0,60}[,.;!]\s*)?(?:please\s+)?add\s+(?:it|them|this|that|these|the\s+following)"
            r"|(?:[^:]{0,20}[,.;!]\s*)?(?:i\s+|we\s+)?forgot\s+(?:about\s+)?(?:my|the|one|an?)\s+"
            r"(?:\w+\s+)?(?:fleet|army|unit|order|move|one)s?[,.!]*(?:\s+sorry)?)"
            r"(?:\s+(?:orders?|moves?))?(?:,?\s+please)?\s*:\s*$"
            r"|(?:(?:please|and|just)\s+)*(?:keep|leave)\s+(?:(?:all|of|the|my)\s+)*"
            r"(?:rest|others|other\s+(?:two|three|four|five)|everything\s+else|all\s+else)"
            r"(?:\s+(?:alone|orders|moves))?(?:\s+please)?[\s.!]*$"
            r"|(?:(?:yes|ok(?:ay)?|all|of)\W+)*(?:my|our)\s+(?:orders|moves|builds|retreats|disbands)\s+"
            r"(?:(?:still\s+)?stand(?:\s+as\s+(?:they\s+are|sent))?|(?:have|did)\s*(?:not|n['’]t)\s+changed?"
            r"|are\s+unchanged|(?:are|remain|stay)\s+(?:still\s+)?(?:the\s+same|as\s+(?:before|sent)))[\s.!]*$"
            r"|(?:please\s+)?(?:keep|leave)\s+(?:all\s+)?(?:of\s+)?my\s+other\s+(?:orders?|moves?)"
            r"(?:\s+(?:as\s+(?:they|it)\s+(?:is|are|was|were)|the\s+same|unchanged))?"
            r"(?:\s+please)?[\s.!]*$",
            re.IGNORECASE,
        ),
        "amend",
    ),
    (
        re.compile(
            r"(?=.{0,60}\b(?:before|sent|mail|message|unchanged|stands?)\b)"
            r"(?:(?:please|keep|leave|use|the)\s+)*(?:all|everything|same|as)\b"
            r"(?:\s+(?:of|my|the|orders?|moves?|as|in|i|it|they|is|are|was|were|stays?|remains?|sent|stands?"
            r"|unchanged|before|last|previous|first|earlier|e-?mail|mail|message|yesterday))*\s*[,;:–-]*\s*"
            r"(?:but|except|apart\s+from|only|plus|just|with)\b"
            r"(?:\s+(?:for|the|my|that|this|these|now|also|one|following|changes?|fleets?|arm(?:y|ies)(?=\W*:)))*"
            r"\s*[:.…-]*\s*(?=$|(?:a|f|army|fleet)\b"
            r"|(?!(?:i|we|you|they|if|not|no)\b)[^\W\d_]{3,20}(?:\s[^\W\d_]{3,20})?"
            r"(?:\s*(?:-|–|→|->|\sto\s)\s*[^\W\d_]{3,20}(?:\s[^\W\d_]{3,20}){0,2}|\s+holds?)[\s.!]*$)"
            r"|(?:(?:sorry|oops)\W+)?(?:i\s+)?forgot(?:\s+(?:the|my|an?|one|to\s+order(?:\s+the)?)\s+"
            r"(?:fleet|army|unit|order|move|one)s?)?\s*[:!.–-]+\s*(?=(?:a|f|army|fleet)\b)"
            r"|(?:(?:just|only|one|a|small|quick|minor|tiny|little)\s+){1,4}(?:change|corr?ection)\s*:\s*"
            r"(?=(?:a|f|army|fleet|build|disband)\b)(?!.*\binstead\b)"
            r"|(?:(?:please|also)\s+)*add\s*:?\s*(?=(?:(?-i:[AF])|army|fleet)\s+\S+(?:\s*[-–—>→]|\s+(?:[hsc]|to"
            r"|holds?|supports?|convoys?)\b)|build\s+(?:[af]|army|fleet)\b)",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:please|pls|(?:can|could|would|will)\s+you(?:\s+please)?)\s+(help|list|map|status|rules|history)"
            r"(?:[\s,]+(?:please|thanks|thank\s+you))*[\s.!?]*$",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (
        re.compile(
            r"(?:(?:please|pls|(?:can|could|would|will)\s+you(?:\s+please)?)\s+)?(?:re-?)?(?:send|show|give)\s+"
            r"(?:me\s+)?(?:(?:the|a|current|latest|new)\s+)*(map|status|rules)"
            r"(?:[\s,]+(?:again|please|thanks|thank\s+you))*[\s.!?]*$",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"please\s+(clear|extend|list|stop|unsubscribe|vote|wait)\b", re.I), r"\1"),
    (re.compile(r"pause\s+(?:all\s+|my\s+)*mails?\b", re.IGNORECASE), "mail off"),
    (re.compile(r"(?:resume|restart)\s+(?:all\s+|my\s+)*mails?\b", re.I), "mail on"),
    (re.compile(r"(?:(?:all\s+)?(?:of\s+)?my\s+)data[ .!]*$", re.IGNORECASE), "export"),
    (
        re.compile(
            r"(?:please\s+)?(?:erase|delete|forget|unregister)\s+"
            r"(?:me|(?:all\s+)?(?:of\s+)?my\s+(?:account|data|registration))(?:\s+please)?[ .!]*$",
            re.IGNORECASE,
        ),
        "erase",
    ),
)


def as_one_word(text: str) -> str:
    """A line in which a command of two words is one word, and two commands in one are two."""
    for spelled, meant in _SPELLED:
        if spelled.match(text):
            return spelled.sub(meant, text, count=1)
    return text
