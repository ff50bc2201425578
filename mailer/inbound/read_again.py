"""After a backup was restored: reads the mails that came since again, as of the time they came.

The restored database knows neither these mails nor what they decided, but the mailbox has them. The
database also takes the time since the backup for an outage, although the server worked until it
broke down: each deadline in that time would move, after its results had gone out.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min

from games.errors import WrongState
from games.queries.reports.wording import local_moment
from mailer.inbound import outages, poller, store
from mailer.inbound.fetching import fetch_new
from mailer.inbound.imap import FAULTS, Session, error_text
from mailer.models import Mailbox

A_DAY = dt.timedelta(days=1)
"""How much further back we look: mailboxes find mails by the day, each by its own calendar."""


def backup_time(broke_at: dt.datetime) -> dt.datetime:
    """Return when a mailbox was last read before the backup. Raises WrongState if there is no such
    time, or none before `broke_at`."""
    at: dt.datetime | None = outages.our_mailboxes().aggregate(at=Min("last_ok_poll"))["at"]
    if at is None:  # on a new machine the mailbox may have another address
        at = Mailbox.objects.aggregate(at=Max("last_ok_poll"))["at"]
    if at is None:
        raise WrongState("The restored database has never read a mailbox.")
    if at >= broke_at:
        raise WrongState(
            f"The database knows of mail up to {local_moment(at)}, so it is no backup from before "
            f"{local_moment(broke_at)}. When did the server break down? If this command has "
            "already been run, all is done. If the server was started before it, stop it, and "
            "restore the backup once more."
        )
    return at


def move_back(since: dt.datetime) -> int:
    """Move mails that we dealt with after the backup back to the inbox; return how many.

    Raises WrongState if a mailbox cannot be reached.
    """
    day, moved = (since - A_DAY).date(), 0
    for url in settings.IMAP_URLS:
        try:
            with Session(url) as session:
                for folder in (poller.PROCESSED, poller.QUARANTINE):
                    moved += session.take_back(folder, day)
        except FAULTS as error:
            raise _unreachable(url, error) from error
    return moved


@transaction.atomic
def read_all(*, broke_at: dt.datetime, now: dt.datetime) -> int:
    """Store the mails in the mailboxes, and note that the server worked until `broke_at`; return
    how many of them the backup did not know.

    Raises WrongState if a mailbox cannot be read. It all happens in one transaction: once a mailbox
    counts as read up to now, nobody can tell any more that the server worked until it broke down.
    So this cannot be repeated: it moves nothing away, and nothing may fail afterwards.
    """
    new = 0
    for url in settings.IMAP_URLS:
        try:
            with Session(url) as session:
                new += fetch_new(session, store.mailbox_for(url), now=now)
        except FAULTS as error:
            raise _unreachable(url, error) from error
    _shorten_outage(broke_at, now)
    return new


def _shorten_outage(broke_at: dt.datetime, now: dt.datetime) -> None:
    is_long = now - broke_at > dt.timedelta(seconds=settings.OUTAGE_SECONDS)
    since, until = (broke_at, now) if is_long else (None, None)
    found = outages.our_mailboxes().filter(gap_from__lt=broke_at, gap_to__gte=broke_at)
    found.update(gap_from=since, gap_to=until)


def _unreachable(url: str, error: BaseException) -> WrongState:
    return WrongState(
        f"{store.mailbox_name(url)} cannot be read: {error_text(error)}. Mend that, and run this "
        "command again before you start the server."
    )
