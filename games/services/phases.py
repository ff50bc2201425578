"""Adjudicating a phase: once, whoever tries it and however often."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from games import lifecycle, log
from games.errors import WrongState, fault
from games.events import PhaseProcessed, PhaseStuck
from games.models import CoGM, Event, Game, Phase
from games.models.event import KIND_LABELS
from games.models.prepared import TIME, Given, Query
from games.models.stored import Save
from games.proofs.digests import result_digest
from games.queries import board
from games.queries.aftermath import Aftermath, keep
from games.queries.current_orders import adjudicated
from games.queries.due_phase import DuePhase, due_phase
from games.queries.ending import alive, end_after
from games.queries.waiting import early_at, missing_of
from games.services.ahead import orders_use
from games.services.attendance import attendance_record
from games.services.deadlines import missing_answer
from games.services.disorder import seats_review
from games.services.ending import game_finish
from games.services.opening import phase_open
from games.services.silence import silence_answer
from games.services.votes import proposals_settle
from games.services.working import working_on
from games.timing import deadlines
from games.timing.pace import early_delay

logger = logging.getLogger(__name__)

MOST_DUE = 200
"""So many phases past their deadline, and so many with all orders in, are looked for at once."""
CLAIMED_AMONG = 10
"""Of so many games that are due the first is taken that nobody else is at."""
ATTEMPTS = 3
"""After so many failures a phase is stuck, and waits for a human."""


def always(phase: Phase) -> bool:
    """Every due phase may be processed: the barrier of whoever has no barrier."""
    return True


def phases_due(*, now: dt.datetime) -> list[int]:
    """Return the ids of the games with a phase that is due, the longest overdue first: only the
    first of very many."""
    found = {phase.pk: phase for rows in _late(now) for phase in rows[:MOST_DUE]}
    in_turn = sorted(found.values(), key=lambda one: (one.due_at or now, one.pk))
    return [phase.game_id for phase in in_turn if _is_due(phase, now)]


def _late(now: dt.datetime) -> tuple[QuerySet[Phase], QuerySet[Phase]]:
    """The phases past their deadline, and those with all orders in; each by an index of its own,
    and cut off: the database takes every open phase for due, since all that are over are."""
    phases = Phase.objects.filter(
        Q(retry_at=None) | Q(retry_at__lte=now),
        status=Phase.Status.OPEN,
        game__status=Game.Status.ACTIVE,
    )
    rows = phases.select_related("game").only(*_TIMES)
    past = rows.annotate(closes_at=F("due_at") + F("game__transit_grace"))
    second_thoughts = F("all_in_at") + F("game__early_delay")
    settled = Q(overdue_at__isnull=False) | Q(game__early_delay=None) | Q(decided_at__lte=now)
    return (
        past.filter(due_at__lte=now, closes_at__lte=now, overdue_at=None).order_by("due_at", "id"),
        rows.annotate(decided_at=second_thoughts)
        .filter(settled, all_in_at__lte=now)
        .order_by("all_in_at", "id"),
    )


_TIMES = (
    *("game_id", "opened_at", "due_at", "all_in_at", "overdue_at", "retry_at"),
    *("game__transit_grace", "game__early_delay"),
)
"""All that says whether a phase is due; thousands may be at once."""


def phase_claim(games: Sequence[int], *, now: dt.datetime) -> Game | None:
    """Lock the first of these games that nobody else is at and whose phase may still be due.

    Returns it as `phase_adjudicate` takes it, None when others have them all; the lock holds until
    the transaction ends. So a worker passes over what others are at, or have done, in one
    statement. Games are CLAIMED_AMONG at most.
    """
    padded = [*games, *[games[0]] * (CLAIMED_AMONG - len(games))]
    return _CLAIM.first(now=now, **dict(zip(_KEYS, padded, strict=True)))


def _claim() -> QuerySet[Game]:
    keys: Any = [Given(name) for name in _KEYS]
    rows = _rows(skip_locked=True).filter(pk__in=keys, status=Game.Status.ACTIVE)
    near = _near(Given("now", TIME)).filter(game=OuterRef("pk"))
    order = Case(*(When(pk=key, then=place) for place, key in enumerate(keys)))
    # Asked of each game: joined to the games, PostgreSQL reads every phase that is due.
    return rows.filter(pk=Subquery(near.values("game")[:1])).order_by(order)[:1]


def _near(now: Given) -> QuerySet[Phase]:
    """The open phases that are due, or will be after their time for second thoughts."""
    near = Q(due_at__lte=now) | Q(all_in_at__lte=now)
    return Phase.objects.filter(near, status=Phase.Status.OPEN)


def _rows(*, skip_locked: bool) -> QuerySet[Game]:
    """Games locked, each with its GM and with whether it has others who help run it."""
    rows = Game.objects.select_for_update(skip_locked=skip_locked, of=("self",))
    helped = Exists(CoGM.objects.filter(game=OuterRef("pk")))
    return rows.select_related("gm").annotate(has_helpers=helped)


_KEYS = [f"game{place}" for place in range(CLAIMED_AMONG)]
_CLAIM = Query(_claim)
_LOCKED = Query(lambda: _rows(skip_locked=False).filter(pk=Given("game")))
_FREE = Query(lambda: _rows(skip_locked=True).filter(pk=Given("game")))


def closing_time(phase: Phase, now: dt.datetime) -> dt.datetime:
    """Return up to when a mail must have come to count in a phase that is processed now.

    The deadline with the game's grace; before it, when all orders are in, the end of the time for
    second thoughts.
    """
    if phase.due_at is not None and phase.overdue_at is None:
        closes_at = phase.due_at + phase.game.transit_grace
        if closes_at <= now:
            return closes_at
    return min(early_at(phase) or now, now)


def phase_adjudicate(
    *,
    game_id: int,
    now: dt.datetime,
    force: bool = False,
    expected: str | None = None,
    why: str = "",
    by: str = "",
    ready: Callable[[Phase], bool] = always,
    told: bool = False,
    claimed: Game | None = None,
) -> Event | None:
    """Adjudicate the game's open phase, store what came of it, open the next phase, tell it; all in
    the caller's transaction, which ends with any error.

    Where orders are missing at the deadline, the game's setting may have it otherwise: the event
    tells then that the deadline was moved, or that the game waits. A game of which nobody has been
    heard for long is paused instead.

    Returns None when there is nothing to do: another worker has the game, nothing is due any more,
    or `ready` says not yet. None as well when adjudication broke: then nothing of it is stored, the
    phase is tried again later, and after the third time it is stuck.

    `force` processes now, whatever the deadline, and a stuck phase too; it waits for another worker
    instead of giving up. `told` says that the caller tells of the results before the transaction
    ends. `claimed` is the game where the caller has locked it by `phase_claim`, and undoes all of
    it if adjudication breaks: then the error is raised. Raises WrongState, only with `force`, when
    the game is not being played, or its phase is no longer the `expected` one: who clicks twice
    means one phase. `why` and `by` say why and by whom it was, for the log and the results.
    """
    game = claimed or (_LOCKED if force else _FREE).first(game=game_id)
    due = _due(game, now, force) if game else None
    if due is None or not ready(due.phase):
        return None
    phase = due.phase
    if force and expected not in (None, phase.name):
        raise WrongState(f"{board.phase_title(expected or phase.name)} is over already.")
    with working_on(game=phase.game.name, phase=phase.name):
        try:
            with transaction.atomic(savepoint=claimed is None):
                event = None if force else _answer(due, now)
                event = event or _processed(_anew(due, now), now, why, by, told)
        except Exception as error:  # a poisoned game must not stop the others
            if claimed:
                raise
            logger.exception("Adjudicating %s failed", phase)
            _set_aside(phase, error, now)
            return None
        logger.info("%s: %s", phase, KIND_LABELS[event.kind])
        return event


phase_process = transaction.atomic(phase_adjudicate)
"""Like `phase_adjudicate`, in a transaction of its own or undone with a part of the caller's."""


def _answer(due: DuePhase, now: dt.datetime) -> Event | None:
    """What is told of a due phase that is not processed, see `missing_answer`."""
    any_orders = bool(due.now.book.sets)
    return missing_answer(due.phase, now) or silence_answer(due.phase, now, any_orders=any_orders)


def _anew(due: DuePhase, now: dt.datetime) -> DuePhase:
    """Read the phase again where orders that came late have begun to count just now."""
    return due_phase(due.phase.game) or due if due.phase.overdue_at == now else due


def _due(game: Game, now: dt.datetime, force: bool) -> DuePhase | None:
    game.ever_had_co_gms = bool(vars(game)["has_helpers"])
    if force:
        lifecycle.require(game, Game.Status.ACTIVE)
    elif game.status != Game.Status.ACTIVE:
        return None
    due = due_phase(game)
    if due is None or not (force or due.phase.status == Phase.Status.OPEN):
        return None
    return due if force or _is_due(due.phase, now) else None


def _is_due(phase: Phase, now: dt.datetime) -> bool:
    if phase.retry_at is not None and phase.retry_at > now:
        return False
    if phase.overdue_at is not None:
        return phase.all_in_at is not None
    return deadlines.is_over(
        phase.due_at,
        phase.all_in_at,
        now,
        grace=phase.game.transit_grace,
        early_delay=early_delay(phase),
    )


def _processed(due: DuePhase, now: dt.datetime, why: str, by: str, told: bool) -> Event:
    phase, game = due.phase, due.phase.game
    missing = missing_of(due.now)
    orders = {power: list(written) for power, written in due.lines.items()}
    sealed = due.sealed
    outcome = adjudicated(phase, orders)
    attendance_record(due=due, now=now)
    _store(phase, orders, outcome, now)
    end = end_after(game, phase.name, outcome.next, outcome.winner)
    following = None if end else _followed(due, outcome.next, now)
    event = log.record(
        game=game,
        phase=phase,
        facts=PhaseProcessed(
            phase=phase.name,
            next=following.name if following else None,
            missing=tuple(missing),
            eliminated=tuple(_eliminated(phase.position, outcome.next)),
            winner=outcome.winner or None,
            position_sha256=log.digest(phase.position),
            orders_sha256=phase.orders_sha256,
            outcome_sha256=log.digest(phase.outcome),
            seals={power: one.seal for power, one in sealed.items()},
            result_sha256=result_digest(
                orders={power: one.orders for power, one in sealed.items()},
                following=outcome.next,
                winner=outcome.winner,
            ),
            why=why,
            by=by,
        ),
        now=now,
        last=due.last if following and not due.has_open_seats else None,
        told=told,
    )
    if following is None:
        assert end, "a phase follows unless the game is over"
        game_finish(game=game, end=end, now=now)
    elif not _reviewed(due, missing, now):
        keep(event, _aftermath(due, event, following))
    return event


def _reviewed(due: DuePhase, missing: Sequence[str], now: dt.datetime) -> bool:
    """See to proposals and seats after the phase; whether there was anything to see to."""
    if due.has_proposals:
        proposals_settle(phase=due.phase, now=now)
    look = bool(missing) or due.has_open_seats
    changed = look and seats_review(phase=due.phase, missing=missing, now=now)
    return changed or due.has_open_seats or due.has_proposals


def _aftermath(due: DuePhase, event: Event, following: Phase) -> Aftermath:
    """What is left where there was nothing to see to but the results and the next phase."""
    return Aftermath(
        phase=due.phase,
        following=following,
        powers=[one.power.name for one in due.now.powers.values()],
        seats=[one.held for one in due.now.powers.values() if one.held],
        changes={
            due.phase.pk: (due.moves + 1, event.created_at),
            following.pk: (0, following.opened_at),
        },
        begins=True,
        has_advance_orders=due.has_advance_orders,
        has_observers=due.has_observers,
    )


def _followed(due: DuePhase, state: dict[str, Any], now: dt.datetime) -> Phase:
    """Open the next phase, with what was sent ahead for it."""
    phase = due.phase
    following = phase_open(
        game=phase.game,
        number=phase.number + 1,
        state=state,
        now=now,
        last_due_at=phase.due_at,
        players=list(due.now.powers.values()),
    )
    following.game = phase.game
    if due.has_advance_orders:
        orders_use(phase=following, now=now)
    return following


def _store(
    phase: Phase,
    orders: Mapping[str, Sequence[str]],
    outcome: board.Adjudication,
    now: dt.datetime,
) -> None:
    phase.status = Phase.Status.PROCESSED
    phase.orders = orders
    phase.orders_sha256 = log.digest(orders)
    phase.engine = outcome.engine
    phase.outcome = outcome.stored
    phase.processed_at = now
    phase.retry_at = None
    phase.error = ""
    _STORED.one(phase)


_STORED = Save(
    Phase,
    *("status", "orders", "orders_sha256", "engine", "outcome"),
    *("processed_at", "retry_at", "error"),
)


def _eliminated(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return sorted(alive(before) - alive(after))


def _set_aside(phase: Phase, error: Exception, now: dt.datetime) -> None:
    phase = Phase.objects.get(pk=phase.pk)
    phase.attempts += 1
    phase.retry_at = deadlines.retry_at(phase.attempts, now)
    phase.error = fault(error)
    if phase.attempts >= ATTEMPTS:
        phase.status = Phase.Status.STUCK
        log.record(
            game=phase.game,
            phase=phase,
            facts=PhaseStuck(phase=phase.name),
            now=now,
        )
    phase.save()
