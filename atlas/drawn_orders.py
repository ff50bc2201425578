"""What was ordered and what became of it, read from the judge's results and ready to draw.

A result has its order in canonical notation ("F North Sea Convoys A Yorkshire - Norway"). This
module reads exactly what the judge's `str(order)` writes, and draws a unit with any other order as
one that stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from judge import Board, Location, OrderResult, with_reason

Kind = Literal["hold", "move", "support", "convoy", "disband", "build"]
"""In a retreat phase a move is a retreat."""

_VIA = re.compile(r" via convoy$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """One order with its result, for a picture."""

    power: str
    kind: Kind
    unit: str
    """"A" or "F"; "" if the order names only a place."""
    at: Location
    """Where the unit stands, or is built."""
    words: tuple[str, ...]
    """The judge's words for what became of it."""
    helped: Location | None
    """The unit that is supported or convoyed."""
    to: Location | None
    """Where the unit, or the one that it helps, should go; None for a support to hold."""
    written: bool
    """False for the hold of a unit without an order, and for what the judge ordered itself."""
    sentence: str
    """The order, its result and the reason, to show when somebody points at it."""

    @property
    def failed(self) -> bool:
        """Whether the order failed, whatever became of the unit."""
        return bool({"fails", "cut", "disrupted", "invalid", "illegal"} & set(self.words))

    @property
    def dislodged(self) -> bool:
        """Whether the unit was driven out."""
        return bool({"dislodged", "destroyed"} & set(self.words))


@dataclass(frozen=True, slots=True)
class DrawnOrders:
    """All that we draw of one phase."""

    by_unit: Mapping[tuple[str, Location], DrawnOrder]
    """One order for each unit, the one that counted, by its power and place."""
    builds: tuple[DrawnOrder, ...]
    waived: tuple[str, ...]
    """The powers that waived a build, once for each."""
    illegal: frozenset[tuple[str, Location]]
    """The units that held because the rules allowed none of the orders they had."""


def read_results(results: Iterable[OrderResult], board: Board) -> DrawnOrders:
    """Return what to draw of a phase's results."""
    by_unit: dict[tuple[str, Location], DrawnOrder] = {}
    builds: list[DrawnOrder] = []
    waived: list[str] = []
    illegal: set[tuple[str, Location]] = set()
    for result in results:
        if result.order == "Waive" and "illegal" not in result.result:
            waived.append(result.power)
        order = read_result(result, board)
        if order is None:
            continue
        key = order.power, order.at
        if "illegal" in order.words:
            illegal.add(key)
        elif order.kind == "build":
            builds.append(order)
        elif key not in by_unit or order.dislodged:
            by_unit[key] = order
    # If another order of the unit counted, the illegal order changed nothing.
    counted = {key for key, order in by_unit.items() if order.written}
    return DrawnOrders(by_unit, tuple(builds), tuple(waived), frozenset(illegal - counted))


def read_result(result: OrderResult, board: Board) -> DrawnOrder | None:
    """Return a result ready to draw; None if its order cannot be read."""
    if not result.order:
        return None
    told = with_reason(", ".join(result.result), result.reason or "")
    sentence = f"{result.power}: {result.order}: {told}"
    written = result.text is not None and not result.automatic
    try:
        kind, unit, at, helped, to = _parse(result.order, board)
        if result.ends and board.place(result.ends) != at:
            # A train is drawn only as far as it got.
            to = board.place(result.ends)
    except (KeyError, ValueError):
        return None
    if kind == "build" and not unit:
        return None
    return DrawnOrder(result.power, kind, unit, at, result.result, helped, to, written, sentence)


class _Parts(NamedTuple):
    """What an order consists of."""

    kind: Kind
    unit: str
    """"A" or "F"; "" if the order names only a place."""
    at: Location
    helped: Location | None = None
    to: Location | None = None


_LONE: Mapping[str, Kind] = {"build ": "build", "disband ": "disband"}
"""How the orders of adjustments begin."""
_HELP: Mapping[str, Kind] = {" Supports ": "support", " Convoys ": "convoy"}
"""What stands between a unit and the one that it helps."""


def _parse(order: str, board: Board) -> _Parts:
    """Take an order apart. Raises KeyError or ValueError."""
    for begins, kind in _LONE.items():
        if order.lower().startswith(begins):
            return _Parts(kind, *_unit(order[len(begins) :], board))
    text = _VIA.sub("", order)
    if text.endswith(" Holds"):
        return _Parts("hold", *_unit(text.removesuffix(" Holds"), board))
    for verb, kind in _HELP.items():
        own, found, other = text.partition(verb)
        if found:
            return _Parts(kind, *_unit(own, board), *_parse_helped(other, board))
    start, *_, end = text.split(" - ")
    if start == text:
        raise ValueError(order)
    return _Parts("move", *_unit(start, board), to=board.place(end))


def _parse_helped(text: str, board: Board) -> tuple[Location, Location | None]:
    start, _, rest = text.partition(" - ")
    _, helped = _unit(start, board)
    return helped, board.place(rest.split(" - ")[-1]) if rest else None


def _unit(text: str, board: Board) -> tuple[str, Location]:
    if text[:2] in ("A ", "F "):
        return text[0], board.place(text[2:])
    return "", board.place(text)
