"""Short names on a board: a province's letters and a power's two letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from judge import Province

Names = Literal["code", "full"]
"""How provinces are named on a picture: by letters, or in full."""

_USUAL = {"stp": "StP"}


def code_of(province: Province) -> str:
    """Return the letters that stand for a province: `Par` on land, `ENG` at sea."""
    if province.id in _USUAL:
        return _USUAL[province.id]
    return province.id.upper() if province.kind == "sea" else province.id.capitalize()


def two_letters(powers: Iterable[str]) -> dict[str, str]:
    """Return two letters for each power, no pair twice: its first two, if they are free.

    Otherwise it gets the first and a later letter of its name, or else any pair that is left.
    """
    letters: dict[str, str] = {}
    waiting = []
    for power in powers:
        pair = power[:2].capitalize()
        if pair in letters.values():
            waiting.append(power)
        else:
            letters[power] = pair
    for power in waiting:
        letters[power] = next(pair for pair in _pairs(power) if pair not in letters.values())
    return letters


def _pairs(power: str) -> Iterator[str]:
    own = [letter for letter in power[1:].casefold() if letter.isalpha()]
    for letter in (*own, *"abcdefghijklmnopqrstuvwxyz0123456789"):
        yield power[0].upper() + letter
    for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        for second in "abcdefghijklmnopqrstuvwxyz":
            yield first + second


def full_lines(province: Province) -> list[str]:
    """Return a province's name in one line, or in two of about the same length."""
    name = province.name
    words = name.replace("-", "- ").split(" ")
    if len(name) < 10 or len(words) == 1:
        return [name]

    def unevenness(cut: int) -> int:
        return abs(len(" ".join(words[:cut])) - len(" ".join(words[cut:])))

    cut = min(range(1, len(words)), key=unevenness)
    return [" ".join(part).replace("- ", "-") for part in (words[:cut], words[cut:])]
