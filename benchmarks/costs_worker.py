"""The measured process of benchmarks.costs: order mails and phases, one by one."""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import json
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

django.setup()

from benchmarks import by_hand  # noqa: E402
from benchmarks.mail_worker import order_mails  # noqa: E402
from benchmarks.many_games import make_games, order_openings  # noqa: E402
from games.models import Game  # noqa: E402
from games.queries.reports.drawing import DRAWING  # noqa: E402
from mailer.inbound import processing, store, turns  # noqa: E402
from mailer.inbound.place import Place  # noqa: E402
from mailer.jobs import due_phases  # noqa: E402
from mailer.models import InboundMail, Mailbox, OutboundMail  # noqa: E402
from mailer.outbound import leases, sending  # noqa: E402
from tests.cast import DAY, HOUR, NOW  # noqa: E402

LATER = NOW + dt.timedelta(seconds=1)
DUE = NOW + 3 * DAY + HOUR
WARM_UP = 6
"""How many items at the beginning are not measured: statements are prepared, templates loaded."""
STORED = 7
"""How many mails the poller finds together: a game's."""
COUNTED = 2
"""For how many items at the end we count statements instead of measuring times."""


@dataclass
class Cost:
    """How many seconds each item of one kind took, and how many statements the counted ones."""

    wall: list[float] = field(default_factory=list)
    client: list[float] = field(default_factory=list)
    backend: list[float] = field(default_factory=list)
    statements: int = 0
    commits: int = 0

    def row(self, share: int = 1) -> dict[str, float]:
        """Return the median milliseconds of one item, where `share` of them were measured
        together."""
        each = {name: 1000 * statistics.median(getattr(self, name)) / share for name in TIMES}
        return {**each, "statements": self.statements / share, "commits": self.commits / share}


TIMES = ("wall", "client", "backend")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, required=True)
    games = make(options.parse_args().games)
    rows = {**mails(games), **phases(games), **floor(games)}
    print(json.dumps({"calibration": calibration(), "rows": rows}))


def calibration() -> float:
    """Milliseconds of a fixed loop, the least of five."""
    times = []
    for _ in range(5):
        begun = time.process_time()
        sum(number * number % 7 for number in range(400_000))
        times.append(time.process_time() - begun)
    return 1000 * min(times)


def make(number: int) -> list[Game]:
    call_command("migrate", verbosity=0)
    games = make_games(number, NOW)
    sent(OutboundMail.objects.all())
    return games


def analyzed() -> None:
    """Have PostgreSQL count its rows, as autovacuum does within a minute on a server of any age."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def mails(games: list[Game]) -> dict[str, dict[str, float]]:
    """Measure an order mail from every seat: stored, worked on by itself or with others, its
    receipt sent."""
    analyzed()
    box = store.mailbox_for(settings.IMAP_URLS[0])
    raws = list(enumerate(order_mails(games), start=1))
    some = [raws[at : at + STORED] for at in range(0, len(raws), STORED)]
    stored = each(some, lambda one: keep_all(box, one), warm_up=1, counted=1)
    keys = list(InboundMail.objects.filter(state="new").order_by("id").values_list("pk", flat=True))
    most = len(keys) * 3 // 4 // turns.TOGETHER * turns.TOGETHER
    alone = each(keys[most:], lambda pk: processing.process_mail(mail_id=pk, now=LATER))
    batches = [turns.TOGETHER] * (most // turns.TOGETHER)
    work = functools.partial(processing.process_inbound, now=LATER)
    together = each(batches, lambda limit: work(limit=limit), warm_up=3, counted=1)
    assert InboundMail.objects.filter(state="done").count() == len(raws)
    assert OutboundMail.objects.filter(kind="reply").count() == len(raws)
    batches = [leases.MOST] * (len(raws) // leases.MOST)
    send = functools.partial(sending.drain, now=LATER)
    receipts = each(batches, lambda limit: send(limit=limit), warm_up=2, counted=1)
    sent(OutboundMail.objects.all())
    return {
        "order mail: stored, of seven": stored.row(STORED),
        "order mail: worked on, of twenty": together.row(turns.TOGETHER),
        "order mail: worked on alone": alone.row(),
        "order mail: receipt sent": receipts.row(leases.MOST),
    }


def keep_all(box: Mailbox, some: list[tuple[int, bytes]]) -> None:
    """Store a few mails, as the poller does when it finds them."""
    with transaction.atomic():
        for uid, raw in some:
            keep(box, uid, raw)


def keep(box: Mailbox, uid: int, raw: bytes) -> None:
    store.store(place=Place(box, 1, uid), raw=raw, received_at=LATER, now=LATER)


def phases(games: list[Game]) -> dict[str, dict[str, float]]:
    """Measure a phase of every game, and its eight mails: as text, with HTML, with pictures."""
    for game in games:
        order_openings(game.phases.get(status="open"))
    analyzed()
    box = store.mailbox_for(settings.IMAP_URLS[0])
    box.last_ok_poll = DUE
    box.save()
    worked = each(games, lambda game: list(due_phases.process_all([game.pk], lambda: DUE)))
    told = OutboundMail.objects.filter(kind="phase_processed")
    assert told.count() == 8 * len(games)
    sent(told)  # otherwise games' mails mix, and each phase is drawn in another's time
    rows = {"phase: processed, eight mails": worked.row()}
    for name, look in LOOKS.items():
        again = functools.partial(queue_again, told, look)
        one = each(games, lambda _: sending.drain(now=DUE, limit=8), 2, 1, before=again)
        rows[f"its eight mails: {name}"] = one.row()
    return rows


def queue_again(told: QuerySet[OutboundMail], look: dict[str, object], game: Game) -> None:
    """Put the mails of this game's phase back into the outbox, with this look."""
    told.filter(event__game=game).update(state="queued", sent_at=None, leased_by="", **look)


def floor(games: list[Game]) -> dict[str, dict[str, float]]:
    """Measure the same work by hand, below which no server in Python can go."""
    session = by_hand.session()
    mails = each(by_hand.order_mails_by_hand(games), lambda one: one(session), counted=0)
    first = [by_hand.PhaseByHand(game.phases.get(number=1)) for game in games]
    quiet = each(first, lambda one: one(), 2, 0)
    loud = each(first, lambda one: one(session), 2, 0)
    return {
        "order mail: by hand": mails.row(),
        "phase: by hand": quiet.row(),
        "phase and its mails: by hand": loud.row(),
    }


LOOKS: dict[str, dict[str, object]] = {
    "with pictures": {"html": True},
    "with HTML": {"html": True, "pictures": "", "pictured": None, "trial": None},
    "text": {"html": False},
}


def sent(found: QuerySet[OutboundMail]) -> None:
    found.update(state="sent", sent_at=NOW)


def each(
    items: Iterable[object],
    work: Callable[..., object],
    warm_up: int = WARM_UP,
    counted: int = COUNTED,
    before: Callable[..., object] = lambda item: None,
) -> Cost:
    """Work on the items one by one, each after a step that does not count; return what each
    took."""
    items, cost = list(items), Cost()
    last = len(items) - counted
    for number, item in enumerate(items):
        before(item)
        if number >= last:
            cost.statements, cost.commits = counts(functools.partial(work, item))
            continue
        begun = clocks()
        work(item)
        spent = [after - earlier for after, earlier in zip(clocks(), begun, strict=True)]
        if number >= warm_up:
            for name, seconds in zip(TIMES, spent, strict=True):
                getattr(cost, name).append(seconds)
    return cost


def clocks() -> tuple[float, float, float]:
    """Return the time of day, our processor time with that of the process that draws for us, and
    that of the database process that serves us."""
    return time.perf_counter(), time.process_time() + spent_by(DRAWING.pid), backend()


def backend() -> float:
    """Return how many seconds the PostgreSQL process that serves us has had the processor."""
    if connection.vendor != "postgresql":
        return 0.0  # SQLite works in our own process
    connection.ensure_connection()
    return spent_by(connection.connection.info.backend_pid)


def spent_by(pid: int) -> float:
    """Return how many seconds a process has had a processor (proc(5), schedstat), 0 if there is no
    process."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9 if pid else 0.0


def counts(work: Callable[[], object]) -> tuple[int, int]:
    """Return how many statements it takes, without those of transactions, and how many commits."""
    with CaptureQueriesContext(connection) as captured:
        work()
    inside, statements, commits = False, 0, 0
    for sql in (query["sql"] for query in captured):
        if sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
            continue
        if sql.startswith(("BEGIN", "COMMIT")):
            inside = sql.startswith("BEGIN")
            commits += not inside
            continue
        statements += 1
        commits += not inside and not sql.startswith("SELECT")
    return statements, commits


if __name__ == "__main__":
    main()
