"""Orders for later phases: kept as they come, and used when their phase opens.

They belong to the tenure that sent them, so somebody who takes over a power begins without any.
Only a player who comes back to their own seat has them again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games.board_json import StateJson
from games.errors import BadInput, WrongState
from games.models import AdvanceOrders, Game, Phase, Seat
from games.queries import board
from games.queries.lookup import open_phase
from games.queries.orders.advance_orders import (
    LaterOrders,
    chosen_lines,
    latest_kept,
    lines_of,
    orders_kept,
    script_of,
    unused_orders,
    word_said,
)
from games.queries.orders.current_orders import duty, readings
from games.queries.parsing.conditional_orders import Line, Script, check_distance, is_same
from games.services.common import lock_game, seat_now
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import all_in_refresh, readiness_set
from games.services.seating.standby import seat_keep

UNREADABLE = "unreadable"
"""It is not an order in any phase. Nobody can know before its phase whether an order will be
possible."""

MOST_TOLD = 3
"""For how many lines that are not orders we say why."""


class UnreadLine(NamedTuple):
    """A line that is no order in any phase like the one it is for."""

    number: int
    """The line's number in the mail."""
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class AdvanceReceipt:
    """The outcome of sending orders for a later phase."""

    kept: LaterOrders
    unread: tuple[UnreadLine, ...]
    conditional: bool
    replaced: bool
    """Whether other orders had been kept for the phase."""
    amended: bool


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
) -> AdvanceReceipt:
    """Keep orders for a phase ("F1902M") that is yet to come, in place of earlier ones for it.

    `amend` puts them above the earlier ones instead, so that they win for the units they name.

    Raises BadInput if the phase is not ahead, a condition cannot be understood, or no line is an
    order; then what was kept before stays. Raises WrongState if the game is not running. A player
    whose seat was open keeps it.
    """
    phase, seat = _now_open(seat)
    check_distance(phase_name, phase.name, phase.game.variant)
    script = script_of(seat, phase_name, lines)
    unread = _unread(script, seat, _as_if_in(phase, phase_name))
    given, before = len(lines), latest_kept(seat, phase_name)
    if before and amend:
        lines = [*lines, *lines_of(before)]
        script_of(seat, phase_name, lines)
    _write(seat, phase_name, lines, _Mail(source, received_at, now))
    if back := seat_keep(seat=seat, now=now):
        all_in_refresh(phase=back, now=now)
    return AdvanceReceipt(
        kept=LaterOrders(phase_name, board.phase_title(phase_name), tuple(lines)),
        unread=unread,
        conditional=len(script.orders) + len(script.words) < given,
        replaced=before is not None and not amend,
        amended=before is not None and amend,
    )


def _unread(script: Script, seat: Seat, as_if: Phase) -> tuple[UnreadLine, ...]:
    """The lines that no phase could read. Raises BadInput if no other line is left."""
    step = board.step_of(as_if.name)
    written = [line for line in script.orders if not is_same(line[1], step)]
    read = readings(as_if, seat.power.name, [text for _, text in written])
    unread = tuple(
        UnreadLine(written[one.line][0], one.text, one.problem.sentence)
        for one in read
        if one.problem and one.problem.kind == UNREADABLE
    )
    if len(unread) == len(read) and written == list(script.orders) and not script.words:
        why = [f"You wrote “{one.text}”: {one.why} " for one in unread[:MOST_TOLD]]
        raise BadInput(
            f"There is no order in your mail for {board.phase_title(as_if.name)}. {''.join(why)}"
            f"Write your orders below the line PHASE {as_if.name}, one per line."
        )
    return unread


@transaction.atomic
def orders_drop(
    *,
    seat: Seat,
    phase_name: str | None,
    received_at: dt.datetime,
    source: str,
    now: dt.datetime,
) -> tuple[LaterOrders, ...]:
    """Drop what is kept for one later phase, or (None) for all; return what it was."""
    _, seat = _now_open(seat)
    dropped = tuple(one for one in orders_kept(seat) if phase_name in (None, one.phase))
    mail = _Mail(source, received_at, now)
    for one in dropped:
        _write(seat, one.phase, (), mail, drops=latest_kept(seat, one.phase))
    return dropped


def orders_use(*, phase: Phase, now: dt.datetime) -> None:
    """Make the orders kept for this phase its orders, now that it has opened.

    They count from when their mail came, so any later mail replaces them. In civil disorder they
    are passed instead of used, and so are orders for earlier phases, which never came. The caller
    holds the game's lock.
    """
    kept = _waiting(phase.game).filter(phase_name=phase.name)
    in_order = kept.select_related("seat__power").order_by("seat__power__name", "received_at", "id")
    for row in {row.seat_id: row for row in in_order}.values():  # the latest of each seat
        row.seat.power.game = phase.game
        if row.seat.power.disorder_since:
            unused_orders(row.seat, phase.name).update(passed_at=now)
        elif row.lines:
            _use(row, phase, now)
    orders_pass(game=phase.game, before=phase.name, now=now)


def orders_restore(
    *, old: Seat, seat: Seat, phase: Phase, disorder: bool, now: dt.datetime
) -> None:
    """Give a player who is back the orders that they sent ahead in their ended tenure.

    What was for the phase that opened meanwhile counts in it, unless it began in civil disorder
    (`disorder`: their power was until now). What was for phases that are over stays where it is.
    The caller holds the game's lock.
    """
    waiting = old.advance_orders.filter(used_at=None, passed_at=None)
    names = set(waiting.values_list("phase_name", flat=True))
    later = [name for name in names if board.is_before(phase.name, name)]
    waiting.filter(phase_name__in=later).update(seat=seat)
    if not disorder:
        waiting.filter(phase_name=phase.name).update(seat=seat)
        row = latest_kept(seat, phase.name)
        if row:
            row.seat = seat
            _use(row, phase, now)


def orders_pass(*, game: Game, before: str | None, now: dt.datetime) -> None:
    """Note that phases before the one of this name will not come; None if no phase will come any
    more.

    The result mail tells whoever had sent orders for one. The caller holds the game's lock.
    """
    waiting = _waiting(game)
    names = set(waiting.values_list("phase_name", flat=True))
    passed = [name for name in names if before is None or board.is_before(name, before)]
    waiting.filter(phase_name__in=passed).update(passed_at=now)


def _now_open(seat: Seat) -> tuple[Phase, Seat]:
    game = lock_game(seat.power.game)
    seat, phase = seat_now(seat), open_phase(game)
    if phase is None:
        raise WrongState(f"The game {game.name} is not being played, so no phase lies ahead.")
    return phase, seat


def _as_if_in(phase: Phase, name: str) -> Phase:
    """Return the open phase as if it were the one of this name, because whether a line is an order
    depends on the kind of phase it is written for.

    No unit is dislodged yet, so retreats are read like movement. Whoever has to retreat
    now has done so before a later phase begins.
    """
    as_if = name if board.step_of(name) == "A" else f"{name[:-1]}M"
    state: StateJson = {**phase.position, "phase": as_if, "dislodged": []}
    return Phase(game=phase.game, name=name, position=state)


def _use(row: AdvanceOrders, phase: Phase, now: dt.datetime) -> None:
    seat = row.seat
    script = script_of(seat, phase.name, lines_of(row))
    lines = chosen_lines(script, seat, phase)
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
    word = word_said(script, seat, phase)
    if word and duty(phase, seat.power.name).size:
        readiness_set(seat=seat, phase=phase, word=word, now=now, said_at=row.received_at)
    seat.advance_orders.filter(phase_name=phase.name, used_at=None).update(used_at=now)


def _waiting(game: Game) -> QuerySet[AdvanceOrders]:
    """The unused orders for later phases, sent by players who still hold their seats."""
    return AdvanceOrders.objects.filter(
        seat__power__game=game, seat__until=None, used_at=None, passed_at=None
    )


@dataclass(frozen=True, slots=True)
class _Mail:
    """Where orders came from."""

    source: str
    received_at: dt.datetime
    recorded_at: dt.datetime


def _write(
    seat: Seat,
    phase_name: str,
    lines: Sequence[Line],
    mail: _Mail,
    *,
    drops: AdvanceOrders | None = None,
) -> None:
    """Add a row, unless the same mail has said the same before; one that `drops` another says
    something new if it drops a new one."""
    said = json.dumps([mail.source, list(lines), *([drops.pk] if drops else [])])
    seat.advance_orders.get_or_create(
        phase_name=phase_name,
        digest=hashlib.sha256(said.encode()).hexdigest(),
        defaults={
            "lines": list(lines),
            "received_at": mail.received_at,
            "recorded_at": mail.recorded_at,
            "source": mail.source[:255],
        },
    )
