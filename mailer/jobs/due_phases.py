"""Phases that are due: claims, adjudicates and tells each in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction

from games.events import PhaseProcessed
from games.models import Game, Phase
from games.queries.phases.due_phase import DuePhase
from games.services.adjudication import due_games, phases
from games.services.time_limit import TimeLimit
from mailer.cores import Cores
from mailer.inbound import outages
from mailer.jobs import telling
from mailer.outbound.untold import unaware
from mailer.workers.time_slices import each

LONGEST = phases.LONGEST
"""Seconds of processor time for a phase and telling people of it."""
_CORES = Cores()


def process_all(due: Sequence[int], clock: Callable[[], dt.datetime]) -> Iterator[bool]:
    """Adjudicate the due phases of these games and queue their mails, each in one transaction;
    yield of each whether it was processed.

    Phases that nobody else is working on come first. While mail cannot be read a phase waits, and
    people are told so if need be.
    """
    left = list(due)
    while left:
        first, now = left[: due_games.CLAIMED_AMONG], clock()
        game, done = _process_first(first, now)
        yield done
        left = left[len(first) if game is None else first.index(game) + 1 :]


def _process_first(games: Sequence[int], now: dt.datetime) -> tuple[int | None, bool]:
    """Process the phase of the first of these games that nobody else is working on; return which
    game that is, if any, and whether its phase was processed."""
    game = None
    try:
        with _CORES.one(), transaction.atomic(), TimeLimit(LONGEST):
            game = due_games.phase_claim(games, now=now)
            return (game.pk, _process(game.pk, now, game)) if game else (None, False)
    except Exception:
        if game is None:
            raise
        # A phase that breaks even so comes first every time: the other games must not wait for it.
        return game.pk, any(each([game.pk], lambda key: _process_in_parts(key, now)))


def _process_in_parts(game_id: int, now: dt.datetime) -> bool:
    """Process a phase that broke again, with one savepoint for adjudicating and one for telling.

    If telling breaks again, the result stands and `tell` tries again. For the many phases that do
    not break, savepoints would take a twentieth of their time.
    """
    with transaction.atomic():
        return _process(game_id, now, None)


def _process(game_id: int, now: dt.datetime, claimed: Game | None) -> bool:
    """Process the phase of a game: as a whole if it is claimed, otherwise in parts."""
    looked: list[tuple[Phase, outages.Light]] = []

    def ready(due: DuePhase) -> bool:
        looked.append((due.phase, outages.light(due, now)))
        return looked[-1][1] is outages.Light.CLEAR

    event = phases.phase_process(
        game_id=game_id,
        now=now,
        ready=ready,
        unaware=unaware,
        told_by_caller=True,
        claimed=claimed,
    )
    for phase, seen in looked:
        event = event or outages.respond(phase, seen, now)
    if event and claimed:
        telling.tell_one(event, now)
    elif event:
        telling.tell_safely(event, now)
    return event is not None and event.kind == PhaseProcessed.kind
