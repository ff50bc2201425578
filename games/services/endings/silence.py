"""Games in which nobody is left: the server stops them instead of playing on by itself."""

from __future__ import annotations

import datetime as dt

from games.events import SeatReturned
from games.models import Ballot, Event, OrderSet, Phase, Press, Readiness, Seat
from games.queries import board
from games.services.clock.deadlines import SERVER, deadline_at_least
from games.services.clock.pauses import game_pause
from games.timing.pace import pace_of

SILENT_PHASES = 3
"""A game is paused after this many phases in a row in which nobody was heard from."""

WHY = (
    "Nobody has been heard from for three phases in a row. If you want to play on, please write "
    "to {}the moderators: MODERATOR on a line of its own, and your question below it."
)


def silence_answer(phase: Phase, now: dt.datetime, *, any_orders: bool) -> Event | None:
    """Pause a game in which nobody has been heard from for long, so that it does not play on by
    itself.

    Returns what is to be told, or None when the phase is to be processed. When somebody resumes
    the game, everybody has the whole time of a phase. The caller holds the game's lock, and the
    phase is due; `any_orders` says whether any came in it, late ones included.
    """
    if any_orders or not _is_silent(phase):  # there are some nearly always
        return None
    length = pace_of(phase.game).length(board.step_of(phase.name))
    deadline_at_least(phase=phase, time=length, now=now)
    why = WHY.format("the game master, or to " if phase.game.gm_id else "")
    return game_pause(game=phase.game, until=None, why=why, by=SERVER, now=now)


def _is_silent(phase: Phase) -> bool:
    """Whether no player, and no GM for one, has done anything in the latest phases."""
    played = phase.game.phases.exclude(status=Phase.Status.UNDONE)
    phases = list(played.filter(number__lte=phase.number).order_by("-number")[:SILENT_PHASES])
    if len(phases) < SILENT_PHASES:
        return False
    since = phases[-1].opened_at
    signs = (
        OrderSet.objects.filter(phase__in=phases),
        Readiness.objects.filter(phase__in=phases),
        Press.objects.filter(phase__in=phases, seat__isnull=False),
        Ballot.objects.filter(proposal__game=phase.game, cast_at__gte=since),
        Seat.objects.filter(power__game=phase.game, since__gt=since),
        Event.objects.filter(phase__in=phases, kind=SeatReturned.kind),
    )
    return not any(rows.exists() for rows in signs)
