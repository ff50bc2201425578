"""The measured processes of benchmarks.workers: one set of mails or phases, so many workers."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time

import django
from django.conf import settings
from django.db import connection

django.setup()

from benchmarks.costs_worker import DUE, LATER, backend, keep, make  # noqa: E402
from benchmarks.mail_worker import order_mails  # noqa: E402
from benchmarks.many_games import order_openings  # noqa: E402
from games.models import Game  # noqa: E402
from mailer import jobs  # noqa: E402
from mailer.inbound import processing, store  # noqa: E402
from mailer.models import OutboundMail  # noqa: E402

WARM_UP = 7
"""So many mails, and one phase, each worker does before it is measured."""
LONGEST = 120.0
"""Seconds; then it is over, whatever is left."""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--what", choices=("mails", "phases"), required=True)
    options.add_argument("--games", type=int, required=True)
    options.add_argument("--workers", type=int, required=True)
    given = options.parse_args()
    games = make(given.games + given.workers)
    number = (prepare_mails if given.what == "mails" else prepare_phases)(games)
    connection.close()
    context = multiprocessing.get_context("fork")
    warm = context.Barrier(given.workers + 1)
    told: multiprocessing.Queue[tuple[int, float, float]] = context.Queue()
    workers = [
        context.Process(target=work, args=(given.what, warm, told)) for _ in range(given.workers)
    ]
    for worker in workers:
        worker.start()
    warm.wait()
    begun = time.perf_counter()
    used = [told.get() for _ in workers]
    seconds = time.perf_counter() - begun
    for worker in workers:
        worker.join()
    done = sum(one for one, *_ in used)
    told_of = OutboundMail.objects.filter(state="sent", kind="reply").count()
    assert given.what == "phases" or told_of == number, f"{told_of} of {number}"
    client, database = (sum(one[at] for one in used) for at in (1, 2))
    result = {"number": done, "seconds": seconds, "client": client, "backend": database}
    print(json.dumps(result))


def prepare_mails(games: list[Game]) -> int:
    """An order mail of every seat, stored."""
    box = store.mailbox_for(settings.IMAP_URLS[0])
    for uid, raw in enumerate(order_mails(games), start=1):
        keep(box, uid, raw)
    return 7 * len(games)


def prepare_phases(games: list[Game]) -> int:
    """A phase of every game that is due, with all orders in."""
    for game in games:
        order_openings(game.phases.get(status="open"))
    box = store.mailbox_for(settings.IMAP_URLS[0])
    box.last_ok_poll = DUE
    box.save()
    return len(games)


def work(what: str, warm: object, told: object) -> None:
    """Warm up, wait for the others, work until nothing is left; tell how much, and its cost."""
    if what == "mails":
        processing.process_inbound(now=LATER, limit=WARM_UP)
        jobs.outbox(LATER)
    else:
        jobs.deadlines_in_turns(lambda: DUE, seconds=0)
    warm.wait()  # type: ignore[attr-defined]
    begun, database = time.process_time(), backend()
    done, end = 0, time.monotonic() + LONGEST
    while time.monotonic() < end and (some := some_mails() if what == "mails" else some_phases()):
        done += some
    used = time.process_time() - begun, backend() - database
    told.put((done, *used))  # type: ignore[attr-defined]


def some_mails() -> int:
    """What a worker does with each tick: a few mails, then what is queued."""
    done = processing.process_inbound(now=LATER, limit=jobs.MAILS_PER_TURN)
    jobs.outbox(LATER)
    return done


def some_phases() -> int:
    return jobs.deadlines(DUE)


if __name__ == "__main__":
    main()
