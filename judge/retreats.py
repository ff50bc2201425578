"""Retreats: where a dislodged unit may go, and what becomes of the retreats ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.board import Location, bits
from judge.position import Position
from judge.rulebook import Rulebook
from judge.strengths import prevent_strength
from judge.struggle import Struggle
from judge.units import Unit


def is_contested(s: Struggle, province: int, rules: Rulebook) -> bool:
    """Tell whether a bounce in the province leaves no room for a retreat.

    Somebody tried to go there with effect: with a path, and not beaten by a unit coming the other
    way (5.B.6, 6.F.7, 6.H.6, 6.H.9, 6.H.16).
    """
    never = rules.dislodged_bounce == "a"
    bounced = s.into[province] & s.failed
    return any(prevent_strength(s, unit, never)[1] for unit in bits(bounced))


def retreats_of(
    unit: Unit, position: Position, s: Struggle, occupied: int, rules: Rulebook
) -> tuple[Location, ...]:
    """Return where the dislodged unit may retreat to: adjacent places that are empty, not contested
    and not where its attacker came from (over land: 4.A.5).

    `occupied` masks the provinces in which a unit is after the moves.
    """
    here = unit.at
    attacker = s.into[here] & s.moved
    if rules.retreat_from_convoy == "b":
        attacker &= ~s.convoyed
    closed = occupied | attacker
    steps = position.variant.board.steps("A" if unit.kind == "A" else "F", unit.location)
    return tuple(
        place
        for place in steps
        if not closed >> place.province.index & 1
        and not is_contested(s, place.province.index, rules)
    )


@dataclass(frozen=True, slots=True)
class Bounce:
    """A retreat that failed, and the other units that went to the same province."""

    unit: Unit
    others: tuple[Unit, ...]


def resolve_retreats(retreats: Mapping[Unit, Location]) -> tuple[list[Unit], list[Bounce]]:
    """Return the units where they are after retreating, and the retreats that failed.

    Two units that retreat to the same province are both disbanded (6.H.7, 6.H.8).
    """
    crowd = Counter(place.province for place in retreats.values())
    arrived, bounced = [], []
    for unit, place in retreats.items():
        if crowd[place.province] == 1:
            arrived.append(Unit(unit.kind, place, unit.power))
        else:
            bounced.append(Bounce(unit, _rivals(unit, place, retreats.items())))
    return arrived, bounced


def _rivals(
    unit: Unit, place: Location, retreats: Iterable[tuple[Unit, Location]]
) -> tuple[Unit, ...]:
    return tuple(
        other for other, goal in retreats if goal.province == place.province and other != unit
    )
