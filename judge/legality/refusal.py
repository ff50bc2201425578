"""A refusal, which is one sentence, and the checks that every phase makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.places import Location
from judge.units import Unit
from judge.wording import either

if TYPE_CHECKING:
    from judge.position import Position


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why an order cannot be followed: one sentence fit for the player."""

    sentence: str
    empty: str = ""
    """The province that has no unit to order, if the sentence says so; "" for any other reason."""


def not_own(unit: Unit, position: Position, power: str) -> Illegal | None:
    """Return why `power` cannot order a unit where `unit` is said to stand, or None if it can."""
    here = position.layout.unit_at[unit.at]
    if here is None:
        province = unit.location.province.name
        return Illegal(no_unit_in(province), empty=province)
    if here.power != power:
        return Illegal(f"{here} belongs to {here.power}.")
    if here.kind != unit.kind or here.location != unit.location:
        return Illegal(f"The unit in {unit.location.province} is {here}, not {unit}.")
    return None


def no_unit_in(province: str) -> str:
    """Say that the province has no unit (it is `Illegal.empty`)."""
    return f"There is no unit in {province}."


def either_place(places: tuple[Location, ...]) -> str:
    """Return "Spain(nc) or Spain(sc)"."""
    return either(tuple(map(str, places)))
