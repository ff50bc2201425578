"""The measured process of benchmarks.phases: games that are due at once, and who works on them."""

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
from mailer import duties, intake  # noqa: E402
from mailer.models import OutboundMail  # noqa: E402
from tests.cast import DAY, NOW  # noqa: E402

DUE = NOW + 3 * DAY


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, required=True)
    options.add_argument("--workers", type=int, required=True)
    given = options.parse_args()
    prepare(given.games)
    seconds, megabytes = work(given.workers)
    mails = OutboundMail.objects.filter(kind="phase_processed").count()
    assert mails == 8 * given.games, mails
    print(json.dumps({"phases": given.games, "seconds": seconds, "megabytes": megabytes}))


def prepare(games: int) -> None:
    """Games with all orders in, and a mailbox that was read after their deadline."""
    call_command("migrate", verbosity=0)
    for game in make_games(games):
        order_openings(game.phases.get(status=Phase.Status.OPEN))
    for url in settings.IMAP_URLS:
        mailbox = intake.mailbox_for(url)
        mailbox.last_ok_poll = DUE
        mailbox.save()


def work(workers: int) -> tuple[float, float]:
    """Seconds from the deadline to the last commit, and the largest worker's peak memory."""
    connection.close()
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        begun = time.perf_counter()
        peaks = pool.map(worker, range(workers), chunksize=1)
        return time.perf_counter() - begun, max(peaks)


def worker(_: int) -> float:
    """What a Celery worker does when the deadline comes; its peak memory in MB."""
    duties.deadlines(DUE)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
