"""A variant's rule in one movement phase: the questions that the resolver asks it.

The first six methods decide what a rule has claimed with its masks; a rule that claims nothing is
never asked them. The rest give the answer of the standard rules. The rules themselves belong to a
map and outlive the phase: they are in `judge.variant_rules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge.orders import MovementOrder

if TYPE_CHECKING:
    from judge.movement.decided_phase import Reason
    from judge.movement.reasons import Reasons
    from judge.movement.resolver import Resolver
    from judge.movement.state import Decisions, MovementState
    from judge.movement.strengths import Interval


class RuleInPhase:
    """What a rule decides in one movement phase."""

    own = 0
    """The decisions that are this rule's own, as a mask: the resolver asks it for these alone."""

    paths = 0
    """The movers whose path this rule decides."""
    ends: Mapping[int, int] = {}
    """Per unit that ended on its way instead of where it was ordered: the place where it ended
    (filled at the end)."""
    stand_ins: Mapping[int, int] = {}
    """Per decision of its own that moved a unit: that unit (filled at the end)."""

    def move_succeeds(self, resolver: Resolver, unit: int) -> bool | None:
        """Decide a move of its own (5.B.1)."""
        raise NotImplementedError

    def has_path(self, resolver: Resolver, unit: int) -> bool | None:
        """Decide whether a move of its own has a path (5.B.4)."""
        raise NotImplementedError

    def convoy_available(self, resolver: Resolver, unit: int) -> bool | None:
        """Decide a convoy of its own (5.B.3)."""
        raise NotImplementedError

    def prevents(self, s: MovementState, unit: int) -> Interval:
        """Return the strength with which one of its own moves keeps others out (5.B.6)."""
        raise NotImplementedError

    def reads(self, resolver: Resolver, unit: int) -> int:
        """Return the orders whose results such a decision asks for."""
        raise NotImplementedError

    def prevent_reads(self, s: MovementState, unit: int) -> int:
        """Return the orders whose results `prevents` asks for."""
        raise NotImplementedError

    def follows(self, circle: int, found: Sequence[Decisions]) -> Decisions | None:
        """Return whichever of the two solutions is a circle of units that follow each other."""
        return None

    def break_paradox(self, s: MovementState, circle: int, paradox_rule: str) -> int:
        """Decide this rule's part of a paradox; return what of the circle is left to 4.A.2.

        `circle` has the orders left by the rules asked before.
        """
        return circle

    def conclude(self, s: MovementState) -> None:
        """Keep in the state, once everything is decided, only what really took place."""

    def word_of(self, s: MovementState, unit: int, order: MovementOrder) -> str | None:
        """Return the word for what became of the order (4.E.2), if this rule has one."""
        return None

    def reason_of(self, reasons: Reasons, unit: int, order: MovementOrder) -> Reason | None:
        """Return why the order had that result, if this rule is the cause."""
        return None
