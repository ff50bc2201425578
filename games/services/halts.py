"""The panic switch: nothing is processed, nobody registers, everybody who plays is told.

Mail is taken and answered as ever, and everything that was sent counts. When the server goes on,
deadlines that passed in between move as after any outage.
"""

from __future__ import annotations

import datetime as dt

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from games import log
from games.errors import WrongState
from games.events import ServerHalted, ServerRestored, ServerResumed, rows_saying
from games.models import Event, Game, Halt, Phase
from games.queries.halts import halt_now
from games.queries.lookup import open_phase
from games.services.common import locked, reason
from games.services.deadlines import outage_over


def server_halt(*, why: str, by: str, now: dt.datetime) -> Halt:
    """Make the server stand still, and tell everybody who plays. Raises BadInput without a reason,
    WrongState if it already stands still."""
    why = reason(why, readers="everybody who plays is told")
    try:
        with transaction.atomic():
            halt = Halt.objects.create(began_at=now, why=why, by=by)
    except IntegrityError:
        raise WrongState("The server stands still already.") from None
    for key in games_to_tell():
        game_halted(game_id=key, now=now)
    return halt


def games_to_tell() -> list[int]:
    """Return the ids of the games that are played and whose log does not say yet that the server
    stands still: whoever stopped it was interrupted, or they went on since."""
    halt = halt_now()
    if halt is None:
        return []
    told = _said(Event.objects.filter(game=OuterRef("pk")), halt)
    games = Game.objects.filter(~Exists(told), status=Game.Status.ACTIVE)
    return list(games.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def game_halted(*, game_id: int, now: dt.datetime) -> Event | None:
    """Tell one game, once, that the server stands still; None if there is nothing to tell."""
    game, halt = locked(Game(pk=game_id)), halt_now()
    phase = open_phase(game)
    if halt is None or phase is None or _said(game.events.all(), halt).exists():
        return None
    told = ServerHalted(phase=phase.name, why=halt.why, by=halt.by)
    return log.record(game=game, phase=phase, facts=told, now=now)


def _said(events: QuerySet[Event], halt: Halt) -> QuerySet[Event]:
    """The entries that say of this halt that it began, or that it is over."""
    kinds = (ServerHalted.kind, ServerResumed.kind)
    return events.filter(kind__in=kinds, created_at__gte=halt.began_at)


def server_resume(*, by: str, now: dt.datetime) -> Halt:
    """Let the server go on: deadlines that have passed since move, and everybody is told.

    Raises WrongState when it does not stand still.
    """
    halt = halt_now()
    if halt is None:
        raise WrongState("The server does not stand still.")
    for key in _games_played():
        with transaction.atomic():
            game = locked(Game(pk=key))
            phase = open_phase(game)
            if phase is None:
                continue
            moved = outage_over(game=game, down_since=halt.began_at, now=now)
            if moved is None and _told(game, halt):
                continue
            phase.refresh_from_db()
            told = ServerResumed(phase=phase.name, due_at=phase.due_at, by=by)
            log.record(game=game, phase=phase, facts=told, now=now)
    Halt.objects.filter(pk=halt.pk, is_on=True).update(ended_at=now, ended_by=by, is_on=None)
    return halt


def server_restored(*, broke_at: dt.datetime, backup_at: dt.datetime, now: dt.datetime) -> int:
    """Tell everybody who plays, once, that what happened between these times is lost; return how
    many games there are."""
    games = [*_games_played(), *_games_played(Game.Status.PAUSED)]
    for key in games:
        with transaction.atomic():
            game = locked(Game(pk=key))
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


def _told(game: Game, halt: Halt) -> bool:
    """Whether the game goes on already, because somebody else let it, at the same moment or before
    they were interrupted."""
    since = game.events.filter(created_at__gt=halt.began_at)
    return rows_saying(since, ServerResumed).exists()


def require_running() -> None:
    """Raise WrongState while the server stands still."""
    if halt := halt_now():
        raise WrongState(
            "The server stands still for a while, so nobody registers and no game is made. Please "
            f"try again when it goes on. Why: {halt.why}"
        )


def _games_played(status: str = Game.Status.ACTIVE) -> list[int]:
    return list(Game.objects.filter(status=status).values_list("pk", flat=True))
