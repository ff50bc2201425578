"""Orders as values. `str(order)` is the canonical notation, which reads back as the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from judge.places import Location
from judge.units import Unit
from judge.wording import Shown

# The orders that every new line makes. `Final` lets nobody change them, as `frozen` would, but only
# type checkers enforce it. So they are made in a third of the time: 0.12 µs for a support instead
# of 0.39 (2026-11).


class Printed(Shown):
    """An order that is printed again and again: in results, in reasons, in answers.

    It keeps its notation once that was made or read; equality and hash ignore it.
    """

    __slots__ = ("printed",)
    printed: str
    """The notation; "" until somebody asks for it."""

    def __str__(self) -> str:
        if not self.printed:
            self.printed = self.notation()
        return self.printed

    def notation(self) -> str:
        """Return the canonical notation."""
        raise NotImplementedError


@dataclass(init=False, unsafe_hash=True, repr=False)
class Hold(Printed):
    """The unit stays."""

    __slots__ = ("unit",)
    unit: Final[Unit]

    def __init__(self, unit: Unit, printed: str = "") -> None:
        self.unit, self.printed = unit, printed

    def notation(self) -> str:
        return f"{self.unit.name} Holds"


@dataclass(init=False, unsafe_hash=True, repr=False)
class Move(Printed):
    """The unit moves to `to`; `via_convoy` when the order itself asks for a convoy (4.A.3).

    `path` names the waters of the convoy one by one, where the rules heed that (4.A.6).
    """

    __slots__ = ("path", "to", "unit", "via_convoy")
    unit: Final[Unit]
    to: Final[Location]
    via_convoy: Final[bool]
    path: Final[tuple[Location, ...]]

    def __init__(
        self,
        unit: Unit,
        to: Location,
        via_convoy: bool = False,
        path: tuple[Location, ...] = (),
        printed: str = "",
    ) -> None:
        self.unit, self.to, self.printed = unit, to, printed
        self.via_convoy, self.path = via_convoy, path

    def notation(self) -> str:
        if not self.path and not self.via_convoy:
            return f"{self.unit.name} - {self.to.name}"
        by_way = "".join([f"{water.name} - " for water in self.path])
        by_sea = " via Convoy" if self.via_convoy else ""
        return f"{self.unit.name} - {by_way}{self.to.name}{by_sea}"


@dataclass(init=False, unsafe_hash=True, repr=False)
class Ride(Printed):
    """The army goes by rail to `to`, or as far as it gets (DATC 7.B)."""

    __slots__ = ("line", "to", "unit")
    unit: Final[Unit]
    to: Final[Location]
    line: Final[str]
    """The railway, as we print it: "TSR"."""

    def __init__(self, unit: Unit, to: Location, line: str, printed: str = "") -> None:
        self.unit, self.to = unit, to
        self.line, self.printed = line, printed

    def notation(self) -> str:
        return f"{self.unit.name} - {self.line} - {self.to.name}"


@dataclass(init=False, unsafe_hash=True, repr=False)
class Permit(Printed):
    """A power lets `fleet` go through a canal to `to` (DATC 7.C).

    No unit carries it out. `unit` stands for the canal, by its printed name ("SC"), so one
    permission counts for each canal.
    """

    __slots__ = ("fleet", "to", "unit")
    unit: Final[Unit]
    fleet: Final[Unit]
    to: Final[Location]

    def __init__(self, unit: Unit, fleet: Unit, to: Location, printed: str = "") -> None:
        self.unit, self.fleet = unit, fleet
        self.to, self.printed = to, printed

    def notation(self) -> str:
        return f"{self.unit.name} {self.fleet.name} - {self.to.name}"


@dataclass(init=False, unsafe_hash=True, repr=False)
class Support(Printed):
    """The unit supports `supported` in holding (`to` is None) or in moving to `to`.

    A fleet's destination may lack its coast: the support is then good for every coast (4.B.4).
    """

    __slots__ = ("supported", "to", "unit")
    unit: Final[Unit]
    supported: Final[Unit]
    to: Final[Location | None]

    def __init__(
        self, unit: Unit, supported: Unit, to: Location | None = None, printed: str = ""
    ) -> None:
        self.unit, self.supported = unit, supported
        self.to, self.printed = to, printed

    def notation(self) -> str:
        if self.to is None:
            return f"{self.unit.name} Supports {self.supported.name}"
        return f"{self.unit.name} Supports {self.supported.name} - {self.to.name}"


@dataclass(init=False, unsafe_hash=True, repr=False)
class Convoy(Printed):
    """The fleet convoys `army` to `to`."""

    __slots__ = ("army", "to", "unit")
    unit: Final[Unit]
    army: Final[Unit]
    to: Final[Location]

    def __init__(self, unit: Unit, army: Unit, to: Location, printed: str = "") -> None:
        self.unit, self.army = unit, army
        self.to, self.printed = to, printed

    def notation(self) -> str:
        return f"{self.unit.name} Convoys {self.army.name} - {self.to.name}"


@dataclass(frozen=True, slots=True, repr=False)
class Retreat(Shown):
    """The dislodged unit retreats to `to`."""

    unit: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}"


@dataclass(frozen=True, slots=True, repr=False)
class Disband(Shown):
    """The unit leaves the board, in a retreat or an adjustment phase."""

    unit: Unit

    def __str__(self) -> str:
        return f"Disband {self.unit}"


@dataclass(frozen=True, slots=True, repr=False)
class Build(Shown):
    """`power` builds a unit.

    The kind is "" if a letter was needed and not written (4.C.3). The power is "" if nobody said
    whose order it is; then it belongs to the power that gives it.
    """

    power: str
    kind: Literal["A", "F", ""]
    location: Location

    def __str__(self) -> str:
        return f"Build {self.kind} {self.location}" if self.kind else f"Build {self.location}"


@dataclass(frozen=True, slots=True, repr=False)
class Waive(Shown):
    """`power` declines one build (4.D.7)."""

    power: str

    def __str__(self) -> str:
        return "Waive"


MovementOrder = Hold | Move | Ride | Permit | Support | Convoy
UnitOrder = Hold | Move | Ride | Permit | Support | Convoy | Retreat | Disband
Order = Hold | Move | Ride | Permit | Support | Convoy | Retreat | Disband | Build | Waive
