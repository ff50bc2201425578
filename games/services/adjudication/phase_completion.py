"""Completes an adjudicated phase: stores and logs its results, begins the next phase or ends the
game, and sees to seats and proposals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games import log
from games.board_json import StateJson
from games.events import PhaseProcessed
from games.models import Event, Phase
from games.models.phase import Lines
from games.models.stored import Save
from games.proofs.digests import result_digest
from games.queries import board
from games.queries.endings.ending import alive, end_after
from games.queries.orders.current_orders import adjudicate_phase
from games.queries.orders.waiting import missing_of
from games.queries.phases.aftermath import Aftermath, keep
from games.queries.phases.due_phase import DuePhase
from games.services.adjudication.opening import phase_open
from games.services.clock.attendance import attendance_record
from games.services.endings.ending import game_finish
from games.services.endings.votes import proposals_settle
from games.services.moderation.seats_lost import THE_MODERATORS, banned_vacate
from games.services.ordering.advance_orders import orders_use
from games.services.ordering.disorder import seats_review
from games.services.told import Unaware, not_while_it_waited


def phase_complete(
    due: DuePhase,
    now: dt.datetime,
    unaware: Unaware = not_while_it_waited,
    *,
    why: str = "",
    by: str = "",
    told_by_caller: bool = False,
) -> Event:
    """Adjudicate a phase and store the results, begin the next one or end the game, and return what
    to tell. The caller holds the game's lock, and watches the time; with `told_by_caller` it tells
    of the event before the transaction ends."""
    phase, game = due.phase, due.phase.game
    missing = missing_of(due.now)
    orders = {power: list(written) for power, written in due.lines.items()}
    outcome = adjudicate_phase(phase, orders)
    attendance_record(due=due, now=now, unaware=unaware)
    _store(phase, orders, outcome, now)
    end = end_after(game, phase.name, outcome.next, outcome.winner)
    following = None if end else _open_next(due, outcome.next, now)
    event = log.record(
        game=game,
        phase=phase,
        facts=_facts(due, outcome, following, missing, why=why, by=by),
        now=now,
        last=due.last if following and not due.has_open_seats else None,
        told_by_caller=told_by_caller,
    )
    if following is None:
        assert end, "a phase follows unless the game is over"
        game_finish(game=game, end=end, now=now)
    elif not _review(due, missing, now):
        keep(event, _aftermath(due, event, following))
    return event


def _facts(
    due: DuePhase,
    outcome: board.Adjudication,
    following: Phase | None,
    missing: Sequence[str],
    *,
    why: str,
    by: str,
) -> PhaseProcessed:
    """What the log says of a phase that is stored, with the digests that bind its results."""
    phase, sealed = due.phase, due.sealed
    return PhaseProcessed(
        phase=phase.name,
        next=following.name if following else None,
        missing=tuple(missing),
        eliminated=tuple(sorted(alive(phase.position) - alive(outcome.next))),
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
    )


def _review(due: DuePhase, missing: Sequence[str], now: dt.datetime) -> bool:
    """See to proposals and seats after the phase; return whether there was anything to do."""
    if due.has_proposals:
        proposals_settle(phase=due.phase, now=now)
    look = bool(missing) or due.has_open_seats
    changed = look and seats_review(phase=due.phase, missing=missing, now=now)
    if gone := due.phase.game.anonymous and _any_gone(due):
        banned_vacate(game=due.phase.game, by=THE_MODERATORS, now=now)
    return changed or gone or due.has_open_seats or due.has_proposals


def _any_gone(due: DuePhase) -> bool:
    """Whether a player was banned or erased while the phase was open."""
    players = [one.held.player for one in due.now.powers.values() if one.held]
    return any(player.banned_at or player.erased_at for player in players)


def _aftermath(due: DuePhase, event: Event, following: Phase) -> Aftermath:
    """The aftermath of a phase that had only results and a next phase to see to."""
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


def _open_next(due: DuePhase, state: StateJson, now: dt.datetime) -> Phase:
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


def _store(phase: Phase, orders: Lines, outcome: board.Adjudication, now: dt.datetime) -> None:
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
