"""Orders in words that the judge does not know: units that do nothing, and what an order is for."""

from __future__ import annotations

import re

from mailer.reading import speech

_WORD = r"(?!(?:s|c|h|to|supports?|convoys?)\b)[^\W\d_][\w.'’()/]{0,20}"
_UNIT = rf"(?P<unit>(?:a|f|army|fleet)\.?\s+{_WORD}(?:\s+{_WORD}){{0,2}})"
_IDLE = (
    r"(?:no\s+mov(?:e|es|ement)|(?:does\s+|do\s+)?nothing"
    r"|(?:does\s+not|doesn['’]?t|will\s+not|won['’]?t)\s+move|(?:is\s+)?not\s+moving)"
)
_IS_IDLE = re.compile(rf"\W*{_UNIT}(?:\s*[-–—:=]\s*|\s+){_IDLE}\W*", re.IGNORECASE)
_LEFT = re.compile(
    rf"\W*(?:please\s+)?leave\s+(?:(?:my|the)\s+)?{_UNIT}"
    r"\s+(?:where\s+(?:it|he|she)\s+(?:is|stands)|in\s+place|there)\W*",
    re.IGNORECASE,
)
"""Without these words, the order of the unit may be meant, which is to be kept."""
_PIECES = re.compile(r"([,;]\s+)")
_WHOM = r"(?:the\s+)?[^\W\d_]{2,20}(?:\s+[^\W\d_]{2,20}){0,2}"
_PURPOSE = re.compile(
    r"(?P<pause>[\s,;.–-]+)(?:(?:just|simply|in\s+order|so\s+as)\s+){0,2}to\s+"
    rf"(?:(?:bounce|block|stop|deter|annoy|threaten|cover|protect|guard)(?:\s+(?:with|in|out))?\s+{_WHOM}"
    rf"|keep\s+{_WHOM}\s+(?:out|away|honest)(?:\s+(?:of|from)\s+{_WHOM})?"
    rf"|stand\s+(?:off\s+{_WHOM}|{_WHOM}\s+off))[\s.!]*",
    re.IGNORECASE,
)
_BEGINS_PURPOSE = re.compile(
    r"(?<![\s,;.–-])[\s,;.–-]++(?:(?:just|simply|in\s+order|so\s+as)\s+){0,2}to\s+"
    r"(?=(?:bounce|block|stop|deter|annoy|threaten|cover|protect|guard|keep|stand)\b)",
    re.IGNORECASE,
)
_ORDERS_MORE = re.compile(r"\b(?:holds?|supports?|convoys?|moves?|via|and|then)\b", re.IGNORECASE)
_SAYS_WHERE = re.compile(r"[-–—>→]|\b(?:h|holds?)$", re.IGNORECASE)


def in_plain_words(text: str) -> str:
    """A line of orders, with "A Mar no move" as a hold, and without "to bounce Germany" at its
    end. Whether it is nothing but orders then, is for the caller to see."""
    return "".join(map(_hold, _PIECES.split(_without_purpose(text))))


def _hold(piece: str) -> str:
    match = _IS_IDLE.fullmatch(piece) or _LEFT.fullmatch(piece)
    return f"{match['unit']} holds" if match else piece


def _without_purpose(text: str) -> str:
    """The line without what its orders are for. "A Mar S A Par to cover Bur" may be a support of a
    move, so without a sign before it an order has to say where it ends."""
    begins = _BEGINS_PURPOSE.search(text)
    purpose = _PURPOSE.fullmatch(text, begins.start()) if begins else None
    if purpose is None or speech.MAY_CHANGE_OTHERS.search(text):
        return text
    before = text[: purpose.start()]
    if _ORDERS_MORE.search(purpose[0]):
        return text
    is_apart = purpose["pause"].strip() or _SAYS_WHERE.search(_PIECES.split(before)[-1])
    return before if is_apart else text
