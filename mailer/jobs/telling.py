"""Tells people of events: the first process that gets to an event writes its notices, once."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.errors import fault
from games.models import Event
from games.models.prepared import TIME, Given, Query
from games.services.time_limit import TimeLimit
from games.services.working import working_on
from mailer import notices
from mailer.outbound import sending

logger = logging.getLogger(__name__)

LONGEST = 20.0
"""Seconds of processor time for the notices of one event; after that we try them again later."""


def tell_next(after: int, now: dt.datetime) -> tuple[int, bool] | None:
    """Tell of the first event after this one that nobody else is telling, and that has no untold
    event before it in its game.

    Return its id and whether it is told, or None if there is no such event. Whoever is telling of
    the one before goes on with it, so that nobody reads that a game goes on before they read that
    it was paused.

    An event that breaks is tried again later, and the next ones do not wait for it. That includes
    an event that points at an address which somebody has given up meanwhile: this shows only at the
    commit.
    """
    event = None
    try:
        with transaction.atomic():
            event = _UNTOLD.first(after=after, now=now)
            return None if event is None else (event.pk, tell_safely(event, now))
    except IntegrityError as error:
        if event is None:
            raise
        logger.warning("Event #%s is told a little later: %s", event.pk, fault(error))
        _put_off(event, now)
        return event.pk, False


def tell_safely(event: Event, now: dt.datetime) -> bool:
    """Queue the notices of `event`; an error is logged and undoes only these notices.

    After an error we try again, each time after a longer pause: an event that can never be told
    must not fill the log and keep the workers busy.
    """
    try:
        with transaction.atomic(), TimeLimit(LONGEST):
            tell_one(event, now)
    except Exception:
        logger.exception("Nobody could be told of event #%s (%s)", event.pk, event.kind)
        event.told_at = None  # of a phase it was written with the event
        event.save(update_fields=["told_at"])
        _put_off(event, now)
        return False
    return True


def _put_off(event: Event, now: dt.datetime) -> None:
    """Have it told later, unless somebody else has told of it."""
    event.tell_attempts += 1
    event.tell_again_at = now + sending.pause_after(event.tell_attempts)
    later = {"tell_attempts": event.tell_attempts, "tell_again_at": event.tell_again_at}
    Event.objects.filter(pk=event.pk, told_at=None).update(**later)


def tell_one(event: Event, now: dt.datetime) -> None:
    """Queue the notices of `event`; the caller deals with errors."""
    with working_on(game=event.game.name, event=event.number):
        notices.tell_event(event, now=now)


def _to_tell() -> QuerySet[Event]:
    due = Q(tell_again_at=None) | Q(tell_again_at__lte=Given("now", TIME))
    untold = Event.objects.filter(due, told_at=None)
    before = untold.filter(game=OuterRef("game"), pk__lt=OuterRef("pk"))
    found = untold.select_related("game").filter(~Exists(before), pk__gt=Given("after"))
    return found.order_by("pk").select_for_update(skip_locked=True, of=("self",))[:1]


_UNTOLD = Query(_to_tell)
