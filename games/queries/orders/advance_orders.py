"""Orders for later phases: what is kept, what became of it, and which of the lines count."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games.errors import WrongState
from games.models import UNFINISHED, AdvanceOrders, Phase, Seat
from games.models.phase import BOARDS
from games.queries import board
from games.queries.orders.current_orders import decisions, is_followed, position_seen, readings
from games.queries.orders.repeated_orders import orders_again
from games.queries.parsing.conditional_orders import Answer, Line, Script, is_same, read_lines


@dataclass(frozen=True, slots=True)
class LaterOrders:
    """What counts for a later phase: its name and title, and the lines as written."""

    phase: str
    phase_title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class AdvanceOutcome:
    """How a seat's orders for later phases fared when a phase opened."""

    used: bool
    """Whether there were any for this phase."""
    answers: tuple[Answer, ...]
    """How its conditions turned out."""
    word: str | None
    """READY or WAIT, if they say it."""
    unready: bool
    """Whether they say READY, and it could not be kept."""
    passed: tuple[LaterOrders, ...]
    """The orders for phases that never came."""


def orders_kept(seat: Seat) -> tuple[LaterOrders, ...]:
    """Return what is kept for phases still to come, the next phase first."""
    phase = seat.power.game.phases.filter(status__in=UNFINISHED).defer(*BOARDS).first()
    return orders_kept_by_seat({seat: phase})[seat] if phase else ()


def orders_kept_by_seat(seats: Mapping[Seat, Phase]) -> dict[Seat, tuple[LaterOrders, ...]]:
    """Return `orders_kept` for many seats, each with the open phase of its game, in one query."""
    rows: dict[int, list[AdvanceOrders]] = {seat.pk: [] for seat in seats}
    unused = AdvanceOrders.objects.filter(seat__in=rows, used_at=None, passed_at=None)
    for row in unused.order_by("received_at", "id"):
        rows[row.seat_id].append(row)
    return {seat: _later(phase, rows[seat.pk]) for seat, phase in seats.items()}


def _later(phase: Phase, rows: Iterable[AdvanceOrders]) -> tuple[LaterOrders, ...]:
    """`rows` are those of one seat, the oldest first."""
    return _latest(row for row in rows if board.is_before(phase.name, row.phase_name))


def orders_opened(phase: Phase) -> dict[Seat, AdvanceOutcome]:
    """Return what became of advance orders when this phase opened, by the seats that had sent
    any."""
    used = Q(phase_name=phase.name, used_at__gte=phase.opened_at)
    rows = AdvanceOrders.objects.filter(
        used | Q(passed_at__gte=phase.opened_at), seat__power__game=phase.game
    )
    by_seat: dict[Seat, list[AdvanceOrders]] = {}
    for row in rows.select_related("seat__power").order_by("received_at", "id"):
        row.seat.power.game = phase.game
        by_seat.setdefault(row.seat, []).append(row)
    return {seat: _outcome(seat, phase, rows) for seat, rows in by_seat.items()}


def orders_passed(
    seats: Iterable[Seat], *, since: dt.datetime
) -> dict[Seat, tuple[LaterOrders, ...]]:
    """Return the orders of each seat that have come to nothing since then: their phase will not
    come, or came while their power was in civil disorder."""
    rows: dict[Seat, list[AdvanceOrders]] = {seat: [] for seat in seats}
    passed = AdvanceOrders.objects.filter(seat__in=rows, passed_at__gte=since)
    by_key = {seat.pk: found for seat, found in rows.items()}
    for row in passed.order_by("received_at", "id"):
        by_key[row.seat_id].append(row)
    return {seat: _latest(found) for seat, found in rows.items()}


def lines_now(
    *, seat: Seat, phase: Phase, lines: Sequence[Line]
) -> tuple[tuple[Line, ...], str | None]:
    """Return the lines, with their conditions, that count in a phase already open, and READY, WAIT
    or None. Raises BadInput like orders_keep."""
    script = script_of(seat, phase.name, lines)
    return chosen_lines(script, seat, phase), script.word(position_seen(phase, seat.power.name))


def _outcome(seat: Seat, phase: Phase, rows: Sequence[AdvanceOrders]) -> AdvanceOutcome:
    """How these rows of the seat, the earliest first, fared when the phase opened."""
    used = [row for row in rows if row.used_at]
    script = script_of(seat, phase.name, lines_of(used[-1])) if used else None
    board_then = position_seen(phase, seat.power.name)
    word = word_said(script, seat, phase) if script else None
    return AdvanceOutcome(
        used=script is not None,
        answers=script.answers(board_then) if script else (),
        word=word,
        unready=script is not None and word != script.word(board_then),
        passed=_latest(row for row in rows if row.passed_at),
    )


def _latest(rows: Iterable[AdvanceOrders]) -> tuple[LaterOrders, ...]:
    """The latest orders for each phase in these rows, the oldest row first; an empty row clears."""
    latest = {row.phase_name: row for row in rows}
    return tuple(
        LaterOrders(name, board.phase_title(name), tuple(lines_of(latest[name])))
        for name in sorted(latest, key=board.phase_order)
        if latest[name].lines
    )


def script_of(seat: Seat, phase_name: str, lines: Sequence[Line]) -> Script:
    """Read the lines for a phase, with their conditions. Raises BadInput."""
    return read_lines(
        lines,
        variant=seat.power.game.variant,
        power=seat.power.name,
        step=board.step_of(phase_name),
    )


def word_said(script: Script, seat: Seat, phase: Phase) -> str | None:
    """Return READY or WAIT, said when the phase opens; None if neither.

    READY is not said if an order that came with it cannot be followed, and a decision is left open.
    """
    power = seat.power.name
    word = script.word(position_seen(phase, power))
    if word != "READY":
        return word
    texts = [text for _, text in chosen_lines(script, seat, phase)]
    if all(is_followed(one) for one in readings(phase, power, texts)):
        return word
    return word if all(order for _, order in decisions(phase, power, texts)) else None


def chosen_lines(script: Script, seat: Seat, phase: Phase) -> tuple[Line, ...]:
    """Return the order lines that count in the phase, with SAME written out."""
    step = board.step_of(phase.name)
    return tuple(
        (number, order)
        for number, text in script.chosen(position_seen(phase, seat.power.name))
        for order in (_again(seat, phase) if is_same(text, step) else [text])
    )


def _again(seat: Seat, phase: Phase) -> Sequence[str]:
    try:
        return orders_again(phase, seat.power)
    except WrongState:  # no orders are left to repeat; the result mail says which units lack one
        return ()


def lines_of(row: AdvanceOrders) -> list[Line]:
    """Return the lines with their numbers, as they were read from the mail."""
    return [(number, text) for number, text in row.lines]


def latest_kept(seat: Seat, phase_name: str) -> AdvanceOrders | None:
    """Return the latest orders for a phase that are not used yet; None for none or an empty set."""
    row = unused_orders(seat, phase_name).order_by("received_at", "id").last()
    return row if row and row.lines else None


def unused_orders(seat: Seat, phase_name: str) -> QuerySet[AdvanceOrders]:
    """Return what the seat has sent for a phase, if it is neither used nor passed."""
    return seat.advance_orders.filter(phase_name=phase_name, used_at=None, passed_at=None)
