"""The measured process of benchmarks.mail: order mails from the mailbox to committed receipts.

IMAP_URL names a mailbox that is empty, EMAIL_URL a server that takes all mail.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import resource
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

django.setup()

from benchmarks.many_games import make_games  # noqa: E402
from games.models import Game, OrderSet  # noqa: E402
from games.queries.lookup import open_phase, seats_of  # noqa: E402
from mailer import jobs  # noqa: E402
from mailer.inbound.imap import Session  # noqa: E402
from mailer.models import OutboundMail  # noqa: E402
from mailer.outbound import addresses  # noqa: E402
from tests.cast import OPENINGS  # noqa: E402

NOW = timezone.now()
LATER = NOW + dt.timedelta(seconds=1)
APPENDED_AT_ONCE = 100
QUOTE = "".join(
    f"> France: A Paris - Burgundy: succeeds. Line {number}\r\n" for number in range(40)
)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--mails", type=int, required=True)
    options.add_argument("--only-fill", action="store_true", help="leave the work to others")
    options.add_argument("--write-to", metavar="FILE", help="only write the mails, as JSON")
    given = options.parse_args()
    mails = given.mails
    call_command("migrate", verbosity=0)
    games = make_games(-(-mails // 7), NOW)
    OutboundMail.objects.all().delete()
    if given.write_to:
        texts = [raw.decode() for raw in islice(order_mails(games), mails)]
        Path(given.write_to).write_text(json.dumps(texts))
        print(json.dumps({"mails": mails}))
        return
    fill_mailbox(list(islice(order_mails(games), mails)))
    if given.only_fill:
        print(json.dumps({"mails": mails}))
        return
    result = {"mails": mails, **stages(mails)}
    assert OrderSet.objects.filter(counts=True).count() == mails
    assert OutboundMail.objects.filter(kind="reply").count() == mails
    print(json.dumps(result))


def stages(mails: int) -> dict[str, float]:
    """Return the seconds of each stage, and what the process needed."""
    begun = time.process_time()
    result = {
        "fetch": timed(lambda: jobs.poll(LATER), mails),
        "process": timed(lambda: all_of(jobs.process), mails),
    }
    result["cpu"] = time.process_time() - begun
    result["send"] = timed(lambda: all_of(jobs.outbox), mails)
    result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def all_of(job: Callable[[dt.datetime], int]) -> int:
    """Do the job until nothing is left; return how much it did."""
    done = 0
    while new := job(LATER):
        done += new
    return done


def timed(stage: Callable[[], int], mails: int) -> float:
    begun = time.perf_counter()
    done = stage()
    assert done == mails, f"{done} of {mails}"
    return time.perf_counter() - begun


def order_mails(games: list[Game]) -> Iterator[bytes]:
    """Write an order mail from every seat: orders on top, our last mail quoted below."""
    for game in games:
        phase = open_phase(game)
        for seat in seats_of(game):
            to = addresses.seat_address(seat=seat, phase=phase, now=NOW)
            orders = "\r\n".join(OPENINGS[seat.power.name])
            yield (
                f"From: {seat.player.name} <{seat.player.address}>\r\nTo: {to}\r\n"
                f"Subject: Re: [{game.name}] Spring 1901 movement\r\n"
                f"Message-ID: <{game.pk}.{seat.pk}@players.test>\r\n"
                "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
                f"{orders}\r\n\r\nOn Monday the judge wrote:\r\n{QUOTE}"
            ).encode()


def fill_mailbox(mails: list[bytes]) -> None:
    """Put the mails into the mailbox as a mail server would, received at LATER."""
    with Session(settings.IMAP_URLS[0]) as session:
        for start in range(0, len(mails), APPENDED_AT_ONCE):
            batch = mails[start : start + APPENDED_AT_ONCE]
            session.client.multiappend("INBOX", [{"msg": one, "date": LATER} for one in batch])


if __name__ == "__main__":
    main()
