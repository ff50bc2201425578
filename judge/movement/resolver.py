"""The resolver: the equations of DATC 5.B decided one by one, from partial information (5.E).

Every order is undecided at first. `settle` asks the `equations`, again and again, and records
whatever they can answer by then; a decision is final. What is left depends on itself in circles:
`circles` finds them and applies the backup rules, and then settling goes on.
"""

from __future__ import annotations

from judge.board import bits
from judge.movement.equations import Equations
from judge.movement.state import NOWHERE, Decisions


class Resolver(Equations):
    """Decides the orders of one phase."""

    def settle(self) -> int:
        """Decide everything that follows from what is decided already; return the orders that are
        left."""
        s = self.s
        before, undecided = 0, -1
        while undecided and undecided != before:
            before = undecided
            # All decisions are about these orders, so "^" leaves the rest.
            if convoys := s.convoyers ^ (s.available | s.disrupted):
                self.decide_convoys(convoys)
            if s.routes:
                self.find_paths()
            if supports := s.supporters ^ (s.given | s.cut):
                self.decide_supports(supports)
            if moves := s.movers ^ (s.moved | s.failed):
                self.decide_moves(moves)
            undecided = s.undecided()
        return undecided

    def decide_at_sight(self) -> None:
        """Decide what needs no counting, province by province.

        Supports and convoys hold where nobody goes. The only unit that goes to an empty province
        gets there if it has a path. A move without support has a strength of one at most: it beats
        neither a unit that stays, nor one that it meets head to head, nor a rival that has a path
        and cannot be beaten head to head. If it alone goes to a province that a unit leaves, it
        gets there exactly when that unit gets away.
        """
        s = self.s
        bit, own, dest, into, by_land = s.board.bit, s.own, s.dest, s.into, s.by_land
        contested = s.contested
        s.available = s.convoyers
        convoyers = s.convoyers
        while convoyers:
            fleet = convoyers.bit_length() - 1
            convoyers ^= bit[fleet]
            if into[fleet]:
                s.available ^= bit[fleet]
        if s.routes:
            self.find_paths()
        # Under Brannan's rule (4.A.4) convoyed armies, too, may meet a unit head to head.
        present = (by_land if s.last_fleet else s.pathed) & ~s.unusual
        # `x & x - 1` drops the lowest bit: what is left says whether there is more than one.
        moved = repelled = followers = attacked = 0
        for goal in s.goals:
            comers, other = into[goal], dest[goal]
            if other == NOWHERE and own[goal]:
                repelled |= comers
                attacked |= bit[goal]
            elif goal in contested:
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
        s.given = s.supporters & ~attacked
        alone = present & ~s.helped
        s.moved, s.failed, s.followers = moved & present, repelled & alone, followers & alone

    def find_paths(self) -> None:
        """5.B.4: a convoyed army needs fleets that stay; every other unit has its path anyway."""
        s, bit = self.s, self.s.board.bit
        undecided = s.open_ways()
        while undecided:
            unit = undecided.bit_length() - 1
            undecided ^= bit[unit]
            convoyed = self.convoy_holds(unit)
            if s.optional & bit[unit]:
                self.choose_way(unit, convoyed)
            elif convoyed:
                s.pathed |= bit[unit]
            elif convoyed is False:
                s.pathless |= bit[unit]

    def choose_way(self, unit: int, convoyed: bool | None) -> None:
        """Send an army that may take either way over land when there is no convoy for it."""
        s = self.s
        if convoyed:
            s.convoyed |= 1 << unit
        elif convoyed is False:
            s.by_land |= 1 << unit

    def decide_convoys(self, undecided: int) -> None:
        """Decide whether these convoying fleets are available to their armies."""
        for unit in bits(undecided):
            self.record_convoy(unit, self.convoy_available(unit))

    def decide_supports(self, undecided: int) -> None:
        """Decide these supports."""
        s, bit = self.s, self.s.board.bit
        while undecided:
            # The highest unit of the mask; "^" takes it out.
            unit = undecided.bit_length() - 1
            undecided ^= bit[unit]
            given = self.support_given(unit)
            if given:
                s.given |= bit[unit]
            elif given is not None:
                s.cut |= bit[unit]

    def decide_moves(self, undecided: int) -> None:
        """Decide these moves; a move into a province whose unit wants to leave waits for that
        unit."""
        s = self.s
        bit, dest = s.board.bit, s.dest
        queue: list[int] = []
        while undecided or queue:
            # Walk up to the head of a queue of units, each waiting for the next one to leave, then
            # decide them from there back.
            if queue:
                unit = queue.pop()
            else:
                unit = undecided.bit_length() - 1
                undecided ^= bit[unit]
                while undecided & bit[dest[unit]]:
                    queue.append(unit)
                    unit = dest[unit]
                    undecided ^= bit[unit]
            succeeds = self.move_succeeds(unit)
            if succeeds:
                s.moved |= bit[unit]
            elif succeeds is not None:
                s.failed |= bit[unit]

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

    def break_circle(self, circle: int, found: list[Decisions], paradox_rule: str) -> bool:
        """Decide a circle by the variant's own rules; return whether they had an answer."""
        return False
