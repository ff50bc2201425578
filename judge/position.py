"""A position: what stands where, who owns what, and which phase it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

from judge.board import Location, Province, UnitKind
from judge.errors import JudgeError
from judge.lookup import province_named, unit_named
from judge.phase import Phase, PhaseError
from judge.units import Unit
from judge.variants import Variant


class PositionError(JudgeError):
    """A state that cannot be on a board; the message is one clear sentence."""


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that was driven out of its province, and the places it may retreat to."""

    unit: Unit
    retreats: tuple[Location, ...]


class Layout(NamedTuple):
    """The undislodged units of a position, province by province; masks are over provinces."""

    unit_at: list[Unit | None]
    """The unit in each province."""
    occupied: int
    """The provinces with a unit."""
    own: list[int]
    """For each province with a unit, all units of the same power."""
    fleets_at_sea: int
    """The provinces with a fleet that can convoy, whatever its orders."""


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """Units and centers at the beginning of a phase. Never changes; a phase makes a new one.

    Two positions are equal when the same stands on the same map, in whatever order it was given.
    `position["Paris"]` is the unit there, or None.
    """

    variant: Variant
    phase: Phase
    units: tuple[Unit, ...] = ()
    """All units but the dislodged ones."""
    centers: Mapping[Province, str] = field(default_factory=dict)
    """The owner of each supply center that has one."""
    dislodged: tuple[Dislodged, ...] = ()
    """In a retreat phase: who must retreat or disband."""

    @classmethod
    def start(cls, variant: Variant) -> Position:
        """Return the position in which the variant begins."""
        powers = variant.by_name.values()
        units = tuple(unit for power in powers for unit in power.start_units)
        centers = {center: power.name for power in powers for center in power.start_centers}
        return cls(variant.at(variant.first_phase), variant.first_phase, units, centers)

    @classmethod
    def from_state(cls, variant: Variant, state: Mapping[str, Any]) -> Position:
        """Read the JSON Lines state {"phase", "units", "centers", "dislodged"}.

        Raises PositionError with one sentence that says what is wrong and where.
        """
        return _StateReader(variant).read(state)

    def __getitem__(self, place: str) -> Unit | None:
        """Return the undislodged unit in a province, however its name is written: "par", "Paris".

        Raises UnknownName for a name that is not on the map or could be two provinces.
        """
        return self.unit_at[province_named(self.variant, place).index]

    def unit(self, name: str) -> Unit:
        """Return the unit of that name, "A Paris"; in a retreat phase a dislodged one first.

        Raises UnknownName.
        """
        units = (*(one.unit for one in self.dislodged), *self.units)
        return unit_named(self.variant, units, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if not self.variant.has_map_of(other.variant):
            return False
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return (
            self.variant,
            self.phase,
            frozenset(self.units),
            frozenset(self.centers.items()),
            frozenset((one.unit, frozenset(one.retreats)) for one in self.dislodged),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.from_state, (self.variant, self.to_state())

    def __repr__(self) -> str:
        return f"<Position {self.phase} of {self.variant.title}: {len(self.units)} units>"

    def __str__(self) -> str:
        """Return the phase, and a line for each power with its units and centers."""
        lines = [self.phase.long_name]
        for power in self.variant.powers:
            units, centers = self.units_of(power), self.centers_of(power)
            if units or centers:
                standing = ", ".join(sorted(unit.name for unit in units)) or "no units"
                owned = "1 center" if len(centers) == 1 else f"{len(centers)} centers"
                lines.append(f"{power}: {standing}; {owned}")
        for one in self.dislodged:
            places = " or ".join(map(str, one.retreats))
            may = f"may retreat to {places}" if places else "has nowhere to retreat to"
            lines.append(f"{one.unit.power}: {one.unit} is dislodged and {may}")
        return "\n".join(lines)

    def to_state(self) -> dict[str, Any]:
        """Return the JSON Lines state, which `from_state` reads back as an equal position."""
        return {
            "phase": str(self.phase),
            "units": self._by_power([(unit.power, unit.name) for unit in self.units]),
            "centers": self._by_power([(power, p.name) for p, power in self.centers.items()]),
            "dislodged": [
                {
                    "power": one.unit.power,
                    "unit": str(one.unit),
                    "retreats": [str(place) for place in one.retreats],
                }
                for one in self.dislodged
            ],
        }

    def _by_power(self, owned: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
        lists: dict[str, list[str]] = {power: [] for power in self.variant.powers}
        for power, name in owned:
            lists[power].append(name)
        return {power: sorted(names) for power, names in lists.items() if names}

    @cached_property
    def layout(self) -> Layout:
        """The units as the resolver wants them."""
        board = self.variant.board
        unit_at: list[Unit | None] = [None] * len(board.bit)
        own = [0] * len(board.bit)
        units_of = dict.fromkeys(self.variant.by_name, 0)
        occupied = fleets = 0
        for unit in self.units:
            index = unit.at
            unit_at[index] = unit
            units_of[unit.power] |= 1 << index
            if unit.kind == "F":
                fleets |= 1 << index
        for unit in self.units:
            own[unit.at] = units_of[unit.power]
        for mask in units_of.values():
            occupied |= mask
        return Layout(unit_at, occupied, own, fleets & board.convoyable)

    @property
    def unit_at(self) -> list[Unit | None]:
        """The undislodged unit in each province, by `Province.index`."""
        return self.layout.unit_at

    @property
    def fleets_at_sea(self) -> int:
        """Mask of the provinces with a fleet that can convoy, whatever its orders."""
        return self.layout.fleets_at_sea

    @cached_property
    def dislodged_in(self) -> Mapping[Province, Dislodged]:
        """The dislodged unit in each province that has one."""
        return {one.unit.location.province: one for one in self.dislodged}

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """Return the power's units on the board, without dislodged ones."""
        return tuple(unit for unit in self.units if unit.power == power)

    def dislodged_of(self, power: str) -> tuple[Dislodged, ...]:
        """Return the power's dislodged units."""
        return tuple(one for one in self.dislodged if one.unit.power == power)

    def centers_of(self, power: str) -> tuple[str, ...]:
        """Return the full names of the supply centres that the power owns, alphabetically."""
        return tuple(sorted(p.name for p, owner in self.centers.items() if owner == power))

    @cached_property
    def holdings(self) -> Mapping[str, int]:
        """How many centres each power owns, in the order of the powers."""
        count = dict.fromkeys(self.variant.by_name, 0)
        for owner in self.centers.values():
            count[owner] += 1
        return count

    @cached_property
    def counting(self) -> Mapping[str, int]:
        """How many of them count for it: fewer where the variant has such a rule (DATC 7.A)."""
        if not self.variant.own_rules:
            return self.holdings
        counts = self.variant.counts
        count = dict.fromkeys(self.variant.by_name, 0)
        for center, owner in self.centers.items():
            count[owner] += counts(center, owner)
        return count

    @cached_property
    def surplus(self) -> Mapping[str, int]:
        """How many more centres than units each power has, in the order of the powers."""
        count = dict(self.counting)
        for unit in self.units:
            count[unit.power] -= 1
        return count

    def adjustment(self, power: str) -> int:
        """Return how many units the power may build (positive) or must disband (negative).

        Builds are limited by the free centres in which the power may build.
        """
        surplus = self.surplus[power]
        return min(surplus, len(self.build_sites(power))) if surplus > 0 else surplus

    def build_sites(self, power: str) -> tuple[Province, ...]:
        """Return the owned, empty centres in which the power may build."""
        if self.variant.build_sites == "home":
            home = self.variant.home_centers(power)
            owned = [p for p in home if self.centers.get(p) == power]
        else:
            owned = [p for p, owner in self.centers.items() if owner == power]
        unit_at = self.layout.unit_at
        return tuple(sorted((p for p in owned if unit_at[p.index] is None), key=_by_name))

    def orderable(self, power: str) -> tuple[Unit, ...] | int:
        """Return what needs an order of the power in this phase.

        Movement: its units. Retreats: its dislodged units. Adjustments: the number of builds
        (positive) or disbands (negative).
        """
        if self.phase.step == "M":
            return self.units_of(power)
        if self.phase.step == "R":
            return tuple(one.unit for one in self.dislodged_of(power))
        return self.adjustment(power)

    def powers_to_order(self) -> tuple[str, ...]:
        """Return the powers that have a decision to make in this phase, alphabetically."""
        return tuple(power for power in self.variant.powers if self.orderable(power))

    def has_decisions(self) -> bool:
        """Tell whether anybody has a decision to make in this phase."""
        if self.phase.step == "A" and min(self.surplus.values(), default=0) < 0:
            return True
        return any(self.orderable(power) for power in self.variant.powers)


def _by_name(province: Province) -> str:
    return province.name


class _StateReader:
    """Reads one JSON Lines state, complaining about the first thing that cannot be."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.power_by_key = {power.casefold(): power for power in variant.powers}

    def read(self, state: Mapping[str, Any]) -> Position:
        if state.get("phase") is None:
            raise PositionError("The phase is missing.")
        try:
            phase = Phase.parse(str(state["phase"]))
        except PhaseError as error:
            raise PositionError(str(error)) from None
        self.variant = self.variant.at(phase)
        self.board = self.variant.board
        units = tuple(self.units(_mapping(state, "units")))
        leaving = _given(state, "dislodged", [])
        if leaving and phase.step != "R":
            raise PositionError(f"There are dislodged units, but {phase} is not a retreat phase.")
        dislodged = tuple(self.dislodged(leaving))
        self.refuse_crowds(units)
        self.refuse_crowds(tuple(one.unit for one in dislodged))
        self.refuse_occupied_retreats(units, dislodged)
        centers = dict(self.centers(_mapping(state, "centers")))
        return Position(self.variant, phase, units, centers, dislodged)

    def power(self, text: object) -> str:
        power = self.power_by_key.get(str(text).casefold())
        if power is None:
            raise PositionError(f"There is no power {text!r} in {self.variant.title}.")
        return power

    def units(self, lists: Mapping[str, Any]) -> Iterator[Unit]:
        for key, texts in lists.items():
            power = self.power(key)
            for text in _listed(texts, f"units of {power}"):
                yield self.unit(power, text)

    def unit(self, power: str, text: object) -> Unit:
        letter, _, place = str(text).strip().partition(" ")
        kind = cast(UnitKind, letter.upper())
        if kind not in ("A", "F"):
            raise PositionError(f"The unit {text!r} must begin with A or F and a space.")
        at = self.place(place)
        if kind == "A" and at.coast:
            at = self.board.location(at.province)
        if not self.board.can_stand(kind, at):
            raise PositionError(self.why_not_there(kind, at))
        return self.variant.unit(kind, at, power)

    def why_not_there(self, kind: UnitKind, at: Location) -> str:
        if kind == "F" and at.province.coasts:
            return f"F {at} needs its coast: {' or '.join(at.province.coasts)}."
        return f"{'An army' if kind == 'A' else 'A fleet'} cannot stand in {at}."

    def place(self, text: object) -> Location:
        try:
            return self.board.place(str(text))
        except KeyError:
            raise PositionError(f"There is no place {str(text)!r} on the map.") from None

    def centers(self, lists: Mapping[str, Any]) -> Iterator[tuple[Province, str]]:
        seen: dict[Province, str] = {}
        for key, texts in lists.items():
            power = self.power(key)
            for text in _listed(texts, f"centers of {power}"):
                province = self.place(text).province
                if not province.center:
                    raise PositionError(f"{province} is not a supply center.")
                if seen.setdefault(province, power) != power:
                    raise PositionError(f"{province} belongs to {seen[province]} and to {power}.")
                yield province, power

    def dislodged(self, entries: object) -> Iterator[Dislodged]:
        for entry in _listed(entries, "dislodged units"):
            if not isinstance(entry, Mapping) or not entry.keys() >= _DISLODGED:
                raise PositionError(f"A dislodged unit needs power, unit and retreats: {entry!r}.")
            unit = self.unit(self.power(entry["power"]), entry["unit"])
            retreats = _listed(entry["retreats"], f"retreats of {unit}")
            yield Dislodged(unit, tuple(self.retreat(unit, text) for text in retreats))

    def retreat(self, unit: Unit, text: object) -> Location:
        place = self.place(text)
        if place not in self.board.steps("A" if unit.kind == "A" else "F", unit.location):
            raise PositionError(f"{unit} cannot retreat to {place}, which it cannot reach.")
        return place

    def refuse_occupied_retreats(
        self, units: tuple[Unit, ...], dislodged: tuple[Dislodged, ...]
    ) -> None:
        standing = {unit.location.province: unit for unit in units}
        for one in dislodged:
            for place in one.retreats:
                if other := standing.get(place.province):
                    raise PositionError(
                        f"{one.unit} cannot retreat to {place}, where {other} stands."
                    )

    def refuse_crowds(self, units: tuple[Unit, ...]) -> None:
        seen: dict[Province, Unit] = {}
        for unit in units:
            province = unit.location.province
            if province in seen:
                raise PositionError(f"{seen[province]} and {unit} cannot both stand in {province}.")
            seen[province] = unit


_DISLODGED = {"power", "unit", "retreats"}


def _given(state: Mapping[str, Any], key: str, default: Any) -> Any:
    """Return what the state has under the key, the default where it says nothing."""
    value = state.get(key)
    return default if value is None else value


def _mapping(state: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = _given(state, key, {})
    if not isinstance(value, Mapping):
        raise PositionError(f"{key} must be an object with a list per power.")
    return value


def _listed(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise PositionError(f"The {what} must be a list.")
    return value
