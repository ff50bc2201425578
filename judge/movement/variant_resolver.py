"""The resolver of a phase in which a variant's rules matter: it asks each about its own decisions.

The standard resolver (`judge.movement.resolver`) knows none of them, and decides every phase that
they do not touch.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.board import bits
from judge.movement.circles import adopt, break_paradox
from judge.movement.resolver import Resolver
from judge.movement.rule_in_phase import RuleInPhase
from judge.movement.state import Decisions, MovementState, Ruling
from judge.movement.strengths import Interval, supported
from judge.rulebook import DATC, Rulebook


class VariantResolver(Resolver):
    """Decides the orders of one phase with the rules of the variant beside those of DATC 5.B."""

    def __init__(self, state: MovementState, rules: Rulebook = DATC) -> None:
        self.in_play = state.in_play
        self.own = 0
        """The decisions that belong to some rule."""
        for rule in self.in_play:
            self.own |= rule.own
        super().__init__(state, rules)

    def rule_of(self, unit: int) -> RuleInPhase | None:
        """Return the rule that the decision belongs to, None for a standard one."""
        if not self.own >> unit & 1:
            return None
        return next(rule for rule in self.in_play if rule.own >> unit & 1)

    def decide_at_sight(self) -> None:
        """Decide what needs no counting; none of a rule's own decisions is of that kind."""
        s = self.s
        convoyers = s.convoyers
        s.convoyers &= ~self.own
        super().decide_at_sight()
        s.convoyers = convoyers

    def decide_moves(self, undecided: int) -> None:
        """Decide these moves; here one move may be the path of another."""
        self.find_paths()
        super().decide_moves(undecided)

    def convoy_holds(self, unit: int) -> bool | None:
        """5.B.4: whether the unit has a path; a rule may know more about it."""
        for rule in self.in_play:
            if rule.paths >> unit & 1:
                return rule.has_path(self, unit)
        return super().convoy_holds(unit)

    def move_succeeds(self, unit: int) -> bool | None:
        """5.B.1, or the rule's own equation."""
        rule = self.rule_of(unit)
        if rule is None:
            return super().move_succeeds(unit)
        if self.s.doomed >> unit & 1:
            return False
        return rule.move_succeeds(self, unit)

    def move_reads(self, unit: int) -> int:
        """Return what `move_succeeds` asks for."""
        rule = self.rule_of(unit)
        if rule is not None:
            return rule.reads(self, unit)
        reads = super().move_reads(unit)
        for rival in bits(self.s.into[self.s.dest[unit]] & self.own):
            if other := self.rule_of(rival):
                reads |= other.prevent_reads(self.s, rival)
        return reads

    def opposition(self, unit: int, rivals: int) -> Iterator[Interval]:
        """Yield the strengths that keep the unit out; a rule answers for its own."""
        yield from super().opposition(unit, rivals & ~self.own)
        for rival in bits(rivals & self.own):
            if rule := self.rule_of(rival):
                yield rule.prevents(self.s, rival)

    def convoy_available(self, unit: int) -> bool | None:
        """5.B.3, or the rule's own."""
        rule = self.rule_of(unit)
        return rule.convoy_available(self, unit) if rule else super().convoy_available(unit)

    def convoy_reads(self, unit: int) -> int:
        """Return what `convoy_available` asks for."""
        rule = self.rule_of(unit)
        return rule.reads(self, unit) if rule else super().convoy_reads(unit)

    def support_given(self, unit: int) -> bool | None:
        """5.B.2; while it is open whether an attack is strong enough, try both answers."""
        s = self.s
        idle, doubtful = weak_attackers(s, unit, s.into[unit])
        if not idle | doubtful:
            return super().support_given(unit)
        before = s.harmless.get(unit, 0)
        s.harmless[unit] = before | idle
        answer = super().support_given(unit)
        s.harmless[unit] = before | idle | doubtful
        without = super().support_given(unit)
        s.harmless[unit] = before
        return answer if answer == without else None

    def support_reads(self, unit: int) -> int:
        """Return what `support_given` asks for: of weak attackers their help as well."""
        s = self.s
        reads = super().support_reads(unit)
        for attacker in bits(s.into[unit] & s.unusual & ~s.own[unit]):
            reads |= s.helpers[attacker]
        return reads

    def break_circle(self, circle: int, found: list[Decisions], paradox_rule: str) -> bool:
        """Let units that follow each other go, or apply all rules on paradoxes at the same time."""
        s = self.s
        for rule in self.in_play:
            solution = rule.follows(circle, found)
            if solution is not None:
                adopt(s, solution)
                s.rulings.append(Ruling("circular movement", circle))
                return True
        left = circle
        for rule in self.in_play:
            left = rule.break_paradox(s, left, paradox_rule)
        if left == circle:
            return False
        if left & s.convoyers & ~(s.available | s.disrupted):
            break_paradox(self, left, paradox_rule)
        return True


def weak_attackers(s: MovementState, unit: int, attackers: int) -> tuple[int, int]:
    """Return which of the attackers are too weak to cut a support, and for which this is open.

    An attack cuts with a strength of one, in which supports by the attacked power do not count
    (10.O). Only a move over a difficult border ever has less.
    """
    idle = doubtful = 0
    for attacker in bits(attackers & s.unusual):
        least, most = supported(s, s.helpers[attacker] & ~s.own[unit])
        if most < 1:
            idle |= 1 << attacker
        elif least < 1:
            doubtful |= 1 << attacker
    return idle, doubtful
