"""A retreat phase from the lines that were written to results and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.board import Location
from judge.calendar import following
from judge.legality import retreat_place
from judge.orders import Disband, Move, Retreat
from judge.outcome import OrderResult, Outcome, PlainReport
from judge.position import Position
from judge.retreats import Bounce, resolve_retreats
from judge.rulebook import Rulebook
from judge.selection import Line, Sheet, choose_all, lines_of
from judge.soundness import check_units
from judge.units import Unit


def adjudicate_retreats(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of a retreat phase: who is not ordered to retreat is disbanded."""
    lines = lines_of(choose_all(sheets, position, rules))
    retreats = dict(_retreats(position, lines))
    arrived, bounced = resolve_retreats(retreats)
    units = (*position.units, *arrived)
    check_units(len(position.units) + len(retreats), units, bounced)
    after, won = following(position, units)
    bounce_of = {one.unit: one for one in bounced}
    return Outcome(after, won, lambda: PlainReport(lambda: _results(position, lines, bounce_of)))


def _results(
    position: Position, lines: Sequence[Line], bounce_of: dict[Unit, Bounce]
) -> list[OrderResult]:
    results = [_result(line, bounce_of) for line in lines]
    ordered = {_unit_of(line) for line in lines if line.counts}
    results += [
        OrderResult(
            one.unit.power, None, str(Disband(one.unit)), ("succeeds",), _NO_ORDER, automatic=True
        )
        for one in position.dislodged
        if one.unit not in ordered
    ]
    return results


_NO_ORDER = "Disbanded for want of a legal order to retreat."


def _retreats(position: Position, lines: Iterable[Line]) -> Iterator[tuple[Unit, Location]]:
    for line in lines:
        if line.counts and isinstance(line.order, Retreat | Move):
            dislodged = position.dislodged_in[line.order.unit.location.province]
            place = retreat_place(line.order.to, dislodged.retreats)
            assert place is not None, "a legal retreat has its place"
            yield dislodged.unit, place


def _unit_of(line: Line) -> Unit | None:
    return line.order.unit if isinstance(line.order, Retreat | Move | Disband) else None


def _result(line: Line, bounce_of: dict[Unit, Bounce]) -> OrderResult:
    order = str(line.order) if line.order else None
    if not line.counts:
        sentence = line.illegal.sentence if line.illegal else None
        return OrderResult(line.power, line.text or order, order, ("illegal",), sentence)
    unit = _unit_of(line)
    bounce = bounce_of.get(unit) if unit else None
    if bounce is None:
        return OrderResult(line.power, line.text or order, order, ("succeeds",))
    others = " and ".join(str(other) for other in bounce.others)
    reason = f"Disbanded: {others} retreated to the same province."
    return OrderResult(line.power, line.text or order, order, ("fails",), reason)
