"""The server under test: its beat and workers, its operator, and what happens to its machines."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from functools import partial

from django.db import connection

from mailer import jobs
from mailer.inbound import holds, timekeeping
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import outbox as mail_out
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import EARLY_DELAY, UNSENT, Broken, time_of
from tests.simulate.machinery.post import Mailbox, Weather
from tests.simulate.machinery.process import DiskFull, Processes
from tests.simulate.tables import HOUR

JOBS: dict[str, Callable[[dt.datetime], object]] = {
    "poll": jobs.poll,
    "process": jobs.process,
    "resume": jobs.resume,
    "deadlines": jobs.deadlines,
    "seats": jobs.seats,
    "remind": jobs.remind,
    "tell": jobs.tell,
    "outbox": jobs.outbox,
}
"""What the beat asks for. `process` stands for process_in_turns, which is the two of them."""

LOST, DOUBLED = 0.1, 0.1
"""The broker's share of messages."""
DAY = dt.timedelta(days=1)


def _done(name: str, now: dt.datetime) -> None:
    """Do a job: whatever servers answer, none breaks over it. Raises Broken."""
    try:
        JOBS[name](now)
    except DiskFull:
        raise  # there is no room: it is done another time
    except Exception as error:
        raise Broken(f"{name} breaks over {error!r}") from error


class Server:
    """Everything that runs by itself; it shares its `chance` with the world around it."""

    def __init__(
        self,
        chance: random.Random,
        agenda: Agenda,
        processes: Processes,
        weather: Weather,
        mailbox: Mailbox,
    ) -> None:
        self.chance, self.agenda, self.clock = chance, agenda, agenda.clock
        self.processes, self.weather, self.mailbox = processes, weather, mailbox
        self.is_down = False
        """Its database is lost."""
        self.is_stopped = False
        self._marked: set[dt.datetime] = set()
        processes.meanwhile = self._another_worker

    def beat(self) -> None:
        """Ask for every job now and then. (A real beat asks every few seconds, mostly in vain.)"""
        self.nudge(*JOBS)
        self.agenda.after(self.chance.uniform(0.2, 4) * 3600, self.beat)

    def mark_deadlines(self) -> None:
        """Have the beat ask for every job around each time at which a phase may be over."""
        rows = connection.connection.execute(
            f"select due_at, all_in_at, {EARLY_DELAY} from games_phase phase"
            " join games_game game on game.id = game_id where phase.status = 'open'"
        )
        for due, all_in, early_delay in rows.fetchall():
            ends = [time_of(due)]
            if all_in_at := time_of(all_in):
                ends.append(all_in_at + dt.timedelta(microseconds=early_delay))
            for end in filter(None, ends):
                if end in self._marked:
                    continue
                self._marked.add(end)
                for seconds in (1, 150):
                    about = end + dt.timedelta(seconds=seconds + self.chance.random())
                    self.agenda.at(about, lambda: self.nudge(*JOBS))

    def nudge(self, *jobs: str) -> None:
        """Give the broker messages, which it loses, doubles, delays and brings in any order."""
        for name in jobs:
            copies = 1
            if self.weather.stormy:
                copies -= self.chance.random() < LOST
                copies += self.chance.random() < DOUBLED
            for _ in range(copies):
                self.agenda.after(self.chance.uniform(0, 20), partial(self.work, name))

    def round(self) -> None:
        """Do every job once, as `manage.py tick` does."""
        self.processes.run("round", lambda: jobs.do_round(self.clock.shown()))

    def work(self, name: str) -> None:
        """Have a worker do a job, while the server is there."""
        if self.is_down or self.is_stopped:
            return
        self.processes.run(name, lambda: _done(name, timekeeping.now()))

    def _another_worker(self) -> None:
        self.work(self.chance.choice(list(JOBS)))

    def mend(self) -> None:
        """What a person at the server does about what was set aside."""
        now = self.clock.shown()
        aside = InboundMail.objects.filter(state__in=["quarantined", "unfetched"])
        holds.run_again(mail_ids=list(aside.values_list("pk", flat=True)), now=now)
        failed = OutboundMail.objects.filter(state="failed").values_list("pk", flat=True)
        mail_out.send_again(mail_ids=list(failed), now=now)

    def storm(self) -> None:
        """Servers go away and come back, a mailbox is moved, an operator looks."""
        self.agenda.after(self.chance.expovariate(1 / (2 * DAY.total_seconds())), self.storm)
        kind = self.chance.choice(["imap", "smtp", "number anew", "operator", "operator"])
        until = self.clock.now() + HOUR * self.chance.choice([0.1, 0.3, 1, 4, 10])
        if kind == "imap":
            self.weather.imap_away_until = until
        elif kind == "smtp":
            self.weather.smtp_away_until = until
        elif kind == "number anew":
            self.mailbox.number_anew()
        else:
            self.mend()

    def calm(self) -> None:
        """Let nothing break any more."""
        self.processes.stormy = self.weather.stormy = False
        self.weather.imap_away_until = self.weather.smtp_away_until = None
        self.agenda.clear()
        for deliver in self.mailbox.arriving:
            deliver()

    def is_left(self) -> str:
        """Say what there is still to do; empty when all is quiet."""
        queries = {
            "mail in": "select count(*) from mailer_inboundmail where state in"
            " ('new', 'later', 'quarantined', 'unfetched')",
            "mail out": f"select count(*) from mailer_outboundmail where {UNSENT}",
            "untold": "select count(*) from games_event where told_at is null",
        }
        counts = {
            name: connection.connection.execute(query).fetchone()[0]
            for name, query in queries.items()
        }
        counts["in the mailbox"] = len(self.mailbox.folders["INBOX"])
        return ", ".join(f"{name} {count}" for name, count in counts.items() if count)
