"""The measured process of benchmarks.phases: games that are due at once, and the workers on
them."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

django.setup()

from benchmarks.many_games import make_games, order_openings  # noqa: E402
from games.models import Phase  # noqa: E402
from mailer import jobs  # noqa: E402
from mailer.inbound import store  # noqa: E402
from mailer.models import OutboundMail  # noqa: E402
from tests.cast import DAY, HOUR, NOW  # noqa: E402

DUE = NOW + 3 * DAY + HOUR  # an hour past the deadline: the mailbox has settled


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, required=True)
    options.add_argument("--workers", type=int, required=True)
    given = options.parse_args()
    prepare(given.games)
    result = {"phases": given.games, **work(given.workers)}
    mails = OutboundMail.objects.filter(kind="phase_processed").count()
    assert mails == 8 * given.games, mails
    print(json.dumps(result))


def prepare(games: int) -> None:
    """Make games with all orders in, and a mailbox that was read after their deadline."""
    call_command("migrate", verbosity=0)
    for game in make_games(games):
        order_openings(game.phases.get(status=Phase.Status.OPEN))
    OutboundMail.objects.update(state=OutboundMail.State.SENT, sent_at=NOW)  # all know of the phase
    for url in settings.IMAP_URLS:
        mailbox = store.mailbox_for(url)
        mailbox.last_ok_poll = DUE
        mailbox.save()


def work(workers: int) -> dict[str, float]:
    """Return the seconds from the deadline to the last commit, those of the processor, and the
    largest peak memory."""
    connection.close()
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        begun = time.perf_counter()
        used = pool.map(worker, range(workers), chunksize=1)
        seconds = time.perf_counter() - begun
    return {
        "seconds": seconds,
        "cpu": sum(cpu for cpu, _ in used),
        "megabytes": max(megabytes for _, megabytes in used),
    }


def worker(_: int) -> tuple[float, float]:
    """Do what a Celery worker does when the deadline comes; return its processor seconds and peak
    memory in MB."""
    begun = time.process_time()
    jobs.deadlines(DUE)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return time.process_time() - begun, megabytes


if __name__ == "__main__":
    main()
