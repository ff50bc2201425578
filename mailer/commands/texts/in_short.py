"""Whether a line gives in short the order that our receipts give at length: "A Par-Bur"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

_WORDS = re.compile(r"[^\W_]+")
_UNITS = {"army": "a", "fleet": "f"}
_FIXED = frozenset(("a", "f", "supports", "convoys", "holds", "build", "disband", "via", "convoy"))
"""The words of an order outside names."""
_LONGEST_LETTERS = 3
"""How many letters of a name make an abbreviation: MAO, NTH."""
_DASH = re.compile(r"[-–—→>]")


def says_in_short(text: str, order: str, provinces: Iterable[str] = ()) -> bool:
    """Whether each word of a text begins its word of the order, or abbreviates a name, so that we
    need not say how we read it.

    We do say it if the words begin the names of other `provinces` of the board, too: "Nor".
    """
    if " - " in order and not _DASH.search(text):
        return False
    said = [_UNITS.get(word, word) for word in _WORDS.findall(text.casefold())]
    for is_name, words in _parts_of(order):
        used = _of_name(said, words) if is_name else _words_for_fixed(said, words)
        if not used or (is_name and _may_be_another(said[:used], words, provinces)):
            return False
        said = said[used:]
    return not said


def _parts_of(order: str) -> Iterator[tuple[bool, list[str]]]:
    """The words of an order, grouped into names and the words between; each group with whether it
    is a name."""
    for part in order.casefold().split(" - "):
        for is_name, words in groupby(_WORDS.findall(part), lambda one: one not in _FIXED):
            yield is_name, list(words)


def _may_be_another(said: Sequence[str], words: Sequence[str], provinces: Iterable[str]) -> bool:
    """Whether these words for a name also begin that of another province, and are not the whole
    name."""
    if list(said) == list(words):
        return False
    others = (_WORDS.findall(one.casefold()) for one in provinces)
    return any(_words_begun(said, one) == len(said) for one in others if one != words[: len(one)])


def _words_for_fixed(said: Sequence[str], words: Sequence[str]) -> int:
    """How many words of the text stand for all of these; 0 if they do not."""
    begun = len(said) >= len(words) and all(map(str.startswith, words, said))
    return len(words) if begun else 0


def _of_name(said: Sequence[str], words: Sequence[str]) -> int:
    """How many words of the text stand for a name; 0 if none does."""
    used = _words_begun(said, words)
    if used or not said or len(said[0]) > _LONGEST_LETTERS:
        return used
    return int(_is_abbreviation(said[0], "".join(words)))


def _words_begun(said: Sequence[str], words: Sequence[str]) -> int:
    """How many words of the text begin words of a name, in its order."""
    used, rest = 0, list(words)
    while used < len(said):
        at = next((at for at, word in enumerate(rest) if word.startswith(said[used])), None)
        if at is None:
            break
        used, rest = used + 1, rest[at + 1 :]
    return used


def _is_abbreviation(letters: str, name: str) -> bool:
    """Whether the letters stand in the name in this order, with the same first letter."""
    if not name.startswith(letters[0]):
        return False
    remaining = iter(name)
    return all(letter in remaining for letter in letters)
