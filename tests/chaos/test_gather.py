"""The facts are read past the code under test: these tests hold the SQL against its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command

from tests.cast import NOW, OPENINGS, Cast, make_cast, submit
from tests.chaos import gather
from tests.chaos.facts import Inbound, OrderSet, Outbound, Phase
from tests.flows.server import database_url
from tests.servers import Dovecot, Relay

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("PostgreSQL")]


@pytest.fixture
def played() -> Cast:
    """The game `marne` after its first phase."""
    cast = make_cast(now=NOW)
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    call_command("process_game", "marne")
    return cast


@pytest.fixture
def database(played: Cast) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url()) as connection:
        yield connection


def test_phases_are_read_with_what_was_adjudicated(database: psycopg.Connection) -> None:
    first, second = gather.rows(database, Phase, gather.PHASES)
    assert (first.game, first.number, first.name, first.status) == (
        *("marne", 1, "S1901M"),
        "processed",
    )
    assert first.adjudications == 1
    assert first.orders == OPENINGS
    assert (second.number, second.status, second.adjudications) == (2, "open", 0)


def test_mails_and_events_are_read(database: psycopg.Connection) -> None:
    (phase, _) = gather.rows(database, Phase, gather.PHASES)
    mails = gather.rows(database, Outbound, gather.OUTBOUND)
    results = [mail for mail in mails if mail.phase == phase.id]
    assert {mail.state for mail in results} <= {"queued"}
    assert gather.rows(database, Inbound, gather.INBOUND) == []
    assert gather.rows(database, OrderSet, gather.ORDER_SETS) == [], "these came by no mail"
    counted = database.execute(gather.UNDONE).fetchone()
    assert counted is not None
    assert len(counted) == 4


def test_what_lies_in_the_mailboxes_is_read_from_all_folders(
    dovecot: Dovecot, smtp: Relay, monkeypatch: pytest.MonkeyPatch, played: Cast
) -> None:
    monkeypatch.setattr(gather, "PLAYERS", ("ana@gather.test",))
    for number in range(3):
        raw = f"From: b@c.test\r\nMessage-ID: <gather-{number}>\r\n\r\nHello\r\n".encode()
        smtp.send("b@c.test", "ana@gather.test", raw)
    found = [one for one in gather.arrivals(dovecot) if one.mailbox == "ana@gather.test"]
    assert [one.message_id for one in found] == [f"<gather-{number}>" for number in range(3)]
    assert all(one.at.tzinfo for one in found)


def test_logs_are_read_by_the_names_of_their_programs(tmp_path: Path) -> None:
    (tmp_path / "worker-1.log").write_text("a line\n")
    (tmp_path / "diary.jsonl").write_text("{}\n")
    assert dict(gather.logs(tmp_path)) == {"worker-1": "a line\n"}
