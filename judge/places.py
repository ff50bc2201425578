"""Where units stand and how they get from there: provinces, the places in them, borders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from judge.wording import Shown

ProvinceKind = Literal["land", "coast", "sea", "impassable"]
UnitKind = Literal["A", "F"]
WrittenKind = Literal["A", "F", ""]
"""The kind of a unit as somebody wrote it: "" where no letter was given."""


@dataclass(frozen=True, slots=True, repr=False)
class Province(Shown):
    """A province. `id` is unique on its board ("stp"); two provinces are equal if their ids are."""

    id: str
    name: str = field(compare=False)
    kind: ProvinceKind = field(compare=False)
    coasts: tuple[str, ...] = field(default=(), compare=False)
    """Names of separate coasts, e.g. ("nc", "sc"); empty for a province with one coast or none."""
    center: bool = field(default=False, compare=False)
    abbreviations: tuple[str, ...] = field(default=(), compare=False)
    """Further lower-case spellings that mean this province and no other."""
    convoys: bool = field(default=False, compare=False)
    """A fleet that stands here can convoy: always at sea (DATC 6.F.1), and on some maps on a
    coast."""
    ice: bool = field(default=False, compare=False)
    """Frozen in fall, where the variant has that rule (DATC 8)."""
    index: int = field(default=-1, compare=False)
    """Position in `Board.provinces`."""

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, repr=False)
class Location(Shown):
    """A place where a unit can stand: a province, with a coast for a fleet where there are two."""

    province: Province
    coast: str | None = None
    index: int = field(default=-1, compare=False)
    """Position in `Board.locations`."""
    name: str = field(default="", compare=False)
    """As people write it: "Spain(nc)"."""
    at: int = field(init=False, compare=False)
    """The index of its province, for which every phase asks many times."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", self.province.index)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Border:
    """Two neighbouring places ("spa/nc", "gas") and who may pass: "A", "F" or "AF"."""

    one: str
    other: str
    passable: str
    mark: str = ""
    """The name by which a variant's rule knows the border ("difficult").

    Nobody gives support over a marked border, whatever the rule; the standard rules ignore the mark
    otherwise.
    """
