"""Orders that are legal, but hardly what their player meant: the receipt mentions them and changes
nothing.

It looks only at one power's own orders, in the judge's notation ("A Paris - Burgundy", "F Brest
Supports A Paris", "F North Sea Convoys A London - Belgium"), since nobody knows what others will
order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from games.errors import BadInput
from games.queries.board import province_named
from games.queries.orders.current_orders import Decisions
from games.queries.reports.wording import listed
from mailer.reading.phrases import LONGEST_RULED

_VIA = " via Convoy"
_COAST = re.compile(r"\((?:[nsew]c)\)")
_MOVE = re.compile(r"([AF] .+?) - (.+)")
_RIDE = re.compile(r"([AF] .+?) - ([^-]+) - (.+)")
_NOTE = re.compile(
    r"\((?:a|f|army|fleet)\b\.?\s*(?P<place>[^\W\d_][^()]{0,25}?)\s*"
    r"(?:[-–>→]|\b(?:s|h|c|supports?|supporting|holds?|convoys?|to)\b)[^()]{0,60}\)",
    re.IGNORECASE,
)
_LEFT_OUT = "We left out “{}”. To order that unit, write its order on a line of its own."
_HELP = re.compile(r"([AF] .+?) (Supports|Convoys) (.+)")


def warnings(current: Sequence[tuple[str, str | None]]) -> list[str]:
    """A sentence for each current order of a power that cannot help as intended.

    `current` has one entry per unit: the unit, and its order or None.
    """
    orders = {_bare(unit): _bare(order) if order else "" for unit, order in current}
    return [
        *(said for order in orders.values() for said in _useless_help(order, orders)),
        *_missing_convoys(orders),
        *_own_bounces(orders),
        *_two_trains(orders),
    ]


def left_out_in_brackets(
    texts: Sequence[str], missing: Sequence[str], variant: str
) -> Iterator[str]:
    """A sentence for each note in brackets that may be an order for a unit without one: "A Par -
    Bur (A Mar S)".

    `missing` are those units, on the map of the variant.
    """
    places = {_bare(unit)[2:] for unit in missing if unit[:2] in ("A ", "F ")}
    for note in (note for text in texts for note in _NOTE.finditer(text[:LONGEST_RULED])):
        with suppress(BadInput):
            if province_named(variant, note["place"]) in places:
                yield _LEFT_OUT.format(note[0])


def lost_leave(leave: Decisions, current: Decisions, keepers: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each canal leave that fails because the power's unit beside the canal goes
    away.

    `keepers` has the province beside each canal.
    """
    moves = [match for _, order in current if order and (match := _MOVE.fullmatch(_bare(order)))]
    leaving = {match.group(1)[2:] for match in moves if not _HELP.fullmatch(match.group())}
    for canal, order in leave:
        if keepers[canal] in leaving:
            yield f"This leave does nothing if your unit in {keepers[canal]} moves away: {order}."


def _useless_help(order: str, orders: Mapping[str, str]) -> Iterator[str]:
    """A support or convoy of a unit of the same power that is ordered to do something else."""
    match = _HELP.fullmatch(order)
    if match is None:
        return
    helped = match.group(3)
    unit, goes = _unit_and_goal(helped)
    if unit not in orders:
        return
    ordered = orders[unit]
    ordered_goal = _unit_and_goal(ordered)[1]
    if ordered_goal != goes:
        does = ("has another order" if goes else "moves") if ordered else "has no order"
        kind = "support" if match.group(2) == "Supports" else "convoy"
        yield f"This {kind} does nothing as long as {unit} {does}: {order}."


def _missing_convoys(orders: Mapping[str, str]) -> Iterator[str]:
    """An army that asks for a convoy, though no fleet of its power gives it."""
    for order in orders.values():
        move = order.removesuffix(_VIA)
        given = any(other.endswith(f" Convoys {move}") for other in orders.values())
        if move != order and not given:
            yield f"No fleet of yours convoys it, so another power's fleet has to: {order}."


def _own_bounces(orders: Mapping[str, str]) -> Iterator[str]:
    """Units of the power that keep each other out of a province."""
    by_goal: dict[str, list[str]] = defaultdict(list)
    helped: set[str] = set()
    for unit, order in orders.items():
        by_goal[_unit_and_goal(order)[1]].append(unit)
        if match := _HELP.fullmatch(order):
            helped.add(_unit_and_goal(match.group(3))[1])
    for goal, units in by_goal.items():
        if goal and goal not in helped and len(units) > 1:
            yield f"{_all(units)} ordered to {goal}; they will keep each other out."


def _two_trains(orders: Mapping[str, str]) -> Iterator[str]:
    """Armies that all take the same railway: each line takes one."""
    by_line: dict[str, list[str]] = defaultdict(list)
    for unit, order in orders.items():
        if ride := _RIDE.fullmatch(order):
            by_line[ride.group(2)].append(unit)
    for line, units in by_line.items():
        if len(units) > 1:
            yield f"{_all(units)} ordered to go by {line}, so none of them leaves."


def _all(units: Sequence[str]) -> str:
    return f"{listed(units)} are {'both' if len(units) == 2 else 'all'}"


def _unit_and_goal(order: str) -> tuple[str, str]:
    """The unit of an order, and where it goes; "" if it stays."""
    if ride := _RIDE.fullmatch(order):
        return ride.group(1), ride.group(3)
    match = _MOVE.fullmatch(order.removesuffix(_VIA))
    if match and not _HELP.fullmatch(order):
        return match.group(1), match.group(2)
    return order.removesuffix(" Holds"), ""


def _bare(text: str) -> str:
    """Without coasts: they do not matter here."""
    return _COAST.sub("", text)
