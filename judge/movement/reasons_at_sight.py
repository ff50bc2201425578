"""Reasons at sight: who kept a move out, where no strengths need to be compared.

Most orders that fail are such moves, and `Reasons.of` takes twice as long to find the same sentence
(2026-11). A test holds the two against each other.
"""

from __future__ import annotations

from judge.movement.reasons import Reasons
from judge.movement.state import NOWHERE


def reasons_at_sight(reasons: Reasons) -> dict[int, str]:
    """Return sentences on moves that others kept out, by their units, as far as they are plain.

    A move without support bounces with all that have a path to the same province, and with the unit
    there if the two meet head to head. A move fails because of the unit that is there if nobody
    else goes there, or if that unit is of the same power and stays or comes the opposite way.
    """
    s = reasons.s
    bit, own, dest, into, moved, pathed = s.board.bit, s.own, s.dest, s.into, s.moved, s.pathed
    sentences: dict[int, str] = {}
    # Brannan's rule (4.A.4), the DPTG's (6.E.7) and the rules of variants know other rivals.
    unusual = s.last_fleet or s.in_play or reasons.rules.help_against_own_unit == "DPTG"
    repelled = 0 if unusual else reasons.repelled
    while repelled:
        unit = repelled.bit_length() - 1
        here, goal = bit[unit], dest[unit]
        repelled ^= here
        there, rivals = dest[goal], (into[goal] ^ here) & pathed
        meets = there == unit
        if meets and not (s.by_land & here and s.by_land & bit[goal]):
            continue
        if own[goal] & here and (meets or there == NOWHERE):
            rivals &= moved  # There is no attack that could bounce.
        elif meets:
            rivals |= bit[goal]
        if not rivals:
            sentences[unit] = reasons.of_garrison(unit, goal, meets)[0]
        elif not (rivals & moved or s.helpers[unit] or moved & bit[goal]):
            sentences[unit] = f"Bounced with {reasons.names(rivals)}."
    return sentences
