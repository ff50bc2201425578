"""One round of every job, without a broker."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from diplomacy_server.health.ping import ping
from diplomacy_server.management.quiet import QuietCommand
from games.queries.reports.wording import local_moment
from mailer import jobs
from mailer.inbound.outages import our_mailboxes
from mailer.inbound.timekeeping import is_right, now_in_rounds
from mailer.workers.right_tables import need_right_tables


class Command(QuietCommand):
    """`manage.py tick`: what a cron job calls where no worker runs."""

    help = (
        "Do one round of all jobs: fetch mail, work on it, process due phases, write notices, "
        "send mail. Exits with 1 if a mailbox cannot be read."
    )

    # Only our own: Django's look at every page of the admin, which no mail needs.
    requires_system_checks = ("server",)

    def handle(self, *args: Any, **options: Any) -> None:
        need_right_tables()
        now = now_in_rounds(Path(settings.VAR_DIR) / "clock")
        if not is_right(now):
            raise CommandError("This machine's clock is wrong; the log says by how much.")
        self.stdout.write(str(jobs.do_round(now)))
        ping(now)
        failing = our_mailboxes().order_by("pk").values_list("url", "failing_since")
        said = [_sentence(url, since) for url, since in failing if since is not None]
        if said:
            raise CommandError(" ".join(said))


def _sentence(url: str, since: dt.datetime) -> str:
    return (
        f"{url} has been out of reach since {local_moment(since)}. "
        "Deadlines wait for it; the log says why."
    )
