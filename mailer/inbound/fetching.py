"""Fetches and stores every mail in the folder; one that the server cannot deliver does not hold up
the others.

We fetch whatever is in the folder and has no row, whatever we remember: so we ask again for a mail
that a server once left out of its answer. If a batch fails, we fetch its mails one by one over a
new connection; a mail that then fails again and again gets a row that says so. We tell the
operators and try again now and then, and deadlines that the mail may have met wait
(`store.all_mail_read`).
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Mapping, Sequence

from django.db import transaction

from mailer.inbound import store, unfetched
from mailer.inbound.imap import FAULTS, Facts, Session, in_portions
from mailer.inbound.place import Place
from mailer.models import InboundMail, Mailbox

logger = logging.getLogger(__name__)

BATCH = 50
"""How many mails one look fetches."""
PAUSES = (0.0, 1.0, 2.0)
"""Seconds before each attempt at a mail that we could not fetch together with others."""
AGAIN_AT_ONCE = 3
"""How many of the mails that we cannot fetch are tried again in one poll, since each may time
out."""
LEFT_OUT = "the server answers without its text"


def fetch_new(session: Session, mailbox: Mailbox, *, now: dt.datetime) -> int:
    """Store all mail that is not here yet, and note that everything up to `now` is; return how many
    were new.

    Raises one of FAULTS if the mailbox as a whole cannot be read.
    """
    begun = time.monotonic()
    present = session.uids()
    wanted = _without_row(mailbox, session.uidvalidity, present)
    stored = 0
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        stored += _fetch(session, mailbox, batch, now=now)
        _note_progress(mailbox, session.uidvalidity, batch[-1])
    ended_at = now + dt.timedelta(seconds=time.monotonic() - begun)
    last = present[-1] if present else 0
    _note_progress(mailbox, session.uidvalidity, last, begun_at=now, ended_at=ended_at)
    return stored


def fetch_again(session: Session, mailbox: Mailbox, *, now: dt.datetime) -> int:
    """Try a few of the mails that we could not fetch; return how many came."""
    stored = 0
    for row in unfetched.due(mailbox, now)[:AGAIN_AT_ONCE]:
        if row.uidvalidity != session.uidvalidity or not session.uids([row.uid]):
            unfetched.note_gone(row, now=now)
            continue
        stored += _fetch_alone(session, mailbox, row.uid, pauses=(0.0,), now=now)
    return stored


def _without_row(mailbox: Mailbox, uidvalidity: int, present: Sequence[int]) -> list[int]:
    known: set[int] = set()
    rows = InboundMail.objects.filter(mailbox=mailbox, uidvalidity=uidvalidity)
    for start in range(0, len(present), 500):
        batch = present[start : start + 500]
        known.update(rows.filter(uid__in=batch).order_by().values_list("uid", flat=True))
    return [uid for uid in present if uid not in known]


def _fetch(session: Session, mailbox: Mailbox, uids: Sequence[int], *, now: dt.datetime) -> int:
    """Store these mails; fetch one by one those that do not come with the others."""
    came: set[int] = set()
    stored = 0
    try:
        for portion in in_portions(session.facts(uids)):
            bodies = session.fetch(portion)
            stored += _store(session, mailbox, portion, bodies, now=now)
            came.update(bodies)
    except FAULTS as error:
        logger.warning("Mail in: %s: a batch could not be fetched: %s", mailbox, error)
        session.reopen()
    missing = [uid for uid in uids if uid not in came]
    for uid in session.uids(missing) if missing else ():
        stored += _fetch_alone(session, mailbox, uid, pauses=PAUSES, now=now)
    return stored


def _fetch_alone(
    session: Session, mailbox: Mailbox, uid: int, *, pauses: Sequence[float], now: dt.datetime
) -> int:
    """Store one mail that would not come; after as many failures as there are pauses, note that we
    cannot fetch it."""
    why = ""
    for pause in pauses:
        time.sleep(pause)
        try:
            facts = session.facts([uid])
            bodies = session.fetch(facts)
            if bodies:
                return _store(session, mailbox, facts, bodies, now=now)
            if not session.uids([uid]):
                return 0  # somebody moved it away
            why = LEFT_OUT
        except FAULTS as error:
            why = str(error)
            session.reopen()
    unfetched.note(
        place=Place(mailbox, session.uidvalidity, uid),
        received_at=_received_at(session, uid),
        why=why,
        now=now,
    )
    return 0


def _received_at(session: Session, uid: int) -> dt.datetime | None:
    try:
        return session.received_at(uid)
    except FAULTS:
        session.reopen()
        return None


def _store(
    session: Session,
    mailbox: Mailbox,
    facts: Mapping[int, Facts],
    bodies: Mapping[int, bytes],
    *,
    now: dt.datetime,
) -> int:
    with transaction.atomic():
        stored = sum(
            store.store(
                place=Place(mailbox, session.uidvalidity, uid),
                raw=raw,
                received_at=facts[uid].received_at or now,
                now=now,
            )
            for uid, raw in bodies.items()
        )
        unfetched.came(mailbox, session.uidvalidity, bodies)
    return stored


def _note_progress(
    mailbox: Mailbox,
    uidvalidity: int,
    uid: int,
    *,
    begun_at: dt.datetime | None = None,
    ended_at: dt.datetime | None = None,
) -> None:
    """Note how far we have read the mailbox; also that a poll which began at this time brought
    everything."""
    with transaction.atomic():
        row = Mailbox.objects.select_for_update().get(pk=mailbox.pk)
        row.last_uid = max(row.last_uid, uid) if row.uidvalidity == uidvalidity else uid
        row.uidvalidity = uidvalidity
        if begun_at:
            store.note_poll(row, begun_at, ended_at=ended_at)
        row.save()
