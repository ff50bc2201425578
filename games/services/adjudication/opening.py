"""Opening a phase with its deadline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.board_json import StateJson
from games.models import Game, Phase
from games.models.stored import Insert, fresh
from games.queries import board
from games.queries.phases.phase_now import PowerNow
from games.timing import deadlines
from games.timing.pace import absences_of, next_reminder, pace_of


def phase_open(
    *,
    game: Game,
    number: int,
    state: StateJson,
    now: dt.datetime,
    last_due_at: dt.datetime | None = None,
    players: Sequence[PowerNow] | None = None,
) -> Phase:
    """Open a phase with the judge's `state`, and set its deadline by the game's pace.

    `last_due_at` is the deadline of the phase before. If that was processed promptly, the time of
    this phase counts from there. `players` are the game's powers, if they were read. The caller
    holds the game's lock.
    """
    nobody_away = players is not None and not any(one.may_be_away for one in players)
    due_at = due_of(
        game=game,
        state=state,
        now=now,
        last_due_at=last_due_at,
        nobody_away=nobody_away,
    )
    wishes = None if players is None else {one.reminders or "" for one in players if one.seat}
    return _INSERT.one(
        fresh(
            Phase,
            game=game,
            number=number,
            name=state["phase"],
            position=state,
            opened_at=now,
            due_at=due_at,
            reminded_at=now,
            remind_at=next_reminder(game, now, due_at, now, wishes=wishes),
        )
    )


_INSERT = Insert(Phase)


def due_of(
    *,
    game: Game,
    state: StateJson,
    now: dt.datetime,
    last_due_at: dt.datetime | None = None,
    nobody_away: bool = False,
) -> dt.datetime:
    """Return when a phase with the judge's `state` would be due if it were opened now. With
    `nobody_away` it does not ask who is absent."""
    pace, step = pace_of(game), board.step_of(state["phase"])
    deciding = board.position_of(game.variant, state).powers_to_order()
    return deadlines.due_at(
        pace,
        step,
        deadlines.begun_at(pace, step, last_due_at, now),
        first=board.begins_game(game.variant, state["phase"]),
        absences=[] if nobody_away else absences_of(game, deciding),
    )
