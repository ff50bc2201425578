"""Why a train got no further, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.board import bits
from judge.movement.strengths import prevent_strength
from judge.movement.strengths import supported as supported_by

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.variant_rules.train import Train

PARADOX = "DATC 7.B: the last leg of the train in it fails, and still keeps others out"
"""What is done about a paradox with a train in it."""


class Halt:
    """What kept a train from arriving."""

    def __init__(self, train: Train, reasons: Reasons) -> None:
        self.train = train
        self.reasons = reasons
        self.s = reasons.s
        self.provinces = reasons.s.board.provinces

    def reason(self) -> Reason:
        """Return what kept the train from going on, and why it ends where it does."""
        train = self.train
        why, causes = self.why_no_further()
        stays = train.end == train.start
        stops = "Does not leave" if stays else f"Stops in {self.provinces[train.end]}"
        passed = self.passed()
        room = f" There is no room in {passed[1]}." if passed else ""
        sentence = f"{stops}: {why}{room}"
        return self.reasons.reason(sentence, causes | (passed[0] if passed else 0))

    def passed(self) -> tuple[int, str] | None:
        """Return the own armies between where it ends and what kept it from going on."""
        train = self.train
        number = len(train.legs) if train.blocked is None else train.number[train.blocked]
        first = 0 if train.end == train.start else train.stops.index(train.end) + 1
        stops = train.stops[first:number]
        names = [str(self.provinces[stop]) for stop in stops]
        return (sum(1 << stop for stop in stops), " or ".join(names)) if stops else None

    def why_no_further(self) -> tuple[str, int]:
        """Return the sentence about the first leg that did not get through, and the causes."""
        train, reasons = self.train, self.reasons
        if train.blocked is None:
            return f"{reasons.order(train.stops[0])} came the opposite way.", 1 << train.stops[0]
        number = train.number[train.blocked]
        stop, here = train.stops[number], 1 << train.blocked
        if train.stuck & here:
            return f"it makes a paradox in {self.provinces[stop]} ({PARADOX}).", train.paradox
        if self.s.pathless & here:
            if number == 0:
                return f"{reasons.order(stop)} came the opposite way and won.", 1 << stop
            halt = self.provinces[train.stops[number - 1]]
            return f"it has to take the centre {halt} before it goes on.", 0
        why = self.why_blocked if train.stays(self.s, stop) else self.why_no_room
        return why(stop, here)

    def why_blocked(self, stop: int, leg: int) -> tuple[str, int]:
        """Return who stood in the way."""
        s, train, reasons = self.s, self.train, self.reasons
        if s.dest[stop] == train.start:
            return f"{reasons.order(stop)} came the opposite way.", 1 << stop
        unit = reasons.unit(stop)
        if by := s.into[stop] & s.moved & ~leg:
            return f"{unit} was dislodged by {reasons.names(by)}.", by | 1 << stop
        stayed = "did not get away" if s.movers >> stop & 1 else "stayed where it was"
        if s.own[stop] >> train.start & 1:
            return f"{unit} of the same power {stayed}.", 1 << stop
        return f"{unit} {stayed}, and a train dislodges nobody.", 1 << stop

    def why_no_room(self, stop: int, leg: int) -> tuple[str, int]:
        """Return who wanted to go there as well."""
        s, reasons = self.s, self.reasons
        strength = supported_by(s, s.helpers[leg.bit_length() - 1])[0]
        rivals = bits(s.into[stop] & ~leg)
        strong = [one for one in rivals if prevent_strength(s, one, reasons.never)[1] >= strength]
        mask = sum(1 << one for one in strong)
        how = "was beaten by" if mask & s.moved else "bounced with"
        mask = mask & s.moved or mask
        return f"it {how} {reasons.names(mask)} in {self.provinces[stop]}.", mask
