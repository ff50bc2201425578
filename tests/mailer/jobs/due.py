"""When phases come due here, what the mailbox tells of that, and several workers at once."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable

from django.db import connection

from mailer.inbound import store
from mailer.models import Mailbox
from tests.cast import DAY, NOW

URL = "imap://judge:secret@127.0.0.1:1/INBOX"
DUE = NOW + 3 * DAY
MOMENT = dt.timedelta(seconds=1)
LATER = dt.timedelta(minutes=1)
"""The pause after the first failure."""


def mailbox_read(at: dt.datetime) -> Mailbox:
    """Note that all mail up to `at` is here, as a successful poll does."""
    mailbox = store.mailbox_for(URL)
    mailbox.last_ok_poll = at
    mailbox.save()
    return mailbox


def at_once(workers: int, job: Callable[[], int]) -> list[int]:
    """Run the job in so many threads at one moment; what each returned."""
    barrier = threading.Barrier(workers)
    done: list[int] = []

    def work() -> None:
        try:
            barrier.wait()
            done.append(job())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done
