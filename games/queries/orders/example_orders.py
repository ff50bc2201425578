"""Examples of orders for one phase: legal ones, for the reader's own units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from games.queries import board

_WITH = (" Supports ", " Convoys ")


class Example(NamedTuple):
    """What the order is an example of ("a move"), and how to write it."""

    of: str
    order: str


def example_orders(variant: str, position: board.Position, power: str) -> tuple[Example, ...]:
    """Return one order of each kind that the power can give; none if it has no decision."""
    legal = board.legal_texts(position, power)
    if position.phase.step == "M":
        return tuple(_movement(variant, legal))
    every = [order for orders in legal.values() for order in orders]
    kinds = _RETREATS if position.phase.step == "R" else _ADJUSTMENTS
    return tuple(
        Example(of, found)
        for of, begins in kinds.items()
        if (found := _first(order for order in every if begins in order))
    )


_RETREATS = {"a retreat": " - ", "a disband": "Disband "}
_ADJUSTMENTS = {
    "a new army": "Build A ",
    "a new fleet": "Build F ",
    "a build that you do not want": board.WAIVED,
    "a disband": "Disband ",
}


def _movement(variant: str, legal: Mapping[str, tuple[str, ...]]) -> Iterator[Example]:
    """A move and its support come first, so that the examples belong together."""
    every = [order for orders in legal.values() for order in orders]
    moves = [one for one in every if " - " in one and not any(word in one for word in _WITH)]
    supports = [one for one in every if _WITH[0] in one]
    helped = {one.partition(_WITH[0])[2]: one for one in reversed(supports)}
    plain = [one for one in moves if "(" not in one and not one.endswith("Convoy")] or moves
    move = _first(one for one in plain if one in helped) or _first(plain)
    if move:
        yield Example("a move", move)
        yield from _in_short(variant, move)
    yield from _kind("a hold", (one for one in reversed(every) if one.endswith(" Holds")))
    if move in helped:
        yield Example("a support to move", helped[move])
    yield from _kind("a support to hold", (helped[one] for one in legal if one in helped))
    convoys = [one for one in every if _WITH[1] in one]
    own = [one for one in convoys if one.partition(_WITH[1])[2].partition(" - ")[0] in legal]
    yield from _kind("a convoy", own or convoys)


def _in_short(variant: str, move: str) -> Iterator[Example]:
    unit, _, to = move.partition(" - ")
    if "(" not in move and not to.endswith("Convoy"):
        short = (board.abbreviation(variant, name) for name in (unit[2:], to))
        yield Example("a move in short", f"{unit[:2]}{'-'.join(short)}")


def _kind(of: str, orders: Iterable[str]) -> Iterator[Example]:
    found = _first(orders)
    if found:
        yield Example(of, found)


def _first(orders: Iterable[str]) -> str:
    return next(iter(orders), "")
