"""Stored states as positions; what each power has to decide in one, and which of its orders are
followed, are possible, and are about which units."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.board_json import StateJson
from games.queries.board.names import Step, variant_named
from judge import (
    Board,
    Build,
    Convoy,
    Order,
    Permit,
    Phase,
    Position,
    Reading,
    Rulebook,
    Support,
    Unit,
    UnitOrder,
    Waive,
    legal_orders,
    load_variant,
    read_orders,
)

WAIVED = str(Waive(power=""))
"""How a build that is left out is written: the only order that may occur twice in a set."""


@dataclass(frozen=True, slots=True)
class Dislodgement:
    """A unit that was driven out, and where it may go: "A Vienna", ("Bohemia", "Tyrolia").

    `is_told` is False for a reader who may not know where."""

    power: str
    unit: str
    retreats: tuple[str, ...]
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class Duty:
    """What a power has to decide in a phase."""

    power: str
    step: Step
    units: tuple[str, ...] = ()
    """The units that need an order (movement) or a retreat (retreats)."""
    retreats: tuple[Dislodgement, ...] = ()
    builds: int = 0
    """How many units it may build."""
    disbands: int = 0
    """How many of its units have to go."""
    sites: tuple[str, ...] = ()
    """The places where a build is possible."""

    @property
    def size(self) -> int:
        """How many decisions there are; 0 means the power has nothing to do."""
        return len(self.units) + self.builds + self.disbands


def first_state(variant: str) -> StateJson:
    """Return the state in which a game of this variant begins."""
    return Position.start(variant_named(variant)).to_state()


def begins_game(variant: str, phase: str) -> bool:
    """Say whether a game of this variant begins with the phase of this name. It may be played
    again, after a rollback."""
    return phase == str(variant_named(variant).first_phase)


def position_of(variant: str, state: StateJson) -> Position:
    """Read a stored state. A state of ours that cannot be read is a fault, not a user's mistake."""
    # Sorted: PostgreSQL gives the keys of a JSON object back in an order of its own.
    return _position(variant, json.dumps(state, sort_keys=True))


@lru_cache(maxsize=256)
def _position(variant: str, state: str) -> Position:
    # Remembered by its content: every mail asks for a phase's position, which never changes.
    return Position.from_state(load_variant(variant), json.loads(state))


def as_if_in(position: Position, name: str) -> Position:
    """Return the position as if nothing changed on the board before that phase; only for reading
    what was written for it."""
    return replace(position, phase=Phase.parse(name))


def duty_of(position: Position, power: str) -> Duty:
    """Return what the power has to decide in this position."""
    step = position.phase.step
    if step == "M":
        return Duty(power, step, units=tuple(str(unit) for unit in position.units_of(power)))
    if step == "R":
        retreats = dislodgements(position, power)
        return Duty(power, step, units=tuple(one.unit for one in retreats), retreats=retreats)
    number = position.adjustment(power)
    sites = position.build_sites(power) if number > 0 else ()
    return Duty(
        power,
        step,
        builds=max(number, 0),
        disbands=max(-number, 0),
        sites=tuple(site.name for site in sites),
    )


def builds_without_place(position: Position, power: str) -> int:
    """Return how many builds the power has centres for, but no place."""
    return max(position.surplus[power], 0) - max(position.adjustment(power), 0)


def adjustment_notes(position: Position, power: str) -> tuple[str, ...]:
    """Return why rules of the variant let the power have more or fewer units than centres."""
    rules = position.variant.own_rules
    return tuple(note for rule in rules if (note := rule.adjustment_note(position, power)))


def dislodgements(position: Position, power: str) -> tuple[Dislodgement, ...]:
    """Return the power's dislodged units with their retreats."""
    return tuple(
        Dislodgement(power, str(one.unit), tuple(str(place) for place in one.retreats))
        for one in position.dislodged_of(power)
    )


def followed_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook
) -> tuple[str, ...]:
    """Return the orders of these lines that the judge follows, written out, top to bottom."""
    return followed(read_orders(position, power, lines, rules), duty_of(position, power))


def followed(read: Sequence[Reading], duty: Duty) -> tuple[str, ...]:
    """Return the orders among these readings that the judge follows; of builds and disbands, as
    many as there are decisions."""
    orders = [str(one.order) for one in read if one.order and not one.problem and one.counts]
    return tuple(orders[: duty.size] if duty.step == "A" else orders)


def ordered_unit(order: Order | None) -> str:
    """Return the unit an order is for, "A Paris"; "" for a build or a waived build."""
    return str(order.unit) if isinstance(order, UnitOrder) else ""


def ordered_province(order: Order | None) -> str:
    """Return the province of the unit that an order is for, even of a new one; "" if it is for
    none."""
    match order:
        case None | Waive():
            return ""
        case Build(location=location):
            return location.province.name
        case _:
            return order.unit.location.province.name


def helped_units(order: Order) -> tuple[Unit, ...]:
    """Return the unit that an order supports, convoys or lets through, if it is such an order."""
    match order:
        case Support(supported=unit) | Convoy(army=unit) | Permit(fleet=unit):
            return (unit,)
    return ()


def build_orders(position: Position, power: str) -> tuple[str, ...]:
    """Return every build that the power can order: "Build F St Petersburg(nc)"."""
    orders = legal_orders(position, only=power).get(power, {}).get(None, ())
    return tuple(str(one) for one in orders if isinstance(one, Build))


def legal_texts(position: Position, power: str) -> Mapping[str, tuple[str, ...]]:
    """Return every order that the power can give, by units ("A Paris"; "" for builds)."""
    legal = legal_orders(position, only=power).get(power, {})
    return {
        str(unit) if unit else "": tuple(str(one) for one in orders)
        for unit, orders in legal.items()
    }


def presumed_units(variant: str, named: Sequence[Unit], seen: frozenset[str]) -> tuple[str, ...]:
    """Return units that are presumed out of sight: those that orders name, as written, and a fleet
    in every other unseen province where it could convoy."""
    map_ = variant_named(variant).board
    found: dict[str, str] = {}
    for unit in named:
        name = unit.location.province.name
        if name not in seen and (standing := _as_it_may_stand(map_, unit)):
            found.setdefault(name, standing)
    for province in map_.provinces:
        places = map_.fleet_places(province)
        if province.convoys and province.name not in seen and places:
            found.setdefault(province.name, f"F {places[0]}")
    return tuple(found.values())


def _as_it_may_stand(map_: Board, unit: Unit) -> str:
    """Return "A Berlin" for a unit as somebody wrote it; "" if no such unit can exist."""
    province = unit.location.province
    kind = unit.kind or ("F" if province.kind == "sea" else "A")
    if kind == "A":
        return f"A {province}" if province.kind != "sea" else ""
    places = map_.fleet_places(province)
    return f"F {unit.location if unit.location in places else places[0]}" if places else ""
