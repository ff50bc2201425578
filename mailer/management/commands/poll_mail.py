"""`manage.py poll_mail`: the long-running poller, or one look with `--once`."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from games.queries.reports.wording import counted
from mailer.inbound import poller, store
from mailer.inbound.imap import FAULTS, error_text
from mailer.workers.nudges import nudge
from mailer.workers.right_tables import need_right_tables


class Command(BaseCommand):
    help = "Fetch mail from every mailbox in IMAP_URL, store it, and tidy the mailbox."

    # Only our own: Django's look at every page of the admin, which no mail needs.
    requires_system_checks = ("server",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="fetch what is there and exit")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        need_right_tables()
        if once:
            self._once()
            return
        connection.close()  # each watcher has its own
        stop = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stop.set())
        poller.run_forever(stop, tell=partial(nudge, "process"))

    def _once(self) -> None:
        for url in settings.IMAP_URLS:
            name = store.mailbox_name(url)
            try:
                stored = poller.poll_mailbox(url=url, now=timezone.now())
            except FAULTS as error:
                raise CommandError(f"{name} cannot be read: {error_text(error)}") from error
            self.stdout.write(f"{name}: {counted(stored, 'new mail')}")
