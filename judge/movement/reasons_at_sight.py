"""Reasons at sight: who kept a move out or cut a support, where no strengths need to be compared.

Nearly all orders that fail are of this kind, and `Reasons.of` takes two to five times as long to
find the same sentence (2026-11). A test compares the two.
"""

from __future__ import annotations

from judge.movement.reasons import Reasons
from judge.movement.state import NOWHERE


def reasons_at_sight(reasons: Reasons) -> tuple[dict[int, str], int]:
    """Return sentences on moves that others kept out and on supports that others cut, by their
    units, as far as they are plain; and these units as a mask. Dislodged units are left out, as
    there is more to say of them."""
    s, rules = reasons.s, reasons.rules
    # Brannan's rule (4.A.4), the DPTG's (6.E.7) and the rules of variants know other rivals.
    if s.last_fleet or s.in_play or rules.help_against_own_unit == "DPTG":
        return {}, 0
    bit, beaten = s.board.bit, reasons.beaten
    sentences, told = repulses_at_sight(reasons, reasons.repelled & ~beaten)
    cut = s.cut & ~beaten
    told |= cut
    while cut:
        unit = cut.bit_length() - 1
        cut ^= bit[unit]
        sentences[unit] = reasons.of_cut(unit)[0]
    return sentences, told


def repulses_at_sight(reasons: Reasons, repelled: int) -> tuple[dict[int, str], int]:
    """Return sentences on these moves that others kept out, and the moves.

    A move is beaten by the one that got to the same province. One that has no support bounces with
    all that have a path there, and with the unit there if the two meet head to head. A move fails
    because of the unit that is there if nobody else goes there, or if that unit is of the same
    power and stays or comes the opposite way.
    """
    s = reasons.s
    bit, own, dest, into, moved, pathed = s.board.bit, s.own, s.dest, s.into, s.moved, s.pathed
    sentences: dict[int, str] = {}
    told = repelled
    while repelled:
        unit = repelled.bit_length() - 1
        here, goal = bit[unit], dest[unit]
        repelled ^= here
        there, rivals = dest[goal], (into[goal] ^ here) & pathed
        meets = there == unit
        if meets and not (s.by_land & here and s.by_land & bit[goal]):
            told ^= here
            continue
        if own[goal] & here and (meets or there == NOWHERE):
            rivals &= moved  # There is no attack that could bounce.
        elif meets:
            rivals |= bit[goal]
        if not rivals:
            sentences[unit] = reasons.of_garrison(unit, goal, meets)[0]
        elif winner := rivals & moved:
            sentences[unit] = f"Beaten by {reasons.names(winner)}."
        elif not s.helpers[unit] & s.given and not (moved & bit[goal] and rivals & bit[there]):
            # A rival that the unit there beat on its way out would not be in anybody's way.
            sentences[unit] = f"Bounced with {reasons.names(rivals)}."
        else:
            told ^= here
    return sentences, told
