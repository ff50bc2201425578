"""Keeps the leases of mails that are on their way, however slowly the server takes them.

One thread does it for all batches of a process, one after the other. It looks every second, without
being woken, and ends once it finds nothing to keep. Starting a thread for each batch, and waiting
for its end, took a tenth of the time of sending ten mails.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connections

from mailer.models import OutboundMail
from mailer.outbound import leases

logger = logging.getLogger(__name__)

RENEW_SECONDS = 15.0
WATCH_SECONDS = 1.0


@dataclass(slots=True)
class _Kept:
    """A batch on its way, and when its lease was renewed (`time.monotonic`)."""

    token: str
    begun: leases.Begun
    renewed: float
    each_second: Callable[[], None]


class Keeper:
    """Looks at the batches on their way every `watch` seconds, and renews leases older than
    `renew`."""

    def __init__(self, *, watch: float = WATCH_SECONDS, renew: float = RENEW_SECONDS) -> None:
        self._watch, self._renew = watch, renew
        self._kept: list[_Kept] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def keep(
        self,
        batch: Sequence[OutboundMail],
        begun: leases.Begun,
        *,
        each_second: Callable[[], None] = lambda: None,
    ) -> Iterator[None]:
        """Keep our lease of these mails, `begun` then, while this process lives, and call
        `each_second` as long as the block runs."""
        one = _Kept(batch[0].leased_by, begun, begun.monotonic, each_second)
        try:
            with self._lock:
                self._kept.append(one)
                # The thread does not live on in a forked process, nor after an error.
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._look_on, daemon=True)
                    self._thread.start()
            yield
        finally:
            with self._lock:
                self._kept.remove(one)

    def _look_on(self) -> None:
        while True:
            time.sleep(self._watch)
            with self._lock:
                if not self._kept:
                    self._thread = None
                    return
                for one in self._kept:
                    try:
                        self._look(one)
                    except Exception:  # the leases of the others have to be kept
                        logger.exception("Mail out: a batch on its way could not be looked after")
                for used in connections.all(initialized_only=True):
                    used.close()  # it is hardly ever used, and the database may restart

    def _look(self, one: _Kept) -> None:
        now = time.monotonic()
        due = now - one.renewed >= self._renew
        if due and leases.prolong(one.token, now=one.begun.present()):
            one.renewed = now
        one.each_second()


keep_lease = Keeper().keep
