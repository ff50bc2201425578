"""What becomes of each line of an order set, and how the power stands after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.models import OrderSet, Phase, Power
from games.models.phase import ProblemKind, ReadLine
from games.queries import board
from games.queries.current_orders import Decisions, is_followed, readings
from games.queries.phase_now import PhaseNow


@dataclass(frozen=True, slots=True)
class LineReceipt:
    """One order as it was understood, or why it was not.

    `number` is the line's number in the mail. There is a `kind` when there is a `problem`. `counts`
    is False for an order that is not followed.
    """

    number: int
    text: str
    order: str | None
    problem: str | None
    kind: ProblemKind | None
    note: str | None
    counts: bool


@dataclass(frozen=True, slots=True)
class OrderReceipt:
    """What became of an order set, and how the power stands after it.

    `current` has one entry per decision: (unit or "Build 1", order or None), `leave` one for each
    canal through which the power lets a fleet, and `before` what stood of both until then.
    `missing` names the decisions without an order. `kept` is the key of the set, None for one that
    was here before. `seen` is the phase as it stands with them, None where more has changed than
    the orders.
    """

    game: str
    power: str
    phase: str
    phase_title: str
    late: bool
    counts: bool
    duplicate: bool
    amend: bool
    lines: tuple[LineReceipt, ...]
    before: Decisions
    current: Decisions
    leave: Decisions
    missing: tuple[str, ...]
    due_at: dt.datetime | None
    received_at: dt.datetime
    all_in: bool
    kept: int | None
    seen: PhaseNow | None


def line_receipts(phase: Phase, power: Power, lines: Sequence[tuple[int, str]]) -> list[ReadLine]:
    """Return what an order set keeps of each of its lines: how it was understood, or why not."""
    return [
        {
            "line": lines[one.line][0],
            "text": one.text,
            "order": str(one.order) if one.order else None,
            "problem": one.problem.sentence if one.problem else None,
            "kind": one.problem.kind if one.problem else None,
            "suggestions": list(one.problem.suggestions) if one.problem else [],
            "note": one.note,
            "counts": is_followed(one),
        }
        for one in readings(phase, power.name, [text for _, text in lines])
    ]


def receipt_of(
    order_set: OrderSet,
    power: Power,
    seen: PhaseNow,
    before: Decisions,
    *,
    duplicate: bool = False,
) -> OrderReceipt:
    """Return what became of the power's set, and how the power stands after it and did before."""
    phase, current = seen.phase, seen.book.decisions(power)
    return OrderReceipt(
        game=phase.game.name,
        power=power.name,
        phase=phase.name,
        phase_title=board.phase_title(phase.name),
        late=order_set.late,
        counts=order_set.counts,
        duplicate=duplicate,
        amend=order_set.mode == OrderSet.Mode.AMEND,
        lines=tuple(_line_receipt(entry) for entry in order_set.reading),
        before=before,
        current=current,
        leave=seen.book.leave(power),
        missing=tuple(decision for decision, order in current if order is None),
        due_at=phase.due_at,
        received_at=order_set.received_at,
        all_in=phase.all_in_at is not None,
        kept=None if duplicate else order_set.pk,
        seen=seen,
    )


def _line_receipt(entry: ReadLine) -> LineReceipt:
    return LineReceipt(
        number=entry["line"],
        text=entry["text"],
        order=entry["order"],
        problem=entry["problem"],
        kind=entry["kind"],
        note=entry["note"],
        counts=entry["counts"],
    )
