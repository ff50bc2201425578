"""Adjustments: civil disorder (4.D.8), and an adjustment phase from its lines to its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from judge.board import Board, bits, mask_of
from judge.calendar import following
from judge.legality.lines import Line, Sheet, lines_of
from judge.legality.selection import choose_all
from judge.orders import Build, Disband
from judge.outcome import OrderResult, Outcome, PlainReport, without_words
from judge.places import Location, Province
from judge.position import Position
from judge.rulebook import Rulebook
from judge.soundness import check_centers, check_units
from judge.units import Unit

Steps = Callable[[Board, Unit, Location], int]
"""From a place to the mask of the places (by index) that count as one step away for the unit."""

FAR_AWAY = 1_000


def civil_disorder(
    position: Position, power: str, units: Sequence[Unit], number: int, rules: Rulebook
) -> tuple[Unit, ...]:
    """Return the `number` units of `units` that are disbanded for the power.

    The one farthest from the power's centres goes first; if several are equally far, a fleet before
    an army, then the first by the full name of its province.
    """
    away = _distances(position, power, units, rules)

    def order_of_removal(unit: Unit) -> tuple[int, bool, str]:
        return -away[unit], unit.kind == "A", _sort_name(unit.location.province, rules)

    return tuple(sorted(units, key=order_of_removal)[:number])


def why_removed(position: Position, unit: Unit, kept: Sequence[Unit], rules: Rulebook) -> str:
    """Say in words why civil disorder disbands this unit rather than those of `kept`."""
    away = _distances(position, unit.power, (unit, *kept), rules)
    steps = "1 step" if away[unit] == 1 else f"{away[unit]} steps"
    far = f"{steps} from" if away[unit] < FAR_AWAY else "cut off from"
    equal = {other.kind for other in kept if away[other] == away[unit]}
    if not equal:
        return f"it is {far} the nearest centre, farther than any that stay" if kept else ""
    if equal == {unit.kind}:
        return f"it is {far} the nearest centre, and of equally far units the first by name goes"
    by_name = ", and of these the first by name" if unit.kind in equal else ""
    return f"it is {far} the nearest centre, and of equally far units fleets go first{by_name}"


def _distances(
    position: Position, power: str, units: Iterable[Unit], rules: Rulebook
) -> dict[Unit, int]:
    goal = mask_of(center.index for center in _measured_from(position, power, rules))
    steps, board = _STEPS[rules.civil_disorder], position.variant.board
    return {unit: distance(board, unit, goal, steps) for unit in units}


def _measured_from(position: Position, power: str, rules: Rulebook) -> Iterable[Province]:
    """Return the centres from which distances count: those the power owns, or under older rules its
    home centres."""
    removals = position.variant.removals
    if removals == "by the rules":
        removals = "owned" if rules.civil_disorder == "2023/2025EE" else "home"
    if removals == "home":
        return position.variant.home_centers(power)
    return (center for center, owner in position.centers.items() if owner == power)


def distance(board: Board, unit: Unit, goal: int, steps: Steps) -> int:
    """Return the number of steps from the unit to the nearest province of the mask `goal`."""
    reached = frontier = 1 << unit.location.index
    moves = 0
    while frontier:
        places = [board.locations[index] for index in bits(frontier)]
        if goal & mask_of(place.province.index for place in places):
            return moves
        moves += 1
        further = 0
        for place in places:
            further |= steps(board, unit, place)
        frontier = further & ~reached
        reached |= frontier
    return FAR_AWAY


def _over_everything(board: Board, unit: Unit, place: Location) -> int:
    """Count adjacent provinces whatever the unit can enter (2023)."""
    return mask_of(board.neighbours[place.province.index])


def _as_the_unit_goes(board: Board, unit: Unit, place: Location) -> int:
    """Count fleet moves, coast by coast, for a fleet; land and sea alike for an army (DPTG)."""
    if unit.kind == "F":
        return mask_of(step.index for step in board.steps("F", place))
    return _over_everything(board, unit, place)


_STEPS: dict[str, Steps] = {
    "1971/1982": _as_the_unit_goes,
    "2000": _as_the_unit_goes,
    "2023/2025EE": _over_everything,
    "DPTG": _as_the_unit_goes,
}


def _sort_name(province: Province, rules: Rulebook) -> str:
    """Return the name by which provinces are ordered; the DPTG sorts "Gulf of Lyon" under L."""
    if rules.civil_disorder == "DPTG":
        return province.name.removeprefix("Gulf of ").replace("St ", "Saint ")
    return province.name


def adjudicate_adjustments(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of an adjustment phase; builds not ordered are declined (4.D.7)."""
    lines = lines_of(choose_all(sheets, position, rules))
    disbanded = {
        line.order.unit.location.province: line.power
        for line in lines
        if line.counts and isinstance(line.order, Disband)
    }
    built = [
        _unit_built(position, line.power, line.order)
        for line in lines
        if line.counts and isinstance(line.order, Build)
    ]
    kept = [unit for unit in position.units if unit.location.province not in disbanded]
    removed = [
        unit
        for power in position.variant.powers
        for unit in _units_to_remove(position, power, kept, rules)
    ]
    units = [unit for unit in kept if unit not in removed]
    standing = (*units, *built)
    check_units(len(position.units) + len(built), standing, (*disbanded, *removed))
    check_centers(position, standing, built)
    after, won = following(position, standing)

    def results() -> list[OrderResult]:
        return [*map(_result, lines), *_removals(position, removed, units, rules)]

    return Outcome(position, after, won, lambda: PlainReport(results))


_REMOVED = "Disbanded by the rules of civil disorder, because too few disbands were ordered"


def _unit_built(position: Position, power: str, order: Build) -> Unit:
    at: Location = order.location
    board, unit_of = position.variant.board, position.variant.unit
    if order.kind == "F":
        places = board.fleet_places(at.province)
        return unit_of("F", at if at in places else places[0], power)
    return unit_of("A", board.location(at.province), power)


def _units_to_remove(
    position: Position, power: str, kept: Iterable[Unit], rules: Rulebook
) -> tuple[Unit, ...]:
    """Return the units that the rules take from a power that has too many."""
    units = [unit for unit in kept if unit.power == power]
    allowed = position.allowance[power]
    if len(units) <= allowed:
        return ()
    return civil_disorder(position, power, units, len(units) - allowed, rules)


def _removals(
    position: Position, removed: Sequence[Unit], stay: Sequence[Unit], rules: Rulebook
) -> Iterator[OrderResult]:
    for unit in removed:
        kept = [other for other in stay if other.power == unit.power]
        try:
            why: str | None = why_removed(position, unit, kept, rules)
        except Exception:
            why = without_words()
        sentence = f"{_REMOVED}: {why}." if why else f"{_REMOVED}."
        yield OrderResult(
            unit.power, None, str(Disband(unit)), ("succeeds",), sentence, automatic=True
        )


def _result(line: Line) -> OrderResult:
    order = str(line.order) if line.order else None
    if line.counts:
        return OrderResult(line.power, line.text or order, order, ("succeeds",))
    sentence = line.illegal.sentence if line.illegal else None
    return OrderResult(line.power, line.text or order, order, ("illegal",), sentence)
