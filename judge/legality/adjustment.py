"""What makes an order of an adjustment phase illegal, whatever else was ordered."""

from __future__ import annotations

from judge.legality.refusal import Illegal, not_own
from judge.orders import Build, Disband, Waive
from judge.places import Province
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Unit
from judge.wording import either


def illegal_disband(
    order: Disband, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """A power with too many units disbands units of its own."""
    wrong = not_own(order.unit, position, power)
    if wrong is None and position.adjustment(power) >= 0:
        return Illegal(f"{power} does not have to disband a unit.")
    return wrong


def illegal_build(order: Build, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    """A unit is built in a free home centre that the power owns, where such a unit can stand."""
    if order.power not in (power, ""):
        return Illegal(f"{power} cannot build for {order.power}.")
    province = order.location.province
    if position.adjustment(power) < 0:
        return Illegal(f"{power} has more units than centres and cannot build.")
    if wrong := _no_site(province, position, power):
        return Illegal(wrong.sentence + _sites(position, power))
    return _no_such_build(order, position, rules)


def _sites(position: Position, power: str) -> str:
    """Say where the power can build, if it can build anywhere."""
    sites = position.build_sites(power) if position.adjustment(power) > 0 else ()
    return f" {power} can build in {either([site.name for site in sites])}." if sites else ""


def _no_site(province: Province, position: Position, power: str) -> Illegal | None:
    owner = position.centers.get(province)
    home = position.variant.home_centers(power)
    standing = position.layout.unit_at[province.index]
    if province in position.further_sites(power):
        return _no_room(standing, position, power)
    if not province.center:
        return Illegal(f"{province} is not a supply centre.")
    if position.variant.build_sites == "home" and province not in home:
        return Illegal(f"{province} is not a home centre of {power}.")
    if owner != power:
        whose = f"belongs to {owner}, not to {power}" if owner else f"does not belong to {power}"
        return Illegal(f"{province} {whose}.")
    return _no_room(standing, position, power)


def _no_room(standing: Unit | None, position: Position, power: str) -> Illegal | None:
    if standing:
        return Illegal(f"{standing.location.province} is occupied by {standing}.")
    if position.adjustment(power) == 0:
        return Illegal(f"{power} has as many units as centres and cannot build.")
    return None


def _no_such_build(order: Build, position: Position, rules: Rulebook) -> Illegal | None:
    at = order.location
    if order.kind == "A":
        return None
    places = position.variant.board.fleet_places(at.province)
    if order.kind == "":
        return Illegal(f"Build {at} needs a letter: write A {at.province} or F {places[0]}.")
    if not places:
        return Illegal(f"{at.province} has no coast: no fleet can be built there.")
    if at in places or rules.build_coast == "default":
        return None
    written = " or ".join(f"Build F {place}" for place in places)
    return Illegal(f"{order} needs a coast: write {written}.")


def illegal_waive(order: Waive, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    """A power that may build may decline (4.D.7)."""
    if rules.declined_builds == "b":
        return Illegal("Builds may not be declined.")
    if position.adjustment(power) <= 0:
        return Illegal(f"{power} has no build to decline.")
    return None
