"""A position: the units, who owns which centres, and the phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from judge.errors import PositionError
from judge.layout import Layout, layout_of
from judge.lookup import province_named, unit_named
from judge.once import keep, once
from judge.phase import Phase
from judge.places import Location, Province
from judge.state import StateJson, read_state
from judge.units import Dislodged, Unit
from judge.variant import Variant
from judge.variants import VariantLike, load_variant


# `Final` instead of `frozen`, as in `judge.orders`: it is made in half the time.
@dataclass(eq=False, repr=False)
class Position:
    """Units and centres at the beginning of a phase. Never changes; a phase makes a new one.

    Two positions are equal if the same units and centres are on the same map, in any order.
    `position["Paris"]` is the unit there, or None. A position that you make yourself, of units and
    centers, is not checked; `from_state` refuses what cannot stand on the board.
    """

    variant: Final[Variant]
    phase: Final[Phase]
    units: Final[tuple[Unit, ...]] = ()
    """All units but the dislodged ones."""
    centers: Final[Mapping[Province, str]] = field(default_factory=dict)
    """The owner of each supply centre that has one."""
    dislodged: Final[tuple[Dislodged, ...]] = ()
    """In a retreat phase: who must retreat or disband."""
    __iter__ = None
    """Iterate over `units`, not over this. Without this line Python would try 0, 1, 2 as names."""

    @classmethod
    def start(cls, variant: VariantLike) -> Position:
        """Return the variant's first position. The variant may be given by name. Raises
        UnknownVariant."""
        variant = load_variant(variant)
        powers = variant.by_name.values()
        units = tuple(unit for power in powers for unit in power.start_units)
        centers = {center: power.name for power in powers for center in power.start_centers}
        return cls(variant.at(variant.first_phase), variant.first_phase, units, centers)

    @classmethod
    def from_state(cls, variant: VariantLike, state: Mapping[str, object]) -> Position:
        """Read the JSON Lines state {"phase", "units", "centers", "dislodged"}.

        The variant may be named. Other fields are yours, but a name that is nearly one of these,
        such as "centres", is an error. Raises UnknownVariant, and PositionError with one sentence
        that says what is wrong and where.
        """
        read = read_state(load_variant(variant), state)
        position = cls(read.variant, read.phase, read.units, read.centers, read.dislodged)
        # It was needed to see whether two units stand in one province.
        keep(position, "layout", read.layout)
        keep(position, "holdings", read.holdings)
        return position

    def __getitem__(self, place: str | Province | Location) -> Unit | None:
        """Return the undislodged unit in a province, given by a name ("par") or as a value.

        Raises UnknownName for a name that is not on the map or could be two provinces.
        """
        if isinstance(place, Location):
            return self.unit_at[place.at]
        if isinstance(place, Province):
            return self.unit_at[place.index]
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

    @once
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
        units = "1 unit" if len(self.units) == 1 else f"{len(self.units)} units"
        return f"<Position {self.phase} of {self.variant.title}: {units}>"

    def __str__(self) -> str:
        """Return the phase, and a line for each power with its units and centres."""
        lines = [self.phase.long_name]
        for power in self.variant.powers:
            units, centers = self.units_of(power), self.centers_of(power)
            if units or centers:
                standing = ", ".join(sorted(unit.name for unit in units)) or "no units"
                owned = "1 centre" if len(centers) == 1 else f"{len(centers)} centres"
                lines.append(f"{power}: {standing}; {owned}")
        for one in self.dislodged:
            places = " or ".join(map(str, one.retreats))
            may = f"may retreat to {places}" if places else "has nowhere to retreat to"
            lines.append(f"{one.unit.power}: {one.unit} is dislodged and {may}")
        return "\n".join(lines)

    def to_state(self) -> StateJson:
        """Return the JSON Lines state, which `from_state` reads back as an equal position."""
        return {
            "phase": str(self.phase),
            "units": self.unit_names(),
            "centers": self.center_names(),
            "dislodged": [one.to_json() for one in self.dislodged],
        }

    def unit_names(self) -> dict[str, list[str]]:
        """Return the names of each power's undislodged units, alphabetically."""
        names: dict[str, list[str]] = {power: [] for power in self.variant.by_name}
        for unit in self.units:
            names[unit.power].append(unit.name)
        return _in_order(names)

    def center_names(self) -> dict[str, list[str]]:
        """Return the names of the centres that each power owns, alphabetically."""
        names: dict[str, list[str]] = {power: [] for power in self.variant.by_name}
        for province, power in self.centers.items():
            names[power].append(province.name)
        return _in_order(names)

    @once
    def layout(self) -> Layout:
        """The units as the resolver wants them."""
        return layout_of(self.units, self.variant)

    @property
    def unit_at(self) -> list[Unit | None]:
        """The undislodged unit in each province, by `Province.index`."""
        return self.layout.unit_at

    @property
    def fleets_at_sea(self) -> int:
        """Mask of the provinces with a fleet that can convoy, whatever its orders."""
        return self.layout.fleets_at_sea

    @once
    def dislodged_in(self) -> Mapping[Province, Dislodged]:
        """The dislodged unit in each province that has one."""
        return {one.unit.location.province: one for one in self.dislodged}

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """Return the power's units on the board, without dislodged ones. Raises UnknownName."""
        power = self.variant.power(power).name
        return tuple(unit for unit in self.units if unit.power == power)

    def dislodged_of(self, power: str) -> tuple[Dislodged, ...]:
        """Return the power's dislodged units. Raises UnknownName."""
        power = self.variant.power(power).name
        return tuple(one for one in self.dislodged if one.unit.power == power)

    def centers_of(self, power: str) -> tuple[str, ...]:
        """Return the full names of the supply centres that the power owns, alphabetically.

        Raises UnknownName.
        """
        power = self.variant.power(power).name
        return tuple(sorted(p.name for p, owner in self.centers.items() if owner == power))

    @once
    def holdings(self) -> Mapping[str, int]:
        """How many centres each power owns, in the order of the powers."""
        count = dict.fromkeys(self.variant.by_name, 0)
        for owner in self.centers.values():
            count[owner] += 1
        return count

    @once
    def counting(self) -> Mapping[str, int]:
        """How many of each power's centres count for it: fewer than it owns, if the variant has
        such a rule (DATC 7.A)."""
        if not self.variant.own_rules:
            return self.holdings
        counts = self.variant.counts
        count = dict.fromkeys(self.variant.by_name, 0)
        for center, owner in self.centers.items():
            count[owner] += counts(center, owner)
        return count

    @once
    def surplus(self) -> Mapping[str, int]:
        """How many more centres than units each power has, in the order of the powers."""
        units = self.unit_counts
        return {power: number - units[power] for power, number in self.allowance.items()}

    @once
    def unit_counts(self) -> Mapping[str, int]:
        """How many undislodged units each power has, in the order of the powers."""
        return {power: units.bit_count() for power, units in self.layout.units_of.items()}

    @once
    def allowance(self) -> Mapping[str, int]:
        """How many units each power may have: as many as centres that count for it, or more if the
        variant has such a rule."""
        if not self.variant.own_rules:
            return self.holdings
        rules = self.variant.own_rules
        return {
            power: number + sum(rule.further_units(self, power) for rule in rules)
            for power, number in self.counting.items()
        }

    def adjustment(self, power: str) -> int:
        """Return how many units the power may build (positive) or must disband (negative).

        Builds are limited by the free centres in which the power may build. Raises UnknownName.
        """
        power = self.variant.power(power).name
        surplus = self.surplus[power]
        return min(surplus, len(self.build_sites(power))) if surplus > 0 else surplus

    def build_sites(self, power: str) -> tuple[Province, ...]:
        """Return the owned, empty centres in which the power may build, and any other place where
        it may. Raises UnknownName."""
        known = self.variant.power(power)
        power, home = known.name, known.home_centers
        if self.variant.build_sites == "home":
            owned = [p for p in home if self.centers.get(p) == power]
        else:
            owned = [p for p, owner in self.centers.items() if owner == power]
        owned += self.further_sites(power)
        unit_at = self.layout.unit_at
        return tuple(sorted((p for p in owned if unit_at[p.index] is None), key=_by_name))

    def further_sites(self, power: str) -> list[Province]:
        """Return where else a rule of the variant lets the power build."""
        rules = self.variant.own_rules
        return [site for rule in rules for site in rule.further_sites(self, power)]

    def orderable(self, power: str) -> tuple[Unit, ...] | int:
        """Return what needs an order from the power in this phase.

        Movement: its units. Retreats: its dislodged units. Adjustments: the number of builds
        (positive) or disbands (negative). Raises UnknownName.
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
        if self.phase.step == "A":
            # It takes longer to find out who may build than who has to disband.
            allowance = self.allowance
            for power, number in self.unit_counts.items():
                if number > allowance[power]:
                    return True
        return any(self.orderable(power) for power in self.variant.powers)


def _in_order(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Sort each power's names, and leave out the powers that have none; return the same dictionary.

    Copies of the lists would take a quarter of the whole time (2026-11).
    """
    for power, listed in [*names.items()]:
        if listed:
            listed.sort()
        else:
            del names[power]
    return names


def _by_name(province: Province) -> str:
    return province.name


def refuse_no_position(position: object) -> None:
    """Raise PositionError for anything but a position, such as the name of a variant."""
    if isinstance(position, Mapping):
        raise PositionError(
            "A state is not a Position; Position.from_state(...) makes one from it."
        )
    if not isinstance(position, Position):
        raise PositionError(f"{position!r} is not a Position; Position.start(...) makes one.")
