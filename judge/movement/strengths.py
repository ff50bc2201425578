"""The strengths of DATC 5.B, each as an interval: at least, at most, with what is decided so far.

Where everything they depend on is decided, both ends are equal and are the strength itself.

Below each strength stands what it reads: the orders whose results it asks for, as a mask of units.
Results that are decided may be among them; an order that is not among them cannot change it.
"""

from __future__ import annotations

from judge.board import bits
from judge.movement.state import NOWHERE, MovementState

Interval = tuple[float, float]

NOTHING: Interval = (0, 0)
ONE: Interval = (1, 1)


def supported(s: MovementState, helpers: int) -> Interval:
    """Return one plus the number of given supports among `helpers`."""
    if not helpers:
        return ONE
    given = helpers & s.given
    least = most = 1 + given.bit_count()
    if given != helpers:
        most = 1 + (helpers & ~s.cut).bit_count()
    return _handicapped(s, helpers, least, most) if s.handicaps else (least, most)


def _handicapped(s: MovementState, helpers: int, least: float, most: float) -> Interval:
    """Return the strength of a move over a border that takes away some of it (DATC 10).

    Without support it is a half: the move still enters an empty province and bounces with another
    one like it, but loses to every other.
    """
    for slot, loss in s.handicaps:
        if helpers & slot:
            # The slot is not a supporter, but was counted as one whose support is not cut.
            return max(least - loss, 0.5), max(most - 1 - loss, 0.5)
    return least, most


def path_reads(s: MovementState, units: int) -> int:
    """Return the fleets that decide whether these movers have a path, or which way they take."""
    reads = 0
    for unit in bits(units & s.open_ways()):
        reads |= s.routes[unit]
    return reads


def hull(one: Interval, other: Interval) -> Interval:
    """Return the smallest interval that holds both."""
    return min(one[0], other[0]), max(one[1], other[1])


def head_to_head(s: MovementState, unit: int) -> bool | None:
    """Tell whether the mover meets a unit that moves the opposite way, neither being convoyed.

    None while the way of one of them is open. Under Brannan's rule (4.A.4) a convoyed army also
    meets a unit that goes for its last fleet.
    """
    goal = s.dest[unit]
    if s.dest[goal] != unit:
        return unit in s.last_fleet and s.dest[goal] == s.last_fleet[unit]
    both = 1 << unit | 1 << goal
    if s.by_land & both == both:
        return True
    # A mover not known to go over land, nor by convoy, has a choice that is still open.
    return False if s.convoyed & both else None


def way_reads(s: MovementState, unit: int) -> int:
    """Read which way the two go, where each goes to the other's province."""
    goal = s.dest[unit]
    return path_reads(s, 1 << unit | 1 << goal) if s.dest[goal] == unit else 0


def hold_strength(s: MovementState, province: int) -> Interval:
    """5.B.5: zero if empty or left, one for a mover that stays, otherwise one plus its supports."""
    if not s.own[province]:
        return NOTHING
    if s.dest[province] == NOWHERE:
        return supported(s, s.helpers[province])
    here = s.board.bit[province]
    if s.moved & here:
        return NOTHING
    return ONE if s.failed & here else (0, 1)


def hold_reads(s: MovementState, province: int) -> int:
    """Read whether a mover leaves the province, or the supports of a unit that does not move."""
    if not s.own[province]:
        return 0
    return s.helpers[province] if s.dest[province] == NOWHERE else s.board.bit[province]


def defend_strength(s: MovementState, unit: int) -> Interval:
    """5.B.7: one plus the supports of the move, own or foreign."""
    return supported(s, s.helpers[unit])


def defend_reads(s: MovementState, unit: int) -> int:
    """Read the supports of the move."""
    return s.helpers[unit]


def attack_strength(s: MovementState, unit: int, meets: bool) -> Interval:
    """5.B.8: zero without a path or against a unit of the same power that stays; otherwise one plus
    the supports, without those by the power of a unit that stays.

    `meets` tells whether the attack is a head-to-head battle, in which the other does not leave.
    """
    here, goal = s.board.bit[unit], s.dest[unit]
    has_path = s.pathed & here
    if not has_path and s.pathless & here:
        return NOTHING
    if not s.own[goal]:
        strength = supported(s, s.helpers[unit])
    elif s.dest[goal] == NOWHERE or meets:
        strength = _against_a_unit(s, unit, goal)
    else:
        strength = _against_a_mover(s, unit, goal)
    return strength if has_path else (0, strength[1])


def attack_reads(s: MovementState, unit: int, meets: bool | None) -> int:
    """Read the path, the supports, and whether the unit that is attacked moves away; in a
    head-to-head battle (`meets`) it does not."""
    here, goal = s.board.bit[unit], s.dest[unit]
    reads = s.helpers[unit] | path_reads(s, here)
    if s.dest[goal] != NOWHERE and meets is not True:
        reads |= s.board.bit[goal]
    return reads


def _against_a_mover(s: MovementState, unit: int, goal: int) -> Interval:
    there = s.board.bit[goal]
    if s.failed & there:
        return _against_a_unit(s, unit, goal)
    if s.moved & there:
        return supported(s, s.helpers[unit])
    return hull(supported(s, s.helpers[unit]), _against_a_unit(s, unit, goal))


def _against_a_unit(s: MovementState, unit: int, goal: int) -> Interval:
    own = s.own[goal]
    return NOTHING if own & s.board.bit[unit] else supported(s, s.helpers[unit] & ~own)


def prevent_strength(s: MovementState, unit: int, dislodged_never: bool) -> Interval:
    """5.B.6: zero without a path or if beaten head to head; otherwise one plus the supports.

    With `dislodged_never` (4.A.7 a) a unit dislodged from where it wanted to go has no effect there
    even if one of the two was convoyed.
    """
    here, bit = s.board.bit[unit], s.board.bit
    if s.pathless & here:
        return NOTHING
    strength = supported(s, s.helpers[unit])
    if not s.pathed & here:
        strength = 0, strength[1]
    other = s.dest[unit]
    if s.dest[other] != unit or s.failed & bit[other]:
        return strength
    meets = head_to_head(s, unit)
    if meets is None:
        return 0, strength[1]
    if meets:
        return NOTHING if s.moved & bit[other] else (0, strength[1])
    if not dislodged_never or s.moved & here:
        return strength
    return NOTHING if s.moved & bit[other] and s.failed & here else (0, strength[1])


def prevent_reads(s: MovementState, unit: int, dislodged_never: bool) -> int:
    """Read the path and the supports. Where a unit comes the opposite way, read its move as well
    and which way both go; with `dislodged_never` also whether the unit itself is repelled.

    Nothing else makes the strength of a rival depend on that rival's own result.
    """
    here, other = s.board.bit[unit], s.dest[unit]
    reads = s.helpers[unit] | path_reads(s, here)
    if s.dest[other] == unit:
        reads |= s.board.bit[other] | way_reads(s, unit)
        if dislodged_never:
            reads |= here
    return reads


def duelling_armies(s: MovementState, unit: int) -> int:
    """Return the convoyed armies that meet the unit head to head where it attacks the fleet that
    they come from (Brannan's rule, 4.A.4)."""
    armies = 0
    for army, fleet in s.last_fleet.items():
        if fleet == s.dest[unit] and s.dest[army] == unit:
            armies |= 1 << army
    return armies
