"""What people say around an order: what it is for, and what they hope it will do.

A line comes in as its writer wrote it and goes out as orders alone. The words of an order itself
are the judge's: `judge/text/vocabulary.py`, and `judge/text/idioms.py` for phrases that stand for
one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from games.queries.board import reads_as_order
from mailer.reading import doubts, speech
from mailer.reading.patterns import one_word, says

_WORD = r"(?!(?:s|c|h|to|supports?|convoys?)\b)[^\W\d_][\w.'’()/]{0,20}"
_UNIT = rf"(?P<unit>(?:a|f|army|fleet)\.?\s+{_WORD}(?:\s+{_WORD}){{0,2}})"
_LEFT = re.compile(
    rf"\W*(?:please\s+)?leave\s+(?:(?:my|the)\s+)?{_UNIT}"
    r"\s+(?:where\s+(?:it|he|she)\s+(?:is|stands)|in\s+place|there)\W*",
    re.IGNORECASE,
)
"""Without these words the line may mean to keep the unit's present order."""
_PIECES = re.compile(r"([,;.!]\s+)")
_WHOM = r"(?:the\s+)?[^\W\d_]{2,20}(?:\s+[^\W\d_]{2,20}){0,2}"
_AIM = r"(?:(?:just|simply|in order|so as) ){0,2}to "
_DOES_TO_OTHERS = one_word("bounce block stop deter annoy threaten cover protect guard")
_PURPOSE = says(
    rf"{_AIM}{_DOES_TO_OTHERS}(?: (?:with|in|out))? {_WHOM}[\s.!]*",
    rf"{_AIM}keep {_WHOM} (?:out|away|honest)(?: (?:of|from) {_WHOM})?[\s.!]*",
    rf"{_AIM}stand (?:off {_WHOM}|{_WHOM} off)[\s.!]*",
    rf"{_AIM}(?:make (?:room|way)|be (?:safe|sure|on the safe side))(?: for {_WHOM})?[\s.!]*",
    r"for (?:the|a|my|another) (?:build|centre|center|dot)s?[\s.!]*",
)
# This walks through a run of blanks once, not from each of them.
_BEGINS_PURPOSE = says(
    rf"(?<![\s,;.–-])(?P<pause>[\s,;.–-]+)(?={_AIM}(?:{_DOES_TO_OTHERS}|keep|stand|make|be)\b"
    r"|for (?:the|a|my|another) )"
)
_REASON = says(r"(?:because|since|so that) [^()\[\]]{3,120}")
_BEGINS_REASON = says(r"(?<![\s,;.–-])[\s,;.–-]++(?=(?:because|since|so that) )")
"""Why an order is given: “because Germany promised”."""
_ORDERS_IN_REASON = says(
    r"[-–—>→:]",
    r"\b(?:holds?|supports?|convoys?|moves?|via|then|[ahsfc])\b",
    r"\b(?:army|fleet)(?= [^\W\d_]+(?: [^\W\d_]+)? to\b)",
)
_UNDECIDED = says(r"\b(?:undecided|decid(?:e|ing)|confirm\w*|tbc|in case)\b")
_AND = says(r"\band (?=.* to\b)")
_MOST_JOINED = 3
"""At how many “and” of a reason we look for an order: each look takes long."""
_GOES = says(
    r"\b(?:attack|go|goes|going|enter|leav|head|reach|get|tak|captur|conquer|advanc|mov)\w*\b",
    r"\b(?:into|to)\b",
)
_HOPES = says(r"\W*(?:i hope|hopefully|fingers crossed|with luck)[\s.!]*")
"""Words after an order that change nothing about it."""
_ORDERS_MORE = says(r"\b(?:holds?|supports?|convoys?|moves?|via|and|then)\b")
_HELPS = says(r"\b(?:s|supp?\.?|supports?)\b")
_SAYS_WHERE = says(r"[-–—>→]|\b(?:h|holds?)$")


def in_plain_words(text: str) -> str:
    """A line of orders without what they are for: "to bounce Germany", "because Germany promised",
    "I hope"; and with "leave A Mar where it is" as a hold.

    The caller has to check that nothing but orders is left.
    """
    first, *others = _PIECES.split(text)
    if speech.MAY_CHANGE_OTHERS.search(text):
        return "".join(map(_hold, (first, *others)))
    said = ["", first] if not _is_reason(first) else []
    for sign, piece in zip(others[::2], others[1::2], strict=True):
        if not (_is_purpose(piece) or _is_reason(piece) or _HOPES.fullmatch(piece)):
            said += [sign, piece]
    return "".join(_hold(_order_alone(one)) for one in said[1:])


def _hold(piece: str) -> str:
    match = _LEFT.fullmatch(piece)
    return f"{match['unit']} holds" if match else piece


def _is_purpose(text: str) -> bool:
    return bool(_PURPOSE.fullmatch(text) and not _ORDERS_MORE.search(text))


def _is_reason(text: str) -> bool:
    """Whether a text is only a reason: it has no other order in it, and does not say that its
    writer may still order something else."""
    if not _REASON.fullmatch(text) or _ORDERS_IN_REASON.search(text):
        return False
    doubted = any(one.search(text) for one in (doubts.DOUBT, doubts.THINKS_ON, _UNDECIDED))
    return not (doubted or any(map(reads_as_order, _parts_after_and(text))))


def _parts_after_and(text: str) -> Iterator[str]:
    """The text after each “and” of a reason: “because Germany agreed and Mar to Spa”."""
    return (text[one.end() :] for one in islice(_AND.finditer(text), _MOST_JOINED))


def _order_alone(piece: str) -> str:
    """An order without its reason and its purpose.

    Supporting a unit “because it attacks Burgundy” may mean supporting its move there.
    """
    begins = _BEGINS_REASON.search(piece)
    if begins is None or not _is_reason(why := piece[begins.end() :]):
        return _without_purpose(piece)
    before = piece[: begins.start()]
    is_help = _HELPS.search(before) and not _SAYS_WHERE.search(before)
    return piece if is_help and _GOES.search(why) else before


def _without_purpose(piece: str) -> str:
    """An order without its purpose.

    "A Mar S A Par to cover Bur" may be a support of a move, so without a sign before the purpose
    the order has to say where it ends.
    """
    begins = _BEGINS_PURPOSE.search(piece)
    if begins is None or not _is_purpose(piece[begins.end() :]):
        return piece
    before = piece[: begins.start()]
    return before if begins["pause"].strip() or _SAYS_WHERE.search(before) else piece
