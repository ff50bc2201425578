"""A train under way in one movement phase: the equations of its legs, and how far it got.

`train_reasons` says in words why it got no further.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.board import bits
from judge.movement.rule_in_phase import RuleInPhase
from judge.movement.state import NOWHERE, Decisions, MovementState, Ruling
from judge.movement.strengths import NOTHING, Interval, path_reads, prevent_reads, prevent_strength
from judge.movement.strengths import supported as supported_by
from judge.orders import MovementOrder, Ride
from judge.variant_rules.train_reasons import PARADOX, Halt

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.movement.resolver import Resolver


class Train(RuleInPhase):
    """The one train of its line that runs in this phase."""

    def __init__(
        self, title: str, ride: Ride, stops: tuple[int, ...], legs: tuple[int, ...], unowned: int
    ) -> None:
        self.title = title
        self.ride = ride
        self.start = ride.unit.at
        self.stops = stops
        self.legs = legs
        """Per stop: its leg, an index after those of the provinces."""
        self.unowned = unowned
        """The stops with a centre that the train's power does not own: the train takes it when it
        enters."""
        self.number = {leg: number for number, leg in enumerate(legs)}
        self.all_legs = sum(1 << leg for leg in legs)
        self.paths = self.all_legs
        self.own = self.all_legs | 1 << self.start
        self.stuck = 0
        """The leg that a paradox stopped."""
        self.paradox = 0
        """The orders of that paradox."""
        self.ends: dict[int, int] = {}
        self.stand_ins: dict[int, int] = {}
        self.end = self.start
        """Where the train is at the end."""
        self.blocked: int | None = None
        """The first leg that did not get through, None if the train arrived."""

    # The equations.

    def has_path(self, resolver: Resolver, unit: int) -> bool | None:
        """A leg is reached when the one before it got through, and the train need not stop there.

        It stops to take a centre, unless an own army is there that stays (7.B.18-7.B.22).
        """
        s, number = resolver.s, self.number[unit]
        if number == 0:
            return self.first_path(s)
        before, stop = self.legs[number - 1], self.stops[number - 1]
        if s.failed >> before & 1:
            return False
        halts = self.unowned >> stop & 1
        stays = self.own_stays(s, stop) if halts else True
        if s.moved >> before & 1:
            return stays
        return False if stays is False else None

    def first_path(self, s: MovementState) -> bool | None:
        """The first leg has its path, unless a unit beats the train head to head."""
        other = self.stops[0]
        if s.dest[other] != self.start:
            return True
        return False if s.moved >> other & 1 else True if s.failed >> other & 1 else None

    def move_succeeds(self, resolver: Resolver, unit: int) -> bool | None:
        """Decide whether a leg gets through, or whether the train leaves."""
        s = resolver.s
        if unit == self.start:
            return self.leaves(s)
        if (s.pathless | self.stuck) >> unit & 1:
            return False
        # As long as its path is open, it takes part in the paradoxes that it may make (7.B.24).
        return self.gets_through(resolver, unit) if s.pathed >> unit & 1 else None

    def gets_through(self, resolver: Resolver, leg: int) -> bool | None:
        """Tell whether a train that gets so far goes through, or ends there."""
        s, stop = resolver.s, self.stops[self.number[leg]]
        stays = self.stays(s, stop)
        if stays is False:
            return self.finds_room(resolver, leg, stop)
        through = self.passes_through(s, leg, stop)
        if stays:
            return through
        return through if through == self.finds_room(resolver, leg, stop) else None

    def passes_through(self, s: MovementState, leg: int, stop: int) -> bool | None:
        """An own army lets it through that is not dislodged; nobody lets it end there."""
        if leg == self.legs[-1] or not s.own[stop] >> self.start & 1:
            return False
        rivals = s.into[stop] & ~(1 << leg)
        if rivals & s.moved:
            return False
        return None if rivals & ~s.failed else True

    def finds_room(self, resolver: Resolver, leg: int, stop: int) -> bool | None:
        """The train passes an empty province, unless another as strong would get there: where the
        others keep each other out the train slips through (7.B.6-7.B.8)."""
        s = resolver.s
        rivals = list(bits(s.into[stop] & ~(1 << leg)))
        force = {one: prevent_strength(s, one, resolver.dislodged_never) for one in rivals}
        mine, sure = supported_by(s, s.helpers[leg]), True
        for one, (least, most) in force.items():
            others = [force[other] for other in rivals if other != one]
            if mine[1] <= least and all(least > other[1] for other in others):
                return False
            if not (most < mine[0] or any(other[0] >= most for other in others)):
                sure = False
        return True if sure else None

    def leaves(self, s: MovementState) -> bool | None:
        """Tell whether one of the stops that it gets to has room."""
        answer: bool | None = False
        for leg, stop in zip(self.legs, self.stops, strict=True):
            if s.failed >> leg & 1:
                continue
            stays = self.own_stays(s, stop)
            if s.moved >> leg & 1 and stays is False:
                return True
            if stays is not True:
                answer = None
        return answer

    def stays(self, s: MovementState, stop: int) -> bool | None:
        """Tell whether a unit that was there stays; False if there was none."""
        if not s.own[stop]:
            return False
        if s.dest[stop] == NOWHERE or s.failed >> stop & 1:
            return True
        return False if s.moved >> stop & 1 else None

    def own_stays(self, s: MovementState, stop: int) -> bool | None:
        """Tell the same of an army of the train's power."""
        return self.stays(s, stop) if s.own[stop] >> self.start & 1 else False

    def prevents(self, s: MovementState, unit: int) -> Interval:
        """A leg keeps others out, except from a stop where an army of its power lets the train
        through."""
        strength = supported_by(s, s.helpers[unit])
        if self.stuck >> unit & 1:
            return strength
        if s.pathless >> unit & 1:
            return NOTHING
        last = unit == self.legs[-1]
        stays = False if last else self.own_stays(s, self.stops[self.number[unit]])
        if stays:
            return NOTHING
        sure = s.pathed >> unit & 1 and stays is False
        return strength if sure else (0, strength[1])

    # What they read.

    def reads(self, resolver: Resolver, unit: int) -> int:
        """Read all legs for the train; for a leg its path, its help, the unit in its stop and all
        who go there."""
        s = resolver.s
        if unit == self.start:
            return self.all_legs | sum(s.movers & s.board.bit[stop] for stop in set(self.stops))
        stop = s.dest[unit]
        rivals = s.into[stop] & ~(1 << unit)
        reads = self.prevent_reads(s, unit) | rivals
        for rival in bits(rivals):
            reads |= prevent_reads(s, rival, resolver.dislodged_never)
        return reads

    def prevent_reads(self, s: MovementState, unit: int) -> int:
        """Read the leg's path and help, and the unit in its stop.

        A leg whose path is open is itself part of what depends on the path: in a paradox it may be
        the last one (7.B.24).
        """
        there = s.board.bit[s.dest[unit]] & s.movers
        return s.helpers[unit] | path_reads(s, 1 << unit) | 1 << unit & s.open_ways() | there

    # Circles.

    def follows(self, circle: int, found: Sequence[Decisions]) -> Decisions | None:
        """Of two solutions take the one in which the train leaves, if it leaves in one of them:
        the units follow each other (7.B.17, 7.D.1)."""
        if len(found) != 2 or not circle & self.all_legs:
            return None
        leaving = [one for one in found if one.moved >> self.start & 1]
        return leaving[0] if len(leaving) == 1 else None

    def break_paradox(self, s: MovementState, circle: int, paradox_rule: str) -> int:
        """The last leg of the paradox fails, and still keeps others out (7.B.23-7.B.25)."""
        legs = circle & self.all_legs & ~(s.moved | s.failed)
        if not legs:
            return circle
        last = 1 << legs.bit_length() - 1
        self.stuck |= last
        s.failed |= last
        s.pathed |= last
        self.paradox |= circle
        s.rulings.append(Ruling("railway", legs, 0, PARADOX))
        return circle & ~self.all_legs

    # The end.

    def conclude(self, s: MovementState) -> None:
        """Find where the train ends, and leave of its legs what others felt of it."""
        for leg, stop in zip(self.legs, self.stops, strict=True):
            if s.moved >> leg & 1:
                if not self.own_stays(s, stop):
                    self.end = stop
            elif self.blocked is None:
                self.blocked = leg
        for leg, stop in zip(self.legs, self.stops, strict=True):
            here = 1 << leg
            ends = s.moved & here and stop == self.end
            if ends or (s.failed & here and self.prevents(s, leg)[0]):
                self.stand_ins[leg] = self.start
                continue
            s.into[stop] &= ~here
            s.movers &= ~here
            s.moved &= ~here
            s.failed &= ~here
        if self.end != self.start:
            self.ends[self.start] = self.end

    def word_of(self, s: MovementState, unit: int, order: MovementOrder) -> str | None:
        """The train arrives, stops on the way, or does not leave."""
        if order is not self.ride:
            return None
        if self.end == self.start:
            return "fails"
        return "succeeds" if self.end == self.ride.to.province.index else "stops"

    def reason_of(self, reasons: Reasons, unit: int, order: MovementOrder) -> Reason | None:
        """Return what kept the train from going on, and why it ends where it does."""
        if order is not self.ride or self.end == self.ride.to.province.index:
            return None
        return Halt(self, reasons).reason()
