"""What became of the orders of a movement phase, in the words of the DATC (4.E.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from judge.board import bits
from judge.convoys import has_route
from judge.orders import MovementOrder

if TYPE_CHECKING:
    from judge.movement.state import MovementState

Words = tuple[str, ...]

STANDS: Words = ("stands",)
FAILS: Words = ("fails",)
GIVEN: Words = ("given",)
AVAILABLE: Words = ("available",)
_SUCCEEDS: Words = ("succeeds",)
_CUT: Words = ("cut",)
_DISRUPTED: Words = ("disrupted",)
_INVALID: Words = ("invalid",)


def words_of(orders: Mapping[int, MovementOrder], s: MovementState) -> list[Words]:
    """Return the word for each unit's order; all orders have been decided."""
    bit, words = s.board.bit, s.usual_words.copy()
    for unit in s.went:
        words[unit] = _SUCCEEDS
    fared = [(s.cut, _CUT), (s.disrupted, _DISRUPTED), (s.unmatched | s.pathless, _INVALID)]
    if s.in_play:
        fared += (s.failed & ~s.pathless, FAILS), (s.available, AVAILABLE)
    for mask, word in fared:
        while mask:
            unit = mask.bit_length() - 1
            mask ^= bit[unit]
            words[unit] = word
    # An army without a path fails if fleets were ordered to convoy it all the way.
    for unit in bits(s.pathless) if s.pathless else ():
        if unit in orders and has_route(s.board, unit, s.dest[unit], s.routes[unit]):
            words[unit] = FAILS
    for unit, order in orders.items() if s.in_play else ():
        words[unit] = _own_word(s, unit, order) or words[unit]
    return words


def _own_word(s: MovementState, unit: int, order: MovementOrder) -> Words | None:
    """Return what a rule of the variant says became of the order."""
    words = (rule.word_of(s, unit, order) for rule in s.in_play)
    return next(((word,) for word in words if word), None)
