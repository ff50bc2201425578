"""Orders in a position: which count, which are possible, and which units they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.queries.board.duties import Duty, duty_of
from games.queries.board.names import variant_named
from judge import (
    Board,
    Build,
    Convoy,
    Order,
    Permit,
    Position,
    Reading,
    Rulebook,
    Support,
    Unit,
    UnitOrder,
    Waive,
    legal_orders,
    read_orders,
)

WAIVED = str(Waive(power=""))
"""How a build that is left out is written: the only order that may occur twice in a set."""


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
    orders = legal_orders(position).get(power, {}).get(None, ())
    return tuple(str(one) for one in orders if isinstance(one, Build))


def legal_texts(position: Position, power: str) -> Mapping[str, tuple[str, ...]]:
    """Return every order that the power can give, by units ("A Paris"; "" for builds)."""
    legal = legal_orders(position).get(power, {})
    return {
        str(unit) if unit else "": tuple(str(one) for one in orders)
        for unit, orders in legal.items()
    }


def presumed_units(variant: str, named: Sequence[Unit], seen: frozenset[str]) -> tuple[str, ...]:
    """Return units that are presumed out of sight: those that orders name, as written, and in every
    other province out of sight a fleet, if it could convoy there."""
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
