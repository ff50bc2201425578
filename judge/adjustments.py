"""Civil disorder: which units are disbanded when a power does not choose enough (4.D.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from judge.board import Board, Province, bits, mask_of
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Unit

Steps = Callable[[Board, Unit, int], int]
"""From a province (by index) to the mask of those that count as one step away for the unit."""

FAR_AWAY = 1_000


def civil_disorder(
    position: Position, power: str, units: Sequence[Unit], number: int, rules: Rulebook
) -> tuple[Unit, ...]:
    """Return the `number` units of `units` that are disbanded for the power.

    The farthest from the power's centres goes first; of equally far ones a fleet before an army,
    and then the first in alphabetical order of the province's full name.
    """
    goal = mask_of(center.index for center in _measured_from(position, power, rules))
    steps = _STEPS[rules.civil_disorder]
    board = position.variant.board

    def order_of_removal(unit: Unit) -> tuple[int, bool, str]:
        away = distance(board, unit, goal, steps)
        return -away, unit.kind == "A", _sort_name(unit.location.province, rules)

    return tuple(sorted(units, key=order_of_removal)[:number])


def _measured_from(position: Position, power: str, rules: Rulebook) -> Iterable[Province]:
    """Return the centres from which distances count: the owned, or in older rules the home ones."""
    owned = (center for center, owner in position.centers.items() if owner == power)
    if rules.civil_disorder == "2023/2025EE" or position.variant.build_sites == "owned":
        return owned
    return position.variant.home_centers(power)


def distance(board: Board, unit: Unit, goal: int, steps: Steps) -> int:
    """Return the number of steps from the unit to the nearest province of the mask `goal`."""
    reached = frontier = 1 << unit.location.province.index
    moves = 0
    while frontier:
        if frontier & goal:
            return moves
        moves += 1
        further = 0
        for province in bits(frontier):
            further |= steps(board, unit, province)
        frontier = further & ~reached
        reached |= frontier
    return FAR_AWAY


def _over_everything(board: Board, unit: Unit, province: int) -> int:
    """Count adjacent provinces whatever the unit can enter (2023)."""
    return mask_of(board.neighbours[province])


def _as_the_unit_goes(board: Board, unit: Unit, province: int) -> int:
    """Count fleet moves for a fleet; for an army land and sea alike (DPTG, convoys included)."""
    if unit.kind == "F":
        return board.shores[province]
    return mask_of(board.neighbours[province])


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
