"""Order sets: every mail's orders are kept for ever, and answered line by line.

Which of them stand is said in `games/queries/current_orders.py`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from games.errors import BadInput, NotAllowed, WrongState
from games.models import UNFINISHED, Game, OrderSet, Phase, Power, Readiness, Seat
from games.models.stored import Insert
from games.proofs.digests import new_salt
from games.queries import board
from games.queries.current_orders import (
    Decisions,
    duty,
    is_followed,
    readings,
    standing_lines,
)
from games.queries.phase_now import PhaseNow
from games.queries.waiting import is_all_in, powers_waited_for
from games.services.common import locked
from games.services.returns import seat_keep

__all__ = [
    "LineReceipt",
    "OrderReceipt",
    "all_in_refresh",
    "line_receipts",
    "orders_clear",
    "orders_submit",
    "orders_take",
    "readiness_set",
    "receipt_of",
    "standing_lines",
]


@dataclass(frozen=True, slots=True)
class LineReceipt:
    """One order as it was understood, or why it was not.

    `number` is the line's number in the mail. `kind` is "unreadable", "ambiguous" or "illegal"
    when there is a `problem`. `counts` is False for an order that is not followed.
    """

    number: int
    text: str
    order: str | None
    problem: str | None
    kind: str | None
    note: str | None
    counts: bool


@dataclass(frozen=True, slots=True)
class OrderReceipt:
    """What became of an order set, and how the power stands after it.

    `current` has one entry per decision: (unit or "Build 1", order or None), and `before` what
    stood until then. `missing` names the decisions without an order. `kept` is the key of the set,
    None for one that was here before. `seen` is the phase as it stands with them, None where more
    has changed than the orders.
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
    missing: tuple[str, ...]
    due_at: dt.datetime | None
    received_at: dt.datetime
    all_in: bool
    kept: int | None
    seen: PhaseNow | None


def orders_take(
    *,
    seat: Seat,
    phase: Phase,
    lines: Sequence[tuple[int, str]],
    amend: bool,
    received_at: dt.datetime,
    source: str,
    now: dt.datetime,
) -> OrderReceipt:
    """Keep a set of orders and say what became of it, for who undoes all of it after an error.

    A set that came too late, or in which nothing can be followed, is kept but does not count. The
    same set from the same source changes nothing. Whoever's seat was open keeps it by any set.
    Raises NotAllowed when the seat is not the player's any more, BadInput without any line.
    """
    seen, seat = _seen(phase, seat, locked(seat.power.game))
    phase, book = seen.phase, seen.book
    digest = _digest(source, amend, lines)
    before = book.decisions(seat.power)
    if repeated := book.repeated(seat.power, digest):
        return receipt_of(repeated, seat.power, seen, before, duplicate=True)
    reading = line_receipts(phase, seat.power, lines)
    late = _is_late(phase, received_at)
    order_set = _INSERT.one(
        OrderSet(
            phase=phase,
            power=seat.power,
            seat=seat,
            mode=OrderSet.Mode.AMEND if amend else OrderSet.Mode.REPLACE,
            lines=[text for _, text in lines],
            reading=reading,
            counts=not late and any(one["counts"] for one in reading),
            late=late,
            received_at=received_at,
            recorded_at=now,
            source=source[:255],
            digest=digest,
            salt=new_salt(),
        )
    )
    book.put(order_set)
    back = seat_keep(seat=seat, now=now)
    if back or order_set.counts:
        same = seen if phase.game.process_early and back is None else None
        all_in_refresh(phase=back or phase, now=now, anew=order_set.counts, seen=same)
    receipt = receipt_of(order_set, seat.power, seen, before)
    return replace(receipt, seen=None) if back else receipt


orders_submit = transaction.atomic(orders_take)
"""Like `orders_take`, but undone after an error whoever calls it."""

_INSERT = Insert(OrderSet)


def _seen(phase: Phase, seat: Seat, game: Game) -> tuple[PhaseNow, Seat]:
    """Read both anew, as `current` does, with all that an order set may change."""
    only = None if game.process_early else seat.power_id
    if phase.game_id == game.pk:
        seen = PhaseNow.anew(phase, game, only=only)
        mine = seen.powers.get(seat.power_id)
        if mine and mine.seat == seat.pk:
            seat.power = mine.power
            return seen, seat
    phase, seat = current(phase, seat, game)  # it says what is wrong
    return PhaseNow.of(phase, only=only), seat


@transaction.atomic
def orders_clear(
    *, seat: Seat, phase: Phase, received_at: dt.datetime, source: str, now: dt.datetime
) -> bool:
    """Take back whatever the power has ordered in this phase; False when that came too late.

    What was sent is kept: an empty set stands above it. Raises NotAllowed as orders_submit does.
    """
    phase, seat = current(phase, seat, locked(seat.power.game))
    late = _is_late(phase, received_at)
    said = f"{source}: nothing"
    phase.order_sets.get_or_create(
        power=seat.power,
        digest=hashlib.sha256(said.encode()).hexdigest(),
        defaults={
            "seat": seat,
            "lines": [],
            "reading": [],
            "counts": not late,
            "late": late,
            "received_at": received_at,
            "recorded_at": now,
            "source": source[:255],
            "salt": new_salt(),
        },
    )
    if not late:
        all_in_refresh(phase=phase, now=now)
    return not late


@transaction.atomic
def readiness_set(
    *,
    seat: Seat,
    phase: Phase,
    word: str,
    now: dt.datetime,
    said_at: dt.datetime | None = None,
) -> str | None:
    """Note that the power is READY, or wants to WAIT for the deadline, as of `said_at` (None: now).

    Returns the word that stands: the newest; None when the deadline has moved since this one was
    said, and nothing was said after that. Raises WrongState when the phase is over or the power has
    nothing to decide in it.
    """
    phase, seat = current(phase, seat, locked(seat.power.game))
    if phase.status != Phase.Status.OPEN:
        raise WrongState(f"{board.phase_title(phase.name)} is over already.")
    power = seat.power
    if not duty(phase, power.name).size:
        raise WrongState(
            f"{power.name} has nothing to decide in {board.phase_title(phase.name)}, "
            "so nobody is waiting for you."
        )
    stands = _word_put(phase, power, Readiness.Word(word.lower()), said_at or now)
    seat_keep(seat=seat, now=now)
    all_in_refresh(phase=phase, now=now)
    return stands


def _word_put(phase: Phase, power: Power, word: Readiness.Word, said_at: dt.datetime) -> str | None:
    """Keep the word unless the power has said a newer one; return which stands."""
    before = phase.readiness.filter(power=power).first()
    if before is not None and before.said_at > said_at:
        return before.word
    if phase.extended_at is not None and said_at < phase.extended_at:
        return None
    said = {"word": word, "said_at": said_at}
    phase.readiness.update_or_create(power=power, defaults=said)
    return word


def all_in_refresh(
    *, phase: Phase, now: dt.datetime, anew: bool = False, seen: PhaseNow | None = None
) -> None:
    """Note since when every order is in and nobody waits; `anew`: other orders have come just now,
    and second thoughts about them take their time again. `seen` is the phase with all orders, if it
    was read.

    In a phase that is overdue: since when the game need not wait for anybody any more.
    """
    if phase.overdue_at is not None:
        all_in = not powers_waited_for(phase)
    else:
        all_in = phase.game.process_early and is_all_in(phase, seen)
    since = None if not all_in else now if anew else phase.all_in_at or now
    if since != phase.all_in_at:
        phase.all_in_at = since
        phase.save(update_fields=["all_in_at"])


def current(phase: Phase, seat: Seat, game: Game) -> tuple[Phase, Seat]:
    """Read both anew, now that the game is locked, and see that they belong together."""
    phase = Phase.objects.get(pk=phase.pk)
    seat = Seat.objects.select_related("power", "player").get(pk=seat.pk)
    if seat.power.game_id != phase.game_id:
        raise BadInput(f"{seat.power.name} has no orders to give in the game {phase.game.name}.")
    phase.game = seat.power.game = game
    if seat.until is not None:
        raise NotAllowed(f"You no longer play {seat.power.name} in the game {phase.game.name}.")
    return phase, seat


def _is_late(phase: Phase, received_at: dt.datetime) -> bool:
    if phase.status not in UNFINISHED:
        return True
    waits = phase.overdue_at is not None or phase.game.status == Game.Status.PAUSED
    if phase.due_at is None or waits:
        return False
    return received_at > phase.due_at + phase.game.transit_grace


def _digest(source: str, amend: bool, lines: Sequence[tuple[int, str]]) -> str:
    if not lines:
        raise BadInput("There is no order in your mail. Write one order per line.")
    said = json.dumps([source, amend, [text for _, text in lines]])
    return hashlib.sha256(said.encode()).hexdigest()


def line_receipts(
    phase: Phase, power: Power, lines: Sequence[tuple[int, str]]
) -> list[dict[str, Any]]:
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
        missing=tuple(decision for decision, order in current if order is None),
        due_at=phase.due_at,
        received_at=order_set.received_at,
        all_in=phase.all_in_at is not None,
        kept=None if duplicate else order_set.pk,
        seen=seen,
    )


def _line_receipt(entry: dict[str, Any]) -> LineReceipt:
    return LineReceipt(
        number=entry["line"],
        text=entry["text"],
        order=entry["order"],
        problem=entry["problem"],
        kind=entry["kind"],
        note=entry["note"],
        counts=entry["counts"],
    )
