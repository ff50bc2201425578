"""Keeps phases from being processed in the dark: if we could not read mail at a deadline, or could
not send the mails that began the phase in time.

While a mailbox is down, due phases wait. If that lasts long, we tell everybody. When the mailbox is
back after a long time, a deadline that passed meanwhile moves, so people whom we could not hear get
their time again. A short failure moves nothing: we read mail that came in time late, and it counts.
While the relay takes no mail, a phase waits if most of its players do not know of it yet; once they
do, its deadline moves, too.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterable

from django.conf import settings
from django.db.models import QuerySet

from games.models import Event, Phase
from games.queries.phases.due_phase import DuePhase
from games.services.adjudication import due_games
from games.services.clock.deadlines import (
    OUTAGE,
    UNTOLD,
    look_again,
    outage_moved,
    outage_over,
    phase_hold,
    time_to_order,
)
from mailer.inbound import holds, store
from mailer.models import Mailbox
from mailer.outbound.untold import Delivery, how_phase_was_told

A_SECOND = dt.timedelta(seconds=1)


class Light(enum.Enum):
    """How much we know about the mail that counts for a phase that is due."""

    CLEAR = "all of it has been read"
    WAIT = "not all of it has been read yet"
    HOLD = "it cannot be read, and that for long"
    STUCK = "some of it cannot be read or worked on, and nobody has seen to it for long"
    DARK = "all of it has been read, but the deadline passed in a long outage"
    UNSENT = "all of it has been read, but most players cannot know of the phase yet"
    UNTOLD = "all of it has been read, but most players were told of the phase too late"


def light(due: DuePhase, now: dt.datetime) -> Light:
    """How much we know about the mail that counts for a phase to be processed at `now`."""
    phase = due.phase
    closes_at = due_games.closing_time(phase, now)
    boxes = store.mailboxes(due_at=closes_at, game=phase.game, since=phase.opened_at)
    read = store.all_mail_read(due_at=closes_at, settle=settle_time(phase), now=now, boxes=boxes)
    if not read:
        if failing_for_long(now):
            return Light.HOLD
        return Light.STUCK if stuck_for_long(phase, now) else Light.WAIT
    return Light.DARK if down_since(phase, boxes) else _light_of_news(due)


def _light_of_news(due: DuePhase) -> Light:
    phase = due.phase
    if phase.due_at is None or phase.all_in_at is not None:  # players who ordered know of the phase
        return Light.CLEAR
    news = how_phase_was_told(due.now)
    if news is Delivery.NOT_YET:
        return Light.UNSENT
    late = news is Delivery.LATE and not outage_moved(phase, UNTOLD)
    return Light.UNTOLD if late else Light.CLEAR


def poll_is_missing(now: dt.datetime) -> bool:
    """Whether a phase that is due waits only for a look into the mailbox.

    The time that its mails may take to get there is over, and nobody has looked since.
    """
    due = Phase.objects.filter(game__in=due_games.phases_due(now=now), status=Phase.Status.OPEN)
    wanted = [
        due_games.closing_time(phase, now) + settle_time(phase)
        for phase in due.select_related("game")
    ]
    if not (past := [at for at in wanted if at <= now]):
        return False
    names = [store.mailbox_name(url) for url in settings.IMAP_URLS]
    working = Mailbox.objects.filter(url__in=names, failing_since=None)
    return working.filter(last_ok_poll__lt=max(past)).exists()


def settle_time(phase: Phase) -> dt.timedelta:
    """How long mails may take to get into the mailbox: SETTLE_SECONDS, or less for phases shorter
    than hours."""
    if phase.due_at is None or phase.all_in_at is not None:
        return dt.timedelta(0)
    return settle_before(phase.due_at - phase.opened_at)


def settle_before(length: dt.timedelta) -> dt.timedelta:
    """How long mails may need into the mailbox before a deadline at the end of that time.

    At least a second: mails are dated in whole seconds, and all of the deadline's second count.
    """
    longest = dt.timedelta(seconds=settings.SETTLE_SECONDS)
    return min(longest, max(A_SECOND, length / 100))


def failing_for_long(now: dt.datetime) -> bool:
    """Whether a mailbox of ours has refused every poll for OUTAGE_SECONDS."""
    long_ago = now - dt.timedelta(seconds=settings.OUTAGE_SECONDS)
    return our_mailboxes().filter(failing_since__lte=long_ago).exists()


def stuck_for_long(phase: Phase, now: dt.datetime) -> bool:
    """Whether the phase has waited for OUTAGE_SECONDS for a mail that somebody has to see to."""
    due_at = phase.due_at
    if due_at is None or due_at + dt.timedelta(seconds=settings.OUTAGE_SECONDS) > now:
        return False
    return holds.waited_for(game=phase.game, since=phase.opened_at, due_at=due_at)


def down_since(phase: Phase, boxes: Iterable[Mailbox]) -> dt.datetime | None:
    """When the outage of these mailboxes began in which the deadline passed; None if it cut nobody
    short.

    It cuts nobody short if everything is in, and moves a phase only once.
    """
    due_at = phase.due_at
    if due_at is None or phase.all_in_at is not None:
        return None
    gaps = [(box.gap_from, box.gap_to) for box in boxes if box.url in _our_names()]
    dark = [since for since, until in gaps if since and until and since < due_at <= until]
    return min(dark) if dark and not outage_moved(phase, OUTAGE) else None


def our_mailboxes() -> QuerySet[Mailbox]:
    """The mailboxes that we read; rows of earlier ones stay in the table."""
    return Mailbox.objects.filter(url__in=_our_names())


def _our_names() -> set[str]:
    return {store.mailbox_name(url) for url in settings.IMAP_URLS}


def respond(phase: Phase, seen: Light, now: dt.datetime) -> Event | None:
    """The event for a due phase that is not processed: none, a wait, or a new deadline."""
    if seen is Light.HOLD:
        if phase.due_at is not None and phase.due_at > now:
            return None  # only an early decision waits, and nobody was promised one
        read = our_mailboxes().filter(failing_since__isnull=False).order_by("last_ok_poll").first()
        return phase_hold(game=phase.game, since=read.last_ok_poll if read else None, now=now)
    if seen is Light.STUCK:
        return phase_hold(game=phase.game, since=None, mail=True, now=now)
    if seen is Light.UNSENT:
        look_again(phase=phase, now=now)
    if seen is Light.UNTOLD and phase.due_at is not None:
        began = phase.due_at - time_to_order(phase)
        return outage_over(game=phase.game, down_since=began, now=now, why=UNTOLD)
    since = down_since(phase, our_mailboxes())
    if seen is Light.DARK and since:
        return outage_over(game=phase.game, down_since=since, now=now)
    return None
