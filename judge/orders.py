"""Orders as values. `str(order)` is the canonical notation, which reads back as the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.places import Location
from judge.units import Unit

_set = object.__setattr__
"""Fills an immutable order in half the time of the `__init__` that `dataclass` would write: 0.27 µs
for a support instead of 0.58 (2026-11). Every new line makes one."""


class Printed:
    """An order that is printed again and again: in results, in reasons, in answers.

    It keeps its notation from the first time on. Equality, hash and pickle know nothing of it.
    """

    __slots__ = ("_printed",)
    _printed: str

    def __str__(self) -> str:
        try:
            return self._printed
        except AttributeError:
            return self.keep(self.notation())

    def keep(self, printed: str) -> str:
        """Keep the notation, which whoever read the order from it need not have made again."""
        _set(self, "_printed", printed)
        return printed

    def notation(self) -> str:
        """Return the canonical notation."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, init=False)
class Hold(Printed):
    """The unit stays."""

    unit: Unit

    def __init__(self, unit: Unit) -> None:
        _set(self, "unit", unit)

    def notation(self) -> str:
        return f"{self.unit.name} Holds"


@dataclass(frozen=True, slots=True, init=False)
class Move(Printed):
    """The unit moves to `to`; `via_convoy` when the order itself asks for a convoy (4.A.3).

    `path` names the waters of the convoy one by one, where the rules heed that (4.A.6).
    """

    unit: Unit
    to: Location
    via_convoy: bool = False
    path: tuple[Location, ...] = ()

    def __init__(
        self,
        unit: Unit,
        to: Location,
        via_convoy: bool = False,
        path: tuple[Location, ...] = (),
    ) -> None:
        _set(self, "unit", unit)
        _set(self, "to", to)
        _set(self, "via_convoy", via_convoy)
        _set(self, "path", path)

    def notation(self) -> str:
        if not self.path and not self.via_convoy:
            return f"{self.unit.name} - {self.to.name}"
        by_way = "".join([f"{water.name} - " for water in self.path])
        by_sea = " via Convoy" if self.via_convoy else ""
        return f"{self.unit.name} - {by_way}{self.to.name}{by_sea}"


@dataclass(frozen=True, slots=True)
class Ride:
    """The army goes by rail to `to`, or as far as it gets (DATC 7.B)."""

    unit: Unit
    to: Location
    line: str
    """The railway by the name that we print: "TSR"."""

    def __str__(self) -> str:
        return f"{self.unit.name} - {self.line} - {self.to.name}"


@dataclass(frozen=True, slots=True)
class Permit:
    """A power lets `fleet` through a canal to `to` (DATC 7.C).

    No unit carries it out: `unit` stands for the canal, by the name that is printed ("SC"), and so
    one permission counts for each canal.
    """

    unit: Unit
    fleet: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit.name} {self.fleet.name} - {self.to.name}"


@dataclass(frozen=True, slots=True, init=False)
class Support(Printed):
    """The unit supports `supported` in holding (`to` is None) or in moving to `to`.

    A fleet's destination may lack its coast: the support is then good for every coast (4.B.4).
    """

    unit: Unit
    supported: Unit
    to: Location | None = None

    def __init__(self, unit: Unit, supported: Unit, to: Location | None = None) -> None:
        _set(self, "unit", unit)
        _set(self, "supported", supported)
        _set(self, "to", to)

    def notation(self) -> str:
        if self.to is None:
            return f"{self.unit.name} Supports {self.supported.name}"
        return f"{self.unit.name} Supports {self.supported.name} - {self.to.name}"


@dataclass(frozen=True, slots=True, init=False)
class Convoy(Printed):
    """The fleet convoys `army` to `to`."""

    unit: Unit
    army: Unit
    to: Location

    def __init__(self, unit: Unit, army: Unit, to: Location) -> None:
        _set(self, "unit", unit)
        _set(self, "army", army)
        _set(self, "to", to)

    def notation(self) -> str:
        return f"{self.unit.name} Convoys {self.army.name} - {self.to.name}"


@dataclass(frozen=True, slots=True)
class Retreat:
    """The dislodged unit retreats to `to`."""

    unit: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}"


@dataclass(frozen=True, slots=True)
class Disband:
    """The unit leaves the board, in a retreat or an adjustment phase."""

    unit: Unit

    def __str__(self) -> str:
        return f"Disband {self.unit}"


@dataclass(frozen=True, slots=True)
class Build:
    """`power` builds a unit. The kind is "" when a letter was needed and not written (4.C.3)."""

    power: str
    kind: Literal["A", "F", ""]
    location: Location

    def __str__(self) -> str:
        return f"Build {self.kind} {self.location}" if self.kind else f"Build {self.location}"


@dataclass(frozen=True, slots=True)
class Waive:
    """`power` declines one build (4.D.7)."""

    power: str

    def __str__(self) -> str:
        return "Waive"


MovementOrder = Hold | Move | Ride | Permit | Support | Convoy
UnitOrder = Hold | Move | Ride | Permit | Support | Convoy | Retreat | Disband
Order = Hold | Move | Ride | Permit | Support | Convoy | Retreat | Disband | Build | Waive
