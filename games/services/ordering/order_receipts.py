"""Receipts for sets of orders: what was taken, and how the power stands afterwards."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from games.models import OrderSet, Power
from games.models.phase import ProblemKind, ReadLine
from games.queries import board
from games.queries.orders.current_orders import Decisions
from games.queries.phases.phase_now import PhaseNow


@dataclass(frozen=True, slots=True)
class LineReceipt:
    """One order as it was understood, or why it was not."""

    number: int
    """The line's number in the mail."""
    text: str
    order: str | None
    problem: str | None
    kind: ProblemKind | None
    """The kind of the problem, if there is one."""
    note: str | None
    counts: bool
    """False for an order that is not followed."""

    @property
    def is_used(self) -> bool:
        """Whether it is an order that counts, or counted until a later mail."""
        return self.problem is None and self.counts


@dataclass(frozen=True, slots=True)
class OrderReceipt:
    """The outcome of sending an order set, and how the power stands afterwards."""

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
    """What stood of `current` and `leave` before the set came."""
    since: dt.datetime | None
    """When the mail of the newest of `before` came; None if nothing stood."""
    current: Decisions
    """One entry per decision: (unit or "Build 1", order or None)."""
    leave: Decisions
    """One entry for each canal through which the power lets a fleet."""
    missing: tuple[str, ...]
    """The decisions without an order."""
    replaced: bool
    """Whether something of the power's that came too late counts instead if its game waits for
    missing orders."""
    due_at: dt.datetime | None
    received_at: dt.datetime
    kept: int | None
    """The key of the set; None for one that was here before."""
    seen: PhaseNow | None
    """The phase as it stands with these orders; None where more has changed than the orders."""

    @property
    def unused(self) -> list[LineReceipt]:
        """The lines that came to nothing: with a problem, or for a unit that has another order."""
        return [line for line in self.lines if not line.is_used]


@dataclass(frozen=True, slots=True)
class Before:
    """What of a power's stood before a set came, as in `OrderReceipt`."""

    decisions: Decisions
    since: dt.datetime | None = None
    """When the mail of the newest of it came."""


def receipt_of(
    order_set: OrderSet, power: Power, seen: PhaseNow, before: Before, *, duplicate: bool = False
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
        before=before.decisions,
        since=before.since,
        current=current,
        leave=seen.book.leave(power),
        missing=tuple(decision for decision, order in current if order is None),
        replaced=seen.book.is_replaced(power, order_set.received_at),
        due_at=phase.due_at,
        received_at=order_set.received_at,
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
