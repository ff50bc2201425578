"""Whether a line says an order in short, as our receipts say it at length: "A Par-Bur"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

_WORDS = re.compile(r"[^\W_]+")
_UNITS = {"army": "a", "fleet": "f"}
_FIXED = frozenset(("a", "f", "supports", "convoys", "holds", "build", "disband", "via", "convoy"))
"""The words of an order that belong to no name."""
_LONGEST_LETTERS = 3
"""How many letters of a name make an abbreviation: MAO, NTH."""
_DASH = re.compile(r"[-–—→>]")


def says_in_short(text: str, order: str, provinces: Iterable[str] = ()) -> bool:
    """Whether each word of a text begins the word of the order for which it stands, or is the
    abbreviation of a name, so that nobody has to be told how it was read. That is needed where the
    words begin the names of others of the board's `provinces` as well: "Nor"."""
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
    """The words of an order, name by name, and those between them; each with whether it is one."""
    for part in order.casefold().split(" - "):
        for is_name, words in groupby(_WORDS.findall(part), lambda one: one not in _FIXED):
            yield is_name, list(words)


def _may_be_another(said: Sequence[str], words: Sequence[str], provinces: Iterable[str]) -> bool:
    """Whether these words said for a name begin that of another province, too, and are not all of
    the name."""
    if list(said) == list(words):
        return False
    others = (_WORDS.findall(one.casefold()) for one in provinces)
    return any(_words_begun(said, one) == len(said) for one in others if one != words[: len(one)])


def _words_for_fixed(said: Sequence[str], words: Sequence[str]) -> int:
    """How many of the words said stand for all of these; 0 if they do not."""
    begun = len(said) >= len(words) and all(map(str.startswith, words, said))
    return len(words) if begun else 0


def _of_name(said: Sequence[str], words: Sequence[str]) -> int:
    """How many of the words said stand for a name; 0 if none does."""
    used = _words_begun(said, words)
    if used or not said or len(said[0]) > _LONGEST_LETTERS:
        return used
    return int(_is_abbreviation(said[0], "".join(words)))


def _words_begun(said: Sequence[str], words: Sequence[str]) -> int:
    """How many of the words said begin words of a name, in its order."""
    used, rest = 0, list(words)
    while used < len(said):
        at = next((at for at, word in enumerate(rest) if word.startswith(said[used])), None)
        if at is None:
            break
        used, rest = used + 1, rest[at + 1 :]
    return used


def _is_abbreviation(letters: str, name: str) -> bool:
    """Whether these letters stand in the name in this order, the first of them first."""
    if not name.startswith(letters[0]):
        return False
    remaining = iter(name)
    return all(letter in remaining for letter in letters)
