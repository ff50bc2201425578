"""Which mails go out next, and whose they are while they go.

Mails to one recipient leave in the order in which they were queued, for the last receipt in a
mailbox is taken for what stands. Among recipients receipts go first, and all take turns.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from mailer.models import OutboundMail

logger = logging.getLogger(__name__)

LEASE = dt.timedelta(minutes=1)
"""After so long the mails of a worker that died are free for others."""
RENEW_SECONDS = 15.0
PATIENCE = 3
"""So often may a mail be put off before later ones to the same recipient overtake it."""
NOBODYS: Final = {"leased_until": None, "leased_by": ""}


def lease(*, now: dt.datetime, limit: int) -> list[OutboundMail]:
    """Take up to `limit` due mails for ourselves until now + LEASE; they count as tried."""
    while next_ones := list(_due(now).values_list("pk", "recipient")[:limit]):
        if taken := _taken(next_ones, now):
            return taken
    return []


def _due(now: dt.datetime) -> QuerySet[OutboundMail]:
    """The mails that may go out now, the next one first.

    An earlier mail to the same recipient is waited for while somebody sends it, and while it is put
    off; but not for ever, for one that the server never takes must not stop all that follow it. A
    mail is as urgent as the most urgent one behind it. A recipient of several mails gets one each
    turn; within a turn random ids decide, so that nobody is always first.
    """
    queued = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    waits = Q(not_before__gt=now, attempts__lte=PATIENCE) | Q(leased_until__gt=now)
    before = queued.filter(waits, recipient=OuterRef("recipient"), pk__lt=OuterRef("pk"))
    due = queued.filter(_free(now), ~Exists(before.order_by()), not_before__lte=now)
    urgency = Window(Min("priority"), partition_by=F("recipient"), order_by=F("pk").desc())
    turn = Window(RowNumber(), partition_by=F("recipient"), order_by=F("pk").asc())
    ordered = due.annotate(urgency=urgency, turn=turn)
    return ordered.order_by("urgency", "turn", "not_before", "message_id")


def _free(now: dt.datetime) -> Q:
    return Q(leased_until=None) | Q(leased_until__lte=now)


def _taken(wanted: Sequence[tuple[int, str]], now: dt.datetime) -> list[OutboundMail]:
    """Those of these mails that are ours now; none when other workers were faster with all.

    Where another was faster with one mail, those behind it to the same recipient wait, too.
    """
    token = uuid.uuid4().hex
    with transaction.atomic():
        rows = OutboundMail.objects.filter(_free(now), state=OutboundMail.State.QUEUED)
        locked = rows.filter(pk__in=[pk for pk, _ in wanted]).order_by("pk").select_for_update()
        free = {mail.pk: mail for mail in locked}
        lost = {recipient for pk, recipient in wanted if pk not in free}
        taken = [free[pk] for pk, recipient in wanted if recipient not in lost]
        OutboundMail.objects.filter(pk__in=[mail.pk for mail in taken]).update(
            leased_until=now + LEASE, leased_by=token, attempts=F("attempts") + 1
        )
    for mail in taken:
        mail.leased_until, mail.leased_by, mail.attempts = now + LEASE, token, mail.attempts + 1
    return taken


@contextmanager
def renewed(batch: Sequence[OutboundMail], *, now: dt.datetime) -> Iterator[None]:
    """Keep our lease of these mails as long as this process lives, however slow the server is."""
    over = threading.Event()
    keeper = threading.Thread(target=_renew, args=(batch[0].leased_by, now, over), daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def _renew(token: str, now: dt.datetime, over: threading.Event) -> None:
    begun = time.monotonic()
    while not over.wait(RENEW_SECONDS):
        passed = dt.timedelta(seconds=time.monotonic() - begun)
        ours = OutboundMail.objects.filter(leased_by=token, state=OutboundMail.State.QUEUED)
        try:
            ours.update(leased_until=now + passed + LEASE)
        except DatabaseError as error:
            logger.warning("Mail out: the lease could not be renewed: %s", error)
    connection.close()  # of this thread


def give_back(mail: OutboundMail) -> None:
    """End our lease of a mail that we did not try."""
    our_lease(mail).update(attempts=F("attempts") - 1, **NOBODYS)


def our_lease(mail: OutboundMail) -> QuerySet[OutboundMail]:
    """The row while it is still leased to us; nobody else's lease is touched."""
    return OutboundMail.objects.filter(pk=mail.pk, leased_by=mail.leased_by)
