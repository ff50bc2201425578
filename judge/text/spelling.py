"""Misspelt names: which names of the map look like a word that is not listed.

Likeness is the number of single slips (a letter too many, missing, wrong, or two swapped) between
the word and a full name or listed spelling. Whether such a reading is followed is not decided here.
"""

from __future__ import annotations

from functools import lru_cache

from judge.text.names import Gazetteer
from judge.text.vocabulary import SPELT_OUT, VERBS, Action

LONGEST_WORD = 30
"""How many letters the longest word that is compared has; nobody misspells a longer name."""


def slips_allowed(word: str) -> int:
    """Return how many slips leave a word of this length recognisable."""
    return 0 if len(word) < 3 else 1 if len(word) < 5 else 2 if len(word) < 9 else 3


@lru_cache(maxsize=8192)
def letters(word: str) -> int:
    """Return the set of letters in the word as bits; letters beyond a to z share one."""
    mask = 0
    for letter in word:
        mask |= 1 << (ord(letter) - 97 if "a" <= letter <= "z" else 26)
    return mask


def slips_between(one: str, other: str, most: int) -> int:
    """Return the number of slips that turn one word into the other, or `most` + 1 if it is more."""
    # A slip changes at most two letters of the set: this is cheap, and rules nearly all words out.
    if abs(len(one) - len(other)) > most or (letters(one) ^ letters(other)).bit_count() > 2 * most:
        return most + 1
    older: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        oldest, older, row = older, row, [i]
        for j, facing in enumerate(other, 1):
            cost = min(older[j] + 1, row[j - 1] + 1, older[j - 1] + (letter != facing))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == facing:
                cost = min(cost, oldest[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


@lru_cache(maxsize=4096)
def near_word(word: str, words: tuple[str, ...]) -> str | None:
    """Return the one of these words that is meant, allowing one slip (two in a long word), or
    None."""
    if not 4 <= len(word) <= LONGEST_WORD:
        return None
    most = 1 if len(word) < 7 else 2
    slips = {other: slips_between(word, other, most) for other in words}
    best = min(slips, key=lambda other: slips[other])
    return best if slips[best] <= most else None


@lru_cache(maxsize=4096)
def near_verb(word: str) -> Action | None:
    """Return what a word asks for that is one slip away from an order word, None if unclear.

    Two slips make one verb of another ("helping", "holding"), and one wrong letter of four turns
    many a plain word into a verb ("told", "hold"): such words are never guessed at.
    """
    if not 4 <= len(word) <= LONGEST_WORD:
        return None
    meant = set[Action]()
    for verb in SPELT_OUT:
        if slips_between(word, verb, 1) == 1:
            swapped = sorted(word) == sorted(verb)
            if len(word) > 4 or len(verb) != len(word) or swapped:
                meant.add(VERBS[verb])
    return meant.pop() if len(meant) == 1 else None


@lru_cache(maxsize=4096)
def near_names(gazetteer: Gazetteer, word: str) -> tuple[int, ...]:
    """Return the provinces (board indices) that a squeezed word may stand for, nearest first.

    Two letters are the beginning of a full name ("Bu"); a longer word is a misspelling.
    """
    if len(word) == 2:
        return gazetteer.beginnings(word)
    most = slips_allowed(word)
    if most == 0 or len(word) > LONGEST_WORD or not word.isalpha():
        return ()
    slips: dict[int, int] = {}
    for spelling, index in gazetteer.spellings:
        if len(spelling) >= 3:
            count = slips_between(word, spelling, min(most, slips_allowed(spelling)))
            if count <= min(most, slips_allowed(spelling)):
                slips[index] = min(count, slips.get(index, count))
    return tuple(sorted(slips, key=lambda index: (slips[index], index)))


@lru_cache(maxsize=4096)
def near_phrases(gazetteer: Gazetteer, words: tuple[str, ...]) -> tuple[int, ...]:
    """Return the provinces whose name has as many words, of which some here are misspelt ("Englsh
    Channel"), nearest first.

    One word has to be right. Words that are a name by themselves are not taken for another word:
    "Black Ser" is no sea.
    """
    slips: dict[int, int] = {}
    for phrase, index in gazetteer.phrases:
        if len(phrase) == len(words) and _has_right_word(words, phrase):
            pairs = [(one, other) for one, other in zip(words, phrase, strict=True) if one != other]
            if not any(gazetteer.find(one) or not _is_like(one, other) for one, other in pairs):
                count = sum(slips_between(one, other, LONGEST_WORD) for one, other in pairs)
                slips[index] = min(count, slips.get(index, count))
    return tuple(sorted(slips, key=lambda index: (slips[index], index)))


def _has_right_word(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    return any(one == other and len(one) > 2 for one, other in zip(words, phrase, strict=True))


def _is_like(one: str, other: str) -> bool:
    most = slips_allowed(max(one, other, key=len))
    return len(one) <= LONGEST_WORD and slips_between(one, other, most) <= most
