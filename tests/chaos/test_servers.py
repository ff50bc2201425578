"""The servers of the chaos run fail as real ones do: no commit is lost, no answer is a final no."""

from __future__ import annotations

import random
import smtplib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from tests.chaos.processes import children, kill, kill_server, start_server
from tests.chaos.relay import FaultyRelay
from tests.chaos.world import DurablePostgres
from tests.servers import Dovecot
from tests.servers.process import free_ports, wait_until

LOST = 0
MAIL = b"From: a@players.test\r\nMessage-ID: <one>\r\n\r\nHello\r\n"


def insert(url: str, number: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("insert into numbers values (%s)", [number])


def numbers(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("select number from numbers order by 1")]


def numbers_again(url: str) -> list[int]:
    """The numbers; none while the server is not back."""
    try:
        return numbers(url)
    except psycopg.OperationalError:
        return []


def test_a_killed_postgresql_comes_back_with_every_commit() -> None:
    with DurablePostgres() as postgres:
        url = postgres.create("numbers")
        with psycopg.connect(url) as connection:
            connection.execute("create table numbers (number integer)")
        for number in range(3):
            insert(url, number)
            kill_server(postgres)
            start_server(postgres)
        assert numbers(url) == [0, 1, 2]

        insert(url, 3)
        assert postgres.process is not None
        kill(children(postgres.process.pid)[0])

        # It may answer once more before it notices, and cut that connection off.
        wait_until(lambda: numbers_again(url) == [0, 1, 2, 3], "PostgreSQL with all numbers", 60)


@contextmanager
def relay(lmtp_port: int, share: float) -> Iterator[FaultyRelay]:
    (port,) = free_ports(1)
    one = FaultyRelay(port=port, lmtp_port=lmtp_port, chance=random.Random(1), share=share)
    one.start()
    try:
        yield one
    finally:
        one.stop()


def test_a_mail_is_put_off_while_the_mailbox_is_away(capsys: pytest.CaptureFixture[str]) -> None:
    nobody = free_ports(1)[0]
    with relay(nobody, share=0.0) as away, pytest.raises(smtplib.SMTPDataError) as refused:
        away.send("a@players.test", "judge@game.test", MAIL)
    assert refused.value.smtp_code == 451
    assert "fault 451" in capsys.readouterr().out


def test_faults_are_never_a_final_no_and_some_are_lost_answers(
    dovecot: Dovecot, capsys: pytest.CaptureFixture[str]
) -> None:
    address = "faulty@players.test"
    with relay(dovecot.lmtp_port, share=0.3) as faulty:
        answers = Counter(answer(faulty, address) for _ in range(40))
    lost = capsys.readouterr().out.count("fault lost-250")
    assert set(answers) == {250, 421, 450, 451, 452, LOST}
    assert answers[LOST] == lost
    assert dovecot.count(address) == answers[250] + lost


def answer(relay: FaultyRelay, address: str) -> int:
    """What the relay said to a mail."""
    try:
        relay.send("a@players.test", address, MAIL)
    except smtplib.SMTPRecipientsRefused as error:
        return error.recipients[address][0]
    except smtplib.SMTPResponseException as error:
        return error.smtp_code
    except smtplib.SMTPServerDisconnected:
        return LOST
    return 250
