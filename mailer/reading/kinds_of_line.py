"""Tells what a line is by itself (a courtesy, a name, an order), and which lines head a quote: `On
Friday, X wrote:`, or the copied header of a mail."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from mailer.reading import courtesies, doubts, offices, phrases
from mailer.reading.patterns import says

_QUESTION = says(
    r"\W*(?:please,? )?(?:can|could|would|will|shall|should|may|might|must|do|does|did|is|are"
    r"|am|have|has|what|why|who|whom|when|where|how|which)\b[^?-]*\?\W*$",
    r"\W*(?:and |but )?(?!what an? (?!.*\?))(?:what|why|who|when|where|how|which)(?:['’]?s)?\b"
    r"(?!\s*if\b)"
    "[^?:;>→–—-]*$",
)
_AT_A_LOSS = says(
    r"\W*i (?:(?:am|do|did|can|could)\s*(?:not|n['’]?t)"
    r" (?:\w+ )?(?:understand|know|get|see|find|remember)\b|wonder\b"
    r"|am (?:new|confused|lost|unsure)\b)[^:;>→–—-]*$",
)
"""Words of somebody at a loss: "I do not understand supports"."""
_LAST_SENTENCE = re.compile(r"(.*[^\s.!;])[.!;]+\s+(\S.{0,60})")
_FIRST_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]+\W*")
_WHOLE_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]+\s[^\W\d_a-z][\w'’-]*\W*")
_REGARDS = re.compile(r"\b(?:regards|greetings|wishes|sincerely)\b", re.IGNORECASE)
"""Words that no order follows; after "Thanks" there may be one, as in "Thanks, Mar Spa"."""
LONGEST_HEADER = 7
"""How many lines of a copied header we look at."""


def without_farewell(text: str) -> str:
    """The line without sentences at its end that thank or wish well, as in "A Par H. Cheers,
    Ann"."""
    while (match := _LAST_SENTENCE.fullmatch(text)) and is_farewell(match[2]):
        text = match[1]
    return text


def is_farewell(sentence: str) -> bool:
    """Whether a sentence only thanks or wishes well, perhaps with its writer's name."""
    closing = courtesies.CLOSING.match(sentence)
    if closing is not None:
        after = sentence[closing.end() :].strip()
        whole = _REGARDS.search(closing[0]) and _WHOLE_NAME.fullmatch(after)
        if whole or (_FIRST_NAME.fullmatch(after) and not phrases.SAID_ALONE.fullmatch(after)):
            return True
    return bool(courtesies.GOODWILL.fullmatch(sentence) or courtesies.CLOSING.fullmatch(sentence))


def bullet_of(text: str) -> str:
    """The bullet or list number that begins a line, with the blanks after it."""
    bullet = phrases.BULLET.match(text)
    return bullet[0] if bullet else ""


def is_courtesy(text: str) -> bool:
    """Whether a line greets, wishes well, announces orders, or says that they stand until others
    come."""
    kinds = (courtesies.GREETING, courtesies.GOODWILL, courtesies.INTRODUCTION, doubts.OF_NO_MATTER)
    heads = (
        courtesies.RANKING,
        offices.HEADS_TABLE,
        courtesies.HEADS_QUESTIONS,
        courtesies.HEADS_ORDERS,
    )
    if any(one.fullmatch(text) for one in heads):
        return True
    if doubts.condition_of(text) not in (text, "") and not _is_of_no_matter(text):
        return False
    text = courtesies.DASH_AFTER_GREETING.sub(r"\g<greeting>, ", text, count=1)
    return any(kind.fullmatch(text) for kind in kinds) and not looks_like_order(text)


def _is_of_no_matter(text: str) -> bool:
    return doubts.OF_NO_MATTER.fullmatch(doubts.condition_of(text)) is not None


def is_contact(text: str) -> bool:
    """Whether a line says how to reach its writer: a number, an address, a page."""
    if offices.PHONE.fullmatch(text[: phrases.LONGEST_RULED]):
        return True
    return bool(phrases.CONTACT.search(text[: phrases.LONGEST_RULED])) and not looks_like_order(
        text
    )


def can_be_name(text: str) -> bool:
    """Whether a line below a closing can be its writer's name or address, and is neither a sentence
    nor a command."""
    if len(text) > 40 or phrases.SAID_ALONE.fullmatch(text) or phrases.BEGINS_COMMAND.match(text):
        return False
    first, *more = text.split()
    if more and text.endswith(("?", "!", ":", ";")):
        return False
    small = [one for one in more if one[0].islower() and not phrases.PARTICLE.fullmatch(one)]
    return not any(len(one) > 2 for one in small) or (len(more) == 1 and first[0].islower())


def can_sign(text: str) -> bool:
    """Whether a line can be part of a signature, and of nothing else."""
    return can_be_name(text) and not (
        text.startswith((">", "#"))
        or phrases.DASHES.fullmatch(text)
        or phrases.ENDS_PRESS.fullmatch(text)
        or looks_like_order(text)
    )


def asks(text: str) -> bool:
    """Whether a line is a question, or says that its writer is at a loss: "Could you support me to
    Belgium?", "what is a support", "I do not understand convoys"."""
    short = text[: phrases.LONGEST_RULED]
    return bool(_QUESTION.match(short) or _AT_A_LOSS.match(short))


def looks_like_order(text: str) -> bool:
    """Whether something in a line looks like an order: a unit's letter, a dash or arrow, an order
    word."""
    return bool(phrases.LOOKS_LIKE_ORDER.match(text) or phrases.UNIT_AND_PLACE.search(text))


def is_copied_header(lines: Sequence[str], *, below: bool) -> bool:
    """Whether somebody copied a mail's header (From, Sent, To, Subject) into the text here.

    We know it by its words, or in another language by its form, `below` lines that its reader
    wrote. `lines` are the next LONGEST_HEADER lines of the text, or as many as there are.
    """
    if not lines:
        return False
    first, *following = lines
    if phrases.FIRST_HEADER.match(first) and is_header(phrases.HEADER_LINE, following):
        return below or not _is_by_hand(lines)
    return below and _has_form(first, following)


def _has_form(first: str, following: Sequence[str]) -> bool:
    """Whether the lines give first an address, then a time, each after a label."""
    if not phrases.ADDRESS.search(first[: phrases.LONGEST_RULED]):
        return False
    header = [first, *itertools.takewhile(bool, following)]
    is_dated = any(phrases.TIME.search(line[: phrases.LONGEST_RULED]) for line in header[1:])
    return is_dated and is_header(phrases.ANY_HEADER_LINE, header, 3)


def attribution_at(lines: Sequence[str], at: int) -> int:
    """How many lines long the attribution is that begins here (`On Friday, X wrote:`); 0 without
    one."""
    first = lines[at]
    if _is_run_on(first[: phrases.LONGEST_RULED]):
        return 1
    opens = phrases.OPENS_ATTRIBUTION.match(first) and not looks_like_order(first)
    for length in range(1, 5 if opens else 2):
        part = lines[at : at + length]
        if len(part) < length or not part[-1] or part[-1].startswith(">"):
            break
        if _is_attribution(" ".join(part)):
            return length
    return next((length for length in (1, 2) if _heads_quote(lines, at, length)), 0)


def _heads_quote(lines: Sequence[str], at: int, length: int) -> bool:
    """Whether so many lines are an attribution in a language that we do not know: they give an
    address and a time, and the quote begins right below them."""
    part = lines[at : at + length]
    if len(part) < length or not all(part) or not _names_writer(" ".join(part)):
        return False
    first = part[0][: phrases.LONGEST_RULED]
    if phrases.UNIT_AND_PLACE.match(first) or phrases.BEGINS_COMMAND.match(first):
        return False
    if length > 1 and (_names_writer(part[-1]) or not phrases.TIME.search(first)):
        return False
    below = next_text(lines, at + length)
    return below < len(lines) and lines[below].startswith(">")


def next_text(lines: Sequence[str], start: int) -> int:
    """The index of the next line that is not blank."""
    while start < len(lines) and not lines[start]:
        start += 1
    return start


def is_header(kind: re.Pattern[str], lines: Sequence[str], number: int = 2) -> bool:
    """Whether so many of the lines belong to a header."""
    return sum(kind.fullmatch(one[: phrases.LONGEST_RULED]) is not None for one in lines) >= number


def _is_by_hand(header: Sequence[str]) -> bool:
    """Whether somebody typed "From: France", "To: GM" above their orders: a program would write an
    address or the time of day."""
    lines = (line[: phrases.LONGEST_RULED] for line in itertools.takewhile(bool, header))
    return not any("@" in line or phrases.CLOCK.search(line) for line in lines)


def _is_run_on(text: str) -> bool:
    """Whether a line is the heading of a quote with the quote itself on the same line."""
    return bool(phrases.OPENS_ATTRIBUTION.match(text) and phrases.RUN_ON.search(text))


def _is_attribution(text: str) -> bool:
    """Whether a text is the heading of a quote, by words that we know or by its form."""
    if len(text) > phrases.LONGEST_RULED:
        return False
    if phrases.BETWEEN_DASHES.fullmatch(text):
        return True
    if not text.endswith((":", "：")):
        return False
    if phrases.WROTE.search(text):
        return True
    dated = any(character.isdigit() for character in text)
    if phrases.WROTE_BEFORE_NAME.search(text):
        return dated or "@" in text
    return dated and (bool(phrases.ADDRESS_AT_END.search(text)) or "年" in text)


def _names_writer(text: str) -> bool:
    """Whether a text ends like the heading of a quote, and has a number and an address in it."""
    if len(text) > phrases.LONGEST_RULED or not text.endswith((":", "：")):
        return False
    return any(map(str.isdigit, text)) and bool(phrases.ADDRESS.search(text))
