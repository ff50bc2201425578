"""Mail from IMAP: copied to the database first, moved away on the server last.

The mailbox itself is the queue until our commit: nothing is marked or moved before. \\Seen flags
mean nothing to us. Whatever dies in the middle, the next poll finds the same mails again and
`intake.store` recognises those it has. No lock is held while the network is waited for, except
during the tidying: two MOVEs of one mail at once would leave two copies.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import logging
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from mailer import intake
from mailer.models import InboundMail, Mailbox
from mailer.reading.bounds import LARGEST

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 10
READ_SECONDS = 60
BATCH = 50
KEPT_OF_LARGER = LARGEST
LONGEST_IDLE = 240.0
SLICE = 1.0
PAUSE_AFTER_ERROR = 5.0
PAUSE_AFTER_REFUSAL = 300.0
PROCESSED, QUARANTINE = "Processed", "Quarantine"
_FOLDERS = {
    InboundMail.State.DONE: PROCESSED,
    InboundMail.State.IGNORED: PROCESSED,
    InboundMail.State.HELD: PROCESSED,
    InboundMail.State.REPORT: PROCESSED,
    InboundMail.State.QUARANTINED: QUARANTINE,
}


class Session:
    """One IMAP connection with its folder selected. A context manager.

    Raises OSError or imaplib.IMAP4.error: the session is of no use then, open another.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.url = url
        self.folder = unquote(parts.path.strip("/")) or "INBOX"
        self.client = IMAPClient(
            parts.hostname,
            port=parts.port or (993 if parts.scheme == "imaps" else 143),
            ssl=parts.scheme == "imaps",
            ssl_context=ssl.create_default_context() if parts.scheme == "imaps" else None,
            timeout=SocketTimeout(CONNECT_SECONDS, READ_SECONDS),
        )
        self.client.normalise_times = False  # INTERNALDATE with its zone
        self.client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.client.login(unquote(parts.username or ""), unquote(parts.password or ""))
        self.uidvalidity = 0
        self.select()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.client.logout()
        except (OSError, imaplib.IMAP4.error):
            self.client.shutdown()

    def select(self) -> None:
        """Looks at the folder anew; a changed UIDVALIDITY is seen here."""
        self.uidvalidity = int(self.client.select_folder(self.folder)[b"UIDVALIDITY"])

    def uids_after(self, last: int) -> list[int]:
        """The UIDs above `last`, ascending. (`5:*` also finds the last mail when it is below.)"""
        return sorted(uid for uid in self.client.search(["UID", f"{last + 1}:*"]) if uid > last)

    def fetch(self, uids: Sequence[int]) -> Iterator[tuple[int, bytes, dt.datetime]]:
        """(UID, bytes, INTERNALDATE) of those mails that are still there."""
        facts = self.client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
        small = [uid for uid in uids if uid in facts and facts[uid][b"RFC822.SIZE"] <= LARGEST]
        large = [uid for uid in uids if uid in facts and facts[uid][b"RFC822.SIZE"] > LARGEST]
        bodies = self.client.fetch(small, ["BODY.PEEK[]"]) if small else {}
        for uid in large:  # its text comes first; what is attached to it nobody reads
            bodies |= self.client.fetch([uid], [f"BODY.PEEK[]<0.{KEPT_OF_LARGER}>"])
        for uid in uids:
            raw = _body(bodies.get(uid, {}))
            if raw is not None:
                yield uid, raw, facts[uid][b"INTERNALDATE"]

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Moves mails, on servers without MOVE by copy and delete."""
        target = self._own_folder(folder)
        if self.client.has_capability("MOVE"):
            self.client.move(uids, target)
            return
        self.client.copy(uids, target)
        self.client.delete_messages(uids)
        self.client.expunge(uids if self.client.has_capability("UIDPLUS") else None)

    def idle(self, seconds: float, stop: threading.Event) -> None:
        """Returns when something happens in the mailbox, after `seconds`, or soon after `stop`.

        An empty answer before its time, or none to our DONE, is a dead connection: raises.
        """
        self.client.idle()
        end = time.monotonic() + seconds
        while not stop.is_set() and (begun := time.monotonic()) < end:
            if self.client.idle_check(timeout=SLICE):
                break
            if time.monotonic() - begun < SLICE / 2:
                raise ConnectionError("the connection was closed while we waited for mail")
        self.client.idle_done()

    def _own_folder(self, name: str) -> str:
        prefix = ""
        if self.client.has_capability("NAMESPACE"):
            personal = self.client.namespace().personal
            prefix = str(personal[0][0]) if personal else ""
        folder = f"{prefix}{name}"
        if not self.client.folder_exists(folder):
            self.client.create_folder(folder)
        return folder


def poll_mailbox(*, url: str, now: dt.datetime) -> int:
    """Fetches, stores and tidies once over a connection of its own; how many mails were new."""
    with Session(url) as session:
        return poll(session, now=now)


def poll(session: Session, *, now: dt.datetime) -> int:
    """One round over an open session: everything new is stored, what is done is moved away."""
    mailbox = intake.mailbox_for(session.url)
    stored = fetch_new(session, mailbox, now=now)
    tidy(session, mailbox)
    return stored


def fetch_new(session: Session, mailbox: Mailbox, *, now: dt.datetime) -> int:
    """Stores all mail above the last known UID, and notes that all up to `now` is here."""
    same = mailbox.uidvalidity == session.uidvalidity
    uids = session.uids_after(mailbox.last_uid if same else 0)
    stored = 0
    for start in range(0, len(uids), BATCH):
        batch = uids[start : start + BATCH]
        stored += _store(session, mailbox, batch, now=now)
    _note_progress(mailbox, session.uidvalidity, uids[-1] if uids else 0, polled=now)
    return stored


def _store(session: Session, mailbox: Mailbox, uids: list[int], *, now: dt.datetime) -> int:
    fetched = list(session.fetch(uids))
    with transaction.atomic():
        stored = sum(
            intake.store(
                mailbox=mailbox,
                uidvalidity=session.uidvalidity,
                uid=uid,
                raw=raw,
                received_at=received_at,
                now=now,
            )
            for uid, raw, received_at in fetched
        )
        _note_progress(mailbox, session.uidvalidity, uids[-1], polled=None)
    return stored


def _note_progress(
    mailbox: Mailbox, uidvalidity: int, uid: int, *, polled: dt.datetime | None
) -> None:
    """Writes down how far the mailbox is read; never backwards, whoever else polls it."""
    with transaction.atomic():
        row = Mailbox.objects.select_for_update().get(pk=mailbox.pk)
        row.last_uid = max(row.last_uid, uid) if row.uidvalidity == uidvalidity else uid
        row.uidvalidity = uidvalidity
        if polled:
            intake.note_poll(row, polled)
        row.save()


def tidy(session: Session, mailbox: Mailbox) -> int:
    """Moves away what the database has done; how many mails. Safe to repeat at any time.

    It goes by what is in the folder, not by what we remember: a MOVE of a mail that this session
    has not seen yet is answered OK and moves nothing, and one that another session has moved is
    an error. Hence the look after the lock.
    """
    with transaction.atomic():
        mine = Mailbox.objects.select_for_update(skip_locked=True).filter(pk=mailbox.pk)
        if not mine.exists():
            return 0
        session.client.noop()
        present = session.uids_after(0)
        batches = (present[start : start + BATCH] for start in range(0, len(present), BATCH))
        return sum(_move_done(session, mailbox, batch) for batch in batches)


def _move_done(session: Session, mailbox: Mailbox, uids: list[int]) -> int:
    done = _done(mailbox, session.uidvalidity, uids)
    for folder, moved in done.items():
        session.move(moved, folder)
    return sum(map(len, done.values()))


def _done(mailbox: Mailbox, uidvalidity: int, uids: list[int]) -> dict[str, list[int]]:
    rows = InboundMail.objects.filter(
        mailbox=mailbox, uidvalidity=uidvalidity, uid__in=uids, state__in=list(_FOLDERS)
    )
    done: dict[str, list[int]] = {}
    for uid, state in rows.values_list("uid", "state"):
        done.setdefault(_FOLDERS[InboundMail.State(state)], []).append(uid)
    return done


def run_forever(stop: threading.Event) -> None:
    """Polls every mailbox until `stop` is set: at once when mail comes, and now and then anyway."""
    watchers = [
        threading.Thread(target=watch, args=(url, stop), name=intake.mailbox_name(url))
        for url in settings.IMAP_URLS
    ]
    for watcher in watchers:
        watcher.start()
    for watcher in watchers:
        watcher.join()


def watch(url: str, stop: threading.Event) -> None:
    """Polls one mailbox until `stop` is set; after an error over new connections."""
    name = intake.mailbox_name(url)
    while not stop.is_set():
        try:
            _watch_session(url, stop)
        except LoginError:
            logger.error("Mail in: %s refuses our login", name)
            stop.wait(PAUSE_AFTER_REFUSAL)
        except (OSError, imaplib.IMAP4.error) as error:
            logger.warning("Mail in: %s: %s", name, error)
            stop.wait(PAUSE_AFTER_ERROR)
        except Exception:  # a database that restarts, a fault of ours: the mail still has to come
            logger.exception("Mail in: %s", name)
            stop.wait(PAUSE_AFTER_ERROR)
        finally:
            connection.close()


def _watch_session(url: str, stop: threading.Event) -> None:
    with Session(url) as session:
        while not stop.is_set():
            session.select()
            poll(session, now=timezone.now())
            _wait(session, stop)


def _wait(session: Session, stop: threading.Event) -> None:
    """Until mail comes, POLL_SECONDS are over, or `stop` is set."""
    pause = min(settings.POLL_SECONDS, LONGEST_IDLE)
    if session.client.has_capability("IDLE"):
        session.idle(pause, stop)
    else:
        stop.wait(pause)


def _body(answer: dict[bytes, Any]) -> bytes | None:
    """The bytes in a FETCH answer, whole or cut, whatever else the server put into it."""
    return next((value for key, value in answer.items() if key.startswith(b"BODY[]")), None)
