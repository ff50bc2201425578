"""Orders for later phases: kept as they come, and used when their phase opens.

They belong to the tenure that sent them: whoever takes over a power begins without any. Only a
player who comes back to their own seat has them again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet

from games.errors import BadInput, NotAllowed, WrongState
from games.models import UNFINISHED, Game, OrdersAhead, Phase, Seat
from games.queries import board
from games.queries.current_orders import duty, position, readings
from games.queries.parsing.conditional_orders import (
    Answer,
    Line,
    Script,
    are_conditional,
    check_distance,
    is_same,
    read_lines,
)
from games.queries.repeated_orders import orders_again
from games.services.common import locked
from games.services.orders import all_in_refresh, orders_submit, readiness_set
from games.services.returns import seat_keep

UNREADABLE = "unreadable"
"""No order in any phase. Whether an order will be possible nobody knows before its phase."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands for a later phase: its name and title, and the lines as they were written."""

    phase: str
    phase_title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class AheadReceipt:
    """What became of orders for a later phase.

    `problems` are the orders that no phase could read: (number of their line, text, why).
    `replaced` says that other orders were kept for the phase before.
    """

    kept: Kept
    problems: tuple[tuple[int, str, str], ...]
    conditional: bool
    replaced: bool
    amended: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """What became of a seat's orders ahead when a phase opened.

    `used` says whether there were any for it, `answers` what its conditions were found to be.
    `passed` are the orders for phases that never came.
    """

    used: bool
    answers: tuple[Answer, ...]
    word: str | None
    passed: tuple[Kept, ...]


@transaction.atomic
def orders_keep(
    *,
    seat: Seat,
    phase_name: str,
    lines: Sequence[Line],
    amend: bool = False,
    received_at: dt.datetime,
    source: str,
    now: dt.datetime,
) -> AheadReceipt:
    """Keep orders for a phase ("F1902M") that is yet to come, in place of earlier ones for it.

    `amend` puts them above the earlier ones instead, so that they win for the units they name.

    Raises BadInput when the phase is not ahead, when a condition cannot be understood or when no
    line is an order; then what was kept before stays. Whoever's seat was open keeps it.
    WrongState without a running game.
    """
    phase, seat = _now_open(seat)
    check_distance(phase_name, phase.name)
    script = _script(seat, phase_name, lines)
    step = board.step_of(phase_name)
    written = [line for line in script.orders if not is_same(line[1], step)]
    read = readings(phase, seat.power.name, [text for _, text in written])
    unread = [one for one in read if one.problem and one.problem.kind == UNREADABLE]
    if len(unread) == len(read) and written == list(script.orders) and not script.words:
        raise BadInput(
            f"There is no order in your mail for {board.phase_title(phase_name)}. Write them below "
            f"the line PHASE {phase_name}, one on a line."
        )
    given, before = len(lines), _latest(seat, phase_name)
    if before and amend:
        lines = [*lines, *_lines_of(before)]
        _script(seat, phase_name, lines)
    _write(seat, phase_name, lines, received_at, source, now)
    if back := seat_keep(seat=seat, now=now):
        all_in_refresh(phase=back, now=now)
    return AheadReceipt(
        kept=Kept(phase_name, board.phase_title(phase_name), tuple(lines)),
        problems=tuple(
            (written[one.line][0], one.text, one.problem.sentence) for one in unread if one.problem
        ),
        conditional=len(script.orders) + len(script.words) < given,
        replaced=before is not None and not amend,
        amended=before is not None and amend,
    )


@transaction.atomic
def orders_drop(
    *,
    seat: Seat,
    phase_name: str | None,
    received_at: dt.datetime,
    source: str,
    now: dt.datetime,
) -> tuple[Kept, ...]:
    """Drop what is kept for one later phase, or (None) for all; return what it was."""
    _, seat = _now_open(seat)
    dropped = tuple(one for one in orders_kept(seat) if phase_name in (None, one.phase))
    for one in dropped:
        _write(seat, one.phase, (), received_at, source, now)
    return dropped


def orders_kept(seat: Seat) -> tuple[Kept, ...]:
    """Return what is kept for phases that are yet to come, the next phase first."""
    phase = seat.power.game.phases.filter(status__in=UNFINISHED).first()
    names = set(seat.orders_ahead.values_list("phase_name", flat=True))
    later = [name for name in names if phase and board.is_before(phase.name, name)]
    rows = [(name, _latest(seat, name)) for name in sorted(later, key=board.phase_order)]
    return tuple(
        Kept(name, board.phase_title(name), tuple(_lines_of(row))) for name, row in rows if row
    )


def orders_use(*, phase: Phase, now: dt.datetime) -> None:
    """Make the orders kept for this phase its orders, now that it has opened.

    They count from when their mail came, so that every later mail replaces them. In civil disorder
    they are not used but passed, and so is what was kept for phases before it, which never came.
    The caller holds the game's lock.
    """
    kept = _waiting(phase.game).filter(phase_name=phase.name)
    in_order = kept.select_related("seat__power").order_by("seat__power__name", "received_at", "id")
    for row in {row.seat_id: row for row in in_order}.values():  # the latest of each seat
        row.seat.power.game = phase.game
        if row.seat.power.disorder_since:
            _unused(row.seat, phase.name).update(passed_at=now)
        elif row.lines:
            _use(row, phase, now)
    orders_pass(game=phase.game, before=phase.name, now=now)


def orders_restore(
    *, old: Seat, seat: Seat, phase: Phase, disorder: bool, now: dt.datetime
) -> None:
    """Give the player of an ended tenure what they had sent ahead in it, for they are back.

    What was for the phase that opened meanwhile counts in it, unless it began in civil disorder
    (`disorder`: their power was until now). What was for phases that are over stays where it is.
    The caller holds the game's lock.
    """
    waiting = old.orders_ahead.filter(used_at=None, passed_at=None)
    names = set(waiting.values_list("phase_name", flat=True))
    later = [name for name in names if board.is_before(phase.name, name)]
    waiting.filter(phase_name__in=later).update(seat=seat)
    if not disorder:
        waiting.filter(phase_name=phase.name).update(seat=seat)
        row = _latest(seat, phase.name)
        if row:
            row.seat = seat
            _use(row, phase, now)


def orders_pass(*, game: Game, before: str | None, now: dt.datetime) -> None:
    """Note that phases before the one of this name will not come; None: that none will any more.

    The result mail tells whoever had sent orders for one. The caller holds the game's lock.
    """
    waiting = _waiting(game)
    names = set(waiting.values_list("phase_name", flat=True))
    passed = [name for name in names if before is None or board.is_before(name, before)]
    waiting.filter(phase_name__in=passed).update(passed_at=now)


def orders_opened(phase: Phase) -> dict[Seat, Opened]:
    """Return what became of orders ahead when this phase opened, by the seats that had sent any."""
    used = Q(phase_name=phase.name, used_at__gte=phase.opened_at)
    rows = OrdersAhead.objects.filter(
        used | Q(passed_at__gte=phase.opened_at), seat__power__game=phase.game
    )
    by_seat: dict[Seat, list[OrdersAhead]] = {}
    for row in rows.select_related("seat__power").order_by("received_at", "id"):
        row.seat.power.game = phase.game
        by_seat.setdefault(row.seat, []).append(row)
    return {seat: _opened(seat, phase, rows) for seat, rows in by_seat.items()}


def orders_passed(seat: Seat, *, since: dt.datetime) -> tuple[Kept, ...]:
    """Return the orders of which it has been sure since then that nothing will come: their phase
    does not, or their power was in civil disorder when it did."""
    return _passed(seat.orders_ahead.filter(passed_at__gte=since).order_by("received_at", "id"))


def _opened(seat: Seat, phase: Phase, rows: Sequence[OrdersAhead]) -> Opened:
    """What became of these rows of the seat, the earliest first, when the phase opened."""
    used = [row for row in rows if row.used_at]
    script = _script(seat, phase.name, _lines_of(used[-1])) if used else None
    board_then = position(phase)
    return Opened(
        used=script is not None,
        answers=script.answers(board_then) if script else (),
        word=script.word(board_then) if script else None,
        passed=_passed(row for row in rows if row.passed_at),
    )


def _passed(rows: Iterable[OrdersAhead]) -> tuple[Kept, ...]:
    latest = {row.phase_name: row for row in rows}
    return tuple(
        Kept(name, board.phase_title(name), tuple(_lines_of(latest[name])))
        for name in sorted(latest, key=board.phase_order)
        if latest[name].lines
    )


def lines_now(
    *, seat: Seat, phase: Phase, lines: Sequence[Line]
) -> tuple[tuple[Line, ...], str | None]:
    """Return those of the lines, with their conditions, that count in a phase already open, and
    READY, WAIT or None. Raises BadInput as orders_keep does.
    """
    script = _script(seat, phase.name, lines)
    return _chosen(script, seat, phase), script.word(position(phase))


def lines_are_conditional(*, seat: Seat, phase: Phase, lines: Sequence[Line]) -> bool:
    """Say whether some of the lines stand under a condition, or are meant to."""
    return are_conditional(
        lines,
        variant=seat.power.game.variant,
        power=seat.power.name,
        step=board.step_of(phase.name),
    )


def _now_open(seat: Seat) -> tuple[Phase, Seat]:
    game = locked(seat.power.game)
    seat = Seat.objects.select_related("power__game", "player").get(pk=seat.pk)
    if seat.until is not None:
        raise NotAllowed(f"You do not play {seat.power.name} in the game {game.name} any more.")
    phase = game.phases.select_related("game").filter(status__in=UNFINISHED).first()
    if phase is None:
        raise WrongState(f"The game {game.name} is not being played, so no phase lies ahead.")
    return phase, seat


def _script(seat: Seat, phase_name: str, lines: Sequence[Line]) -> Script:
    return read_lines(
        lines,
        variant=seat.power.game.variant,
        power=seat.power.name,
        step=board.step_of(phase_name),
    )


def _use(row: OrdersAhead, phase: Phase, now: dt.datetime) -> None:
    seat = row.seat
    script = _script(seat, phase.name, _lines_of(row))
    lines = _chosen(script, seat, phase)
    if lines:
        orders_submit(
            seat=seat,
            phase=phase,
            lines=lines,
            amend=False,
            received_at=row.received_at,
            source=row.source,
            now=now,
        )
    word = script.word(position(phase))
    if word and duty(phase, seat.power.name).size:
        readiness_set(seat=seat, phase=phase, word=word, now=now)
    seat.orders_ahead.filter(phase_name=phase.name, used_at=None).update(used_at=now)


def _chosen(script: Script, seat: Seat, phase: Phase) -> tuple[Line, ...]:
    """Return the order lines that count in the phase, SAME written out."""
    step = board.step_of(phase.name)
    return tuple(
        (number, order)
        for number, text in script.chosen(position(phase))
        for order in (_again(seat, phase) if is_same(text, step) else [text])
    )


def _again(seat: Seat, phase: Phase) -> Sequence[str]:
    try:
        return orders_again(phase, seat.power)
    except WrongState:  # nothing is left to order again, and the result mail says which units lack
        return ()


def _lines_of(row: OrdersAhead) -> list[Line]:
    return [(number, text) for number, text in row.lines]


def _waiting(game: Game) -> QuerySet[OrdersAhead]:
    """What players who hold their seats still have sent ahead, and is not used or passed."""
    return OrdersAhead.objects.filter(
        seat__power__game=game, seat__until=None, used_at=None, passed_at=None
    )


def _latest(seat: Seat, phase_name: str) -> OrdersAhead | None:
    """The latest orders for a phase that were not used yet; None for none, or an empty set."""
    row = _unused(seat, phase_name).order_by("received_at", "id").last()
    return row if row and row.lines else None


def _unused(seat: Seat, phase_name: str) -> QuerySet[OrdersAhead]:
    return seat.orders_ahead.filter(phase_name=phase_name, used_at=None, passed_at=None)


def _write(
    seat: Seat,
    phase_name: str,
    lines: Sequence[Line],
    received_at: dt.datetime,
    source: str,
    now: dt.datetime,
) -> None:
    said = json.dumps([source, [list(line) for line in lines]])
    seat.orders_ahead.get_or_create(
        phase_name=phase_name,
        digest=hashlib.sha256(said.encode()).hexdigest(),
        defaults={
            "lines": [list(line) for line in lines],
            "received_at": received_at,
            "recorded_at": now,
            "source": source[:255],
        },
    )
