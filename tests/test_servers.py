"""The private servers do what the other tests rely on."""

from __future__ import annotations

import os
import smtplib
import socket
from multiprocessing import get_context
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import connection

from tests.conftest import JudgeMailbox
from tests.flows.server import database_url
from tests.servers import Dovecot, Postgres, Redis, Relay
from tests.servers.process import MissingServer, free_ports, program, wait_until
from tests.servers.relay import Fault, without_our_results

MAIL = b"From: ana@players.test\r\nMessage-ID: <one@players.test>\r\n\r\nA Par - Bur\r\n"


def test_a_mail_sent_by_smtp_is_read_by_imap(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.deliver(MAIL, sender="ana@players.test")

    (mail,) = judge_mailbox.mails()
    assert mail.endswith(MAIL)


def test_a_plus_address_lands_in_the_mailbox_and_is_still_readable(
    judge_mailbox: JudgeMailbox,
) -> None:
    reply_address = judge_mailbox.address.replace("@", "+secret@")

    judge_mailbox.deliver(MAIL, sender="ana@players.test", to=reply_address)

    (mail,) = judge_mailbox.mails()
    assert f"Delivered-To: {reply_address}".encode() in mail


def test_idle_wakes_when_a_mail_arrives(judge_mailbox: JudgeMailbox) -> None:
    with judge_mailbox.dovecot.client(judge_mailbox.address) as client:
        client.idle()
        judge_mailbox.deliver(MAIL, sender="ana@players.test")
        woken = client.idle_check(timeout=60)
        client.idle_done()

    assert (1, b"EXISTS") in woken


def test_a_temporary_failure_is_over_at_the_next_try(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.smtp.faults.append(Fault.TEMPFAIL)

    with pytest.raises(smtplib.SMTPDataError) as caught:
        judge_mailbox.deliver(MAIL, sender="ana@players.test")
    judge_mailbox.deliver(MAIL, sender="ana@players.test")

    assert caught.value.smtp_code == 451
    assert len(judge_mailbox.mails()) == 1


def test_a_rejected_mail_is_not_delivered(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.smtp.faults.append(Fault.REJECT)

    with pytest.raises(smtplib.SMTPDataError) as caught:
        judge_mailbox.deliver(MAIL, sender="ana@players.test")

    assert caught.value.smtp_code == 554
    assert judge_mailbox.mails() == []


def test_a_mail_whose_250_is_lost_is_delivered_all_the_same(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.smtp.faults.append(Fault.LOST_250)

    with pytest.raises(smtplib.SMTPException):
        judge_mailbox.deliver(MAIL, sender="ana@players.test")

    assert len(judge_mailbox.mails()) == 1
    assert judge_mailbox.smtp.accepted[0].message_id == "<one@players.test>"


def test_an_unknown_address_is_refused(smtp: Relay) -> None:
    smtp.unknown.add("gone@players.test")

    with pytest.raises(smtplib.SMTPRecipientsRefused):
        smtp.send("ana@players.test", "gone@players.test", MAIL)


def test_a_stopped_relay_refuses_and_comes_back_on_its_port(smtp: Relay) -> None:
    smtp.stop()
    with pytest.raises(ConnectionRefusedError):
        smtp.send("ana@players.test", "ben@players.test", MAIL)

    smtp.start()
    smtp.send("ana@players.test", "ben@players.test", MAIL)

    assert len(smtp.accepted) == 1


def test_forged_authentication_results_of_ours_are_removed() -> None:
    forged = b"Authentication-Results: mx.game.test;\r\n dmarc=pass\r\nFrom: a@b.test\r\n\r\nhi"

    assert without_our_results(forged) == b"From: a@b.test\r\n\r\nhi"


def test_another_servers_authentication_results_stay() -> None:
    other = b"Authentication-Results: mx.other.test; dmarc=pass\r\nFrom: a@b.test\r\n\r\nhi"

    assert without_our_results(other) == other


def test_uidvalidity_can_be_changed(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.deliver(MAIL, sender="ana@players.test")

    judge_mailbox.dovecot.renumber(judge_mailbox.address, 4711)

    with judge_mailbox.dovecot.client(judge_mailbox.address) as client:
        assert client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"] == 4711


def test_a_killed_redis_comes_back_empty_on_its_port() -> None:
    with Redis() as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("key", "value")
        server.kill()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=1)
        server.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.get("key") is None


def test_a_stopped_postgres_keeps_its_rows() -> None:
    with Postgres() as server:
        url = server.create("kept")
        with psycopg.connect(url) as connection:
            connection.execute("create table mail (id int)")
            connection.execute("insert into mail values (1)")
        server.stop()
        server.start()
        with psycopg.connect(url) as connection:
            assert connection.execute("select count(*) from mail").fetchone() == (1,)


def test_servers_run_without_root(dovecot: Dovecot) -> None:
    assert dovecot.process is not None
    status = Path(f"/proc/{dovecot.process.pid}/status").read_text()
    uid = int(status.partition("\nUid:")[2].split()[0])

    assert uid == (dovecot.account.uid if os.geteuid() == 0 else os.geteuid())
    assert uid != 0


def test_a_stopped_server_leaves_no_process_and_no_folder() -> None:
    with Dovecot() as server:
        assert server.process is not None
        session = server.process.pid

    assert not server.folder.exists()
    wait_until(lambda: not alive_in_session(session), "the end of every Dovecot process", 60)


def alive_in_session(session: int) -> list[int]:
    """Processes of a session that still run (proc(5): fields after the name: state … session)."""
    alive = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of_session = stat.read_text().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of_session) == session and state != "Z":
            alive.append(int(stat.parent.name))
    return alive


def test_processes_forked_from_one_are_given_other_ports() -> None:
    fork = get_context("fork")
    with fork.Pool(1) as one, fork.Pool(1) as other:
        assert not {*one.apply(free_ports, [3])} & {*other.apply(free_ports, [3])}


def test_a_program_that_is_not_there_is_named_with_its_package() -> None:
    with pytest.raises(MissingServer, match=r"no-such-server .*apt-get install some-package"):
        program("no-such-server", "some-package")


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
@pytest.mark.skipif("TESTS_OWN_POSTGRES" not in os.environ, reason="its server is somebody else's")
def test_tests_talk_to_their_database_by_its_socket_and_the_servers_they_start_by_tcp() -> None:
    connection.ensure_connection()
    assert connection.connection.info.host.startswith("/")
    assert "@127.0.0.1:" in database_url()
