"""Marks mails that the server took, a few at a time: marking each by itself took a third of the
time of sending.

A mail that is not marked yet when a worker dies is sent again. So a mark waits for at most nine
others and at most a second, or three if the next mail keeps us waiting because a server or its
pictures hang. No mark is lost if a batch ends early, or if the database takes no changes for a
while: a worker that could not mark a mail it sent sends nothing more before it has.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Sequence

from django.db import DatabaseError, InterfaceError, close_old_connections

from games.models.prepared import TIME, Given, Update
from mailer.models import OutboundMail
from mailer.outbound.leases import MOST, NOBODYS, given_mails, keys_of

logger = logging.getLogger(__name__)

LONGEST_WAIT = 1.0
"""Seconds."""
TRIED_FOR = 20.0
"""Seconds for which we try to mark sent mails while the database refuses; it must be less than
LEASE, after which others take them."""
PAUSE = 1.0
"""Seconds between two tries."""

_left: dict[int, tuple[OutboundMail, dt.datetime]] = {}
"""The mails by key that this process has sent and could not mark, each with when it was sent."""


class Marks:
    """The mails that the server took and that are not marked yet; at the end all are marked."""

    def __init__(self, now: dt.datetime) -> None:
        self.now = now
        self._begun = time.monotonic()
        self._waiting: list[OutboundMail] = []
        self._since = 0.0
        self._writing = threading.Lock()

    def present(self) -> dt.datetime:
        """Return the present time, in whole seconds after `now`: a server may have kept us waiting
        meanwhile."""
        return self.now + dt.timedelta(seconds=int(time.monotonic() - self._begun))

    def add(self, mail: OutboundMail) -> None:
        """Have a mail marked that the server has taken."""
        with self._writing:
            if not self._waiting:
                self._since = time.monotonic()
            self._waiting.append(mail)
        if len(self._waiting) == MOST or self._seconds_waiting() >= LONGEST_WAIT:
            self.write()

    def write(self) -> None:
        """Mark the mails that wait."""
        with self._writing:
            self._mark()

    def write_late(self) -> None:
        """Mark mails that have waited twice as long as they should.

        Another thread calls this each second, while the next mail is on its way. It does nothing if
        somebody is marking at this moment.
        """
        if self._seconds_waiting() <= 2 * LONGEST_WAIT or not self._writing.acquire(blocking=False):
            return
        try:
            self._mark()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Mail out: what was sent could not be marked yet: %s", error)
        finally:
            self._writing.release()

    def _mark(self) -> None:
        if self._waiting:
            mark_sent(self._waiting, now=self.now)
            self._waiting = []

    def _seconds_waiting(self) -> float:
        return time.monotonic() - self._since

    def __enter__(self) -> Marks:
        return self

    def __exit__(self, *error: object) -> None:
        end = time.monotonic() + TRIED_FOR
        while True:
            try:
                return self.write()
            except (DatabaseError, InterfaceError):
                if time.monotonic() >= end:
                    _left.update((mail.pk, (mail, self.now)) for mail in self._waiting)
                    raise
            time.sleep(PAUSE)
            close_old_connections()  # the database may have restarted


def mark_left() -> None:
    """Mark mails that this process sent earlier and could not mark.

    Raises DatabaseError or InterfaceError if it still cannot: any mail sent then would go out
    twice.
    """
    for key, (mail, now) in list(_left.items()):
        mark_sent([mail], now=now)
        _left.pop(key, None)


def mark_sent(mails: Sequence[OutboundMail], *, now: dt.datetime) -> None:
    """Write down that the server took these mails, MOST of them at most, even if our lease of them
    ran out meanwhile."""
    _MARK.run(now=now, **keys_of(mails))


_MARK = Update(
    lambda: OutboundMail.objects.filter(pk__in=given_mails()),
    state=OutboundMail.State.SENT,
    sent_at=Given("now", TIME),
    last_error="",
    **NOBODYS,
)
