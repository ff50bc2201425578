"""Stored states as positions, and what each power has to decide in one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache

from games.board_json import StateJson
from games.queries.board.calendar import Step
from games.queries.board.names import variant_named
from judge import Phase, Position, load_variant


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
    """What a power has to decide in a phase.

    `units` are the units that need an order (movement) or a retreat (retreats). `builds` and
    `disbands` are numbers; `sites` are the places where a build is possible.
    """

    power: str
    step: Step
    units: tuple[str, ...] = ()
    retreats: tuple[Dislodgement, ...] = ()
    builds: int = 0
    disbands: int = 0
    sites: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many decisions there are; 0 means the power has nothing to do."""
        return len(self.units) + self.builds + self.disbands


def first_state(variant: str) -> StateJson:
    """Return the state in which a game of this variant begins."""
    return Position.start(variant_named(variant)).to_state()


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
    """Return for how many builds the power has centres but no place."""
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
