"""Attempts to work on a mail: which worker has it, and what becomes of a mail that breaks.

When a worker's time with its mails is up (`mailer/inbound/turns.py`) and another worker finds one
unfinished, the first is dead. Nobody knows which mail it died over, so this counts against none of
them, and we try each by itself. A mail that breaks the program by itself three times is set aside
for somebody to look at, and never blocks the next one. So is a mail that takes too long, at once,
since it would take as long again.

We hold nothing against a mail that is not its fault: an error of the database, or the death of a
worker while others died. But even that ends at some point, and then we set the mail aside.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Q

from games.errors import fault
from games.services.sick_database import is_of_the_database
from games.services.time_limit import TimeLimit, TookTooLong
from mailer.inbound import setting_aside, turns
from mailer.inbound.turns import UNDONE, State
from mailer.models import InboundMail

logger = logging.getLogger(__name__)

PAUSES = (dt.timedelta(seconds=5), dt.timedelta(seconds=30), dt.timedelta(minutes=2))
ATTEMPTS = len(PAUSES)
AT_ONCE = dt.timedelta(minutes=1)
"""Workers that die this close together die of the same cause, not of their mails."""
MOST_SETBACKS = 20
"""How often work on a mail may break off, by no fault of its own, before we set it aside."""
LONGEST_SETBACK = dt.timedelta(minutes=1)
"""The longest wait after the database failed."""
LONGEST_HEADER = 2.0
"""Seconds of processor time for the header of a mail that is set aside; the header tells whom it
concerns."""
MOST_SLOW_ONES = 3
"""How many mails an hour, whoever sent them, may take `turns.LONGEST` and be set aside."""

_acquittals: set[int] = set()
"""Mails of this process that failed because of a database too sick to note it."""


def claim(*, mail_id: int, now: dt.datetime) -> bytes | None:
    """Take a mail and keep others off for a while; return it unchanged, or None if we should not
    try it."""
    _acquit(now)
    raw = turns.take(mail_id=mail_id, now=now)
    if raw is None:  # another has it, or its worker died
        if not turns.waits(mail_id=mail_id, now=now) or not _note_death(mail_id, now):
            return None
        raw = turns.take(mail_id=mail_id, now=now)
    return raw


def claim_first(mails: Sequence[int], *, now: dt.datetime) -> list[tuple[int, bytes]]:
    """Take several of these mails, as `claim` does; see `turns.take_first`."""
    _acquit(now)
    return turns.take_first(mails, now=now)


def give_back(mails: Sequence[int], *, taken_at: dt.datetime) -> None:
    """Let others have these of the mails taken at this time.

    If the database fails, do it as soon as that can be noted, since nobody has died over them.
    """
    try:
        turns.give_back(mails, taken_at=taken_at)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Mails could not be given back: %s", error)
        _acquittals.update(mails)


def note_failure(*, mail_id: int, error: Exception, now: dt.datetime) -> None:
    """Note why an attempt failed; after the last attempt, set the mail aside.

    If this worker was slow, another may have done the mail meanwhile; then there is nothing to
    note.
    """
    if is_of_the_database(error):
        _acquittals.add(mail_id)
        _acquit(now)
        return
    with transaction.atomic():
        mail = _undone(mail_id)
        if mail is None:
            return
        mail.attempts += 1
        mail.error = fault(error)[:2000]
        mail.retry_at = now + PAUSES[min(mail.attempts, ATTEMPTS) - 1]
        mail.working_since = None
        mail.save(update_fields=["attempts", "error", "retry_at", "working_since"])
    _set_aside_if_enough(mail, now)


def _acquit(now: dt.datetime) -> None:
    """Note what the database did to mails of ours, now that it can be noted."""
    for mail_id in list(_acquittals):
        try:
            with transaction.atomic():
                mine = InboundMail.objects.select_for_update().filter(
                    pk=mail_id, state__in=UNDONE, working_since__isnull=False
                )
                mail = mine.first()
                if mail:
                    _note_setback(mail, now)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Mail #%s: the database fails: %s", mail_id, error)
            return
        _acquittals.discard(mail_id)
        if mail:
            _set_aside_if_enough(mail, now)


def _note_setback(mail: InboundMail, now: dt.datetime) -> None:
    """Note that the database failed over a mail, which then waits a little longer each time."""
    mail.setbacks += 1
    mail.working_since = None
    mail.retry_at = now + min(PAUSES[0] * (1 << min(mail.setbacks - 1, 10)), LONGEST_SETBACK)
    mail.save(update_fields=["setbacks", "working_since", "retry_at"])


def _note_death(mail_id: int, now: dt.datetime) -> bool:
    """Note that a worker died over a mail; return whether we try it again, which happens at once.

    It counts against the mail only if no other worker died: a machine that goes down takes all its
    workers along.
    """
    with transaction.atomic():
        rows = InboundMail.objects.select_for_update(skip_locked=True)
        left = rows.filter(pk=mail_id, state__in=UNDONE, working_since__isnull=False)
        mail = left.filter(retry_at__lte=now).first()
        if mail is None or mail.working_since is None:
            return False  # somebody is still working on it, or has seen to it
        mail.died_at = mail.working_since
        mail.setbacks += 1
        mail.attempts += not _others_died(mail, mail.died_at, now)
        mail.working_since, mail.retry_at = None, now
        mail.save(update_fields=["died_at", "setbacks", "attempts", "working_since", "retry_at"])
    logger.warning("Mail #%s: its worker died", mail_id)
    return not _set_aside_if_enough(mail, now)


def _others_died(mail: InboundMail, at: dt.datetime, now: dt.datetime) -> bool:
    """Whether workers died over other mails at the same time."""
    around = (at - AT_ONCE, at + AT_ONCE)
    noted = Q(died_at__range=around)
    unnoted = Q(state__in=UNDONE, working_since__range=around, retry_at__lte=now)
    recent = InboundMail.objects.filter(stored_at__gte=now - dt.timedelta(days=1))
    return recent.filter(noted | unnoted).exclude(pk=mail.pk).exists()


def _set_aside_if_enough(mail: InboundMail, now: dt.datetime) -> bool:
    """Set aside a mail that was tried often enough, and tell the people it concerns; return whether
    to leave it alone.
    """
    too_long = setting_aside.took_too_long(mail)
    if mail.attempts < ATTEMPTS and mail.setbacks < MOST_SETBACKS and not too_long:
        return False
    why = f"It broke the program {mail.attempts} times."
    if not mail.attempts:
        why = f"Work on it broke off {mail.setbacks} times, perhaps by no fault of its own."
    elif too_long:
        why = _too_long(now)
    elif not mail.error:
        why = f"It stopped the program {mail.attempts} times."
    logger.error("Mail #%s is set aside: %s", mail.pk, why)
    with transaction.atomic():
        undone = _undone(mail.pk)
        if undone is None:  # another worker was faster
            return True
        undone.state, undone.note, undone.processed_at = State.QUARANTINED, why, now
        undone.working_since = None
        undone.save(update_fields=["state", "note", "processed_at", "working_since"])
        _tell(undone, now)
    return True


def _undone(mail_id: int) -> InboundMail | None:
    """The mail's row, locked, unless the mail is settled already."""
    return InboundMail.objects.select_for_update().filter(pk=mail_id, state__in=UNDONE).first()


def many_took_too_long(now: dt.datetime) -> bool:
    """Whether so many mails took too long in the last hour that others get less time."""
    recent = InboundMail.objects.filter(
        state=State.QUARANTINED, released_at=None, processed_at__gt=now - dt.timedelta(hours=1)
    )
    slow = recent.filter(error__startswith=TookTooLong.__name__)
    return slow.order_by().count() >= MOST_SLOW_ONES


def _too_long(now: dt.datetime) -> str:
    """Why a mail that took too long was set aside."""
    if not many_took_too_long(now):
        return f"It took more than {turns.LONGEST:.0f} seconds of processor time."
    return (
        f"It took more than {turns.LONGEST_TOGETHER:.0f} s of processor time, and {MOST_SLOW_ONES} "
        f"others within an hour had taken more than {turns.LONGEST:.0f}."
    )


def _tell(mail: InboundMail, now: dt.datetime) -> None:
    """Make the games wait that the mail may concern, and tell the people it concerns."""
    for tell in (setting_aside.tell, setting_aside.tell_without_reading):
        try:
            with transaction.atomic(), TimeLimit(LONGEST_HEADER):
                tell(mail, now=now)
            return
        except (DatabaseError, InterfaceError):
            raise
        except Exception:  # the header may be the part that breaks
            logger.exception("Whom mail #%s concerns cannot be told", mail.pk)
