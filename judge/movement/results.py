"""What became of the orders of a movement phase, in the words of the DATC (4.E.2)."""

from __future__ import annotations

from collections.abc import Mapping

from judge.board import bits
from judge.convoys import has_route
from judge.movement.state import MovementState
from judge.orders import MovementOrder

Words = tuple[str, ...]

STANDS: Words = ("stands",)
_SUCCEEDS: Words = ("succeeds",)
_FAILS: Words = ("fails",)
_GIVEN: Words = ("given",)
_CUT: Words = ("cut",)
_AVAILABLE: Words = ("available",)
_DISRUPTED: Words = ("disrupted",)
_INVALID: Words = ("invalid",)


def words_of(orders: Mapping[int, MovementOrder], s: MovementState) -> dict[int, Words]:
    """Return the word for each of the orders, all of them being decided, in the same order."""
    words = dict.fromkeys(orders, STANDS)
    bit = s.board.bit
    for mask, word in (
        (s.moved, _SUCCEEDS),
        (s.failed & ~s.pathless, _FAILS),
        (s.given, _GIVEN),
        (s.cut, _CUT),
        (s.available, _AVAILABLE),
        (s.disrupted, _DISRUPTED),
        (s.unmatched | s.pathless, _INVALID),
    ):
        while mask:
            unit = mask.bit_length() - 1
            mask ^= bit[unit]
            words[unit] = word
    # An army without path fails, if fleets were ordered to convoy it all the way.
    for unit in bits(s.pathless):
        if unit in orders and has_route(s.board, unit, s.dest[unit], s.routes[unit]):
            words[unit] = _FAILS
    return _own_words(orders, s, words) if s.in_play else words


def _own_words(
    orders: Mapping[int, MovementOrder], s: MovementState, words: Mapping[int, Words]
) -> dict[int, Words]:
    """Return the words with those that rules of a variant say; they decide what is no order, too,
    such as a leg of a train."""
    return {unit: _own_word(s, unit, order) or words[unit] for unit, order in orders.items()}


def _own_word(s: MovementState, unit: int, order: MovementOrder) -> Words | None:
    """Return what a rule of the variant says became of the order."""
    words = (rule.word_of(s, unit, order) for rule in s.in_play)
    return next(((word,) for word in words if word), None)
