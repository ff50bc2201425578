"""What players call the provinces of a map.

The folder of a map may hold a `names.txt`, which explains its format at the top.
`NameTable` holds what was read from it; `Gazetteer` looks up what somebody wrote: full names and
listed spellings first, then the beginning of a full name, then the words of a long name cut short
("N Atl").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from judge.errors import JudgeError
from judge.text.folding import fold
from judge.text.vocabulary import COURTESIES, FILLERS, LINKS

SHORTEST_BEGINNING = 3
"""This many first letters of a full name mean it, even if no spelling is listed."""

_WORD = re.compile(r"[^\W_]+")
_LIKE_A_COAST = re.compile(r"[nsew]cs?")
_SMALL_WORDS = FILLERS | COURTESIES | LINKS


class NameTableError(JudgeError):
    """A names file contradicts itself; the message says where."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """A names file: what else each full name may be called, and the abbreviation we print."""

    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Per full name: the printed abbreviation, then the other accepted spellings."""
    unclear: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Spellings that are never guessed at, with the full names they could mean."""

    @classmethod
    def parse(cls, text: str) -> NameTable:
        """Read the text of a names file. Raises NameTableError, which names the faulty line."""
        spellings: dict[str, tuple[str, ...]] = {}
        unclear: dict[str, tuple[str, ...]] = {}
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                column, width = (unclear, 1) if line.startswith("?") else (spellings, 2)
                name, *cells = (cell.strip() for cell in line.removeprefix("?").split("|"))
                if len(cells) != width or name in column:
                    raise NameTableError(f"A line with wrong columns or a name twice: {line}")
                listed = ",".join(cells).split(",")
                column[name] = tuple(word.strip() for word in listed if word.strip())
        return cls(spellings, unclear)


@cache
def load_names(folder: Path) -> NameTable:
    """Return the names of the map in the folder; an empty table where it has none."""
    path = folder / "names.txt"
    return NameTable.parse(path.read_text(encoding="utf-8")) if path.is_file() else NameTable()


def key_of(text: str) -> str:
    """Return the key of a written name: its folded words with one blank between ("st
    petersburg")."""
    return " ".join(_WORD.findall(fold(text)))


@dataclass(frozen=True, slots=True)
class Names:
    """What a spelling means: provinces by board index, and the coast when it names one ("stpsc").

    `listed`: a full name or accepted spelling; `beginning`: cut short; `unclear`: never guessed at.
    """

    provinces: tuple[int, ...]
    how: Literal["listed", "beginning", "unclear"]
    coast: str | None = None


@dataclass(frozen=True, slots=True)
class NamedProvince:
    """What the gazetteer needs to know of a province; provinces come in the board's order."""

    id: str
    name: str
    coasts: tuple[str, ...] = ()


class Example(NamedTuple):
    """A move on the map, for sentences that say how an order is written."""

    unit: str = "A Paris"
    to: str = "Burgundy"

    def __str__(self) -> str:
        return f"“{self.unit} - {self.to}”"


class Gazetteer:
    """All spellings of one map, built once; each look-up is one dictionary hit."""

    def __init__(
        self,
        provinces: Iterable[NamedProvince],
        table: NameTable,
        railways: Mapping[str, str] | None = None,
        canals: Mapping[str, str] | None = None,
        example: Example = Example(),  # noqa: B008 - a constant
    ) -> None:
        """Raises NameTableError when a listed spelling means two provinces.

        `railways` and `canals` have the keys of what each may be called, and what we print for it.
        """
        self.example = example
        self.railways = railways or {}
        self.canals = canals or {}
        self.provinces = tuple(provinces)
        self.table = table
        self._index = {province.name: index for index, province in enumerate(self.provinces)}
        self._names: dict[str, Names] = {}
        self._list_spellings()
        self._list_unclear_spellings()
        self.spellings: tuple[tuple[str, int], ...] = tuple(self._comparable())
        """What a misspelt word is compared with: listed spellings without blanks, and what they
        mean."""
        self.phrases: tuple[tuple[tuple[str, ...], int], ...] = tuple(self._of_several_words())
        """The words of each listed name of several words, and the province it means."""
        self.lookalikes = dict(self._like_other_words())
        """Listed spellings that look like a coast or a small word of orders ("Ecs", "For"), each
        with the full name in one word, which looks like nothing else."""
        self._list_beginnings()
        self.longest = max(key.count(" ") + 1 for key in self._names)
        """The largest number of words in any spelling."""
        self.first_words = {
            key.split()[0] for key in self._names if " " in key and self.is_listed(key)
        }
        """Words that begin a listed name of several words ("north", "gulf")."""

    def find(self, key: str) -> Names | None:
        """Return what the key (see `key_of`) means, or None."""
        return self._names.get(key)

    def is_listed(self, key: str) -> bool:
        """Tell whether the key is a full name or a spelling of the names file."""
        names = self._names.get(key)
        return names is not None and names.how != "beginning"

    def abbreviation(self, index: int) -> str:
        """Return the abbreviation we print for that province, e.g. "Lvn"."""
        province = self.provinces[index]
        return self.table.spellings.get(province.name, (province.id.capitalize(),))[0]

    def beginnings(self, key: str) -> tuple[int, ...]:
        """Return the provinces whose full names begin with the key, however short it is."""
        return tuple(
            i for i, p in enumerate(self.provinces) if _key_without_blanks(p.name).startswith(key)
        )

    def _of(self, province: NamedProvince) -> tuple[str, ...]:
        return (province.name, province.id, *self.table.spellings.get(province.name, ()))

    def _list_spellings(self) -> None:
        for index, province in enumerate(self.provinces):
            for text in self._of(province):
                for key in {key_of(text), _key_without_blanks(text)}:
                    known = self._names.setdefault(key, Names((index,), "listed"))
                    if known.provinces != (index,):
                        raise NameTableError(f"{text!r} is listed for two provinces.")

    def _list_unclear_spellings(self) -> None:
        for text, names in self.table.unclear.items():
            meant = tuple(self._index[name] for name in names if name in self._index)
            self._names[key_of(text)] = Names(meant, "unclear")

    def _comparable(self) -> Iterator[tuple[str, int]]:
        for key, names in self._names.items():
            if names.how == "listed" and " " not in key:
                yield key, names.provinces[0]

    def _like_other_words(self) -> Iterator[tuple[str, str]]:
        for key, names in self._names.items():
            if names.how == "listed" and (key in _SMALL_WORDS or _LIKE_A_COAST.fullmatch(key)):
                yield key, _key_without_blanks(self.provinces[names.provinces[0]].name)

    def _of_several_words(self) -> Iterator[tuple[tuple[str, ...], int]]:
        for key, names in self._names.items():
            if names.how == "listed" and " " in key:
                yield tuple(key.split()), names.provinces[0]

    def _list_beginnings(self) -> None:
        for index, province in enumerate(self.provinces):
            for text in self._of(province)[1:]:
                for coast in province.coasts:
                    self._names.setdefault(
                        _key_without_blanks(text) + coast, Names((index,), "listed", coast)
                    )
        self._add_layer(_beginnings)
        self._add_layer(_keys_of_abbreviations)

    def _add_layer(self, keys_of: Callable[[str], Iterable[str]]) -> None:
        """Add keys that mean one or more provinces, ranking below all that is known already."""
        meant: dict[str, list[int]] = {}
        for index, province in enumerate(self.provinces):
            for key in keys_of(province.name):
                if key not in self._names:
                    meant.setdefault(key, []).append(index)
        shared: dict[tuple[int, ...], Names] = {}  # a dozen keys mean the same: 3 MB for all maps
        for key, provinces in meant.items():
            at = tuple(provinces)
            self._names[key] = shared.setdefault(at, Names(at, "beginning"))


def _key_without_blanks(text: str) -> str:
    return key_of(text).replace(" ", "")


def _beginnings(name: str) -> Iterator[str]:
    whole = _key_without_blanks(name)
    return (whole[:end] for end in range(SHORTEST_BEGINNING, len(whole)))


def _keys_of_abbreviations(name: str) -> set[str]:
    """Return the keys of a long name with its words cut short: "n atl", "eng chan", "natl".

    The first word may be one letter, later ones need two, so that the S of "Bal S Kie" stays the
    word for a support.
    """
    words = key_of(name).split()
    shorter = [word for word in words if word != "of"]
    keys: set[str] = set()
    for count in range(2, len(words) + 1):
        for parts in (*product(*_cuts(words[:count])), *product(*_cuts(shorter[:count]))):
            keys |= {" ".join(parts), "".join(parts)}
    return {key for key in keys if len(key) > SHORTEST_BEGINNING}


def _cuts(words: list[str]) -> Iterator[list[str]]:
    """Yield, per word, the ways to cut it short."""
    for place, word in enumerate(words):
        shortest = 1 if place == 0 else 2
        yield [word[:end] for end in range(shortest, len(word) + 1)]
