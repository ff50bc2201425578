"""What one line is, whatever stands around it: a courtesy, a name, an address, an order."""

from __future__ import annotations

import re

from mailer.reading import phrases

_LAST_SENTENCE = re.compile(r"(.*[^\s.!;])[.!;]+\s+(\S.{0,60})")
_FIRST_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]+\W*")


def without_farewell(text: str) -> str:
    """A line without the sentences at its end that thank or wish well: "A Par H. Cheers, Ann"."""
    while (match := _LAST_SENTENCE.fullmatch(text)) and is_farewell(match[2]):
        text = match[1]
    return text


def is_farewell(sentence: str) -> bool:
    """Whether a sentence only thanks or wishes well, perhaps with its writer's name."""
    closing = phrases.CLOSING.match(sentence)
    name = closing is not None and _FIRST_NAME.fullmatch(sentence[closing.end() :].strip())
    return bool(name or phrases.GOODWILL.fullmatch(sentence) or phrases.CLOSING.fullmatch(sentence))


def bullet_of(text: str) -> str:
    """The bullet or the number in a list that begins a line, with the blanks behind it."""
    bullet = phrases.BULLET.match(text)
    return bullet[0] if bullet else ""


def is_courtesy(text: str) -> bool:
    """Whether a line greets, wishes well, or only says that orders follow."""
    kinds = (phrases.GREETING, phrases.GOODWILL, phrases.INTRODUCTION)
    return any(kind.fullmatch(text) for kind in kinds) and not looks_like_order(text)


def is_contact(text: str) -> bool:
    """Whether a line says how to reach who wrote: a number, an address, a page."""
    return bool(phrases.CONTACT.search(text[: phrases.LONGEST_RULED])) and not looks_like_order(
        text
    )


def can_be_name(text: str) -> bool:
    """Whether a line below a closing can be who wrote, or their address; not a sentence, and no
    command."""
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


def looks_like_order(text: str) -> bool:
    """Whether a line has a sign of an order: a unit's letter, a dash or arrow, an order word."""
    return bool(phrases.LOOKS_LIKE_ORDER.match(text) or phrases.UNIT_AND_PLACE.search(text))
