"""The measured processes of benchmarks.workers: one set of mails or phases, and this many
workers."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings
from django.db import connection

django.setup()

from benchmarks.costs_worker import DUE, LATER, backend, keep, make  # noqa: E402
from benchmarks.mail_worker import order_mails  # noqa: E402
from benchmarks.many_games import order_openings  # noqa: E402
from benchmarks.workers import WORKERS  # noqa: E402
from games.models import Game  # noqa: E402
from games.services.adjudication import due_games  # noqa: E402
from mailer import jobs  # noqa: E402
from mailer.inbound import processing, store  # noqa: E402
from mailer.jobs import due_phases  # noqa: E402

WARM_UP = {"mails": 3, "phases": 9}
"""How many games' mails or phases each worker does by itself before we measure it: the driver
prepares a statement the fourth time, and PostgreSQL plans it five times more. Mails are taken two
by two, because those that share a transaction have statements of their own."""
LONGEST = 120.0
"""Seconds after which it is over, whatever is left."""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--fill", type=int, help="make so many games, and those to warm up")
    options.add_argument("--what", choices=WARM_UP)
    options.add_argument("--workers", type=int)
    given = options.parse_args()
    if given.fill:
        make(given.fill + max(WORKERS) * WARM_UP["phases"])
        print(json.dumps({}))
    else:
        print(json.dumps(measured(given.what, given.workers)))


def measured(what: str, number: int) -> dict[str, float]:
    """Return what this many workers did and needed together, each of them warm."""
    games = list(Game.objects.order_by("pk"))
    to_do = len(games) - max(WORKERS) * WARM_UP["phases"] + number * WARM_UP[what]
    PREPARE[what](games[:to_do])
    connection.close()
    context = multiprocessing.get_context("fork")
    in_turn, warm = context.Lock(), context.Barrier(number + 1, timeout=LONGEST)
    told: multiprocessing.Queue[tuple[int, float, float]] = context.Queue()
    workers = [
        context.Process(target=work, args=(what, in_turn, warm, told)) for _ in range(number)
    ]
    for worker in workers:
        worker.start()
    warm.wait()
    begun = time.perf_counter()
    used = [told.get(timeout=2 * LONGEST) for _ in workers]
    seconds = time.perf_counter() - begun
    for worker in workers:
        worker.join()
    done = sum(one for one, *_ in used)
    expected = (to_do - number * WARM_UP[what]) * PER_GAME[what]
    assert done == expected, f"{done} of {expected}"
    client, database = (sum(one[at] for one in used) for at in (1, 2))
    return {"number": done, "seconds": seconds, "client": client, "backend": database}


def prepare_mails(games: list[Game]) -> None:
    """Store an order mail from every seat, with the games mixed, as in a mailbox."""
    box = store.mailbox_for(settings.IMAP_URLS[0])
    mails = list(order_mails(games))
    random.Random(1).shuffle(mails)
    for uid, raw in enumerate(mails, start=1):
        keep(box, uid, raw)


def prepare_phases(games: list[Game]) -> None:
    """Make a phase of each of these games due, and of no other, with all orders in."""
    Game.objects.exclude(pk__in=[game.pk for game in games]).update(status=Game.Status.PAUSED)
    for game in games:
        order_openings(game.phases.get(status="open"))
    box = store.mailbox_for(settings.IMAP_URLS[0])
    box.last_ok_poll = DUE
    box.save()


def work(what: str, in_turn: Any, warm: Any, told: Any) -> None:
    """Warm up, wait for the others, work until nothing is left; tell how much, and its cost."""
    with in_turn:
        WARM[what]()
    warm.wait()
    begun, database = time.process_time(), backend()
    done, end = 0, time.monotonic() + LONGEST
    while time.monotonic() < end and (some := SOME[what]()):
        done += some
    used = time.process_time() - begun, backend() - database
    told.put((done, *used))


def some_mails(limit: int = jobs.MAILS_PER_TURN) -> int:
    """Do what a worker does with each tick: a few mails, then what is queued."""
    done = processing.process_inbound(now=LATER, limit=limit)
    jobs.outbox(LATER)
    return done


def some_phases() -> int:
    """Do what a worker does with each tick: the phases that are due."""
    return jobs.deadlines(DUE)


def warm_by_mails() -> None:
    left = WARM_UP["mails"] * PER_GAME["mails"]
    while left:
        left -= (done := some_mails(min(left, 2)))
        assert done


def warm_by_phases() -> None:
    for _ in range(WARM_UP["phases"]):
        due = due_games.phases_due(now=DUE)[: due_games.CLAIMED_AMONG]
        assert next(due_phases.process_all(due, lambda: DUE))


PER_GAME = {"mails": 7, "phases": 1}
PREPARE = {"mails": prepare_mails, "phases": prepare_phases}
WARM = {"mails": warm_by_mails, "phases": warm_by_phases}
SOME: dict[str, Callable[[], int]] = {"mails": some_mails, "phases": some_phases}


if __name__ == "__main__":
    main()
