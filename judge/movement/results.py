"""What became of the orders of a movement phase, in the words of the DATC (4.E.2)."""

from __future__ import annotations

from collections.abc import Mapping

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


def words_of(orders: Mapping[int, MovementOrder], s: MovementState) -> dict[int, Words]:
    """Return the word for each of the orders, all of them being decided, in the same order."""
    bit = s.board.bit
    done = s.moved | s.given | s.available
    lost = s.failed & ~s.pathless | s.cut | s.disrupted
    words = dict.fromkeys(orders, STANDS)
    for unit, order in orders.items():
        here = bit[unit]
        if done & here:
            words[unit] = _DONE[type(order)]
        elif lost & here:
            words[unit] = _LOST[type(order)]
        elif type(order) is not Hold:
            words[unit] = _FAILS if _was_under_way(s, unit) else _INVALID
    if s.in_play:
        for unit, order in orders.items():
            words[unit] = _own_word(s, unit, order) or words[unit]
    return words


def _own_word(s: MovementState, unit: int, order: MovementOrder) -> Words | None:
    """Return what a rule of the variant says became of the order."""
    words = (rule.word_of(s, unit, order) for rule in s.in_play)
    return next(((word,) for word in words if word), None)


def _was_under_way(s: MovementState, unit: int) -> bool:
    """Tell whether the unit is an army without path that fleets were ordered to convoy all the way.

    Any other order that came to nothing fits nothing that was ordered: it is invalid.
    """
    if not s.pathless & s.board.bit[unit]:
        return False
    return has_route(s.board, unit, s.dest[unit], s.routes[unit])
