"""What became of the orders of a movement phase, in the words of the DATC (4.E.2)."""

from __future__ import annotations

from collections.abc import Mapping

from judge.board import bits
from judge.convoys import has_route
from judge.movement.state import MovementState
from judge.orders import Convoy, Hold, Move, MovementOrder, Permit, Ride, Support

Words = tuple[str, ...]

STANDS: Words = ("stands",)
_FAILS: Words = ("fails",)
_INVALID: Words = ("invalid",)
_DONE: dict[type, Words] = {
    Move: ("succeeds",),
    Ride: ("succeeds",),
    Support: ("given",),
    Convoy: ("available",),
    Permit: ("given",),
}
_LOST: dict[type, Words] = {
    Move: _FAILS,
    Ride: _FAILS,
    Support: ("cut",),
    Convoy: ("disrupted",),
    Permit: _INVALID,
}
_IDLE: dict[type, Words] = {
    Hold: STANDS,
    Move: _INVALID,
    Ride: _INVALID,
    Support: _INVALID,
    Convoy: _INVALID,
    Permit: _INVALID,
}
"""An order that came to nothing by itself fits nothing that was ordered: it is invalid."""


def words_of(orders: Mapping[int, MovementOrder], s: MovementState) -> dict[int, Words]:
    """Return the word for each of the orders, all of them being decided, in the same order."""
    bit = s.board.bit
    done = s.moved | s.given | s.available
    lost = s.failed & ~s.pathless | s.cut | s.disrupted
    words = {
        unit: (_DONE if done & bit[unit] else _LOST if lost & bit[unit] else _IDLE)[type(order)]
        for unit, order in orders.items()
    }
    # An army without path fails, if fleets were ordered to convoy it all the way.
    for unit in bits(s.pathless):
        if unit in words and has_route(s.board, unit, s.dest[unit], s.routes[unit]):
            words[unit] = _FAILS
    if s.in_play:
        for unit, order in orders.items():
            words[unit] = _own_word(s, unit, order) or words[unit]
    return words


def _own_word(s: MovementState, unit: int, order: MovementOrder) -> Words | None:
    """Return what a rule of the variant says became of the order."""
    words = (rule.word_of(s, unit, order) for rule in s.in_play)
    return next(((word,) for word in words if word), None)
