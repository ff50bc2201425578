"""Variants: who plays, from where, for how many centres. Each is a folder under `judge/data`.

`variant.json` names the powers, their home centres and starting units, and the folder whose
`provinces.csv`, `borders.csv`, `names.txt` and `languages` are the board, so that variants can
share one. A new variant on known rules is a new folder and nothing else.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, SupportsIndex, cast

from judge.board import Board, Border, Location, Province, ProvinceKind, UnitKind
from judge.errors import JudgeError
from judge.phase import Phase
from judge.text.languages import Language, load_languages
from judge.text.names import NameTable, load_names
from judge.units import Unit

BuildSites = Literal["home", "owned"]
Removals = Literal["by the rules", "home", "owned"]

_DATA = files("judge") / "data"


class UnknownVariant(JudgeError):
    """There is no such variant; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class Power:
    """A power of a variant with its home centres and what it has at the start."""

    name: str
    adjective: str
    home_centers: tuple[Province, ...]
    start_centers: tuple[Province, ...]
    start_units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Everything about a game that is fixed before its first phase."""

    name: str
    title: str
    board: Board = field(repr=False, compare=False)
    first_phase: Phase
    victory_centers: int
    build_sites: BuildSites
    """Where units are built: in own home centres, or in any owned centre (Chaos, DATC 11.A)."""
    by_name: Mapping[str, Power] = field(repr=False, compare=False)
    removals: Removals = "by the rules"
    """From which centres civil disorder measures: as 4.D.8 says, or always home (1898, DATC 12.D)
    or owned ones (Chaos, DATC 11.A)."""
    names: NameTable = field(default_factory=NameTable, repr=False, compare=False)
    """What players may call the provinces."""
    languages: tuple[Language, ...] = field(default=(), repr=False, compare=False)
    """The languages other than English in which orders are read."""
    _units: dict[tuple[str, int, str], Unit] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers' names, alphabetically."""
        return tuple(self.by_name)

    def adjective(self, power: str) -> str:
        """Return "Austrian" for "Austria"."""
        return self.by_name[power].adjective

    def home_centers(self, power: str) -> tuple[Province, ...]:
        """Return the home centres of the power, whoever owns them now."""
        return self.by_name[power].home_centers

    def unit(self, kind: Literal["A", "F", ""], location: Location, power: str) -> Unit:
        """Return the unit, the same object each time: positions share theirs, and compare fast."""
        key = (kind, location.index, power)
        unit = self._units.get(key)
        if unit is None:
            unit = self._units[key] = Unit(kind, location, power)
        return unit

    def has_map_of(self, other: Variant) -> bool:
        """Tell whether both are played on the same map, with the same edits."""
        return self.board is other.board or self.board.is_like(other.board)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle a variant by its name, unless its map was edited."""
        if self.name in variant_names() and load_variant(self.name) is self:
            return load_variant, (self.name,)
        return object.__reduce_ex__(self, protocol)

    def edited(self, edits: Mapping[str, object]) -> Variant:
        """Return the variant on an edited board. Raises BoardError; see `Board.edited`."""
        return replace(self, board=self.board.edited(edits))


def variant_names() -> tuple[str, ...]:
    """Return the names that `load_variant` knows, alphabetically."""
    folders = (entry for entry in _DATA.iterdir() if (entry / "variant.json").is_file())
    return tuple(sorted(folder.name for folder in folders))


def load_variant(name: str = "standard") -> Variant:
    """Return the variant of that name; the same object each time. Raises UnknownVariant."""
    return _load_variant(name)


@cache
def _load_variant(name: str) -> Variant:
    if name not in variant_names():
        known = ", ".join(variant_names())
        raise UnknownVariant(f"There is no variant {name!r}; there are {known}.")
    folder = _DATA / name
    facts = json.loads((folder / "variant.json").read_text(encoding="utf-8"))
    board = _load_board(facts["board"])
    return Variant(
        name=name,
        title=facts["title"],
        board=board,
        first_phase=Phase.parse(facts["first_phase"]),
        victory_centers=facts["victory_centers"],
        build_sites=facts["builds"],
        removals=facts.get("removals", "by the rules"),
        names=load_names(facts["board"]),
        languages=load_languages(facts["board"]),
        by_name={
            power: _power(board, power, facts["powers"][power]) for power in sorted(facts["powers"])
        },
    )


@cache
def _load_board(name: str) -> Board:
    folder = _DATA / name
    spellings = load_names(name).spellings
    provinces = [_province(row, spellings) for row in _rows(folder / "provinces.csv")]
    borders = [
        Border(row["one"], row["other"], row["passable"]) for row in _rows(folder / "borders.csv")
    ]
    return Board(provinces, borders)


def _rows(path: Traversable) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def _province(row: Mapping[str, str], spellings: Mapping[str, tuple[str, ...]]) -> Province:
    return Province(
        id=row["id"],
        name=row["name"],
        kind=cast(ProvinceKind, row["kind"]),
        coasts=tuple(row["coasts"].split()),
        center=row["center"] == "yes",
        abbreviations=spellings.get(row["name"], ()),
        convoys=row["kind"] == "sea",
    )


def _power(board: Board, name: str, facts: Mapping[str, Any]) -> Power:
    return Power(
        name=name,
        adjective=facts["adjective"],
        home_centers=tuple(board.province(center) for center in facts["home"]),
        start_centers=tuple(
            board.province(center) for center in facts.get("centers", facts["home"])
        ),
        start_units=tuple(
            Unit(cast(UnitKind, text[0]), board.place(text[2:]), name) for text in facts["units"]
        ),
    )
