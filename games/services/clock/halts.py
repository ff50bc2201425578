"""The panic switch: nothing is processed, nobody registers, everybody who plays is told.

Mail is taken and answered as ever, and everything that was sent counts. When the server goes on,
deadlines that passed in between move as after any outage.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from games import log
from games.errors import WrongState
from games.events import ServerHalted, ServerRestored, ServerResumed, rows_saying
from games.models import UNFINISHED, Event, Game, Halt, Phase
from games.queries.halts import halt_now
from games.queries.lookup import open_phase
from games.services.adjudication.stuck import phase_broke
from games.services.clock.deadlines import STOOD_STILL, outage_over
from games.services.common import lock_game, reason
from games.services.sick_database import is_of_the_database

logger = logging.getLogger(__name__)


def server_halt(*, why: str, by: str, now: dt.datetime) -> Halt:
    """Make the server stand still, and tell everybody who plays. Raises BadInput without a reason,
    WrongState if it already stands still, or is about to go on."""
    why = reason(why, readers="everybody who plays is told")
    try:
        with transaction.atomic():
            halt = Halt.objects.create(began_at=now, why=why, by=by)
    except IntegrityError:
        raise WrongState(_why_not_again(halt_now())) from None
    for key in games_to_tell():
        _tell_safely(key, now)
    return halt


def _tell_safely(game_id: int, now: dt.datetime) -> None:
    """Tell a game, or leave it to the next tick: all others have to hear of it."""
    try:
        game_halted(game_id=game_id, now=now)
    except Exception as error:
        if is_of_the_database(error):
            raise
        logger.exception("Game #%s cannot be told that the server stands still", game_id)


def _why_not_again(halt: Halt | None) -> str:
    if halt and halt.ended_by:
        return (
            f"{halt.ended_by} is just letting the server go on. To halt it again, please try once "
            "more in a minute."
        )
    return "The server already stands still."


def games_to_tell() -> list[int]:
    """Return the ids of the games that are played and whose log does not say yet that the server
    stands still: whoever stopped it was interrupted, or they were resumed since. None once somebody
    lets the server go on."""
    halt = halt_now()
    if halt is None or halt.ended_by:
        return []
    told = _entries_about(Event.objects.filter(game=OuterRef("pk")), halt)
    games = Game.objects.filter(~Exists(told), status=Game.Status.ACTIVE)
    return list(games.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def game_halted(*, game_id: int, now: dt.datetime) -> Event | None:
    """Tell one game, once, that the server stands still; None if there is nothing to tell."""
    game, halt = lock_game(Game(pk=game_id)), halt_now()
    phase = open_phase(game)
    if (
        halt is None
        or halt.ended_by
        or phase is None
        or _entries_about(game.events.all(), halt).exists()
    ):
        return None
    told = ServerHalted(
        phase=phase.name, why=halt.why, by=halt.by, was_due=_was_due(phase, halt.began_at)
    )
    return log.record(game=game, phase=phase, facts=told, now=now)


def _entries_about(events: QuerySet[Event], halt: Halt) -> QuerySet[Event]:
    """The entries that say that this halt began, or that it is over."""
    kinds = (ServerHalted.kind, ServerResumed.kind)
    return events.filter(kind__in=kinds, created_at__gte=halt.began_at)


def server_resume(*, by: str, now: dt.datetime) -> Halt:
    """Let the server go on: deadlines that have passed since move, and everybody is told.

    If that is interrupted, the next tick does the rest, in the name of whoever began it. Raises
    WrongState when the server does not stand still.
    """
    halt = halt_now()
    if halt is None:
        raise WrongState("The server does not stand still.")
    Halt.objects.filter(pk=halt.pk, is_on=True, ended_by="").update(ended_by=by)
    for key in games_to_go_on(now=now):
        game_tried(game_id=key, now=now)
    halt_end(now=now)
    return halt


def games_to_go_on(*, now: dt.datetime, among: Collection[Phase.Status] = UNFINISHED) -> list[int]:
    """Return the ids of the games that nobody has told yet that the server goes on, or whose
    deadline has passed since they were told; nothing unless somebody lets it go on. `among` are the
    states of the phases meant."""
    halt = halt_now()
    if halt is None or not halt.ended_by:
        return []
    told = _entries_of_end(Event.objects.filter(game=OuterRef("pk")), halt)
    phases = Phase.objects.filter(game=OuterRef("pk"), status__in=among)
    passed = phases.filter(status=Phase.Status.OPEN, due_at__gt=halt.began_at, due_at__lte=now)
    left = ~Exists(told) | Exists(passed)
    games = Game.objects.filter(left, Exists(phases), status=Game.Status.ACTIVE)
    return list(games.order_by("pk").values_list("pk", flat=True))


def game_tried(*, game_id: int, now: dt.datetime) -> Event | None:
    """Let a game go on as `game_goes_on` does, and log it if that breaks: it is tried again with
    the next tick, and the third time its phase is stuck, so that it holds up no other game. If all
    of several games break, the fault is not theirs, and the server stands still until it is mended.
    Raises what the database raises."""
    try:
        return game_goes_on(game_id=game_id, now=now)
    except Exception as error:
        if is_of_the_database(error):
            raise
        logger.exception("Game #%s cannot go on", game_id)
        _broke(game_id, error, now)
        return None


@transaction.atomic
def _broke(game_id: int, error: Exception, now: dt.datetime) -> None:
    game, halt = lock_game(Game(pk=game_id)), halt_now()
    phase = open_phase(game)
    if halt is None or phase is None or phase.status != Phase.Status.OPEN:
        return
    if _entries_of_end(Event.objects.all(), halt).exists() or games_to_go_on(now=now) == [game_id]:
        phase_broke(phase=phase, error=error, now=now)


@transaction.atomic
def game_goes_on(*, game_id: int, now: dt.datetime) -> Event | None:
    """Move the game's deadline if it passed while the server stood still, and say that the server
    goes on; None if somebody else has done so, even if the server has been halted again."""
    game, halt = lock_game(Game(pk=game_id)), halt_now()
    phase = open_phase(game)
    if halt is None or not halt.ended_by or phase is None or game.status != Game.Status.ACTIVE:
        return None  # one that was paused meanwhile does not go on
    moved = outage_over(game=game, down_since=halt.began_at, now=now, why=STOOD_STILL)
    if moved is None and _entries_of_end(game.events.all(), halt).exists():
        return None
    phase.refresh_from_db()
    is_ahead = phase.due_at is not None and phase.due_at > now
    told = ServerResumed(
        phase=phase.name,
        due_at=phase.due_at if is_ahead else None,
        by=halt.ended_by,
        was_due=_was_due(phase, now),
    )
    return log.record(game=game, phase=phase, facts=told, now=now)


def halt_end(*, now: dt.datetime) -> None:
    """End the halt once somebody lets the server go on and every game has been told. Earlier, we
    might decide a phase whose deadline has yet to move. Stuck phases do not hold it up: they are
    not decided."""
    if not games_to_go_on(now=now, among=(Phase.Status.OPEN,)):
        going_on = Halt.objects.filter(is_on=True).exclude(ended_by="")
        going_on.update(ended_at=now, is_on=None)


def server_restored(*, broke_at: dt.datetime, backup_at: dt.datetime, now: dt.datetime) -> int:
    """Tell everybody who plays, once, that what happened between these times is lost; return how
    many games there are."""
    games = [*_games_played(), *_games_played(Game.Status.PAUSED)]
    for key in games:
        with transaction.atomic():
            game = lock_game(Game(pk=key))
            phase = open_phase(game)
            known = rows_saying(game.events.all(), ServerRestored, broke_at=broke_at).exists()
            if phase is not None and not known:
                told = ServerRestored(
                    phase=phase.name,
                    broke_at=broke_at,
                    backup_at=backup_at,
                    was_due=_was_due(phase, now),
                )
                log.record(game=game, phase=phase, facts=told, now=now)
    return len(games)


def _was_due(phase: Phase, now: dt.datetime) -> bool:
    """Whether the deadline has passed, and the game does not wait for orders beyond it."""
    return phase.due_at is not None and phase.due_at <= now and phase.overdue_at is None


def _entries_of_end(events: QuerySet[Event], halt: Halt) -> QuerySet[Event]:
    """The entries that say that this halt is over: somebody else let the game go on at the same
    moment, or was interrupted after it."""
    return rows_saying(events.filter(created_at__gte=halt.began_at), ServerResumed)


def require_running() -> None:
    """Raise WrongState while the server stands still."""
    if halt := halt_now():
        raise WrongState(
            "The server stands still for a while, so nobody registers and no game is made. Please "
            f"try again when it goes on. Why: {halt.why}"
        )


def _games_played(status: str = Game.Status.ACTIVE) -> list[int]:
    return list(Game.objects.filter(status=status).values_list("pk", flat=True))
