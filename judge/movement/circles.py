"""Circles of orders that decide one another, and the backup rules that break them (DATC 5.B.9).

Where a circle has exactly one consistent answer, that answer is taken. Where it has none or
several, a circle of moves succeeds (circular movement), and a circle with a convoy in it is a
convoy paradox, which the rule chosen under 4.A.2 breaks. Nowhere else is an order decided by
anything but its own equation.
"""

from __future__ import annotations

from judge.board import bits
from judge.movement.resolver import Resolver
from judge.movement.state import Decisions, MovementState, Ruling
from judge.soundness import JudgeFault


def resolve(resolver: Resolver, paradox_rule: str) -> None:
    """Decide every order."""
    resolver.decide_at_sight()
    while undecided := resolver.settle():
        circle = innermost_circle(resolver, undecided)
        if not circle:
            raise JudgeFault("An order is open that hangs on no other order.")
        break_circle(resolver, circle, paradox_rule)


def innermost_circle(resolver: Resolver, undecided: int) -> int:
    """Return the smallest set of undecided orders that depend on nothing undecided outside it.

    Circles that do not touch are independent, so it does not matter which comes first.
    """
    needs = {unit: resolver.reads(unit) & undecided for unit in bits(undecided)}
    return min((closure(unit, needs) for unit in needs), key=int.bit_count)


def closure(unit: int, needs: dict[int, int]) -> int:
    """Return all that the unit's order depends on, over any number of steps."""
    reached, fresh = 0, needs[unit]
    while fresh:
        reached |= fresh
        further = 0
        for other in bits(fresh):
            further |= needs[other]
        fresh = further & ~reached
    return reached


def break_circle(resolver: Resolver, circle: int, paradox_rule: str) -> None:
    """Decide at least one order of the circle, by its only solution or by the backup rule."""
    s = resolver.s
    if not s.in_play and is_ring(s, circle):
        # Each of these moves depends on the next alone: if anything else about it were open, that
        # would be in the circle, too. So it succeeds exactly if the next does, and there are two
        # solutions: all succeed, or none does. Finding them by trying takes long.
        move_in_a_circle(s, circle)
        return
    found = solutions(resolver, circle)
    if len(found) == 1:
        adopt(s, found[0])
    elif resolver.break_circle(circle, found, paradox_rule):
        pass
    elif circle & s.convoyers:
        break_paradox(resolver, circle, paradox_rule)
    else:
        move_in_a_circle(s, circle)


def solutions(resolver: Resolver, circle: int) -> list[Decisions]:
    """Return consistent ways to decide the circle, restricted to the circle: at most two of them.

    Guesses one order at a time, lets everything follow, and keeps what agrees with the equations of
    the guessed orders themselves.
    """
    s = resolver.s
    open_orders = circle & s.undecided()
    if not open_orders:
        consistent = all(resolver.verdict(unit) is _decided(s, unit) for unit in bits(circle))
        return [Decisions(*(mask & circle for mask in s.decisions()))] if consistent else []
    before = (s.decisions(), s.pathed, s.pathless, s.by_land, s.convoyed)
    unit = next(bits(open_orders & s.convoyers or open_orders))
    found: list[Decisions] = []
    for guess in (True, False):
        if len(found) < 2:
            resolver.record(unit, guess)
            resolver.settle()
            found += solutions(resolver, circle)
            _restore(s, before)
    return found


def _decided(s: MovementState, unit: int) -> bool:
    return bool((s.moved | s.given | s.available) >> unit & 1)


def _restore(s: MovementState, before: tuple[Decisions, int, int, int, int]) -> None:
    decisions, s.pathed, s.pathless, s.by_land, s.convoyed = before
    s.moved, s.failed, s.given, s.cut, s.available, s.disrupted = decisions


def adopt(s: MovementState, solution: Decisions) -> None:
    """Decide the circle's orders as in the solution."""
    s.moved |= solution.moved
    s.failed |= solution.failed
    s.given |= solution.given
    s.cut |= solution.cut
    s.available |= solution.available
    s.disrupted |= solution.disrupted


def move_in_a_circle(s: MovementState, circle: int) -> None:
    """Let the moves succeed if each goes where the next one leaves (circular movement, 5.B.9).

    A circle of any other kind fails as a whole.
    """
    if is_ring(s, circle):
        s.moved |= circle
        s.rulings.append(Ruling("circular movement", circle))
    else:
        s.failed |= circle & s.movers
        s.cut |= circle & s.supporters
        s.rulings.append(Ruling("stalemate", circle))


def is_ring(s: MovementState, circle: int) -> bool:
    """Tell whether the orders are moves, each to the province of the next, and the last to the
    first."""
    if circle & ~s.movers:
        return False
    start = unit = next(bits(circle))
    ring = 0
    while not ring >> unit & 1 and circle >> unit & 1:
        ring |= 1 << unit
        unit = s.dest[unit]
    return unit == start and ring == circle


def break_paradox(resolver: Resolver, circle: int, rule: str) -> None:
    """Apply the rule of 4.A.2 to a convoy paradox.

    The rules of the printed rulebooks were applied earlier, when the supports they protect were
    matched. They have no answer to a paradox that is left, so Szykman's rule steps in.
    """
    s = resolver.s
    fleets = circle & s.convoyers
    s.rulings.append(Ruling(rule, circle, convoyed_armies(s, fleets)))
    if rule == "AllHold":
        hold_all(s, circle)
    elif rule == "Verheijden":
        cancel_attacks(s, fleets)
    elif rule == "DPTG" and not disruption_is_consistent(resolver, circle):
        hold_all(s, circle)
    else:
        s.disrupted |= fleets


def convoyed_armies(s: MovementState, fleets: int) -> int:
    """Return the armies whose convoy is still open and needs some of these fleets."""
    armies = 0
    for army, route in s.routes.items():
        if route & fleets and not (s.pathed | s.pathless) >> army & 1:
            armies |= 1 << army
    return armies


def cancel_attacks(s: MovementState, fleets: int) -> None:
    """Keep the attacks that these fleets convoy from taking place."""
    armies = convoyed_armies(s, fleets)
    s.pathless |= armies
    s.doomed |= armies


def hold_all(s: MovementState, circle: int) -> None:
    """Make all moves of the paradox fail: those of the circle, and those that its fleets convoy."""
    cancel_attacks(s, circle & s.convoyers)
    s.doomed |= circle & s.movers
    s.failed |= circle & s.movers


def disruption_is_consistent(resolver: Resolver, circle: int) -> bool:
    """Tell whether the circle's fleets are really dislodged once their convoys are disrupted."""
    s = resolver.s
    before = (s.decisions(), s.pathed, s.pathless, s.by_land, s.convoyed)
    fleets = circle & s.convoyers
    s.disrupted |= fleets
    resolver.settle()
    consistent = all(resolver.convoy_available(fleet) is False for fleet in bits(fleets))
    _restore(s, before)
    return consistent
