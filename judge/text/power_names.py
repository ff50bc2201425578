"""What the powers are called in other languages: "Frankreich" is France."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files

from judge.errors import JudgeError
from judge.text.languages import ways_to_write

_NAME = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
"""One word, or two with a hyphen: "Österreich", "Österreich-Ungarn"."""


class PowerNamesError(JudgeError):
    """The file of names gives one name to two powers; the message says which."""


def powers_in_english(text: str, powers: Collection[str]) -> str:
    """Return the text, with each of these powers that it names in another language named in
    English.

    Only whole names are translated: in "Frankreich, Ger" one word changes.
    """

    def in_english(match: re.Match[str]) -> str:
        power = by_name().get(_key(match[0]), "")
        return power if power in powers else match[0]

    return _NAME.sub(in_english, text)


@cache
def by_name() -> Mapping[tuple[str, ...], str]:
    """Return the power for each name in other languages, by the folded words of the name."""
    path = files("judge") / "data" / "powers.txt"
    return parse_names(path.read_text(encoding="utf-8"))


def parse_names(text: str) -> dict[tuple[str, ...], str]:
    """Return the power for each name, by its folded words. Raises PowerNamesError if two powers
    have the same one."""
    found: dict[tuple[str, ...], str] = {}
    for power, name in _read_table(text):
        for words in ways_to_write(name):
            if found.setdefault(words, power) != power:
                raise PowerNamesError(f"“{name}” would be {found[words]} and {power}.")
    return found


def _read_table(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            power, _, names = line.partition("|")
            yield from ((power.strip(), name.strip()) for name in names.split(","))


def _key(name: str) -> tuple[str, ...]:
    return next(ways_to_write(name))
