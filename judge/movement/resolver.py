"""The resolver: the equations of DATC 5.B, decided from partial information (5.E).

Every order is undecided at first. `settle` decides, again and again, whatever the intervals of
`strengths` allow, and a decision is final. What is left depends on itself in circles: `circles`
finds them and applies the backup rules, and then settling goes on.

Beside each equation stands what it reads: `move_reads` beside `move_succeeds`, `support_reads`
beside `support_given`, `convoy_reads` beside `convoy_available`. A circle is found by them, so an
equation that is said to read too much makes a circle where there is no such thing. A test changes
every decision that an equation is said not to read, and its answer stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.board import bits
from judge.convoys import has_route, roundabout_fleets, useful_fleets
from judge.movement.state import NOWHERE, Decisions, MovementState
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
    way_reads,
    whole_strength,
)
from judge.rulebook import DATC, Rulebook


class Resolver:
    """Decides the orders of one phase under the rules that bear on the equations."""

    def __init__(self, state: MovementState, rules: Rulebook = DATC) -> None:
        self.s = state
        self.any_disruption = rules.multi_route_convoys != "b"
        roundabout = rules.multi_route_convoys == "DPTG"
        self.fleets_of_a_route = roundabout_fleets if roundabout else useful_fleets
        self.dislodged_never = rules.dislodged_bounce == "a"
        self.help_counts_against_rivals = rules.help_against_own_unit == "DPTG"
        self.decide_at_sight()

    def settle(self) -> int:
        """Decide everything that follows from what is decided already; return the orders that are
        left."""
        s = self.s
        if s.routes:
            self.find_paths()
        before, undecided = 0, s.undecided()
        while undecided and undecided != before:
            before = undecided
            if undecided & s.convoyers:
                self.decide_convoys()
                self.find_paths()
            if undecided & s.supporters:
                self.decide_supports()
            self.decide_moves()
            undecided = s.undecided()
        return undecided

    def decide_at_sight(self) -> None:
        """Decide what needs no counting, province by province.

        Supports and convoys hold where nobody goes. Into an empty province the only unit that goes
        there gets, if it has a path. A move without support has a strength of one at most: it beats
        neither a unit that stays, nor one that it meets head to head, nor a rival that has a path
        and cannot be beaten head to head. If it alone goes to a province that a unit leaves, it
        gets there exactly when that unit gets away.
        """
        s = self.s
        bit, own, dest, into, by_land = s.board.bit, s.own, s.dest, s.into, s.by_land
        attacked = 0
        for goal in s.goals:
            attacked |= bit[goal]
        s.given, s.available = s.supporters & ~attacked, s.convoyers & ~attacked
        if s.routes:
            self.find_paths()
        # Under Brannan's rule (4.A.4) convoyed armies, too, may meet a unit head to head.
        present = (by_land if s.last_fleet else s.pathed) & ~s.unusual
        # `x & x - 1` drops the lowest bit: what is left says whether there is more than one.
        moved = repelled = followers = 0
        for goal in s.goals:
            comers, other = into[goal], dest[goal]
            if other == NOWHERE and own[goal]:
                repelled |= comers
            elif goal in s.contested:
                facing = 0 if other == NOWHERE else comers & bit[other]
                others = comers & present & ~facing
                if others & others - 1:
                    repelled |= others
                if others or (by_land & facing and by_land & bit[goal]):
                    repelled |= facing
            elif other == NOWHERE:
                moved |= comers
            elif comers != bit[other]:
                followers |= comers
            elif by_land & comers and by_land & bit[goal]:
                repelled |= comers
        alone = present & ~s.helped
        s.moved, s.failed, s.followers = moved & present, repelled & alone, followers & alone

    def decide_supports(self) -> None:
        """Decide the supports; a move by land from elsewhere cuts at once."""
        s = self.s
        bit, into, cutting = s.board.bit, s.into, s.pathed & ~s.convoyed & ~s.unusual
        undecided = s.supporters ^ (s.given | s.cut)
        while undecided:
            # The highest unit of the mask; "^" takes it out.
            unit = undecided.bit_length() - 1
            undecided ^= bit[unit]
            if into[unit] & cutting & ~(s.own[unit] | s.side[unit]):
                s.cut |= bit[unit]
            else:
                self.record_support(unit, self.support_given(unit))

    def decide_moves(self) -> None:
        """Decide the moves; a move into a province whose unit wants to leave waits for that
        unit."""
        s = self.s
        bit, dest = s.board.bit, s.dest
        undecided = s.movers ^ (s.moved | s.failed)
        chain = []
        while undecided:
            unit = undecided.bit_length() - 1
            undecided ^= bit[unit]
            # Walk down the queue of units, each waiting for the next one to leave, then decide them
            # from its head back.
            while undecided & bit[dest[unit]]:
                chain.append(unit)
                unit = dest[unit]
                undecided ^= bit[unit]
            self.record_move(unit, self.move_succeeds(unit))
            while chain:
                unit = chain.pop()
                self.record_move(unit, self.move_succeeds(unit))

    def decide_convoys(self) -> None:
        """Decide whether the convoying fleets are available to their armies."""
        s = self.s
        for unit in bits(s.convoyers & ~(s.available | s.disrupted)):
            self.record_convoy(unit, self.convoy_available(unit))

    def record(self, unit: int, value: bool | None) -> None:
        """Decide the unit's order, whichever kind it is; None leaves it open."""
        if self.s.movers >> unit & 1:
            self.record_move(unit, value)
        elif self.s.supporters >> unit & 1:
            self.record_support(unit, value)
        else:
            self.record_convoy(unit, value)

    def record_move(self, unit: int, value: bool | None) -> None:
        if value:
            self.s.moved |= self.s.board.bit[unit]
        elif value is not None:
            self.s.failed |= self.s.board.bit[unit]

    def record_support(self, unit: int, value: bool | None) -> None:
        if value:
            self.s.given |= 1 << unit
        elif value is not None:
            self.s.cut |= 1 << unit

    def record_convoy(self, unit: int, value: bool | None) -> None:
        if value:
            self.s.available |= 1 << unit
        elif value is not None:
            self.s.disrupted |= 1 << unit

    def find_paths(self) -> None:
        """5.B.4: a convoyed army needs fleets that stay; every other unit has its path anyway."""
        s = self.s
        for unit in bits(s.open_ways()):
            convoyed = self.convoy_holds(unit)
            if s.optional >> unit & 1:
                self.choose_way(unit, convoyed)
            elif convoyed:
                s.pathed |= 1 << unit
            elif convoyed is False:
                s.pathless |= 1 << unit

    def choose_way(self, unit: int, convoyed: bool | None) -> None:
        """Send an army that may take either way over land when there is no convoy for it."""
        s = self.s
        if convoyed:
            s.convoyed |= 1 << unit
        elif convoyed is False:
            s.by_land |= 1 << unit

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
        if s.doomed & here:
            return False
        least, most = attack_strength(s, unit, meets)
        weakest, strongest = defend_strength(s, goal) if meets else hold_strength(s, goal)
        if most <= weakest:
            return False
        wins = least > strongest
        if self.help_counts_against_rivals:
            least, most = whole_strength(s, unit)
        rivals = s.into[goal] ^ here
        if rivals or s.last_fleet:
            for weakest, strongest in self.opposition(unit, rivals):
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
        attackers = s.into[unit] & ~s.own[unit] & ~s.pathless & ~s.harmless.get(unit, 0)
        if not attackers:
            return True
        from_target = attackers & s.side[unit]
        others = attackers & ~from_target
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

    def break_circle(self, circle: int, found: list[Decisions], paradox_rule: str) -> bool:
        """Decide a circle by the variant's own rules; return whether they had an answer."""
        return False

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
