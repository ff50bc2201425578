"""Writing down who sent orders in time, excusing misses, and reading how reliable somebody is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import QuerySet

from games import board, log
from games.errors import BadInput, NotFound
from games.models import Attendance, Event, Phase, Player, Readiness, Seat
from games.pace import span_of
from games.reliability import REMEMBERED, Mark, Reliability, reliability_of
from games.services.deadlines import SERVER
from games.services.games import locked

Came = Attendance.Came

AWAY = "An absence had been announced."
TOO_SOON = "The phase was processed before its deadline."


def attendance_record(*, phase: Phase, missing: Collection[str], now: dt.datetime) -> None:
    """Write down what came from every seat whose power had something to decide.

    `missing` are the powers from which nothing counted. The caller processes the phase and holds
    the game's lock. Nobody is blamed for a phase that was processed before its deadline, or whose
    deadline fell into an absence that he had announced before it.
    """
    deciding = board.position_of(phase.game.variant, phase.position).powers_to_order()
    seats = Seat.objects.filter(power__game=phase.game, power__name__in=deciding, until=None)
    Attendance.objects.bulk_create(
        _row(seat, phase, missing, now)
        for seat in seats.select_related("power", "player").order_by("power__name")
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


def reliability(player: Player, *, now: dt.datetime) -> Reliability:
    """Return how reliable the player has been in the last year."""
    return reliabilities([player], now=now)[player.pk]


def reliabilities(players: Iterable[Player], *, now: dt.datetime) -> dict[int, Reliability]:
    """Return how reliable these players have been, by their keys, with one query."""
    marks: dict[int, list[Mark]] = {player.pk: [] for player in players}
    rows = _counted().filter(seat__player__in=list(marks), recorded_at__gt=now - REMEMBERED)
    for row in rows.select_related("seat"):
        marks[row.seat.player_id].append(
            Mark(row.seat_id, row.came, bool(row.excused_at), row.disorder)
        )
    return {player: reliability_of(found) for player, found in marks.items()}


def missed_in_a_row(seat: Seat) -> int:
    """Return in how many phases in a row, up to the last that is over, nothing came from the seat.

    What was excused neither counts nor ends the row; phases without a decision do not either.
    """
    row = 0
    for came in _counted().filter(seat=seat, excused_at=None).order_by("-phase__number"):
        if came.came != Came.MISSED:
            break
        row += 1
    return row


def misses(seats: Sequence[Seat]) -> list[Attendance]:
    """Return what these seats missed and may be excused, the newest first."""
    rows = _counted().filter(seat__in=seats, excused_at=None).exclude(came=Came.IN_TIME)
    return list(rows.select_related("seat__power", "phase__game").order_by("-phase__number"))


def _counted() -> QuerySet[Attendance]:
    """The rows of phases that no rollback undid."""
    return Attendance.objects.exclude(phase__status=Phase.Status.UNDONE)


def _row(seat: Seat, phase: Phase, missing: Collection[str], now: dt.datetime) -> Attendance:
    row = Attendance(
        seat=seat,
        phase=phase,
        came=_came(seat, phase, missing),
        disorder=seat.power.disorder_since is not None,
        recorded_at=now,
    )
    if row.came == Came.MISSED and (why := _why_excused(seat, phase, now)):
        row.excused_at, row.excused_by, row.excused_why = now, SERVER, why
    return row


def _came(seat: Seat, phase: Phase, missing: Collection[str]) -> Came:
    """In time is what came before the deadline, however much longer the game waited then."""
    if seat.power.name in missing:
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
