"""What the admin's pages cost on a server of 5,000 games and a million mails.

    createdb large
    DATABASE_URL=postgres://app@127.0.0.1/large python -m benchmarks.staff_pages --fill
    DATABASE_URL=postgres://app@127.0.0.1/large python -m benchmarks.staff_pages

The first call fills an empty database (some minutes, about 6 GB). The second measures every page:
its statements, its time and the database's part of it, and which statements read a large table
whole.
"""

from __future__ import annotations

import argparse
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

django.setup()

import time_machine  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from benchmarks.large_server import TODAY, fill  # noqa: E402
from games.models import Game, Phase, Player  # noqa: E402
from mailer.models import InboundMail, OutboundMail  # noqa: E402

LARGE = 20_000
"""A table with more rows than this should never be read whole."""
LARGE_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s"
TABLE = re.compile(r"Seq Scan on (\w+)")
ROLES = ("gm", "moderator", "operator")


@dataclass(frozen=True)
class Cost:
    """What one page took."""

    status: int
    statements: int
    milliseconds: float
    in_database: float
    kilobytes: float
    whole: tuple[tuple[str, str], ...]
    """Each large table that was read whole, and the statement that did."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--fill", action="store_true", help="fill an empty database first")
    options.add_argument("--games", type=int, default=5_000)
    options.add_argument("--mails", type=int, default=1_000_000)
    options.add_argument("--only", default="", help="measure pages whose name has this")
    options.add_argument("--slow", action="store_true", help="show the slowest statement of each")
    given = options.parse_args()
    if given.fill:
        call_command("migrate", verbosity=0)
        fill(given.games, given.mails)
    logging.getLogger("django").setLevel(logging.CRITICAL)  # who may not see a page is no news
    hosts = override_settings(ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False)
    with hosts, time_machine.travel(TODAY, tick=False):
        measure(given.only, given.slow)


def measure(only: str, slow: bool) -> None:
    """Print a line for each page and role, and what is wrong with it."""
    large = large_tables()
    print(f"{'page':34}{'role':>10}{'SQL':>5}{'ms':>8}{'db ms':>8}{'KB':>7}")
    for role in ROLES:
        client = Client()
        client.force_login(User.objects.get(username=role))
        for name, url in pages():
            if only in name:
                show(name, role, cost(client, url, large, slow))


def pages() -> Iterator[tuple[str, str]]:
    """Yield every page that is long, or that reads something long."""
    to = reverse
    game = Game.objects.get(name="marne")
    yield "home", to("admin:index")
    yield "queue", to("admin:games_player_queue")
    yield "game", to("admin:games_game_change", args=[game.pk])
    yield "act: extend", to("admin:games_game_act", args=[game.pk, "extend"])
    yield "act: replace", to("admin:games_game_act", args=[game.pk, "replace"])
    phase = Phase.objects.filter(game=game).order_by("pk")[0]
    yield "phase", to("admin:games_phase_change", args=[phase.pk])
    yield "player", to("admin:games_player_change", args=[Player.objects.order_by("pk")[0].pk])
    inbound = InboundMail.objects.filter(order_sets__isnull=False).order_by("pk")[0]
    yield "one mail in", to("admin:mailer_inboundmail_change", args=[inbound.pk])
    outbound = OutboundMail.objects.filter(answers=inbound).order_by("pk")[0]
    yield "one mail out: answer", to("admin:mailer_outboundmail_change", args=[outbound.pk])
    told = OutboundMail.objects.filter(event__isnull=False).order_by("pk")[0]
    yield "one mail out: notice", to("admin:mailer_outboundmail_change", args=[told.pk])
    for table, queries in LISTS.items():
        for query in ("", *queries):
            yield f"{table} {query}", f"{to(f'admin:{table}_changelist')}?{query}"
    asked = "term=n12&app_label=games&model_name=phase&field_name=game"
    yield "names of games", f"{to('admin:autocomplete')}?{asked}"


LISTS = {
    "games_game": (
        *("q=n123marne", "status__exact=active", "variant__exact=standard", "p=40"),
        *("o=1", "o=2", "o=4", "o=7"),
    ),
    "games_player": ("q=n12ana", "q=n12ana@players.test", "o=1", "p=40"),
    "games_phase": (
        *("q=n123marne", "game__name__iexact=n123marne", "status__exact=open", "p=40"),
        "o=3",
    ),
    "games_orderset": (
        *("q=n123marne", "phase__game__name__iexact=n123marne", "late__exact=1", "p=40"),
        *("o=1", "mode__exact=amend", "counts__exact=0"),
    ),
    "games_event": (
        *("q=n123marne", "game__name__iexact=n123marne", "kind__exact=phase_processed"),
        *("o=1", "p=40"),
    ),
    "games_press": (
        *("q=n123marne", "game__name__iexact=n123marne", "public__exact=1", "grey__exact=1"),
        *("o=5", "p=40"),
    ),
    "games_observer": ("q=n123marne", "game__name__iexact=n123marne"),
    "mailer_inboundmail": (
        *("q=n123ana@players.test", "q=%3Cm4711@players.test%3E", "state__exact=quarantined"),
        *("state__exact=done", "received_at__gte=2026-03-09T00:00Z", "mailbox__id__exact=1"),
        *("o=1", "p=40"),
        "q=nobody@players.test",
    ),
    "mailer_outboundmail": (
        *("q=n123ana@players.test", "q=k4711", "q=%3Co4711@game.test%3E", "state__exact=failed"),
        *("kind=reply", "bounced_at__isempty=0", "created_at__gte=2026-03-09T00:00Z"),
        *("event__game__name__iexact=n123marne", "p=40", "kind=unfetched"),
        *("o=1", "q=nobody@players.test"),
    ),
}
"""Every list, with the searches, filters and orders that its links and fields ask for."""


def large_tables() -> set[str]:
    """Return the names of the tables with too many rows to be read whole."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [LARGE]
        )
        return {name for (name,) in cursor.fetchall()}


def cost(client: Client, url: str, large: set[str], slow: bool) -> Cost:
    """Fetch the page twice, and measure the second time."""
    client.get(url)
    with CaptureQueriesContext(connection) as caught:
        begun = time.perf_counter()
        answer = client.get(url)
        milliseconds = (time.perf_counter() - begun) * 1000
    queries = caught.captured_queries
    whole = [(table, one["sql"]) for one in queries for table in read_whole(one["sql"]) & large]
    if slow:
        worst = max(queries, key=lambda one: float(one["time"]), default=None)
        whole += [(f"slowest {worst['time']}", worst["sql"])] if worst else []
    return Cost(
        status=answer.status_code,
        statements=len(queries),
        milliseconds=milliseconds,
        in_database=sum(float(one["time"]) for one in queries) * 1000,
        kilobytes=len(answer.content) / 1024,
        whole=tuple(whole),
    )


def read_whole(sql: str) -> set[str]:
    """Return the tables that PostgreSQL would read from end to end for the statement."""
    if not sql.startswith("SELECT"):
        return set()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}".replace("%", "%%"), [])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    return set(TABLE.findall(plan))


def show(name: str, role: str, cost: Cost) -> None:
    """Print one line, and below it what reads a large table whole."""
    if cost.status not in (200, 302):
        return
    figures = f"{cost.milliseconds:8.0f}{cost.in_database:8.0f}{cost.kilobytes:7.0f}"
    print(f"{name:34}{role:>10}{cost.statements:5}{figures}", flush=True)
    for table, sql in cost.whole:
        print(f"    {table}: {shortened(sql)}")


def shortened(sql: str) -> str:
    """Return a statement without its columns, and without the rest of a long list."""
    tail = sql.partition(" FROM ")[2]
    return re.sub(r"IN \((\d+, \d+)[\d, ]*\)", r"IN (\1, …)", tail).replace('"', "")[:1500]


if __name__ == "__main__":
    assert settings.DATABASES["default"]["ENGINE"].endswith("postgresql"), "for PostgreSQL only"
    main()
