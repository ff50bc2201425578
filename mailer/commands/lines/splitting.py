"""Lines that say two things: orders and when they are wanted, orders and a question, or two
commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from games.queries.board import reads_as_order
from mailer.commands.advice.fitting import advised_command
from mailer.commands.calls import (
    AMEND,
    EXTEND,
    HELP,
    HOLD,
    ORDERS,
    SAID_AFTER,
    SAME,
    SIGNOFF,
    STOP,
    Word,
)
from mailer.commands.lines.around_orders import in_plain_words
from mailer.commands.lines.fair_share import MOST_LETTERS
from mailer.commands.lines.spellings import as_one_word
from mailer.commands.lines.which_command import LONGEST_LINE, command_in
from mailer.reading import courtesies, doubts, phrases, speech
from mailer.reading.kinds_of_line import is_farewell, without_farewell
from mailer.reading.patterns import led_by, one_word, says
from mailer.reading.quotes import Line

MOST_BROKEN = 100
"""How many lines of one mail we put together or take apart. No set has so many orders, and each
line takes long: one that is no order is read on every map."""
_SAYS_WHEN = says(
    r"(.*\S)(?:\s{0,2}(?:[,;.!]|\s[-–—]+\s|\s(?:comma|period|full stop|new\s?line)\b)\s{0,2}"
    r"(?:and )?| and )(ready|wait)[\s.!]*",
)
_HEADS_SENTENCES = re.compile(rf"{courtesies.ORDERS_FOLLOW.pattern}\s+\S.{{5,}}", re.IGNORECASE)
_HEADS_FINAL = re.compile(rf"(?:{courtesies.FINAL_ORDERS.pattern})\s*\S.{{3,}}", re.IGNORECASE)
_ORDERS_ARE = says(r"(?:(?:my|our|the) )?(?:orders|moves) are")
_ASKS = re.compile(r"\W*(?:can|could|would|will|may|should|how|is|do)\b", re.IGNORECASE)
_KEEPS_OTHERS = re.compile(r"(.*[^\s,;.!])\s*(?:[,;.!]|\s[-–—])\s+([^,;]{8,60})")
_ASKS_AFTER = re.compile(r"(.*[^\s.!])[.!]+\s+([^.!?]{5,80}\?)[\s?!]*")
_CHANGES_LATER = says(
    r"\W*(?:and )?(?:can|may|could) i (?:still )?change (?:this|that|it|them|these"
    "|my (?:orders|moves|mind))(?: (?:later|afterwards|again|until|before|by|the|deadline"
    r"|then))*\s*\?",
)
_THEN_COMMAND = says(
    rf"(.*[^\s,;.&+])\s*(?:[,;.&+]| and\b)\s*{led_by('and then also please')}"
    rf"({SAID_AFTER})(?: please)?[\s.!]*"
)
_JOINS_TOO = says(
    r"(register (?!and\b|to\b).{2,60}?[^\s,;.&+])(?:\s*[,;.&+])?(?: and(?: then)?| to)?"
    r" (join [\w-]+(?: [\w-]+){0,2}\W*)",
)
_TAKES_WORDS = (
    *(EXTEND, HELP, SIGNOFF, STOP),
    *("confirm", "gm", "ready", "refuse", "register", "set", "wait"),
)
"""Commands after which another command's word may be their object, or take them back."""
_ASKED_ASIDE = (
    *("STATUS", "ORDERS", "MAP", "HISTORY", "RULES", "HELP ORDERS", "HELP WHATIF", "PRESS"),
)
"""What somebody asks after their orders without a doubt about them."""
_SENTENCE_ENDS = re.compile(r"(?<=[^\W\d_])[)\]]?(?:[.!]+|;(?=\s+(?:my|our|the)\b))\s+(?=\S)", re.I)
_HAS_SENTENCES = re.compile(
    r"(?=.{3,80}(?:[-–—>→]|\b(?:[hsc]|to|into|holds?|stays?|supports?|convoys?|moves?|attacks?)\b))"
    rf".*{_SENTENCE_ENDS.pattern}.*",
    re.IGNORECASE,
)
_OF_UNIT = says(
    r"(?:(?:and|then) )?(?:my|our|the) (?:army|fleet)"
    r" (?:in|at|from|of|on|goes|holds?|stays?|remains?|moves?|sails?|marches|supports?)\b",
)
"""How a sentence about one more unit begins; it is read as an order for that unit."""
_MOST_UNITS = 5
_HARMLESS = (courtesies.HARMLESS, phrases.SENT_FROM)
_YOURS = says(
    r"\b"
    + one_word(
        "you your yours u ur dein deine deinen euer eure eurer ton ta tes votre vos tu tus vuestro"
        " tuo tua vostro vostra jouw jullie uw teu sua seu vosso twój twoja wasz wasza senin sizin"
    )
    + r"\b"
)
"""Words of a sentence about somebody else's units: “A Mun - Tyr. Your F Ven holds.”"""
_ORDER_ENDS = 2
"""At how many full stops we look for the end of an order: “F St. Pete - Bot. Good luck!”."""
MOST_SENTENCES = 8
"""A line with more full stops is no line of orders, and reading each takes long."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_HEADS = (_HEADS_SENTENCES, _HEADS_FINAL)
_ENDS = (
    *(_SAYS_WHEN, _KEEPS_OTHERS, _ASKS_AFTER, _THEN_COMMAND, _JOINS_TOO),
    *(*_HEADS, _HAS_SENTENCES),
)


def split_lines(lines: Iterable[Line], words: Mapping[str, Word]) -> Iterator[Line]:
    """The lines, with some of them split in two.

    Split off are: an end that says when the orders are wanted or that others stay, and a question:
    "A Par - Bur, F Bre H, READY", "A Par - Bur, the rest as before", "A Par - Bur. When is the
    deadline?". So are two commands ("CLEAR and STATUS"), and sentences about several units.

    We look closely at no more than MOST_BROKEN lines of one mail and MOST_LETTERS letters.
    """
    tried = letters = 0
    for line in lines:
        ends = _ENDS if len(line.text) < LONGEST_LINE else (_SAYS_WHEN, *_HEADS)
        is_within = tried < MOST_BROKEN and letters < MOST_LETTERS
        if is_within and any(end.fullmatch(line.text) for end in ends):
            tried, letters = tried + 1, letters + len(line.text)
            yield from _parts(line, words)
        else:
            yield line


def _parts(line: Line, words: Mapping[str, Word]) -> list[Line]:
    kinds = (_with_when, _with_others_kept, _with_question, _with_command, _with_heading)
    for parts in (*kinds, _with_final, _of_sentences):
        if found := parts(line.text, words):
            return [Line(line.number, text) for text in found]
    return [line]


def _with_final(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """A heading such as "Final orders:" or "My orders for Spring are", and the orders after it; for
    "My orders are" only the orders, since a letter to Germany may begin with it; nothing for other
    lines."""
    heading = courtesies.FINAL_ORDERS.match(text)
    orders = text[heading.end() :].strip() if heading else ""
    if heading is None or not reads_as_order(in_plain_words(without_farewell(orders))):
        return ()
    named = heading[0].rstrip(": ").removesuffix(" are")
    return (orders,) if _ORDERS_ARE.fullmatch(heading[0]) else (f"{named}:", orders)


def _with_when(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """The orders of a line, and READY or WAIT after them; nothing if it has no such end."""
    match = _SAYS_WHEN.fullmatch(text)
    if match is None or match[2].lower() not in words:
        return ()
    orders = without_farewell(match[1])
    said = reads_as_order(orders, for_all=True) or _orders_all_units(match[1], words)
    said = said or _are_units(orders)  # in winter that is enough
    return match.groups() if said or courtesies.ACKNOWLEDGES.fullmatch(match[1]) else ()


def _are_units(text: str) -> bool:
    """Whether a text only names units or provinces."""
    units = re.split(r"\s*(?:[,;&]|\band\b)\s*", text)[:_MOST_UNITS]
    return all(reads_as_order(f"Build {unit}") for unit in units)


def _orders_all_units(text: str, words: Mapping[str, Word]) -> bool:
    """Whether a text is a command for all units: "HOLD ALL"."""
    word, _ = command_in(text, words)
    return word is not None and word.command in (HOLD, SAME)


def _with_others_kept(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """The text before "the rest as before", and those words; nothing for a line without them at its
    end."""
    match = _KEEPS_OTHERS.fullmatch(text) if len(text) < LONGEST_LINE else None
    if match is None or as_one_word(match[2]).strip().lower() != AMEND:
        return ()
    return match.groups() if _says_something_else(match[1], words) else ()


def _with_question(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """The orders of a line, and a question after them that does not affect them; nothing for a line
    without such an end."""
    match = _ASKS_AFTER.fullmatch(text) if len(text) < LONGEST_LINE else None
    if match is None or not reads_as_order(match[1]):
        return ()
    return match.groups() if is_aside(match[2]) else ()


def _with_command(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """Two commands on one line, if the second is harmless; nothing for other lines, and where the
    first takes a text for people or anything else that may follow it."""
    if joins := _JOINS_TOO.fullmatch(text):
        return joins.groups()  # a newcomer writes on one line what an invitation has on two
    match = _THEN_COMMAND.fullmatch(text) if len(text) < LONGEST_LINE else None
    second = words.get(match[2].lower()) if match else None
    if match is None or second is None or "?" in text:
        return ()
    first, _ = command_in(match[1], words)
    takes_all = first is None or first.has_body or first.prose or first.command in _TAKES_WORDS
    return () if takes_all or first == second else match.groups()


def _with_heading(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """A sentence that announces orders, and the orders; nothing for other lines."""
    heading = courtesies.ORDERS_FOLLOW.match(text)
    orders = text[heading.end() :].strip() if heading else ""
    if (
        heading is None
        or not heading[0].endswith(".")
        or not reads_as_order(without_farewell(orders))
    ):
        return ()
    if courtesies.HEADS_ORDERS.fullmatch(heading[0]):
        return (orders,)  # on a line of its own it would not be read, either
    return heading[0], orders


def _of_sentences(text: str, words: Mapping[str, Word]) -> Sequence[str]:
    """The sentences of a line, if the first is an order and the others are orders, too, or do not
    change it; nothing for other lines.

    "Please move my army from Paris to Burgundy. My army in Marseilles will hold.", "A Par - Bur.
    This one is important!".
    """
    if len(text) >= LONGEST_LINE:
        return ()
    orders: list[str] = []
    for at, sentence in enumerate(_sentences(text)):
        if at == MOST_SENTENCES:
            return ()
        if at and _is_harmless(sentence):
            continue
        if not (_stands_beside(sentence, words) if at else _is_order(sentence)):
            return ()
        orders.append(sentence)
    # Nothing for “A Mos - Ukr. F St. Pete - Bot”, either.
    return () if reads_as_order(without_farewell(text)) else orders


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a line; a full stop within an order ends none.

    We try each as an order once or twice, never together with all the text after it: a line would
    take as long as a long mail.
    """
    while text:
        ends = [end.end() for end in islice(_SENTENCE_ENDS.finditer(text), _ORDER_ENDS)]
        if at := next((end for end in ends if _is_order(text[:end].rstrip(" .!;"))), 0):
            yield text[:at].rstrip(" .!;")
        else:
            at = len(first := _SENTENCE.split(text, maxsplit=1)[0])
            yield first
        text = text[at:].lstrip()


def _is_order(text: str) -> bool:
    return reads_as_order(courtesies.THANKS_AFTER.sub("", text))


def _stands_beside(text: str, words: Mapping[str, Word]) -> bool:
    """Whether a sentence leaves the orders beside it as they are."""
    if text.endswith("?"):
        return is_aside(text)
    if speech.MAY_CHANGE_OTHERS.search(text) or doubts.DOUBT.search(text):
        return False
    if _YOURS.search(text) or command_in(text, words)[0] is not None:
        return False
    return bool(_OF_UNIT.match(text)) or _is_order(text) or is_farewell(text)


def _is_harmless(text: str) -> bool:
    """Whether a sentence has nothing to do with orders."""
    return any(one.fullmatch(text) for one in _HARMLESS)


def is_aside(question: str) -> bool:
    """Whether a question is about the game or how to play, and casts no doubt on an order: "When is
    the deadline?", but not "Or should it be Picardy?"."""
    is_later = bool(_CHANGES_LATER.match(question))
    return is_later or (
        advised_command(question) in _ASKED_ASIDE and not doubts.DOUBT.search(question)
    )


def _says_something_else(text: str, words: Mapping[str, Word]) -> bool:
    """Whether a text before "the rest as before" is neither a question nor a command's argument.

    In "PRESS TO Italy: I hold, the rest as before" all of it is the letter.
    """
    if reads_as_order(text):
        return True
    word, _ = command_in(text, words)
    return (word is None or word.command in (ORDERS, AMEND)) and not _ASKS.match(text)
