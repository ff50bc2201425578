"""Order sets: every mail's orders are kept for ever, and answered line by line.

`games/queries/orders/current_orders.py` says which of them count.
"""

from __future__ import annotations

import datetime as dt
import enum
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from games.errors import BadInput
from games.models import UNFINISHED, Game, OrderSet, Phase, Power, Seat
from games.models.phase import ReadLine
from games.models.stored import Insert
from games.proofs.digests import new_salt
from games.queries import board
from games.queries.halts import will_move
from games.queries.orders.current_orders import OrderBook, is_followed, readings
from games.queries.orders.same_mail import mail_digest
from games.queries.phases.phase_now import PhaseNow
from games.services.common import lock_game, phase_and_seat_now, seen_now
from games.services.ordering.order_receipts import Before, OrderReceipt, receipt_of
from games.services.ordering.readiness import all_in_refresh, wait_end
from games.services.seating.standby import seat_keep

_COUNTS = re.compile(r"\b(?:[2-9]|two|three|four|five|six|seven|eight|nine)\b", re.IGNORECASE)
"""What a line has that says for how many units it is."""


class ClearOutcome(enum.Enum):
    """The outcome of trying to take orders back."""

    DONE = enum.auto()
    NOTHING = enum.auto()
    """No order stood."""
    TOO_LATE = enum.auto()
    BEFORE = enum.auto()
    """By the same mail, so that what was sent since stands."""


def orders_take(
    *,
    seat: Seat,
    phase: Phase,
    lines: Sequence[tuple[int, str]],
    amend: bool,
    received_at: dt.datetime,
    source: str,
    known_by: str = "",
    now: dt.datetime,
) -> OrderReceipt:
    """Store a set of orders and say what became of it, for callers that undo everything after an
    error.

    A set that came too late, or in which nothing can be followed, is kept but does not count. The
    same lines in a copy of the same mail change nothing (the copy has its `known_by`, or else its
    `source`). Any set lets a player whose seat was open keep it. Raises NotAllowed if the seat is
    no longer the player's, BadInput if there is no line.
    """
    game = lock_game(seat.power.game)
    only = None if game.process_early else seat.power_id
    seen, seat = seen_now(phase, seat, game, only=only)
    power, book = seat.power, seen.book
    said = _text_of(lines, amend=amend)
    digest = mail_digest(known_by=known_by or source, said=said, source=source)
    since = max((one.received_at for _, one in book.stack(power)), default=None)
    before = Before((*book.decisions(power), *book.leave(power)), since)
    if repeated := book.repeated(power, digest):
        return receipt_of(repeated, power, seen, before, duplicate=True)
    order_set = _order_set(seen.phase, seat, lines, amend=amend, received_at=received_at)
    order_set.source, order_set.digest, order_set.recorded_at = source[:255], digest, now
    _INSERT.one(order_set)
    book.put(order_set)
    changed = _take_effect(seen, seat, order_set, now)
    receipt = receipt_of(order_set, power, seen, before)
    return replace(receipt, seen=None) if changed else receipt


orders_submit = transaction.atomic(orders_take)
"""Like `orders_take`, but undone after an error, whoever calls it."""
_INSERT = Insert(OrderSet)


def _order_set(
    phase: Phase,
    seat: Seat,
    lines: Sequence[tuple[int, str]],
    *,
    amend: bool,
    received_at: dt.datetime,
) -> OrderSet:
    """What the player orders, and how each line is understood, in a row not stored yet."""
    reading = line_receipts(phase, seat.power, lines)
    late = _is_late(phase, received_at)
    return OrderSet(
        phase=phase,
        power=seat.power,
        seat=seat,
        mode=OrderSet.Mode.AMEND if amend else OrderSet.Mode.REPLACE,
        lines=lines_to_keep(lines, reading, amend=amend),
        reading=reading,
        counts=not late and any(one["counts"] for one in reading),
        late=late,
        received_at=received_at,
        salt=new_salt(),
    )


def _take_effect(seen: PhaseNow, seat: Seat, order_set: OrderSet, now: dt.datetime) -> bool:
    """End what these orders end: the seat being open, a WAIT, the wait for missing orders. Say
    whether anything besides the orders now differs from what was `seen`."""
    phase = seen.phase
    back = seat_keep(seat=seat, now=now)
    ended = order_set.counts and wait_end(seen.powers[seat.power_id], phase)
    changed = bool(back or ended)
    if back or order_set.counts:
        same = seen if phase.game.process_early and not changed else None
        all_in_refresh(phase=back or phase, now=now, orders_changed=order_set.counts, seen=same)
    return changed


@transaction.atomic
def orders_clear(
    *,
    seat: Seat,
    phase: Phase,
    line: int,
    received_at: dt.datetime,
    source: str,
    known_by: str,
    now: dt.datetime,
) -> ClearOutcome:
    """Take back whatever the power has ordered in this phase, and say whether that was done.

    `line` is the number of the line that says so. What was sent is kept, with an empty set above
    it. A copy of the mail, `known_by` the same, changes nothing. Raises NotAllowed like
    orders_submit.
    """
    phase, seat = phase_and_seat_now(phase, seat, lock_game(seat.power.game))
    late = _is_late(phase, received_at)
    digest = mail_digest(known_by=known_by, said=f"nothing, {line}", source=source)
    book = OrderBook.of_power(phase, seat.power_id)
    before, stood = book.repeated(seat.power, digest), book.lines(seat.power)
    if not before:
        phase.order_sets.create(
            power=seat.power,
            seat=seat,
            lines=[],
            reading=[],
            counts=not late,
            late=late,
            received_at=received_at,
            recorded_at=now,
            source=source[:255],
            digest=digest,
            salt=new_salt(),
        )
    if late:
        return ClearOutcome.TOO_LATE
    if before:
        return ClearOutcome.BEFORE
    all_in_refresh(phase=phase, now=now)
    return ClearOutcome.DONE if stood else ClearOutcome.NOTHING


def _is_late(phase: Phase, received_at: dt.datetime) -> bool:
    if phase.status not in UNFINISHED:
        return True
    waits = phase.overdue_at is not None or phase.game.status == Game.Status.PAUSED
    if phase.due_at is None or waits:
        return False
    if received_at <= phase.due_at + phase.game.transit_grace:
        return False
    return not will_move(phase.due_at)


def _text_of(lines: Sequence[tuple[int, str]], *, amend: bool) -> str:
    if not lines:
        raise BadInput("There is no order in your mail. Write one order per line.")
    # With the lines' numbers: people may change their mind twice in one mail.
    return json.dumps([amend, list(lines)])


def lines_to_keep(
    lines: Sequence[tuple[int, str]], reading: Sequence[ReadLine], *, amend: bool
) -> list[str]:
    """Return the lines as they are stored: as written, but “the other two hold” as an order for
    each of the two.

    It means the units without another order in its own set. Of a stack of sets it would be for
    those without one in all of them: an amendment “all hold” changed nothing, and after one of
    another unit the other two were no longer two.
    """
    kept = list[str]()
    for number, text in lines:
        rows = [one for one in reading if one["line"] == number and one["text"] in text]
        orders = [one["order"] for one in rows if one["order"] and one["counts"]]
        stays = len(orders) < len(rows) or board.WAIVED in orders
        may_differ = amend or _COUNTS.search(text)
        kept += [text] if stays or not may_differ or not _is_for_all(text) else orders
    return kept


def _is_for_all(text: str) -> bool:
    return board.reads_as_order(text, for_all=True) and not board.reads_as_order(text)


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
