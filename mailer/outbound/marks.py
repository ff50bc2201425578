"""Marks of mails that the server took: a few together, for a mark alone cost a third of sending.

What is not marked when a worker dies is sent again. So no mark waits for more than nine others, or
for longer than a second, and none is left out when a batch ends early.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from types import TracebackType

from games.models.prepared import TIME, Given, Update
from mailer.models import OutboundMail
from mailer.outbound.leases import MOST, NOBODYS, given_mails, keys_of

LONGEST_WAIT = 1.0
"""Seconds."""


class Marks:
    """The mails that the server took and that are not marked yet; at the end all of them are."""

    def __init__(self, now: dt.datetime) -> None:
        self.now = now
        self._waiting: list[OutboundMail] = []
        self._since = 0.0

    def add(self, mail: OutboundMail) -> None:
        """The server has taken this mail."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(mail)
        waited = time.monotonic() - self._since
        if len(self._waiting) == MOST or waited >= LONGEST_WAIT:
            self.write()

    def write(self) -> None:
        """Mark what waits."""
        mails, self._waiting = self._waiting, []
        if mails:
            mark_sent(mails, now=self.now)

    def __enter__(self) -> Marks:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.write()


def mark_sent(mails: Sequence[OutboundMail], *, now: dt.datetime) -> None:
    """Write down that the server took these mails, MOST of them at most; true even if our lease of
    them ran out meanwhile."""
    _MARK.run(now=now, **keys_of(mails))


_MARK = Update(
    lambda: OutboundMail.objects.filter(pk__in=given_mails()),
    state=OutboundMail.State.SENT,
    sent_at=Given("now", TIME),
    last_error="",
    **NOBODYS,
)
