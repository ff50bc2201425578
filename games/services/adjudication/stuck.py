"""Phases over which something of ours broke: tried again, and in the end set aside, so that they
hold up no other game."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import transaction

from games import log
from games.errors import fault
from games.events import PhaseStuck
from games.models import Phase
from games.services.sick_database import is_of_the_database
from games.timing import deadlines

logger = logging.getLogger(__name__)

ATTEMPTS = 3
"""After this many failures a phase is stuck, and waits for a human."""
SETBACK = dt.timedelta(minutes=1)
"""How long a phase waits after the database failed over it, or after we could not find out whether
it may be processed. That is not the phase's fault, so we try again however often; the moderators'
queue shows a game that does not go on for long."""


class NotSeen(Exception):
    """We could not find out whether a phase may be processed, by a fault of ours."""


def phase_broke(*, phase: Phase, error: Exception, now: dt.datetime) -> None:
    """Note that something of ours broke over a phase. It is tried again later, and the third time
    it is stuck, unless it was the database. The caller holds the game's lock."""
    phase = Phase.objects.get(pk=phase.pk)
    not_seen = isinstance(error, NotSeen)
    phase.error = fault(error.__cause__ or error if not_seen else error)
    if not_seen or is_of_the_database(error):
        phase.retry_at = now + SETBACK
        phase.save(update_fields=["retry_at", "error"])
        return
    phase.attempts += 1
    phase.retry_at = deadlines.retry_at(phase.attempts, now)
    if phase.attempts >= ATTEMPTS:
        phase.status = Phase.Status.STUCK
    phase.save()
    if phase.status == Phase.Status.STUCK:
        _say_stuck(phase, now)


def _say_stuck(phase: Phase, now: dt.datetime) -> None:
    """Have the game's GM and the operators told; it is stuck even if its log is what broke."""
    try:
        with transaction.atomic():
            log.record(game=phase.game, phase=phase, facts=PhaseStuck(phase=phase.name), now=now)
    except Exception as error:
        if is_of_the_database(error):
            raise
        logger.exception("%s is stuck, and its log cannot say so", phase)
