"""The equations of DATC 5.B, one after another, each from what is decided so far.

| DATC  | decides                     | here               |
|-------|-----------------------------|--------------------|
| 5.B.1 | whether a move succeeds     | `move_succeeds`    |
| 5.B.2 | whether a support is given  | `support_given`    |
| 5.B.3 | whether a convoy holds out  | `convoy_available` |
| 5.B.4 | whether an army has a path  | `convoy_holds`     |

The strengths that they compare, 5.B.5 to 5.B.8, are in `strengths`. An answer of None means that
too little is decided yet; any other answer is final.

Beside each equation stands what it reads: `move_reads` beside `move_succeeds`, `support_reads`
beside `support_given`, `convoy_reads` beside `convoy_available`. They are how circles are found, so
one that names too much makes a circle that does not exist. A test changes every decision that an
equation is said not to read, and its answer must stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.board import bits
from judge.convoys import has_route, roundabout_fleets, useful_fleets
from judge.movement.state import MovementState
from judge.movement.strengths import (
    Interval,
    attack_reads,
    attack_strength,
    defend_reads,
    defend_strength,
    duelling_armies,
    head_to_head,
    hold_reads,
    hold_strength,
    path_reads,
    prevent_reads,
    prevent_strength,
    supported,
    way_reads,
)
from judge.rulebook import DATC, Rulebook


class Equations:
    """The equations of one phase, under the rules that bear on them."""

    def __init__(self, state: MovementState, rules: Rulebook = DATC) -> None:
        self.s = state
        self.any_disruption = rules.multi_route_convoys != "b"
        """Whether a convoy fails with any fleet of a route, even if another route holds (4.A.1)."""
        roundabout = rules.multi_route_convoys == "DPTG"
        self.fleets_of_a_route = roundabout_fleets if roundabout else useful_fleets
        self.dislodged_never = rules.dislodged_bounce == "a"
        """Whether a dislodged unit never has an effect where it was dislodged from (4.A.7)."""
        self.help_counts_against_rivals = rules.help_against_own_unit == "DPTG"
        """Whether help that cannot dislodge an own unit counts against rivals (6.E.7)."""

    def move_succeeds(self, unit: int) -> bool | None:
        """5.B.1; while it is open whether this is a head-to-head battle, try both answers."""
        s = self.s
        goal, bit = s.dest[unit], s.board.bit
        if s.followers & bit[unit]:
            return True if s.moved & bit[goal] else False if s.failed & bit[goal] else None
        if s.dest[goal] != unit and not s.last_fleet:
            return self.move_wins(unit, goal, False)
        meets = head_to_head(s, unit)
        if meets is not None:
            return self.move_wins(unit, goal, meets)
        answer = self.move_wins(unit, goal, True)
        return answer if answer == self.move_wins(unit, goal, False) else None

    def move_wins(self, unit: int, goal: int, meets: bool) -> bool | None:
        """5.B.1: the attack must beat the unit it meets, or what holds the province, and everyone
        else who would go there."""
        s = self.s
        here = s.board.bit[unit]
        if s.doomed and s.doomed & here:
            return False
        least, most = attack_strength(s, unit, meets)
        weakest, strongest = defend_strength(s, goal) if meets else hold_strength(s, goal)
        if most <= weakest:
            return False
        wins = least > strongest
        if self.help_counts_against_rivals:
            # DPTG, VIII.19. An attack without a path has failed by now, or cannot win yet.
            least, most = supported(s, s.helpers[unit])
        if goal in s.contested or s.last_fleet:
            for weakest, strongest in self.opposition(unit, s.into[goal] ^ here):
                if most <= weakest:
                    return False
                wins = wins and least > strongest
        return wins or None

    def opposition(self, unit: int, rivals: int) -> Iterator[Interval]:
        """Yield the strengths that keep the unit out: those of the others that go where it goes."""
        s = self.s
        for rival in bits(rivals):
            yield prevent_strength(s, rival, self.dislodged_never)
        if s.last_fleet:
            for army in bits(duelling_armies(s, unit)):
                yield defend_strength(s, army)

    def move_reads(self, unit: int) -> int:
        """Return the orders whose results `move_succeeds` asks for."""
        s = self.s
        goal, bit = s.dest[unit], s.board.bit
        if s.doomed & bit[unit]:
            return 0
        if s.followers & bit[unit]:
            return bit[goal]
        meets = head_to_head(s, unit)
        reads = attack_reads(s, unit, meets) | way_reads(s, unit)
        if meets is not True:
            reads |= hold_reads(s, goal)
        if meets is not False:
            reads |= defend_reads(s, goal)
        for rival in bits(s.into[goal] ^ bit[unit]):
            reads |= prevent_reads(s, rival, self.dislodged_never)
        for army in bits(duelling_armies(s, unit)):
            reads |= defend_reads(s, army)
        return reads

    def support_given(self, unit: int) -> bool | None:
        """5.B.2: cut by any foreign attack that has a path, except from where the support goes; an
        attack from there cuts it only by dislodging the supporter."""
        s = self.s
        attackers = s.into[unit] & ~s.own[unit]
        if s.pathless or s.harmless:
            attackers &= ~(s.pathless | s.harmless.get(unit, 0))
        if not attackers:
            return True
        from_target = attackers & s.side[unit]
        others = attackers ^ from_target
        if others & s.pathed or from_target & s.moved:
            return False
        return None if others or from_target & ~s.failed else True

    def support_reads(self, unit: int) -> int:
        """Return the orders whose results `support_given` asks for: the attacks from where the
        support goes, and of the others only whether they have a path."""
        s = self.s
        attackers = s.into[unit] & ~s.own[unit] & ~s.harmless.get(unit, 0)
        from_target = attackers & s.side[unit]
        return from_target | path_reads(s, attackers)

    def convoy_available(self, unit: int) -> bool | None:
        """5.B.3: the fleet convoys unless it is dislodged."""
        s = self.s
        if s.into[unit] & s.moved:
            return False
        return None if s.into[unit] & ~s.failed else True

    def convoy_reads(self, unit: int) -> int:
        """Return the orders whose results `convoy_available` asks for: the attacks on the fleet."""
        return self.s.into[unit]

    def convoy_holds(self, unit: int) -> bool | None:
        """Tell whether the fleets ordered to convoy the army bring it over, None while open."""
        s = self.s
        fleets, goal = s.routes[unit], s.dest[unit]
        if self.any_disruption:
            fleets = self.fleets_of_a_route(s.board, unit, goal, fleets)
            if not fleets or fleets & s.disrupted:
                return False
            return True if not fleets & ~s.available else None
        if has_route(s.board, unit, goal, fleets & s.available):
            return True
        return None if has_route(s.board, unit, goal, fleets & ~s.disrupted) else False

    def verdict(self, unit: int) -> bool | None:
        """Evaluate the unit's own equation once more, whatever was recorded for it."""
        if self.s.movers >> unit & 1:
            return self.move_succeeds(unit)
        if self.s.supporters >> unit & 1:
            return self.support_given(unit)
        return self.convoy_available(unit)

    def reads(self, unit: int) -> int:
        """Return the orders whose results the unit's own equation asks for, as a mask."""
        if self.s.movers >> unit & 1:
            return self.move_reads(unit)
        if self.s.supporters >> unit & 1:
            return self.support_reads(unit)
        return self.convoy_reads(unit)
