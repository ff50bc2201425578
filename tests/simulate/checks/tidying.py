"""Old mail is emptied, and deleted from the mailbox, each day (docs/privacy.md).

What is promised: nothing that is young enough, or has yet to be seen to, loses its words; what is
old keeps none; and a mail that comes again when its words are gone is still known.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass
from email import message_from_bytes
from functools import partial

from django.conf import settings

from mailer import jobs
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.post import Mailbox
from tests.simulate.machinery.server import DAY, Server

SLACK = dt.timedelta(days=2)
"""Workers die, and clocks are wrong."""
AGAIN = 0.15
"""How often a day has a mail that comes again when its words are gone."""
OLD_WORDS = """
    select 'mailer_inboundmail', id from mailer_inboundmail
     where length(raw) > 0 and processed_at < :old
       and state in ('done', 'ignored', 'held', 'report')
    union select 'mailer_outboundmail', id from mailer_outboundmail
     where body != '' and created_at < :old and state in ('sent', 'failed')
"""
LOST_WORDS = """
    select subject, state, created_at as at from mailer_outboundmail mail
     where emptied_at is not null and recipient != 'erased@invalid'
       and (state = 'queued' or (created_at > :young and kind != 'own_data'
            and not exists (select 1 from games_player where erased_at is not null)))
"""


@dataclass
class Tidying:
    """What the server does once a day, and a mail that comes again long after that."""

    chance: random.Random
    agenda: Agenda
    server: Server
    mailbox: Mailbox
    seen: Evidence

    def plan(self) -> None:
        """Have it done every day."""
        self.agenda.after(DAY.total_seconds(), self._tidy)

    def _tidy(self) -> None:
        self.plan()
        if self.server.is_down or self.server.is_stopped:
            return
        if self.server.processes.run("forget", lambda: jobs.forget(self.agenda.clock.shown())):
            self.look()
        if self.chance.random() < AGAIN:
            self._comes_again()

    def look(self) -> None:
        """Check what has words after tidying. Raises Broken."""
        now = self.agenda.clock.now().replace(tzinfo=None)
        limit = dt.timedelta(days=settings.MAIL_DAYS)
        old, young = (now - limit + by for by in (-SLACK, SLACK))
        cursor = self.seen.database().cursor()
        for table, key in cursor.execute(OLD_WORDS, {"old": old.isoformat(sep=" ")}):
            raise Broken(f"{table} {key} is older than {limit.days} days, and has its words")
        for subject, *facts in cursor.execute(LOST_WORDS, {"young": young.isoformat(sep=" ")}):
            raise Broken(f"{subject!r} {facts} lost its words at {now}")

    def _comes_again(self) -> None:
        """Deliver once more what somebody wrote, when the server has forgotten its words."""
        kept = [mail.raw for mail in self.mailbox.done_with()]
        if kept:
            raw = self.chance.choice(kept)
            self.agenda.after(
                (settings.MAIL_DAYS + 3) * DAY.total_seconds(), partial(self._deliver, raw)
            )

    def _deliver(self, raw: bytes) -> None:
        message_id = str(message_from_bytes(raw)["Message-ID"])
        query = "select 1 from mailer_inboundmail where message_id = ? and emptied_at is not null"
        if message_id in self.seen.letters and self.seen.rows(query, message_id):
            self.seen.delivered(message_id, self.mailbox.deliver(raw))
