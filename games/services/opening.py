"""Opening a phase with its deadline."""

from __future__ import annotations

import datetime as dt
from typing import Any

from games.models import Game, Phase
from games.queries import board
from games.timing import deadlines
from games.timing.pace import absences_of, next_reminder, pace_of


def phase_open(
    *,
    game: Game,
    number: int,
    state: dict[str, Any],
    now: dt.datetime,
    last_due_at: dt.datetime | None = None,
) -> Phase:
    """Open a phase with the judge's `state`, and set its deadline by the game's pace.

    `last_due_at` is the deadline of the phase before; processed promptly after it, the time of this
    one counts from there. The caller holds the game's lock.
    """
    due_at = due_of(game=game, number=number, state=state, now=now, last_due_at=last_due_at)
    return Phase.objects.create(
        game=game,
        number=number,
        name=state["phase"],
        position=state,
        opened_at=now,
        due_at=due_at,
        reminded_at=now,
        remind_at=next_reminder(game, now, due_at, now),
    )


def due_of(
    *,
    game: Game,
    number: int,
    state: dict[str, Any],
    now: dt.datetime,
    last_due_at: dt.datetime | None = None,
) -> dt.datetime:
    """Return when a phase with the judge's `state` would be due that is opened now."""
    pace, step = pace_of(game), board.step_of(state["phase"])
    deciding = board.position_of(game.variant, state).powers_to_order()
    return deadlines.due_at(
        pace,
        step,
        deadlines.begun_at(pace, step, last_due_at, now),
        first=number == 1,
        absences=absences_of(game, deciding),
    )
