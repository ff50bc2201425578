"""The last line of defence: checks what must hold after every phase, whatever the rules and orders.

A result that breaks one of these would ruin a game that people have played for months. So every
phase is checked before anybody sees it, and a fault stops the phase instead of going on from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from judge.board import bits
from judge.movement.state import MovementState
from judge.position import Position
from judge.units import Unit


class JudgeFault(AssertionError):
    """The judge contradicts itself. This is always a mistake of its own, never of its input."""


def check_movement(s: MovementState) -> None:
    """Raise JudgeFault unless every order is decided one way, and no two units enter a province.

    A unit whose province somebody enters has left it or is dislodged: see `MovementState.beaten`.
    """
    # "^" leaves out what is decided both ways, and what is not decided.
    moves, supports, convoys = s.moved ^ s.failed, s.given ^ s.cut, s.available ^ s.disrupted
    if (moves, supports, convoys) != (s.movers, s.supporters, s.convoyers):
        raise JudgeFault("An order is decided both ways or not at all.")
    for goal in s.contested:
        comers = s.into[goal] & s.moved
        if comers & comers - 1:
            provinces = s.board.provinces
            names = " and ".join(str(provinces[comer]) for comer in bits(comers))
            raise JudgeFault(f"The units from {names} both enter {provinces[goal]}.")


def check_units(before: int, after: Sequence[Unit], gone: Collection[object] = ()) -> None:
    """Raise JudgeFault unless the units after the phase, with those `gone`, are as many as
    `before`, and no two on the board share a province."""
    check_number(before, after, gone)
    if len({unit.at for unit in after}) < len(after):
        raise JudgeFault("Two units stand in one province.")


def check_number(before: int, after: Sequence[Unit], gone: Collection[object]) -> None:
    """Raise JudgeFault unless the units after the phase, with those `gone`, are as many as
    `before`.

    That is enough after standard moves: if each province is entered once (`check_movement`), and
    the unit there left or is gone, no two units share one.
    """
    if len(after) + len(gone) != before:
        raise JudgeFault(f"Of {before} units {len(after)} are left, with {len(gone)} gone.")


def check_centers(position: Position, after: Sequence[Unit], built: Sequence[Unit]) -> None:
    """Raise JudgeFault if a power that built, or had to disband, has more units than it may
    have."""
    count = Counter(unit.power for unit in after)
    builders = {unit.power for unit in built}
    for power, surplus in position.surplus.items():
        if count[power] > position.allowance[power] and (surplus < 0 or power in builders):
            raise JudgeFault(f"{power} has {count[power]} units.")
