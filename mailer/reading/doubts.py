"""Words by which people take back what they order in the same mail, put it under a condition, or
say that they do not order it at all.

As in `phrases.py`, every pattern is tried on short lines only and reads them once.
"""

from __future__ import annotations

import re

from mailer.reading import seasons

_CALLS_OFF = (
    r"(?:ignore|disregard|forget|scrap|scratch|strike|cancel|delete|discard|drop|replaces?)"
)
_CALLS_OFF_ABROAD = (
    r"(?:vergiss|vergesst|(?<!nicht\s)vergessen\b|ignorier\w*|streich\w*|lösch\w*|oublie[zr]?|ignorez|annule[zr]?"
    r"|supprime[zr]?|olvid[ae]\w{0,3}|ignor[aei]\w{0,2}|cancel[ae]\w{0,2}|anul[ae]\w{0,3}|dimentica\w{0,2}"
    r"|annulla\w{0,2}|vergeet|negeer|schrap|esque[cç]\w{1,3}|glöm|stryk|ignorera|zapomnij\w{0,3}|zignoruj\w{0,3}"
    r"|anuluj\w{0,3}|забудь\w{0,2}|отмени\w{0,3})"
)
_DO_NOT_USE = (
    r"\b(?:do\s+not|don['’]?t)\s+(?:use|enter|process|count|follow|submit|execute|record)\s+"
    r"(?:any\s+of\s+)?(?:these|this|those|them|it|the\s+following)\b(?:\s+(?:orders?|moves?|yet|now|please))*"
)
_NO_ORDERS = (
    r"\b(?:th(?:is|ese)\s+(?:is|are)\s+not|(?:nothing|none)\s+of\s+(?:this|these|it|them)\s+(?:is|are))"
    r"\s+(?:(?:an|my|the|real|actual)\s+)*orders?"
)
CALLS_OFF_ALL = re.compile(
    rf"\b{_CALLS_OFF}\b.{{0,30}}\babove\b"
    r"|\babove\b.{0,40}\b(?:wrong|void|obsolete|mistaken?)\b"
    r"|\btak(?:e|ing)\s+(?:(?:it|that|this)\s+all|(?:all\s+of\s+)?(?:them|these|those)|everything)\s+back\b"
    rf"|\b{_CALLS_OFF}\s+(?:all\s+(?:of\s+)?(?:this|that|it)|(?:all\s+of\s+)?(?:these|them|those)|everything)"
    r"(?:\s+(?:orders?|moves?|all|please|for\s+now))*[\s.!]*$"
    rf"|(?!.*:$)(?:{_DO_NOT_USE}|{_NO_ORDERS})[\s.!]*$",
    re.IGNORECASE,
)
"""All that stands above in the same mail: "Please ignore the above"."""
CALLS_OFF_ONE = re.compile(
    rf"\W*(?:(?:please|and|but|oh|no|just|ok|okay|sorry|actually)\W+)*{_CALLS_OFF}\s+(?:the|that|this|my)\s+"
    r"(?!.*\b(?:previous|earlier|old|former|mails?|messages?)\b)"
    r"(?:.{0,40}\b(?:ones?|lines?)|(?:very\s+)?(?:first|second|third|fourth|fifth|middle|top|bottom|other)"
    r"|(?:\w+\s+)?(?:first|second|third|fourth|fifth|middle|top|bottom|red|green|blue|yellow)\s+(?:orders?|moves?))\W*$",
    re.IGNORECASE,
)
"""One of the orders above that it does not name: "Forget the second one"."""
_NEW_MIND = (
    rf"{_CALLS_OFF}|{_CALLS_OFF_ABROAD}|no,?\s+wait|wait,?\s+no|h?mm+,?\s+no|on\s+second\s+thoughts?"
    r"|chang(?:ed?|ing)\s+(?:of|my)\s+mind|(?:make|made)\s+that|i\s+meant?|instead|rather"
    r"|corr?ections?|corrected|edit(?:ed)?|updated?"
    r"|(?:final|real|new|correct|revised)\s+(?:orders?|moves?|version)|decided\s+against"
    r"|take\s+(?:it|that|this)\s+back"
    r"|changes?\W{0,3}(?=:)|korrektur|stattdessen|doch\s+lieber|corrección|mejor|plutôt|correzione|anzi|invece"
)
NEW_MIND = re.compile(rf"\b(?:{_NEW_MIND})(?!\w)", re.IGNORECASE)
"""Words after which people order anew: "Changed my mind:"."""
DOUBT = re.compile(
    rf"\b(?:{_NEW_MIND}|(?<=^)no(?=\s*[,.:;!–-])|(?<=^)or(?=\s)|(?<=^)(?:alternatively|maybe|perhaps|otherwise)|(?<!no\s)(?<!may\s)(?<!might\s)chang(?:e|ed|ing)|sorry|oops|whoops|p{{1,3}}\.?s|actually"
    r"|after\s+all|not\b.{1,40}\bbut|mistakes?|typo|wrong|falsch\w*|faux|erreur|error|errore|sbagli\w+|equivoqu\w+|fout|errad[oa]|fel|błąd|entschuldigung|sondern|désolé|pardon|perdón|scusa|scusate)(?!\w)",
    re.IGNORECASE,
)
"""These, and words with which people may correct an order that they name: "PS: A Par - Gas"."""
APOLOGY = re.compile(r"\W*(?:sorry|pardon|oops|whoops|entschuldigung)\b", re.IGNORECASE)
# As lists on phones and in Markdown have it.
UNTICKED, TICKED = re.compile(r"\W{0,3}(?:\[ ?\]|[☐□])"), re.compile(r"\W{0,3}(?:\[[xX]\]|[☑☒])")
HEADS_OLD = re.compile(
    r"\W*(?:th[ei]se?\s+(?:are|were)\s+)?(?:(?:my|the)\s+)?(?:old|previous|former|earlier|wrong"
    r"|last\s+(?:turn|season|phase|year)(?:['’]?s)?)\s+(?:orders?|moves?)(?:\s+(?:are|were))?\W*"
    r"|\W*(?:\w+\W*\|\s*)?(?:old|before|was)(?:\s+orders?)?\s*\|\s*(?:new|now|after)(?:\s+orders?)?\W*",
    re.IGNORECASE,
)
"""What heads orders that are none any more: "My old orders:", "Old | New"."""
HEADS_TALK = re.compile(
    rf".{{0,60}}(?:{_DO_NOT_USE}|{_NO_ORDERS})\W*:\s*"
    r"|(?:.{0,30}\W)?(?:would|could)\s+(?:this|these|it|that|the\s+following)\b.{0,20}"
    r"\b(?:legal|possible|allowed|valid|works?|happen)\W*"
    r"|what\s+(?:would\s+)?happens?\s+(?:if|when)\b.{0,40}"
    r"|.{0,30}\b(?:can(?:not|['’]?t)\s+decide|undecided)\s+(?:between|which)\b[^:]{0,40}:?\s*",
    re.IGNORECASE,
)
"""What heads moves that are only talked about: "Would this be possible?"."""
_SAID_BEFORE = (
    r"(?:yesterday|before|earlier|previously|so\s+far|last\s+(?:time|night|week)|gestern|ayer|ieri)"
)
_SENT = r"(?:sent|ordered|wrote|written|had|gave|submitted|stood|was|were|geschickt|gesendet)"
HEADS_RANKED = re.compile(
    r"(?=.*\b(?:reversed?|inverse|inverted|backwards?|ascending|increasing|least|worst|not|never|which|keep"
    r"|keeping|spare|save|protect|retain)\b|.*n['’]t\b).{0,60}\bin\s+(?:\w+\s+){0,2}order"
    r"(?:\s+of\s+\w+)?\s*[:.?]+",
    re.IGNORECASE,
)
"""What ranks units otherwise than we take them, from the top: "Keep in this order:", "In reverse
order of preference:"."""
HEADS_CHAT = re.compile(
    r"[^\W\d].{0,40}\s[-–—|·]?\s*\(?(?:(?:today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri)"
    r"\b.{0,5}\s)\d{1,2}[:.]\d\d(?:\s?[ap]m)?\)?\W*",
    re.IGNORECASE,
)
"""What heads the words of somebody in a copied chat: "Dora — Today at 10:04"."""
STARRED = re.compile(r"\*\s?[^\W\d_][\w .'-]{1,24}\*?\W*")
"""What corrects the word that somebody mistyped in the line above: "*Bur"."""
MENTIONS = re.compile(
    r"(?!.*(?:\b(?:not?|never|without|if|unless|or|nicht|kein\w*|pas|non|niet|não|inte|nie|не)\b|n['’]t\b))"
    r"\W*p{1,3}\.?s\b(?P<said>.*)",
    re.IGNORECASE,
)
"""A postscript that denies nothing."""
HEADS_SENT = re.compile(
    r"\W*instead\s+of(?:\s+th[ei]se)?\W*"
    r"|i\s+(?:had\s+|was\s+|first\s+|originally\s+|only\s+)*(?:thought|thinking|considered|considering)\b.{0,20}"
    r"|(?!.*\b(?:should|same|except|but|chang\w*|about)\b)"
    rf".{{0,60}}\b(?:{_SENT}\b.{{0,30}}\b{_SAID_BEFORE}|{_SAID_BEFORE}\b.{{0,30}}\b{_SENT})\b"
    r"[^:]{0,20}:\s*",
    re.IGNORECASE,
)
"""What heads orders of an earlier mail, where those of this one stand below another heading: "Here
is what I sent yesterday:"."""
HEADS_LATER = re.compile(
    r"\W*(?:(?:for|in|and|my|the|für|im|den|pour|en|para|per|el|la|il|voor|de|het)\s+|l['’])*"
    r"(?:next\s+(?:turn|season|phase|move|year)|later|afterwards?"
    rf"|(?P<season>{seasons.WORDS})(?:\s+(?:orders?|moves?|builds?))?)\W*",
    re.IGNORECASE,
)
"""What heads orders for a later phase without its year: "Fall:", "Next turn:"."""
HEADS_CONDITION = re.compile(
    r"\W*(?:(?:but|and|or|only|nur|aber|seulement|mais|solo|pero|ma|alleen|maar|apenas|mas|bara|men|tylko|ale)\s+)*"
    r"(?:(?P<if>if)|in\s+case|unless|subject\s+to|provided(?!\s+(?:below|here)\b)|providing\s+that|on\s+(?:the\s+)?condition|(?:as|so)\s+long\s+as|assuming|in\s+the\s+event|should(?!\s+(?:be|do|have|i|we|you)\b)"
    r"|falls|wenn|si|se|als|indien|jeśli|jeżeli|om|если)\b\s++(?P<said>.+?)(?<!\s)"
    r"\s*+(?P<end>[:,]|,?\s*\b(?:then|dann)\b\W*|)",
    re.IGNORECASE,
)
"""What says when the orders below it are wanted: "In case Germany attacks Burgundy:"."""
IF_DISLODGED = re.compile(
    r"^\W*(?:if|when|where)\s+(?:(?:it|they|i)\s+(?:is|are|am|gets?)\s+)?dislodged\s*[,:]?\s*(?:then\s+)?",
    re.IGNORECASE,
)
"""A condition that every unit meets that has to retreat."""
OF_NO_MATTER = re.compile(
    r"\W*(?:(?:but|and|or|just|only)\s+)*(?:unless\s+(?:i|you|we)"
    r"|(?:if|in\s+case)\s+(?:i|you|we)\s+(?:(?:do|did|have|ca|can|could|wo|will)(?:\s*not|n['’]?t)|forget|miss)|if\s+nothing)"
    r"(?:\s+(?:writ\w+|send|sent|hear\w*|say|said|mail\w*|g[eo]t(?=\s+(?:back|home|to|any))|receive\w*|comes?|make|manage|change|reply"
    r"|you|from|of|me|we|i|us|again|anything|something|otherwise|else|any|more|other|different|new|orders?|moves?|my|mind"
    r"|them|these|\w{3,6}day|before|by|until|till|then|the|a|deadline|tonight|tomorrow|today|back|in|on|at|time|it|to|home|later|further"
    r"))+(?:\s*,[^:]{0,40})?\W*"
    r"|\W*(?:but\s+)?if\s+(?:(?:it|this|that)(?:\s+is|['’]s)\s+)?(?:not\s+too\s+late|still\s+(?:in\s+time|possible)|in\s+time|ok(?:ay)?"
    r"|all\s+right)\W*"
    r"|\W*(?:th(?:is|ese)\s+(?:is|are)\s+)?(?:only\s+|just\s+)?(?:provisional(?:ly)?|preliminary|tentative(?:ly)?"
    r"|for\s+now|for\s+the\s+moment)(?:\s+(?:orders|moves|set))?\W*"
    r"|\W*(?:all\s+)?subject\s+to\s+(?:later\s+|any\s+|further\s+)?changes?\W*"
    r"|\W*(?:unless|if\s+not)\s+(?:otherwise\s+)?(?:told|stated|noted|advised|changed|corrected)(?:\s+otherwise)?\W*",
    re.IGNORECASE,
)
"""Conditions that are met as long as no other mail has come: "Unless you hear from me again:"."""


def without_no_matter(text: str) -> str:
    """A line without such a condition before its order: "Unless I write again: A Par - Bur"."""
    head, _, rest = text.partition(":")
    return rest.strip() if rest.strip() and OF_NO_MATTER.fullmatch(head) else text


HEADS_BUILDS = re.compile(
    r"\W*(?:(?:for|if|any|my|the|and|winter)\s+)*(?:builds?|adjustments?|construction)\W*",
    re.IGNORECASE,
)
"""What heads orders for builds: "Builds:"."""
HEADS_RETREATS = re.compile(
    r"\W*(?:(?:for|if|any|my)\s+)?retreats?\b(?:\W*:\s*\S.*|\W*)", re.IGNORECASE
)
"""What heads orders for retreats: "Retreats:"."""
