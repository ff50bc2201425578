"""Orders with what became of each, as far as somebody may read them."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from games.board_json import ResultJson
from games.models import Phase
from games.queries import board

_AFTER_UNIT = re.compile(r"\(| - | (?:Holds|Supports|Convoys)\b")


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One order and what became of it."""

    text: str | None
    """The line as written; None for an order that nobody gave (a unit that held because it had no
    order, an automatic disband)."""
    order: str | None
    """The canonical form; None when unreadable."""
    result: tuple[str, ...]
    reason: str | None
    automatic: bool
    ends: str | None = None
    """Where an army that was ordered to go by rail ended."""

    @classmethod
    def of(cls, result: ResultJson) -> OrderLine:
        """Return the line that a result of the judge, as its JSON has it, is about."""
        return cls(
            text=result["text"],
            order=result["order"],
            result=tuple(result["result"]),
            reason=result["reason"],
            automatic=result["automatic"],
            ends=result.get("ends"),
        )

    def as_result(self, power: str) -> board.OrderResult:
        """Return the line as a result of the judge."""
        return board.OrderResult(
            power, self.text, self.order, self.result, self.reason, self.automatic, self.ends
        )


@dataclass(frozen=True, slots=True)
class PowerOrders:
    """The orders of one power, in the order of its set."""

    power: str
    lines: tuple[OrderLine, ...]
    unbuilt: int = 0
    """How many more units it could have built without saying that it waives them."""


def orders_shown(
    results: Sequence[ResultJson], viewer: str | None, phase: Phase | None = None
) -> tuple[PowerOrders, ...]:
    """Return what the viewer may see of an outcome's results; None for somebody who plays no power.

    Lines of other powers that led to no order are left out, since they may be anything that a
    player wrote. The viewer's own lines stay if they may have left a unit without an order or,
    given the `phase`, a build unmade.
    """
    by_power: dict[str, list[OrderLine]] = {}
    for one in results:
        line = OrderLine.of(one)
        lines = by_power.get(one["power"], [])
        shown = one["power"] == viewer or (line.order and "illegal" not in line.result)
        if shown and not _is_said(line, lines):
            by_power[one["power"]] = [*lines, line]
    undone = viewer is None or _builds_undone(by_power.get(viewer, []), viewer, phase)
    return tuple(
        PowerOrders(power, _without_vain(by_power[power], undone=undone))
        for power in sorted(by_power)
    )


def with_unbuilt(
    shown: Sequence[PowerOrders], phase: Phase, only: str | None = None
) -> tuple[PowerOrders, ...]:
    """Return the orders shown of a phase, with what each power, or `only` one, left unbuilt in it:
    in fog nobody learns who else could build."""
    if board.step_of(phase.name) != "A":
        return tuple(shown)
    position = board.position_of(phase.game.variant, phase.position)
    lines = {one.power: one.lines for one in shown}
    every = (
        PowerOrders(power, mine, _unbuilt(position, power, mine) if only in (None, power) else 0)
        for power in sorted(position.variant.powers)
        for mine in [lines.get(power, ())]
    )
    return tuple(one for one in every if one.lines or one.unbuilt)


def _unbuilt(position: board.Position, power: str, lines: Sequence[OrderLine]) -> int:
    return max(0, board.duty_of(position, power).builds - len(_lines_followed(lines)))


def _lines_followed(lines: Sequence[OrderLine]) -> list[OrderLine]:
    return [one for one in lines if one.text is not None and not _is_refused(one)]


def _builds_undone(lines: Sequence[OrderLine], power: str, phase: Phase | None) -> bool:
    """Whether the power could have built more than it ordered; True if nobody knows."""
    refused = any(_is_refused(one) and (one.order or "").startswith("Build") for one in lines)
    if phase is None or not refused:
        return True
    return bool(_unbuilt(board.position_of(phase.game.variant, phase.position), power, lines))


def _without_vain(lines: Sequence[OrderLine], *, undone: bool) -> tuple[OrderLine, ...]:
    """The lines, except those that came to nothing and cost nothing: prose, orders to foreign
    units, and orders replaced by others. The receipt has already said so."""
    left = {unit_of(one.order or "") for one in lines if one.text is None}
    return tuple(
        one for one in lines if not _is_refused(one) or _cost_an_order(one, left, undone=undone)
    )


def _is_refused(line: OrderLine) -> bool:
    return line.order is None or "illegal" in line.result


def _cost_an_order(line: OrderLine, left: Set[str], *, undone: bool) -> bool:
    """Whether a refused line may be the reason why the units that are `left` had no order, or why
    nothing was built."""
    if line.order is None or line.order.startswith("Disband"):
        return bool(left)
    if line.order.startswith("Build"):
        return undone
    return unit_of(line.order) in left


def unit_of(order: str) -> str:
    """`F St Petersburg` of "F St Petersburg(sc) - Norway"; two orders of it are for one unit."""
    return _AFTER_UNIT.split(order, maxsplit=1)[0]


def _is_said(line: OrderLine, lines: Sequence[OrderLine]) -> bool:
    """Whether the same order is among the lines: repeated under AMEND, it is still one order.

    Only waived builds can occur more than once.
    """
    if line.order in (None, board.WAIVED):
        return False
    return (line.order, line.result) in ((one.order, one.result) for one in lines)
