"""Adjudicating a phase: once, however many workers try, and however often."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable

from django.db import transaction

from games import lifecycle
from games.models import Event, Game, Phase
from games.models.event import KIND_LABELS
from games.queries.phases.due_phase import DuePhase, due_phase
from games.services.adjudication.due_games import game_claim, is_due
from games.services.adjudication.phase_completion import phase_complete
from games.services.adjudication.stuck import NotSeen, phase_broke
from games.services.clock.deadlines import missing_answer
from games.services.endings.silence import silence_answer
from games.services.time_limit import TimeLimit
from games.services.told import Unaware, not_while_it_waited
from games.services.working import working_on

logger = logging.getLogger(__name__)

LONGEST = 20.0
"""How many seconds of processor time a phase may take before we call it broken. An ordinary one
takes 0.01."""


def always(due: DuePhase) -> bool:
    """Every due phase may be processed: the check of callers that have none of their own."""
    return True


@transaction.atomic(savepoint=False)
def phase_process(
    *,
    game_id: int,
    now: dt.datetime,
    ready: Callable[[DuePhase], bool] = always,
    unaware: Unaware = not_while_it_waited,
    told_by_caller: bool = False,
    claimed: Game | None = None,
) -> Event | None:
    """Adjudicate the game's open phase if it is due, store what came of it, open the next phase and
    tell people, all in one transaction. It is the caller's, if there is one, and ends with any
    error.

    If orders are missing at the deadline, the game's settings may say otherwise: then the event
    says that the deadline was moved, or that the game waits. A game in which nobody has been heard
    from for long is paused instead.

    Returns None when there is nothing to do: another worker has the game, the server stands still,
    nothing is due any more, or `ready` says not yet. We ask it again when late orders make up for
    all that were missing, because with them everything counts that has come since. None as well
    when adjudication broke: then nothing of it is stored, the phase is tried again later, and after
    the third time it is stuck, unless the database or `ready` failed.

    `unaware` says who could not know of the phase: nobody blames them, or opens their seats. With
    `told_by_caller`, the caller tells of the results before the transaction ends. `claimed` is the
    game if the caller has locked it by `phase_claim`, watches the time, and undoes everything when
    adjudication breaks: then the error is raised.
    """
    game = claimed or game_claim(game_id=game_id, wait=False)
    due = _open_phase_if_due(game, now) if game else None
    if due is None:
        return None

    def adjudicate() -> Event | None:
        if not _may_process(ready, due):
            return None
        if event := _event_instead(due, now, unaware):
            return event
        if due.phase.overdue_at != now:
            return phase_complete(due, now, unaware, told_by_caller=told_by_caller)
        with_late = due_phase(due.phase.game) or due  # with the orders that came late
        if not _may_process(ready, with_late):
            return None
        return phase_complete(with_late, now, unaware, told_by_caller=told_by_caller)

    return _adjudicate_or_put_off(due.phase, adjudicate, now, reraise=claimed is not None)


def _may_process(ready: Callable[[DuePhase], bool], due: DuePhase) -> bool:
    """Ask whether the phase may be processed. Raises NotSeen if that breaks: nothing says that the
    phase itself would."""
    try:
        return ready(due)
    except Exception as error:
        raise NotSeen from error


@transaction.atomic
def phase_process_now(
    *, game_id: int, now: dt.datetime, why: str = "", by: str = ""
) -> Event | None:
    """Process the game's phase whatever its deadline, and one that is stuck, too.

    If another worker has the game, it waits. `why` and `by` are the reason and the person, for the
    log and the results. Returns None if there is no phase, or if adjudication broke as in
    `phase_process`. Raises WrongState when the game is not being played.
    """
    game = game_claim(game_id=game_id, wait=True)
    if game is None:
        return None
    lifecycle.require(game, Game.Status.ACTIVE)
    if (due := _open_phase(game)) is None:
        return None
    return _adjudicate_or_put_off(due.phase, lambda: phase_complete(due, now, why=why, by=by), now)


def _adjudicate_or_put_off(
    phase: Phase,
    adjudicate: Callable[[], Event | None],
    now: dt.datetime,
    *,
    reraise: bool = False,
) -> Event | None:
    """Adjudicate. If that breaks, undo all of it and let the phase be tried again later, because a
    poisoned game must not stop the others. With `reraise` undo nothing and raise the error: the
    caller undoes it, and looks to the time."""
    with working_on(game=phase.game.name, phase=phase.name):
        try:
            if reraise:
                event = adjudicate()
            else:
                with transaction.atomic(), TimeLimit(LONGEST):
                    event = adjudicate()
        except Exception as error:
            if reraise:
                raise
            logger.exception("Adjudicating %s failed", phase)
            phase_broke(phase=phase, error=error, now=now)
            return None
        if event:
            logger.info("%s: %s", phase, KIND_LABELS[event.kind])
        return event


def _event_instead(due: DuePhase, now: dt.datetime, unaware: Unaware) -> Event | None:
    """The event that tells people why a due phase is not processed (see `missing_answer`)."""
    any_orders = bool(due.now.book.sets)
    missing = missing_answer(due.phase, now, unaware)
    return missing or silence_answer(due.phase, now, any_orders=any_orders)


def _open_phase_if_due(game: Game, now: dt.datetime) -> DuePhase | None:
    if game.status != Game.Status.ACTIVE:
        return None
    due = _open_phase(game)
    if due is None or due.phase.status != Phase.Status.OPEN:
        return None
    return due if is_due(due.phase, now) else None


def _open_phase(game: Game) -> DuePhase | None:
    """The phase that is open or stuck, with what adjudicating it takes."""
    game.ever_had_co_gms = bool(vars(game)["has_helpers"])
    return due_phase(game)
