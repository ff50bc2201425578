"""An adjustment phase from the lines that were written to results and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from judge.adjustments import civil_disorder, why_removed
from judge.board import Location
from judge.calendar import following
from judge.orders import Build, Disband
from judge.outcome import OrderResult, Outcome, PlainReport, worded
from judge.position import Position
from judge.rulebook import Rulebook
from judge.selection import Line, Sheet, choose_all, lines_of
from judge.soundness import check_centers, check_units
from judge.units import Unit


def adjudicate_adjustments(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of an adjustment phase; builds not ordered are declined (4.D.7)."""
    lines = lines_of(choose_all(sheets, position, rules))
    disbanded = {
        line.order.unit.location.province: line.power
        for line in lines
        if line.counts and isinstance(line.order, Disband)
    }
    built = [
        _built(position, line.order)
        for line in lines
        if line.counts and isinstance(line.order, Build)
    ]
    kept = [unit for unit in position.units if unit.location.province not in disbanded]
    removed = [
        unit for power in position.variant.powers for unit in _removed(position, power, kept, rules)
    ]
    units = [unit for unit in kept if unit not in removed]
    standing = (*units, *built)
    check_units(len(position.units) + len(built), standing, (*disbanded, *removed))
    check_centers(position, standing, built)
    after, won = following(position, standing)

    def results() -> list[OrderResult]:
        return [*map(_result, lines), *_removals(position, removed, units, rules)]

    return Outcome(after, won, lambda: PlainReport(results))


_REMOVED = "Disbanded by the rules of civil disorder, because too few disbands were ordered"


def _built(position: Position, order: Build) -> Unit:
    at: Location = order.location
    board, unit_of = position.variant.board, position.variant.unit
    if order.kind == "F":
        places = board.fleet_places(at.province)
        return unit_of("F", at if at in places else places[0], order.power)
    return unit_of("A", board.location(at.province), order.power)


def _removed(
    position: Position, power: str, kept: Iterable[Unit], rules: Rulebook
) -> tuple[Unit, ...]:
    """Return the units that the power still has too many, chosen by the rules."""
    units = [unit for unit in kept if unit.power == power]
    centers = len(position.centers_of(power))
    if len(units) <= centers:
        return ()
    return civil_disorder(position, power, units, len(units) - centers, rules)


def _removals(
    position: Position, removed: Sequence[Unit], stay: Sequence[Unit], rules: Rulebook
) -> Iterator[OrderResult]:
    for unit in removed:
        kept = [other for other in stay if other.power == unit.power]
        why = worded(partial(why_removed, position, unit, kept, rules))
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
