"""The door to the judge: rows in, the judge's values out, and back.

Nobody else in this room imports the judge. Whoever needs a word about the board (a phase's name,
what a power has to decide) asks here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from games.errors import BadInput
from games.queries.wording import nearest
from judge import (
    CHOICES,
    ENGINE_VERSION,
    Board,
    Build,
    Convoy,
    Order,
    OrderResult,
    Permit,
    PhaseError,
    Position,
    Reading,
    Rulebook,
    Support,
    Unit,
    UnitOrder,
    UnknownName,
    UnknownRule,
    UnknownVariant,
    Variant,
    Waive,
    adjudicate,
    issue_choices,
    legal_orders,
    load_variant,
    may_be_orders,
    read_orders,
    reads_as_orders,
    variant_names,
)
from judge import Phase as Turn
from judge import power_named as _power_named
from judge import province_named as _province_named

__all__ = [
    "CHOICES",
    "WAIVED",
    "Adjudication",
    "Dislodgement",
    "Duty",
    "OrderResult",
    "Position",
    "Reading",
    "Rulebook",
    "abbreviation",
    "adjudicated",
    "bordering",
    "center_names",
    "duty_of",
    "first_state",
    "followed",
    "followed_orders",
    "helped_units",
    "is_before",
    "legal_texts",
    "ordered_unit",
    "phase_named",
    "phase_order",
    "phase_title",
    "position_of",
    "power_named",
    "presumed_units",
    "province_named",
    "read_orders",
    "reads_as_order",
    "rule_choices",
    "rulebook_of",
    "step_of",
    "variant_chosen",
    "variant_named",
    "variant_names",
    "year_of",
]

Step = Literal["M", "R", "A"]

WAIVED = str(Waive(power=""))
"""How a build that is left out is written; the only order that may stand twice in a set."""

_COLLECTED_SO = {"4.D.1": "c", "4.D.2": "b", "4.E.4": "b", "4.E.5": "c"}
"""The issues of the DATC that are settled before the judge sees the orders, as they are settled
here: a game takes no other choice, for it would do nothing."""

_PHASE = re.compile(r"([sfw])[a-z]*[\s,]*(\d{1,4})[\s,]*([a-z]*)[\s.:!,]*", re.IGNORECASE)
_STEPS = {"": "M", "m": "M", "r": "R", "a": "A", "b": "A", "d": "A"}


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


def variant_named(name: str) -> Variant:
    """Return the judge's variant. Raises BadInput with the names there are."""
    try:
        return load_variant(name)
    except UnknownVariant as error:
        raise BadInput(str(error)) from error


def variant_chosen(name: str, options: str) -> str:
    """Return the name of the variant with the choices of a game ("victory=20 builds=owned").

    Raises BadInput with the variants or the choices there are.
    """
    choices = options.replace(",", " ").split()
    return variant_named(CHOICES.join([name.partition(CHOICES)[0], *choices])).name


def first_state(variant: str) -> dict[str, Any]:
    """Return the state in which a game of this variant begins."""
    return Position.start(variant_named(variant)).to_state()


def position_of(variant: str, state: Mapping[str, Any]) -> Position:
    """Read a stored state. A state of ours that cannot be read is a fault, not a user's mistake."""
    # Sorted: PostgreSQL gives the keys of a JSON object back in an order of its own.
    return _position(variant, json.dumps(state, sort_keys=True))


@lru_cache(maxsize=256)
def _position(variant: str, state: str) -> Position:
    # Remembered by what it says: a phase is asked for its position at every mail, and a position
    # never changes.
    return Position.from_state(load_variant(variant), json.loads(state))


def phase_title(name: str) -> str:
    """Return "Spring 1901 movement" for "S1901M"."""
    return Turn.parse(name).long_name


def phase_named(text: str) -> str:
    """Return "F1902M" for "F1902M", "fall 1902", "Fall 1902 movement". Raises BadInput."""
    match = _PHASE.fullmatch(text.strip())
    name = text
    if match:
        season, step = match[1].upper(), _STEPS.get(match[3][:1].lower(), match[3])
        name = f"{season}{match[2]}{'A' if season == 'W' else step}"
    try:
        return str(Turn.parse(name))
    except PhaseError as error:
        raise BadInput(str(error)) from error


def is_before(name: str, other: str) -> bool:
    """Say whether the phase of one name comes before that of another in the calendar."""
    return phase_order(name) < phase_order(other)


def phase_order(name: str) -> Turn:
    """Return what sorts the names of phases as the calendar has them."""
    return Turn.parse(name)


@lru_cache(maxsize=64)
def bordering(variant: str) -> Mapping[str, frozenset[str]]:
    """Return which provinces border on each, by land or by sea, by their full names."""
    map_ = variant_named(variant).board
    near: dict[str, set[str]] = {province.name: set() for province in map_.provinces}
    for start in map_.locations:
        for to in (*map_.steps("A", start), *map_.steps("F", start)):
            near[start.province.name].add(to.province.name)
            near[to.province.name].add(start.province.name)
    return {name: frozenset(others) for name, others in near.items()}


def province_named(variant: str, text: str) -> str:
    """Return the full name of the province that a player wrote in any form. Raises BadInput."""
    try:
        return _province_named(variant_named(variant), text).name
    except UnknownName as error:
        raise BadInput(str(error)) from error


def abbreviation(variant: str, province: str) -> str:
    """Return the abbreviation that we print for a province: "Bur" for "Burgundy"."""
    return _province_named(variant_named(variant), province).abbreviations[0]


def power_named(variant: str, text: str) -> str:
    """Return the power that a player wrote: "germany", "Ger", "German". Raises BadInput."""
    try:
        return _power_named(variant_named(variant), text)
    except UnknownName as error:
        near = nearest(text, variant_named(variant).powers) or ""
        meant = f" Did you mean {near}?" if near else ""
        raise BadInput(f"{error}{meant}", wrote=text, near=near) from error


@lru_cache(maxsize=4096)
def reads_as_order(text: str) -> bool:
    """Say whether a line is nothing but orders for units, on one of the maps, wherever they stand.

    "A Par - Bur" and "Par H" are, "A Mar S", "Bur" and "My orders - A Par-Bur" are not.
    """
    standard, *others = _one_for_each_map()
    if reads_as_orders(text, standard):
        return True
    # Most lines are prose, and reading one on every map takes ten times as long as on one.
    return any(may_be_orders(text, one) and reads_as_orders(text, one) for one in others)


@cache
def _one_for_each_map() -> tuple[Variant, ...]:
    by_names: dict[frozenset[str], Variant] = {}
    for name in ("standard", *variant_names()):
        variant = variant_named(name)
        by_names.setdefault(frozenset(p.name for p in variant.board.provinces), variant)
    return tuple(by_names.values())


def center_names(variant: str) -> frozenset[str]:
    """Return the names of all supply centres."""
    board = variant_named(variant).board
    return frozenset(province.name for province in board.provinces if province.center)


def step_of(name: str) -> Step:
    """Return M, R or A for a phase's name: movement, retreats or adjustments."""
    return Turn.parse(name).step


def year_of(name: str) -> int:
    """Return 1901 for "S1901M"."""
    return Turn.parse(name).year


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


def followed_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook
) -> tuple[str, ...]:
    """Return the orders of these lines that the judge follows, written out, top to bottom."""
    return followed(read_orders(position, power, lines, rules), duty_of(position, power))


def followed(read: Sequence[Reading], duty: Duty) -> tuple[str, ...]:
    """Return the orders among these readings that the judge follows, as many as there are
    decisions."""
    orders = [str(one.order) for one in read if one.order and not one.problem and one.counts]
    return tuple(orders[: duty.size])


def helped_units(order: Order) -> tuple[Unit, ...]:
    """Return the unit that an order supports, convoys or lets through, if it is such an order."""
    match order:
        case Support(supported=unit) | Convoy(army=unit) | Permit(fleet=unit):
            return (unit,)
    return ()


def presumed_units(variant: str, named: Sequence[Unit], seen: frozenset[str]) -> tuple[str, ...]:
    """Return units out of sight that are taken to be there: those that are named, as they are
    written, and a fleet in every other province out of sight from which one could convoy."""
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
    """Return "A Berlin" for a unit as somebody wrote it; empty where no such unit can stand."""
    province = unit.location.province
    kind = unit.kind or ("F" if province.kind == "sea" else "A")
    if kind == "A":
        return f"A {province}" if province.kind != "sea" else ""
    places = map_.fleet_places(province)
    return f"F {unit.location if unit.location in places else places[0]}" if places else ""


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


def ordered_unit(order: Order | None) -> str:
    """Return the unit an order is for, "A Paris"; empty for a build or a waived build."""
    return str(order.unit) if isinstance(order, UnitOrder) else ""


def dislodgements(position: Position, power: str) -> tuple[Dislodgement, ...]:
    """Return the power's dislodged units with their retreats."""
    return tuple(
        Dislodgement(power, str(one.unit), tuple(str(place) for place in one.retreats))
        for one in position.dislodged_of(power)
    )


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What came of a phase, ready to be stored: the judge's results in its JSON Lines words.

    `results` has one entry per order: power, text, order, result, reason, automatic, and `ends` for
    an army that was ordered to go by rail.
    """

    results: list[dict[str, Any]]
    next: dict[str, Any]
    winner: str
    engine: str

    @property
    def stored(self) -> dict[str, Any]:
        """The outcome as a phase keeps it, and as the log's digest is taken of it."""
        return {"results": self.results, "next": self.next, "winner": self.winner or None}


def rulebook_of(rules: object) -> Rulebook:
    """Read a game's rules: a preset's name or the judge's rules object. Raises BadInput."""
    return _rulebook(json.dumps(rules, sort_keys=True))


@lru_cache(maxsize=256)
def _rulebook(text: str) -> Rulebook:
    # Remembered by what they say: they are asked for several times at every mail.
    rules = json.loads(text)
    if isinstance(rules, Mapping):
        for issue, choice in _COLLECTED_SO.items():
            if rules.get(issue, choice) != choice:
                raise BadInput(
                    f"No game here is played by {issue} “{rules[issue]}”: {issue} is always "
                    f"“{choice}” ({issue_choices(issue)[choice]}). Leave {issue} out of the rules."
                )
    try:
        return Rulebook.named(rules) if isinstance(rules, str) else Rulebook.from_json(rules)
    except UnknownRule as error:
        raise BadInput(str(error)) from error


def rule_choices(rules: object) -> tuple[str, ...]:
    """Say what a game's rules object chooses otherwise than its preset, each with its issue:
    "a convoyed attack comes from the last convoying fleet (4.A.4)"."""
    chosen = rules if isinstance(rules, Mapping) else {}
    return tuple(
        f"{issue_choices(issue)[choice]} ({issue})"
        for issue, choice in chosen.items()
        if issue != "preset"
    )


def adjudicated(
    *, variant: str, rules: object, state: Mapping[str, Any], orders: Mapping[str, Sequence[str]]
) -> Adjudication:
    """Adjudicate the orders as written, per power (alphabetically) and from top to bottom."""
    in_turn = {power: orders[power] for power in sorted(orders)}
    outcome = adjudicate(position_of(variant, state), in_turn, rulebook_of(rules))
    return Adjudication(
        results=[
            {
                "power": one.power,
                "text": one.text,
                "order": one.order,
                "result": list(one.result),
                "reason": one.reason,
                "automatic": one.automatic,
                **({"ends": one.ends} if one.ends else {}),
            }
            for one in outcome.results
        ],
        next=outcome.next.to_state(),
        winner=outcome.winner or "",
        engine=ENGINE_VERSION,
    )
