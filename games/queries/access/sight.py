"""Fog of War: what one power sees of a board, a result, an order. Pure: states in, states out.

A power sees the provinces in which its units stand and those of its centres, and every province
that borders on one of them, by land or by sea, whatever can go there. That is the sight of Mikko
Saari's *Seven Blind Whisperers in One Big Darkness* (rd34); Phil Reynolds' *Fog of War* (rd22,
1989) and Michael Sims' (2005) see less from a unit, or from a centre. Hence:

* Of a position: the units and the owners of centres in its sight. Everything else is left out.
* Of results: its own orders, and an order of another power when every unit that the order names
  stood in sight as the phase began, and every other province it names is in sight afterwards.
  So nobody reads where a unit came from, or went, that they do not see there.
* We do not tell a power what became of its own support or convoy for a unit out of sight, which
  would give away whether there is one, nor a reason that names something out of sight.
* Its orders are read from what it sees. A unit that it supports or convoys out of sight is taken to
  be there, and so are fleets out of sight that could convoy. So a receipt gives nothing away
  either, and what it said is what we adjudicate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from games.board_json import ResultJson, StateJson
from games.queries import board

UNTOLD = "out of sight"
"""The word for what became of an order, if that would reveal units the power does not see."""
NOT_SEEN = "What decided it is out of sight."
"""The reason, in place of one that names what the power does not see."""

_OF_ALL = re.compile(r"the nearest centre|^No fleet was ordered")
"""The words of reasons that name nothing, but are about all centres, units or orders of a power."""
_COAST = re.compile(r"\([nsew]c\)")


def sight(variant: str, state: StateJson, power: str) -> frozenset[str]:
    """Return the full names of the provinces that the power sees in a state."""
    units = [*state["units"].get(power, ())]
    units += [one["unit"] for one in state["dislodged"] if one["power"] == power]
    held = {place_of(unit) for unit in units}.union(state["centers"].get(power, ()))
    near = board.bordering(variant)
    return frozenset(held).union(*(near[place] for place in held))


def state_seen(variant: str, state: StateJson, power: str) -> StateJson:
    """Return the state with nothing in it that the power does not see.

    It also leaves out where another power's dislodged unit may go, since that depends on what is
    around it.
    """
    seen = sight(variant, state, power)
    return {
        **state,
        "units": _keep_seen(state["units"], lambda unit: place_of(unit) in seen),
        "centers": _keep_seen(state["centers"], lambda center: center in seen),
        "dislodged": [
            one if one["power"] == power else {**one, "retreats": []}
            for one in state["dislodged"]
            if place_of(one["unit"]) in seen
        ],
    }


def place_of(unit: str) -> str:
    """Return "Spain" for "F Spain(sc)"."""
    return _COAST.sub("", unit[2:])


def _keep_seen(
    lists: Mapping[str, Sequence[str]], is_seen: Callable[[str], bool]
) -> dict[str, list[str]]:
    kept = {power: [name for name in names if is_seen(name)] for power, names in lists.items()}
    return {power: names for power, names in kept.items() if names}


# --- results ------------------------------------------------------------------------------


def results_seen(
    variant: str, results: Sequence[ResultJson], before: StateJson, after: StateJson, power: str
) -> list[ResultJson]:
    """Return what the power may read of a phase's results, with its own orders as it wrote them."""
    eyes = _Eyes(variant, before, after, power)
    own = [one for one in results if one["power"] == power]
    others = [one for one in results if one["power"] != power and eyes.may_read(one["order"])]
    return [*(eyes.told(one) for one in others), *_own(eyes, own)]


class _Eyes:
    """What a power sees as a phase begins, and afterwards."""

    def __init__(self, variant: str, before: StateJson, after: StateJson, power: str) -> None:
        self.variant, self.power = variant, power
        self.before = sight(variant, before, power)
        self.after = sight(variant, after, power)

    def may_read(self, order: str | None) -> bool:
        """Whether the power may read this order of another's."""
        units, places = _provinces_named(self.variant, order or "")
        if order and order.startswith("Build "):  # what is built was not there before
            return units <= self.after
        return bool(units) and units <= self.before and places <= self.after

    def told(self, one: ResultJson) -> ResultJson:
        """Return a result without a reason that names what is out of sight."""
        reason = one["reason"] or ""
        units, places = _provinces_named(self.variant, reason)
        if one["power"] != self.power and _OF_ALL.search(reason):
            return {**one, "reason": NOT_SEEN}
        # If a power drove out its own unit, it knows, even if nothing of it can see the place now.
        seen = self.before | self.after if one["power"] == self.power else self.after
        if units <= self.before and places <= seen:
            return one
        return {**one, "reason": NOT_SEEN}

    def helps_unseen(self, order: str) -> bool:
        """Whether the order supports or convoys a unit that the power does not see."""
        helps = " Supports " in order or " Convoys " in order or order.startswith("SC ")
        return helps and not _provinces_named(self.variant, order)[0] <= self.before


def _own(eyes: _Eyes, results: Sequence[ResultJson]) -> Iterator[ResultJson]:
    """Yield the results of the power's own orders, each as its receipt confirmed it.

    An order that the judge found impossible, because it named a unit that is not there, leaves two
    results: the order, and a unit that held. We tell them as one.
    """
    held = {_unit(one["order"]): one for one in results if one["text"] is None and one["order"]}
    for one in results:
        text, order = one["text"], one["order"]
        if text is None or not order:
            continue
        stood = held.pop(_unit(order), None) if "illegal" in one["result"] else None
        became = {*one["result"], *(stood["result"] if stood else ())}
        driven_out = [word for word in ("dislodged", "destroyed") if word in became]
        if eyes.helps_unseen(text):
            yield {**one, "order": text, "result": [UNTOLD, *driven_out], "reason": None}
        elif stood:
            words = ["fails", *driven_out]
            yield {**one, "order": text, "result": words, "reason": NOT_SEEN}
        else:
            yield eyes.told(one)
    yield from (one for one in results if one["order"] is None)
    yield from map(eyes.told, held.values())


def _unit(order: str) -> str:
    """Return the unit that an order is for, however it was written: "A Berlin"."""
    return re.split(r" - | (?:Holds|Supports|Convoys)\b", order, maxsplit=1)[0]


def _provinces_named(variant: str, text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the provinces whose units a text names, and the other provinces it names."""
    found = list(_names(variant).finditer(text))
    units = frozenset(match["place"] for match in found if match["unit"])
    return units, frozenset(match["place"] for match in found if not match["unit"])


@lru_cache(maxsize=64)
def _names(variant: str) -> re.Pattern[str]:
    # The longest first: "Mid-Atlantic Ocean" contains no "Atlantic Ocean".
    names = sorted(board.bordering(variant), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?P<unit>[AF] )?(?P<place>{'|'.join(map(re.escape, names))})(?!\w)")


# --- orders -------------------------------------------------------------------------------


def read_orders(
    variant: str, state: StateJson, power: str, lines: Sequence[str], rules: board.Rulebook
) -> tuple[board.Reading, ...]:
    """Read a power's lines by what it sees, as `board.read_orders` reads them by everything."""
    read = _read_in_fog(variant, state, power, lines, rules)
    if not any(one.problem for one in read):
        return read
    seen = sight(variant, state, power)
    return tuple(_without_emptiness(one, seen) for one in read)


def _without_emptiness(reading: board.Reading, seen: frozenset[str]) -> board.Reading:
    """Return the reading, without saying that a province out of sight is empty."""
    problem = reading.problem
    if problem is None or not problem.empty or problem.empty in seen:
        return reading
    own = f"You have no unit in {problem.empty}."
    said = problem.sentence.replace(board.no_unit_in(problem.empty), own)
    return replace(reading, problem=replace(problem, sentence=said))


def _read_in_fog(
    variant: str, state: StateJson, power: str, lines: Sequence[str], rules: board.Rulebook
) -> tuple[board.Reading, ...]:
    view = state_seen(variant, state, power)
    read = board.read_orders(board.position_of(variant, view), power, lines, rules)
    if board.step_of(state["phase"]) != "M":
        return read
    refused = [one.order for one in read if one.problem and one.problem.kind == "illegal"]
    named = [unit for order in refused if order for unit in board.helped_units(order)]
    if not refused:
        return read
    seen = sight(variant, state, power)
    presumed = board.presumed_units(variant, named, seen)
    other = next(one for one in board.variant_named(variant).powers if one != power)
    units = {**view["units"], other: [*view["units"].get(other, ()), *presumed]}
    place = board.position_of(variant, {**view, "units": units})
    again = board.read_orders(place, power, lines, rules)
    if len(again) != len(read):
        return again
    unseen = {unit for unit in named if unit.location.province.name not in seen}
    return tuple(
        # What is refused because of what is seen stays refused, and no presumed unit is suggested.
        first if second.problem and unseen.isdisjoint(_helped_units(first)) else second
        for first, second in zip(read, again, strict=True)
    )


def _helped_units(reading: board.Reading) -> Iterable[object]:
    return board.helped_units(reading.order) if reading.order else ()


def followed_orders(
    variant: str, state: StateJson, power: str, lines: Sequence[str], rules: board.Rulebook
) -> tuple[str, ...]:
    """Return the orders that count as the power was told, as `board.followed_orders` does."""
    read = read_orders(variant, state, power, lines, rules)
    duty = board.duty_of(board.position_of(variant, state), power)
    return board.followed(read, duty)


def as_told(
    variant: str, rules: board.Rulebook, state: StateJson, lines: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the orders of all powers that count in fog: what their receipts confirmed."""
    return {
        power: followed_orders(variant, state, power, written, rules)
        for power, written in lines.items()
    }


def as_written(
    variant: str, rules: board.Rulebook, state: StateJson, lines: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the orders of all powers that count where everybody sees everything."""
    place = board.position_of(variant, state)
    return {
        power: board.followed_orders(place, power, written, rules)
        for power, written in lines.items()
    }
