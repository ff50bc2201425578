"""Retreats: where a dislodged unit may go, and a retreat phase from its lines to its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from judge.board import bits
from judge.calendar import following
from judge.legality.check import retreat_place
from judge.legality.lines import Line, Sheet, lines_of
from judge.legality.selection import choose_all
from judge.movement.state import MovementState
from judge.movement.strengths import prevent_strength
from judge.orders import Disband, Move, Retreat
from judge.outcome import OrderResult, Outcome, PlainReport
from judge.places import Location
from judge.position import Position
from judge.rulebook import Rulebook
from judge.soundness import check_units
from judge.units import Unit


def is_contested(s: MovementState, province: int, rules: Rulebook) -> bool:
    """Tell whether a bounce in the province leaves no room for a retreat.

    It does if somebody tried to go there with effect: with a path, and without being beaten by a
    unit that came the other way (5.B.6, 6.F.7, 6.H.6, 6.H.9, 6.H.16).
    """
    bounced = s.into[province] & s.failed
    never = rules.dislodged_bounce == "a"
    return bounced != 0 and any(prevent_strength(s, unit, never)[1] for unit in bits(bounced))


def retreats_of(
    unit: Unit, position: Position, s: MovementState, occupied: int, rules: Rulebook
) -> tuple[Location, ...]:
    """Return the places where the dislodged unit may retreat: adjacent, empty, not contested, and
    not where its attacker came from (over land: 4.A.5).

    `occupied` masks the provinces that have a unit after the moves.
    """
    here = unit.at
    attacker = s.into[here] & s.moved
    if rules.retreat_from_convoy == "b":
        attacker &= ~s.convoyed
    closed = occupied | attacker
    board = position.variant.board
    bit, steps = board.bit, board.steps(unit.kind, unit.location)
    return tuple(
        place
        for place in steps
        if not closed & bit[place.at] and not is_contested(s, place.at, rules)
    )


@dataclass(frozen=True, slots=True)
class Bounce:
    """A retreat that failed, and the other units that went to the same province."""

    unit: Unit
    others: tuple[Unit, ...]


def resolve_retreats(
    retreats: Mapping[Unit, Location], yielding: frozenset[Unit]
) -> tuple[list[Unit], list[Bounce]]:
    """Return the units where they are after retreating, and the retreats that failed.

    Two units that retreat to the same province are both disbanded (6.H.7, 6.H.8), except that a
    unit of `yielding` does not count beside another (DATC 10.K).
    """
    crowd = Counter(place.province for place in retreats.values())
    strong = Counter(place.province for unit, place in retreats.items() if unit not in yielding)
    arrived, bounced = [], []
    for unit, place in retreats.items():
        first = strong[place.province] == 1 and unit not in yielding
        if first or crowd[place.province] == 1:
            arrived.append(Unit(unit.kind, place, unit.power))
        else:
            bounced.append(Bounce(unit, _rivals(unit, place, retreats.items())))
    return arrived, bounced


def _yielding(position: Position, retreats: Mapping[Unit, Location]) -> Iterator[Unit]:
    """Yield the units whose retreat does not count if another unit retreats to the same place."""
    board = position.variant.board
    for rule in position.variant.own_rules:
        for unit, place in retreats.items():
            if rule.loses_retreat(board, unit, place):
                yield unit


def _rivals(
    unit: Unit, place: Location, retreats: Iterable[tuple[Unit, Location]]
) -> tuple[Unit, ...]:
    return tuple(
        other for other, goal in retreats if goal.province == place.province and other != unit
    )


def adjudicate_retreats(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of a retreat phase: a unit that is not ordered to retreat is disbanded."""
    lines = lines_of(choose_all(sheets, position, rules))
    retreats = dict(_retreats(position, lines))
    arrived, bounced = resolve_retreats(retreats, frozenset(_yielding(position, retreats)))
    units = (*position.units, *arrived)
    check_units(len(position.units) + len(retreats), units, bounced)
    after, won = following(position, units)
    bounce_of = {one.unit: one for one in bounced}
    report = PlainReport(partial(_results, position, lines, bounce_of))
    return Outcome(position, after, won, lambda: report)


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


_NO_ORDER = "Disbanded because it had no legal order to retreat."


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
