"""What stands in a phase: which order lines count, and what they leave undecided.

The latest set that counts replaces the earlier ones, unless its player wrote AMEND: then its lines
stand above the earlier ones, and because the first legal order for a unit is followed, they win
(DATC 4.D.1, 4.D.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from games.models import OrderSet, Phase, Power
from games.queries import board

Stack = tuple[tuple[str, OrderSet], ...]
"""The order lines that stand, top to bottom, each with the set in which it came."""


def standing_lines(phase: Phase, power: Power) -> tuple[str, ...]:
    """Return the power's order lines that stand, top to bottom, as written."""
    return _stacked(in_turn(phase.order_sets.filter(power=power, counts=True)))


def all_standing_lines(phase: Phase) -> dict[str, tuple[str, ...]]:
    """Return the standing lines of every power that sent any, by the power's name."""
    sets = phase.order_sets.filter(counts=True).order_by("received_at", "id")
    return lines_by_power(sets.select_related("power").defer("reading"))


def standing_orders(phase: Phase, power: Power) -> tuple[tuple[str, str | None], ...]:
    """Return one entry per decision of the power: (unit or "Build 1", order or None)."""
    return decisions(phase, power.name, standing_lines(phase, power))


def lines_by_power(sets: Iterable[OrderSet]) -> dict[str, tuple[str, ...]]:
    """Return the standing lines of every power whose sets these are, the oldest first."""
    by_power: dict[str, list[OrderSet]] = {}
    for order_set in sets:
        by_power.setdefault(order_set.power.name, []).append(order_set)
    return {power: _stacked(sets) for power, sets in by_power.items()}


def _stacked(sets: Iterable[OrderSet]) -> tuple[str, ...]:
    return tuple(line for line, _ in stack_of(sets))


def stack_of(sets: Iterable[OrderSet]) -> Stack:
    """Return the lines that stand, from one power's sets, the oldest of which is the first."""
    lines: Stack = ()
    for order_set in sets:
        below = lines if order_set.mode == OrderSet.Mode.AMEND else ()
        lines = (*((line, order_set) for line in order_set.lines), *below)
    return lines


def in_turn(sets: QuerySet[OrderSet]) -> QuerySet[OrderSet]:
    """Return the sets as they came, without what their senders were told."""
    return sets.defer("reading").order_by("received_at", "id")


def position(phase: Phase) -> board.Position:
    """Return the position the phase began with."""
    return board.position_of(phase.game.variant, phase.position)


def duty(phase: Phase, power: str) -> board.Duty:
    """Return what the power has to decide in the phase."""
    return board.duty_of(position(phase), power)


def readings(phase: Phase, power: str, lines: Sequence[str]) -> tuple[board.Reading, ...]:
    """Read order lines as the power wrote them, each by itself."""
    return board.read_orders(position(phase), power, lines, board.rulebook_of(phase.game.rules))


def is_followed(reading: board.Reading) -> bool:
    """Say whether the judge will take this order: readable, legal, the first for its unit."""
    return reading.order is not None and reading.problem is None and reading.counts


def decisions(phase: Phase, power: str, lines: Sequence[str]) -> tuple[tuple[str, str | None], ...]:
    """Return what the power decides by these lines, see `standing_orders`."""
    followed = [one.order for one in readings(phase, power, lines) if is_followed(one)]
    duties = duty(phase, power)
    if duties.step != "A":
        ordered = {board.ordered_unit(order): str(order) for order in followed}
        return tuple((unit, ordered.get(unit)) for unit in duties.units)
    what = "Build" if duties.builds else "Disband"
    texts: list[str | None] = [str(order) for order in followed[: duties.size]]
    texts += [None] * (duties.size - len(texts))
    return tuple((f"{what} {number}", text) for number, text in enumerate(texts, start=1))
