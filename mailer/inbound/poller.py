"""Mail from IMAP: copied to the database first, moved away on the server last.

The mailbox itself is the queue until our commit: nothing is marked or moved before. \\Seen flags
mean nothing to us. Whatever dies in the middle, the next poll finds the same mails again and
`store.store` recognises those it has. We hold no lock while we wait for the network, except the
mailbox's while we tidy it.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from mailer.inbound import store, timekeeping
from mailer.inbound.alone import alone_with
from mailer.inbound.fetching import fetch_again, fetch_new
from mailer.inbound.imap import FAULTS, Session, error_text, is_refusal
from mailer.models import InboundMail, Mailbox

logger = logging.getLogger(__name__)

BATCH = 50
"""How many mails are looked up, and moved, at once."""
LONGEST_IDLE = 240.0
"""Seconds after which a session that waits for mail asks again, whatever POLL_SECONDS says."""
LOOK = 0.5
"""Seconds after which we check again whether we have to stop."""
PATIENCE = 2.0
"""Seconds that watchers have to finish."""
PAUSE_AFTER_ERROR = 5.0
"""In seconds."""
PAUSE_AFTER_REFUSAL = store.REFUSED_FOR.total_seconds()
"""Seconds before we log in again after a refused login."""
PROCESSED, QUARANTINE = "Processed", "Quarantine"
_FOLDERS = {
    InboundMail.State.DONE: PROCESSED,
    InboundMail.State.IGNORED: PROCESSED,
    InboundMail.State.HELD: PROCESSED,
    InboundMail.State.REPORT: PROCESSED,
    InboundMail.State.QUARANTINED: QUARANTINE,
}

Tell = Callable[[], object]


def poll_mailbox(*, url: str, now: dt.datetime) -> int:
    """Fetch, store and tidy once, over a connection of its own; return how many mails were
    new."""
    with Session(url) as session:
        return poll(session, now=now)


def poll(session: Session, *, now: dt.datetime) -> int:
    """Do one round over an open session: store everything new, move away everything done."""
    mailbox = store.mailbox_for(session.url)
    stored = fetch_new(session, mailbox, now=now)
    stored += fetch_again(session, mailbox, now=now)
    tidy(session, mailbox)
    return stored


def tidy(session: Session, mailbox: Mailbox) -> int:
    """Move away the mails that the database has done; return how many. Safe to repeat at any time.

    This goes by what is in the folder, not by what we remember: the server says OK to a MOVE of a
    mail that this session has not seen yet, but moves nothing.
    """
    present = session.uids()
    batches = (present[start : start + BATCH] for start in range(0, len(present), BATCH))
    return sum(_move_done(session, mailbox, batch) for batch in batches)


def _move_done(session: Session, mailbox: Mailbox, uids: Sequence[int]) -> int:
    """Move those of these mails that are done; only a few, because nobody else can tidy meanwhile.

    Two MOVEs of one mail at once would leave two copies, and it is an error to move a mail that
    another session has moved; so this looks again after taking the lock.
    """
    if not _uids_done(mailbox, session.uidvalidity, uids):
        return 0
    with alone_with(mailbox) as is_mine:
        if not is_mine:
            return 0
        session.client.noop()
        done = _uids_done(mailbox, session.uidvalidity, session.uids(uids))
        for folder, moved in done.items():
            session.move(moved, folder)
    return sum(map(len, done.values()))


def _uids_done(mailbox: Mailbox, uidvalidity: int, uids: Sequence[int]) -> dict[str, list[int]]:
    rows = InboundMail.objects.filter(
        mailbox=mailbox, uidvalidity=uidvalidity, uid__in=uids, state__in=list(_FOLDERS)
    )
    done: dict[str, list[int]] = {}
    for uid, state in rows.values_list("uid", "state"):
        done.setdefault(_FOLDERS[InboundMail.State(state)], []).append(uid)
    return done


def run_forever(stop: threading.Event, tell: Tell) -> None:
    """Poll every mailbox until `stop` is set: at once when mail comes, and now and then anyway.

    It calls `tell` whenever mail was stored. Once `stop` is set, it soon leaves behind watchers
    that wait for their server, or for the database; they end with the process. That loses nothing:
    whatever dies in the middle is done again.
    """
    watchers = [
        threading.Thread(
            target=watch, args=(url, stop, tell), name=store.mailbox_name(url), daemon=True
        )
        for url in settings.IMAP_URLS
    ]
    for watcher in watchers:
        watcher.start()
    # Not stop.wait(): a signal that sets it while we take its lock would wait for us.
    while not stop.is_set() and (alive := [one for one in watchers if one.is_alive()]):
        alive[0].join(LOOK)
    give_up = time.monotonic() + PATIENCE
    for watcher in watchers:
        watcher.join(max(0.0, give_up - time.monotonic()))


def watch(url: str, stop: threading.Event, tell: Tell) -> None:
    """Poll one mailbox until `stop` is set; after an error, over new connections."""
    name = store.mailbox_name(url)
    while not stop.is_set():
        try:
            _watch_session(url, stop, tell)
        except FAULTS as error:
            if is_refusal(error):
                logger.error("Mail in: %s refuses our login", name)
                _note_refusal(url)
                stop.wait(PAUSE_AFTER_REFUSAL)
            else:
                logger.warning("Mail in: %s: %s", name, error_text(error))
                stop.wait(PAUSE_AFTER_ERROR)
        except Exception:  # a database that restarts, a fault of ours: the mail still has to come
            logger.exception("Mail in: %s", name)
            stop.wait(PAUSE_AFTER_ERROR)
        finally:
            connection.close()


def _note_refusal(url: str) -> None:
    """Have the worker and `manage.py tick` leave the server alone, too."""
    try:
        store.note_failure(url, timekeeping.now(), refused=True)
    except (DatabaseError, InterfaceError):
        logger.warning("Mail in: the refusal could not be noted")
    finally:
        connection.close()  # we need none while we wait


def _watch_session(url: str, stop: threading.Event, tell: Tell) -> None:
    with Session(url) as session:
        while not stop.is_set():
            close_old_connections()  # the database may have restarted while we waited for mail
            known, now = session.next_uid, timekeeping.now()
            if timekeeping.is_right(now) and poll(session, now=now):
                tell()
            # During a poll the server has told us what came, and does not tell us again.
            session.select()
            if session.next_uid == known:
                _wait(session, stop)
                session.select()


def _wait(session: Session, stop: threading.Event) -> None:
    """Wait until mail comes, POLL_SECONDS are over, or `stop` is set."""
    pause = min(settings.POLL_SECONDS, LONGEST_IDLE)
    if session.client.has_capability("IDLE"):
        session.idle(pause, stop)
    else:
        stop.wait(pause)
