"""With 2,000 games on the server a mail, a phase and every tick read no more rows than with one.

The games are copies of one that was played, made by the database itself. Counted are the rows that
PostgreSQL has read, by the plans of the statements as they were sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection, models

from games.models import Address, Attendance, Event, Game, OrderSet, Phase, Player, Power, Seat
from games.services.adjudication import due_games
from games.services.adjudication.due_games import phases_due
from games.services.clock import reminders
from games.services.clock.muster import musters_due
from games.services.clock.overdue import seats_to_reopen
from games.services.clock.pauses import games_to_resume
from games.services.clock.reminders import phases_to_remind
from games.services.seating.invitations import games_with_unanswered
from games.services.seating.standby import offers_expire
from mailer import jobs
from mailer.inbound import bounces, outages, processing, store
from mailer.jobs import due_phases
from mailer.models import InboundMail, OrderMail, OutboundMail, ReplyToken
from mailer.outbound import addresses, leases
from mailer.privacy import retention
from tests.cast import HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.copies import copies
from tests.mailer.correspondence import all_sent, eml, stored

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("PostgreSQL")]

URL = "imap://judge:secret@127.0.0.1:1/INBOX"
COPIES = 2000
STEP = -1_000_000
"""What is added to a key for each copy."""
COPIED = (
    *(Game, Player, Address, Power, Seat, Phase, OrderSet, Attendance, Event),
    *(InboundMail, OutboundMail, OrderMail, ReplyToken),
)
UNIQUE_TEXTS = {
    Game: {"name"},
    Address: {"email"},
    InboundMail: {"sha256", "message_id", "sender"},
    OutboundMail: {"key", "message_id", "bounce_digest", "recipient"},
    ReplyToken: {"digest"},
}
LARGE = {"body": "''", "raw": "''", "reading": "'[]'", "outcome": "NULL", "orders": "NULL"}
"""What need not be copied to count rows."""
FEW = 250
"""Rows that a mail, a phase or a tick may read at most, however many there are."""


@pytest.fixture
def game(marne: Cast, settings) -> Cast:
    """Marne with one phase played by mail, and 2,000 copies of it."""
    settings.IMAP_URLS = [URL]
    jobs.tell(NOW)
    all_sent()
    for power in OPENINGS:
        submit(marne, power, OPENINGS[power])
    order(marne, "A Par - Bur")
    process(marne)
    OutboundMail.objects.update(state="sent", sent_at=NOW)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # keys need no check
        for model in COPIED:
            other = partial(in_a_copy, model)
            cursor.execute(copies(model, COPIED, step=STEP, number=COPIES, other=other))
        cursor.execute("UPDATE games_game SET status = 'finished' WHERE mod(id / 1000000, 2) <> 0")
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")  # every table: plans must not hang on what tests left behind
    assert Game.objects.count() == COPIES + 1
    return marne


def in_a_copy(model: type[models.Model], field: Any) -> str | None:
    """The SQL of a column that is not simply copied."""
    column = f'"{field.column}"'
    if field.name in ("due_at", "remind_at"):  # as the deadlines of many games are
        return f"{column} + n * interval '1 second'"
    if field.name in UNIQUE_TEXTS.get(model, ()):
        return f"left(n || 'x' || {column}, {field.max_length})"
    return LARGE.get(field.name)


def order(cast: Cast, text: str) -> InboundMail:
    """Work on an order mail from France."""
    phase = cast.phase
    at = phase.opened_at + 2 * HOUR
    to = addresses.seat_address(seat=cast.seat("France"), phase=phase, now=at)
    mail = stored(eml(text, sender=address_of("Carla"), to=to), received_at=at)
    assert processing.process_mail(mail_id=mail.pk, now=at) == InboundMail.State.DONE
    return mail


def process(cast: Cast) -> None:
    """Process the open phase, which is due."""
    phase = cast.phase
    assert phase.due_at, "every phase of the cast has a deadline"
    mailbox = store.mailbox_for(URL)
    mailbox.last_ok_poll = now = phase.due_at + HOUR
    mailbox.save()
    assert all(due_phases.process_all([cast.game.pk], lambda: now))


def rows_read(work: Callable[[], object]) -> list[tuple[int, str]]:
    """How many rows each statement of the work reads, by its plan, the most first; each plan is run
    once more, and undone."""
    sent: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        explained = sql.startswith(("SELECT", "UPDATE"))
        if explained and not context["cursor"].cursor.closed:
            for each in params if many else [params]:
                explain(sql, each)
        return execute(sql, params, many, context)

    def explain(sql: str, params: Any) -> None:
        sent.append((sql, params))
        with connection.connection.cursor() as cursor:
            cursor.execute("SAVEPOINT explained")
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) {sql}", params)
            plans.append(cursor.fetchone()[0])
            cursor.execute("ROLLBACK TO explained")

    plans: list[Any] = []
    with connection.execute_wrapper(note):
        work()
    assert plans, "it asked nothing"
    read = [json.loads(one) if isinstance(one, str) else one for one in plans]
    rows = [sum(_rows(plan[0]["Plan"])) for plan in read]
    return sorted(((many, sql) for many, (sql, _) in zip(rows, sent, strict=True)), reverse=True)


def _rows(plan: dict[str, Any]) -> Iterator[int]:
    """The rows that each scan of a plan has looked at."""
    # The rows that a bitmap of an index finds are those that the scan above it reads.
    if "Scan" in plan["Node Type"] and plan["Node Type"] != "Bitmap Index Scan":
        dropped = sum(plan.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Index Recheck"))
        yield round((plan["Actual Rows"] + dropped) * plan["Actual Loops"])
    for part in plan.get("Plans", ()):
        yield from _rows(part)


def test_a_mail_a_phase_and_a_tick_read_few_rows_of_many(
    game: Cast, monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    settings.MAIL_DAYS = settings.PRESS_DAYS = 365
    # Of 2,000 games as large a share as a tick sees to of 20,000.
    monkeypatch.setattr(due_games, "MOST_DUE", due_games.MOST_DUE // 10)
    monkeypatch.setattr(reminders, "MOST_AT_ONCE", reminders.MOST_AT_ONCE // 10)
    at = game.phase.opened_at + HOUR
    read = {
        "an order mail": rows_read(lambda: order(game, "A Bur - Mun")),
        "what is due": rows_read(lambda: phases_due(now=at)),
        "musters": rows_read(lambda: musters_due(now=at)),
        "pauses": rows_read(lambda: games_to_resume(now=at)),
        "open seats": rows_read(lambda: seats_to_reopen(now=at)),
        "offers": rows_read(lambda: offers_expire(now=at)),
        "wishes to join": rows_read(lambda: games_with_unanswered(now=at)),
        "reminders": rows_read(lambda: phases_to_remind(now=at)),
        "what is to be told": rows_read(lambda: jobs.tell(at)),
        "mails to work on": rows_read(lambda: processing.process_inbound(now=at, limit=20)),
        "refused mails": rows_read(lambda: bounces.refusals(at)),
        "what is too old": rows_read(lambda: retention.empty_old(at)),
        "the next poll": rows_read(lambda: outages.poll_is_missing(at)),
        "mails to send": rows_read(lambda: leases.Due().lease(now=NOW - HOUR, limit=10)),
    }
    read["a phase"] = rows_read(lambda: process(game))
    many = {what: sum(rows for rows, _ in each) for what, each in read.items()}
    assert not {what: read[what][:3] for what, rows in many.items() if rows > FEW}, many
