"""Writing down who sent orders in time, and excusing what was missed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db import transaction
from django.db.models import Q

from games import board, log
from games.errors import BadInput, NotFound
from games.models import Attendance, Event, Phase, Readiness, Seat
from games.pace import span_of
from games.services.deadlines import SERVER
from games.services.games import locked

Came = Attendance.Came

AWAY = "An absence had been announced."
TOO_SOON = "The phase was processed before its deadline."


def attendance_record(*, phase: Phase, missing: Collection[str], now: dt.datetime) -> None:
    """Write down what came from every seat whose power had something to decide.

    `missing` are the powers from which nothing counted. The caller processes the phase and holds
    the game's lock. Nobody is blamed for a phase that was processed before its deadline, or whose
    deadline fell into an absence that he had announced before it. Whose power was taken over,
    because nothing came from him, has left it in civil disorder.
    """
    deciding = board.position_of(phase.game.variant, phase.position).powers_to_order()
    left = Q(ended_because=Seat.Ended.TAKEN_OVER, until__gte=phase.opened_at)
    seats = Seat.objects.filter(power__game=phase.game, power__name__in=deciding)
    Attendance.objects.bulk_create(
        _row(seat, phase, missing, now)
        for seat in seats.filter(left | Q(until=None)).select_related("power", "player")
    )


@transaction.atomic
def excuse(*, seat: Seat, phase: Phase, why: str, by: str, now: dt.datetime) -> Event:
    """Excuse missed orders, so that they count no longer. The player is told.

    Raises BadInput without a reason, or when nothing is to be excused; NotFound when the phase is
    not over, or the seat had nothing to decide in it.
    """
    game = locked(phase.game)
    if not why.strip():
        raise BadInput("Please say why: the players can read it in the log.")
    title = board.phase_title(phase.name)
    row = Attendance.objects.filter(seat=seat, phase=phase).first()
    if row is None:
        raise NotFound(f"{seat.power.name} had nothing to answer for in {title}.")
    if row.came == Came.IN_TIME or row.excused_at:
        already = "is excused already" if row.excused_at else "came in time"
        raise BadInput(f"What {seat.power.name} had to send for {title} {already}.")
    row.excused_at, row.excused_by, row.excused_why = now, by, why.strip()
    row.save(update_fields=["excused_at", "excused_by", "excused_why"])
    return log.record(
        game=game,
        phase=phase,
        kind=Event.Kind.MISS_EXCUSED,
        payload={
            "phase": phase.name,
            "power": seat.power.name,
            "seat": seat.pk,
            "why": row.excused_why,
            "by": by,
        },
        now=now,
    )


def _row(seat: Seat, phase: Phase, missing: Collection[str], now: dt.datetime) -> Attendance:
    row = Attendance(
        seat=seat,
        phase=phase,
        came=_came(seat, phase, missing),
        disorder=seat.until is not None or seat.power.disorder_since is not None,
        recorded_at=now,
    )
    if row.came == Came.MISSED and (why := _why_excused(seat, phase, now)):
        row.excused_at, row.excused_by, row.excused_why = now, SERVER, why
    return row


def _came(seat: Seat, phase: Phase, missing: Collection[str]) -> Came:
    """In time is what came before the deadline, however much longer the game waited then."""
    if seat.until is not None or seat.power.name in missing:
        return Came.MISSED
    sets = phase.order_sets.filter(power=seat.power, counts=True, by="")
    first = sets.order_by("received_at").values_list("received_at", flat=True).first()
    words = phase.readiness.filter(power=seat.power, word=Readiness.Word.READY)
    if first is None and not words.exists():
        return Came.MISSED  # only the GM ordered for him
    waited_since = phase.second_chance_at or phase.overdue_at
    return Came.LATE if waited_since and first and first > waited_since else Came.IN_TIME


def _why_excused(seat: Seat, phase: Phase, now: dt.datetime) -> str:
    """Why a miss is nobody's fault; empty when it is."""
    due_at = phase.due_at
    if due_at is None or now < due_at:
        return TOO_SOON
    announced = seat.player.absences.filter(withdrawn_at=None, created_at__lt=due_at)
    spans = map(span_of, announced.select_related("player"))
    return AWAY if any(since <= due_at < until for since, until in spans) else ""
