"""Taking back a deadline that was put off by mistake."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, NotAllowed
from games.events import DeadlineCorrected, DeadlineMoved
from games.models import Event, Game, Phase
from games.queries.board import step_of
from games.queries.phases.corrections import correctable_to, last_move
from games.queries.reports.wording import local_moment
from games.services.clock.deadlines import Mover
from games.services.common import lock_game, phase_now
from games.timing.durations import duration_text
from games.timing.pace import next_reminder, notice_time, pace_of


@transaction.atomic
def deadline_correct(
    *,
    game: Game,
    to: dt.datetime,
    why: str,
    by: Mover,
    now: dt.datetime,
) -> Event:
    """Take the open phase's deadline back to an earlier time, never onto a day off, and tell
    everybody.

    Orders stand, and so does every READY: nobody got more time to think again. Raises BadInput
    when it cannot be taken back, or not so far (`correctable_to`), NotAllowed when a moderator had
    put it off and somebody else would take it back, WrongState when the game is not being played.
    """
    game = lock_game(game)
    lifecycle.require(game, Game.Status.ACTIVE)
    phase = phase_now(game)
    before, earliest = phase.due_at, correctable_to(phase, now, to)
    if before is None or earliest is None:
        raise BadInput(
            "A deadline can only be moved to a later time. One that a game master or moderator put "
            "off by mistake can be taken back while there is time, but this one cannot."
        )
    moved = last_move(phase)
    if moved and DeadlineMoved.of(moved).by_moderator and not by.is_moderator:
        raise NotAllowed(
            "A moderator has put this deadline off, so only a moderator can take it back."
        )
    free = pace_of(game).free(to)
    if free != earliest:
        raise BadInput(_not_so_far(phase, earliest))
    phase.due_at, phase.reminded_at = free, now
    phase.remind_at = next_reminder(game, phase.timed_from, free, now)
    phase.save(update_fields=["due_at", "reminded_at", "remind_at"])
    told = DeadlineCorrected(phase=phase.name, before=before, to=free, why=why, by=by.name)
    return log.record(game=game, phase=phase, facts=told, now=now)


def _not_so_far(phase: Phase, earliest: dt.datetime) -> str:
    notice = duration_text(notice_time(phase, step_of(phase.name)))
    return (
        f"This deadline can be taken back to {local_moment(earliest, phase.game.timezone)} at the "
        f"earliest: it cannot come before the one that it replaced, everybody gets {notice} to "
        "read of it, and absences announced since then hold."
    )
