"""Why the two engines differ in a phase. Each cause is described in docs/judge-differences.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchmarks.equations import Claim, Orders, Violation, claim, flat, moved_by_us
from benchmarks.rival import Board, board_of, unit_name
from judge import DATC, Outcome, Position, Province, Rulebook, Unit, adjudicate
from judge.orders import Convoy, Move, Order

# Issues that the other engine settles in another way than the DATC prefers, one by one.
OTHER_RULES = (
    {"4.A.3": "2000fallback"},
    {"4.A.3": "DPTG"},
    {"4.D.8": "1971/1982"},
)
FALLBACK = "rule 4.A.3: via convoy without a convoy goes over land"
CONVOY_HELPED = "fault 1: a unit dislodged by a convoyed army with the help of its own power"
BATTLE_UNHELPED = "fault 2: support by the other side's power not counted in a head-to-head battle"
CONVOY_GIVEN_UP = "fault 3: a convoy disrupted though its fleet is not dislodged"
RETREATS_OPEN = "fault 4: a unit dislodged by a convoyed army may retreat anywhere"

Results = Mapping[str, Sequence[str]]


def explain(
    position: Position, orders: Orders, outcome: Outcome, theirs: Board, results: Results
) -> frozenset[str]:
    """Return the causes of a difference; none if we cannot explain it.

    ``results`` has the other engine's words for each unit.
    """
    for rules in OTHER_RULES:
        other = adjudicate(position, orders, Rulebook.from_json(rules))
        if board_of(other.next) == theirs:
            return frozenset(f"rule {issue}: {choice}" for issue, choice in rules.items())
    if position.phase.step != "M":
        return frozenset()
    given = list(flat(orders))
    if found := explain_movement(position, given, outcome, theirs, results):
        return found
    # This fault shows only once an army without its convoy has gone over land and cut a support.
    over_land = Rulebook.from_json(OTHER_RULES[0])
    outcome = adjudicate(position, orders, over_land)
    found = explain_movement(position, given, outcome, theirs, results, over_land)
    return found | {FALLBACK} if found else found


def explain_movement(
    position: Position,
    orders: Sequence[Order],
    outcome: Outcome,
    theirs: Board,
    results: Results,
    rules: Rulebook = DATC,
) -> frozenset[str]:
    """Hold both results against the equations: the engine that they contradict has a fault."""
    ours = claim(position, outcome, orders, moved_by_us(outcome, orders), rules)
    if any(ours.violations()):
        return frozenset()
    others = claim(position, outcome, orders, moved_by_them(orders, results), rules)
    causes = {fault(wrong, others, results) for wrong in others.violations()}
    moves = (order for order in orders if isinstance(order, Move))
    if not causes and any(given_up(order, others, results) for order in moves):
        # Two units that trade places: the equations allow that neither moves, too.
        causes.add(CONVOY_GIVEN_UP)
    if retreats_are_open(board_of(outcome.next), theirs, others):
        causes.add(RETREATS_OPEN)
    return frozenset() if None in causes else frozenset(cause for cause in causes if cause)


def fault(wrong: Violation, others: Claim, results: Results) -> str | None:
    """Return which of the known faults makes them claim what contradicts the equation."""
    order, unit = wrong.order, wrong.order.unit
    by_convoy = others.by_convoy(unit, order)
    everybody = 1 + len(others.supporters(unit, order.to.province))
    if wrong.claimed and unit in others.pathless:
        return FALLBACK
    if wrong.claimed and by_convoy and everybody > wrong.opposition:
        return CONVOY_HELPED
    enemy = others.head_to_head(unit, order)
    if wrong.claimed and enemy is not None and unhelped(enemy, unit, others) < wrong.attack:
        return BATTLE_UNHELPED
    arriving = list(others.movers_to(order.to.province))
    if any(given_up(move, others, results) for _, move in arriving):
        return CONVOY_GIVEN_UP
    if any(goes_over_land(other, move, others) for other, move in arriving):
        return FALLBACK
    return None


def goes_over_land(unit: Unit, order: Move, others: Claim) -> bool:
    """Say whether they let the army go without a convoy; it arrives, or keeps others out."""
    board = others.position.variant.board
    return unit in others.pathless and bool(board.arrivals("A", unit.location, order.to.province))


def unhelped(enemy: Unit, unit: Unit, others: Claim) -> int:
    """Return the enemy's strength in the battle, without the supports of ``unit``'s own power."""
    helpers = others.supporters(enemy, unit.location.province)
    return 1 + sum(helper.power != unit.power for helper in helpers)


def given_up(order: Move, others: Claim, results: Results) -> bool:
    """Say whether they call a fleet of this convoy disrupted though nobody dislodged it."""
    fleets = (fleet for fleet, given in others.orders.items() if carries(given, order))
    return any(
        "disrupted" in results.get(unit_name(fleet), ()) and not others.dislodged(fleet)
        for fleet in fleets
    )


def carries(given: Order, order: Move) -> bool:
    return isinstance(given, Convoy) and given.army == order.unit and given.to == order.to


def retreats_are_open(ours: Board, theirs: Board, others: Claim) -> bool:
    """Say whether they offer more retreats, but only to units that convoyed armies dislodged."""
    offered = {unit: retreats for _, unit, retreats in ours.dislodged}
    more = [
        unit
        for _, unit, retreats in theirs.dislodged
        if retreats != offered.get(unit, frozenset()) and retreats >= offered.get(unit, frozenset())
    ]
    dislodged = {unit_name(unit): unit for unit in others.position.units}
    return bool(more) and all(
        attacked_by_convoy(dislodged[name].location.province, others) for name in more
    )


def attacked_by_convoy(province: Province, others: Claim) -> bool:
    attackers = others.movers_to(province)
    return any(unit in others.moved and others.by_convoy(unit, move) for unit, move in attackers)


def moved_by_them(orders: Iterable[Order], results: Results) -> Iterator[Unit]:
    """Yield the units whose moves succeeded: those that brought no word like "bounce"."""
    movers = (order.unit for order in orders if isinstance(order, Move))
    return (unit for unit in movers if not results.get(unit_name(unit)))
