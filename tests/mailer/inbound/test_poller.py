"""The poller at a real IMAP server: everything stored once, then moved away; nothing lost."""

from __future__ import annotations

import datetime as dt
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.utils import timezone
from pytest_django import Settings

from mailer import jobs
from mailer.inbound import imap, poller, store
from mailer.inbound.alone import alone_with
from mailer.models import InboundMail, Mailbox
from tests.cast import NOW
from tests.conftest import JudgeMailbox
from tests.flows.server import database_url
from tests.mailer.correspondence import eml
from tests.migrated import ROOT
from tests.servers import Dovecot
from tests.servers.faulty_imap import faulty_imap

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]


def deliver(mailbox: JudgeMailbox, number: int = 1, text: str = "A Par - Bur") -> None:
    for _ in range(number):
        raw = eml(text, sender="ana@players.test", to=mailbox.address)
        mailbox.deliver(raw, sender="ana@players.test")


def poll(mailbox: JudgeMailbox) -> int:
    return poller.poll_mailbox(url=mailbox.imap_url, now=timezone.now())


def test_new_mail_is_stored_with_the_time_our_server_had_it(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    assert poll(judge_mailbox) == 1
    mail = InboundMail.objects.get()
    assert b"A Par - Bur" in bytes(mail.raw)
    assert mail.state == InboundMail.State.NEW
    assert abs(mail.received_at - timezone.now()) < dt.timedelta(minutes=1)


def test_mail_stays_in_the_mailbox_until_it_is_dealt_with(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    poll(judge_mailbox)
    assert len(judge_mailbox.mails()) == 1
    InboundMail.objects.update(state=InboundMail.State.DONE)
    assert poll(judge_mailbox) == 0
    assert judge_mailbox.mails() == []
    assert len(judge_mailbox.mails("Processed")) == 1


@pytest.mark.parametrize("days", [0, 400])
def test_the_mailbox_keeps_mails_as_long_as_the_database_does(
    judge_mailbox: JudgeMailbox, settings: Settings, days: int
) -> None:
    settings.MAIL_DAYS, now = days, timezone.now()
    deliver(judge_mailbox, 2)
    poll(judge_mailbox)
    done = InboundMail.objects.order_by("uid")[:1]
    InboundMail.objects.filter(pk__in=done).update(state=InboundMail.State.DONE)
    poll(judge_mailbox)
    jobs.forget(now + dt.timedelta(days=399))
    assert len(judge_mailbox.mails("Processed")) == 1
    jobs.forget(now + dt.timedelta(days=402))
    assert len(judge_mailbox.mails("Processed")) == (0 if days else 1)
    assert len(judge_mailbox.mails()) == 1  # nobody has dealt with it yet


def test_a_mailbox_that_is_away_holds_up_no_other_tidying(settings: Settings) -> None:
    settings.MAIL_DAYS = 1
    assert jobs.forget(timezone.now()) == 0


def test_mail_that_was_set_aside_goes_to_quarantine(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    poll(judge_mailbox)
    InboundMail.objects.update(state=InboundMail.State.QUARANTINED)
    poll(judge_mailbox)
    assert len(judge_mailbox.mails("Quarantine")) == 1


@pytest.mark.on_both
def test_more_mails_than_fit_in_a_batch_are_all_stored_once(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox, poller.BATCH + 3)
    assert poll(judge_mailbox) == poller.BATCH + 3
    assert poll(judge_mailbox) == 0
    assert InboundMail.objects.count() == poller.BATCH + 3


@pytest.mark.on_both
def test_a_changed_uidvalidity_brings_no_mail_twice(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox, 2)
    poll(judge_mailbox)
    judge_mailbox.dovecot.renumber(judge_mailbox.address, 4242)
    deliver(judge_mailbox)
    assert poll(judge_mailbox) == 1
    assert InboundMail.objects.count() == 3
    assert Mailbox.objects.get().uidvalidity == 4242
    InboundMail.objects.update(state=InboundMail.State.DONE)
    poll(judge_mailbox)
    assert judge_mailbox.mails() == []


@pytest.mark.on_both
def test_a_poller_that_died_before_it_noted_its_progress_stores_nothing_twice(
    judge_mailbox: JudgeMailbox,
) -> None:
    deliver(judge_mailbox, 3)
    poll(judge_mailbox)
    Mailbox.objects.update(last_uid=0)
    assert poll(judge_mailbox) == 0
    assert InboundMail.objects.count() == 3


def test_reading_marks_nothing_as_seen(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    poll(judge_mailbox)
    with judge_mailbox.dovecot.client(judge_mailbox.address) as client:
        assert client.search("UNSEEN") == client.search("ALL")


def test_of_a_giant_only_the_beginning_is_kept(
    judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "LARGEST", 1000)
    deliver(judge_mailbox, text="A Par - Bur\n" + "x" * 50 + "\n" * 3000)
    deliver(judge_mailbox)
    assert poll(judge_mailbox) == 2
    sizes = sorted(len(bytes(mail.raw)) for mail in InboundMail.objects.all())
    assert sizes[1] == 1000
    assert any(b"A Par - Bur" in bytes(mail.raw) for mail in InboundMail.objects.all())


@pytest.mark.on_both
def test_two_pollers_at_once_store_each_mail_once_and_leave_no_copies(
    judge_mailbox: JudgeMailbox,
) -> None:
    deliver(judge_mailbox, 30)
    counts: list[int] = []

    def run() -> None:
        counts.append(poll(judge_mailbox))
        InboundMail.objects.update(state=InboundMail.State.DONE)
        poll(judge_mailbox)
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 30
    assert InboundMail.objects.count() == 30
    poll(judge_mailbox)
    assert len(judge_mailbox.mails("Processed")) == 30
    assert judge_mailbox.mails() == []


def test_the_long_running_poller_brings_mail_at_once_and_stops_when_told(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.POLL_SECONDS = 60
    stop = threading.Event()

    watcher = threading.Thread(
        target=poller.watch, args=(judge_mailbox.imap_url, stop, lambda: None)
    )
    watcher.start()
    try:
        wait_for(lambda: Mailbox.objects.filter(last_ok_poll__isnull=False).exists())
        deliver(judge_mailbox)
        wait_for(lambda: InboundMail.objects.exists())
    finally:
        stop.set()
        watcher.join(60)
    assert not watcher.is_alive()


@pytest.mark.on_both
def test_the_poller_goes_on_after_faults_of_server_and_database(
    judge_mailbox: JudgeMailbox, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.POLL_SECONDS = 60
    faults = [OperationalError("the database restarts"), ConnectionError("cut off")]
    real = poller.poll

    def poll_or_break(session: imap.Session, *, now: dt.datetime) -> int:
        if faults:
            raise faults.pop()
        return real(session, now=now)

    monkeypatch.setattr(poller, "poll", poll_or_break)
    monkeypatch.setattr(poller, "PAUSE_AFTER_ERROR", 0.05)
    deliver(judge_mailbox)
    stop = threading.Event()
    watcher = threading.Thread(
        target=poller.watch, args=(judge_mailbox.imap_url, stop, lambda: None)
    )
    watcher.start()
    try:
        wait_for(InboundMail.objects.exists)
    finally:
        stop.set()
        watcher.join(60)
    assert not faults
    assert not watcher.is_alive()


@contextmanager
def watched(url: str) -> Iterator[None]:
    """The long-running poller at this mailbox; it has stopped afterwards."""
    stop = threading.Event()
    watcher = threading.Thread(target=poller.watch, args=(url, stop, lambda: None))
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join(60)
    assert not watcher.is_alive()


def test_the_poller_comes_back_at_once_when_its_connection_is_closed_while_it_waits(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As providers do with connections on which nothing is said for a while."""
    settings.POLL_SECONDS = 60
    monkeypatch.setattr(poller, "PAUSE_AFTER_ERROR", 0.05)
    with faulty_imap() as box:
        box.capabilities += " IDLE"
        box.idles_broken = 1000
        with watched(box.url):
            wait_for(lambda: box.logins > 1)
            box.put(eml("HELP", sender="ana@players.test"))
            wait_for(InboundMail.objects.exists)
    assert "the connection was closed while we waited for mail" in caplog.text


def test_a_refused_login_is_told_without_the_password_and_tried_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(poller, "PAUSE_AFTER_REFUSAL", 0.05)
    with faulty_imap() as box:
        box.logins_refused = 2
        box.put(eml("HELP", sender="ana@players.test"))
        with watched(box.url):
            wait_for(InboundMail.objects.exists)
    assert caplog.text.count("refuses our login") == 2
    assert "secret" not in caplog.text


def test_a_refusal_that_cannot_be_noted_ends_no_watch(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("the database is away")

    monkeypatch.setattr(poller, "PAUSE_AFTER_REFUSAL", 0.05)
    monkeypatch.setattr(store, "note_failure", fail)
    with faulty_imap() as box:
        box.logins_refused = 1
        box.put(eml("HELP", sender="ana@players.test"))
        with watched(box.url):
            wait_for(InboundMail.objects.exists)
    assert "the refusal could not be noted" in caplog.text


def test_a_worker_leaves_a_server_alone_that_refused_the_poller(settings: Settings) -> None:
    with faulty_imap() as box:
        settings.IMAP_URLS = [box.url]
        box.logins_refused = 100
        with watched(box.url):
            wait_for(Mailbox.objects.exclude(refused_at=None).exists)
            jobs.poll(timezone.now())
        assert box.logins_refused == 99


@pytest.mark.parametrize("refusal", ["NO [UNAVAILABLE] Temporary authentication failure.", ""])
def test_a_login_that_fails_while_the_server_restarts_is_soon_tried_again(
    monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    monkeypatch.setattr(poller, "PAUSE_AFTER_ERROR", 0.05)
    monkeypatch.setattr(poller, "PAUSE_AFTER_REFUSAL", 120)
    with faulty_imap() as box:
        box.logins_refused, box.refusal = 2, refusal
        box.put(eml("HELP", sender="ana@players.test"))
        with watched(box.url):
            wait_for(InboundMail.objects.exists)


def test_a_mail_that_comes_while_others_are_fetched_does_not_wait_for_the_next_poll(
    judge_mailbox: JudgeMailbox, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server tells of it in its answer to whatever is asked next, and only once."""
    settings.POLL_SECONDS = 120
    tidy, late = poller.tidy, ["A Par - Pic"]

    def tidy_while_mail_comes(session: imap.Session, mailbox: Mailbox) -> int:
        if late and InboundMail.objects.exists():
            deliver(judge_mailbox, text=late.pop())
            session.client.noop()
        return tidy(session, mailbox)

    monkeypatch.setattr(poller, "tidy", tidy_while_mail_comes)
    deliver(judge_mailbox)
    with watched(judge_mailbox.imap_url):
        wait_for(lambda: InboundMail.objects.count() == 2)


def test_a_mail_that_comes_as_we_begin_to_wait_does_not_wait_for_the_next_poll(
    settings: Settings,
) -> None:
    """The server tells of it in one piece with its answer to IDLE."""
    settings.POLL_SECONDS = 120
    with faulty_imap() as box:
        box.capabilities += " IDLE"
        box.comes_with_idle = [eml("HELP", sender="ana@players.test")]
        with watched(box.url):
            wait_for(InboundMail.objects.exists)


@pytest.mark.only_on("PostgreSQL")
def test_a_mail_after_a_restart_of_the_database_is_fetched_over_a_new_connection_to_it(
    judge_mailbox: JudgeMailbox,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.POLL_SECONDS = 120
    monkeypatch.setattr(poller, "PAUSE_AFTER_ERROR", 120)
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    waits, wait = threading.Event(), poller._wait

    def say_that_we_wait(session: imap.Session, stop: threading.Event) -> None:
        waits.set()
        wait(session, stop)

    monkeypatch.setattr(poller, "_wait", say_that_we_wait)
    with watched(judge_mailbox.imap_url):
        assert waits.wait(60)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_terminate_backend(pid) {others}")
            assert cursor.fetchall()
        deliver(judge_mailbox)
        wait_for(InboundMail.objects.exists)
    assert "Mail in" not in caplog.text


@pytest.mark.parametrize("fault", ["nonsense", "unnumbered"])
def test_a_mailbox_that_answers_nonsense_keeps_no_other_unread(
    settings: Settings, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with faulty_imap() as broken, faulty_imap() as box:
        setattr(broken, fault, True)
        box.put(eml("HELP", sender="ana@players.test"))
        settings.IMAP_URLS = [broken.url, box.url]
        assert jobs.poll(NOW) == 1
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("poll_mail", once=True)
    assert Mailbox.objects.exclude(failing_since=None).get() == store.mailbox_for(broken.url)


def test_a_server_that_cannot_call_us_is_asked_again_and_again(settings: Settings) -> None:
    settings.POLL_SECONDS = 0.05
    with faulty_imap() as box, watched(box.url):
        wait_for(lambda: Mailbox.objects.filter(last_ok_poll__isnull=False).exists())
        box.put(eml("HELP", sender="ana@players.test"))
        wait_for(InboundMail.objects.exists)


@pytest.mark.parametrize("extra", ["UIDPLUS", ""])
def test_a_server_that_cannot_move_copies_and_deletes(extra: str) -> None:
    with Dovecot(capabilities=f"IMAP4rev1 {extra}".strip()) as dovecot:
        address = "judge@game.test"
        with dovecot.client(address) as client:
            assert not client.has_capability("MOVE")
            for number in range(3):
                client.append("INBOX", eml(f"HELP {number}", sender="ana@players.test"))
        poller.poll_mailbox(url=dovecot.url(address), now=timezone.now())
        second = InboundMail.objects.order_by("uid")[1]
        InboundMail.objects.filter(pk=second.pk).update(state=InboundMail.State.DONE)
        poller.poll_mailbox(url=dovecot.url(address), now=timezone.now())
        assert (dovecot.count(address), dovecot.count(address, "Processed")) == (2, 1)
        assert b"HELP 1" in dovecot.mails(address, "Processed")[0]


@pytest.mark.on_both
def test_who_comes_second_leaves_the_tidying_to_the_first(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    poll(judge_mailbox)
    InboundMail.objects.update(state=InboundMail.State.DONE)
    begun, over = threading.Event(), threading.Event()

    def tidying() -> None:
        with alone_with(Mailbox.objects.get()) as is_mine:
            assert is_mine
            begun.set()
            over.wait(60)
        connection.close()

    first = threading.Thread(target=tidying)
    first.start()
    try:
        assert begun.wait(60)
        with imap.Session(judge_mailbox.imap_url) as session:
            assert poller.tidy(session, Mailbox.objects.get()) == 0
        assert len(judge_mailbox.mails()) == 1
    finally:
        over.set()
        first.join(60)
    poll(judge_mailbox)
    assert judge_mailbox.mails() == []


@pytest.mark.on_both
@pytest.mark.only_on("SQLite")
def test_a_mail_server_that_takes_its_time_keeps_nobody_from_writing(
    judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(judge_mailbox)
    poll(judge_mailbox)
    InboundMail.objects.update(state=InboundMail.State.DONE)
    move = imap.Session.move

    def slowly(session: imap.Session, *given: Any) -> None:
        with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")  # "database is locked"
        move(session, *given)

    monkeypatch.setattr(imap.Session, "move", slowly)
    poll(judge_mailbox)
    assert judge_mailbox.mails() == []


def wait_for(condition: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@pytest.mark.on_both
def test_the_barrier_opens_when_all_mail_up_to_the_deadline_is_dealt_with(
    judge_mailbox: JudgeMailbox,
) -> None:
    before = timezone.now()
    assert not store.all_mail_read(due_at=before, now=before)
    deliver(judge_mailbox)
    poll(judge_mailbox)
    assert store.all_mail_read(due_at=before - dt.timedelta(minutes=5), now=timezone.now())
    deadline = timezone.now() + dt.timedelta(seconds=2)
    assert not store.all_mail_read(due_at=deadline, now=deadline)
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=deadline)
    assert not store.all_mail_read(due_at=deadline, now=deadline)
    InboundMail.objects.update(state=InboundMail.State.DONE)
    assert store.all_mail_read(due_at=deadline, now=deadline)


def test_the_command_says_what_it_fetched(
    judge_mailbox: JudgeMailbox, capsys: pytest.CaptureFixture[str]
) -> None:
    deliver(judge_mailbox, 2)
    call_command("poll_mail", "--once")
    said = capsys.readouterr().out
    assert "2 new mails" in said
    assert "secret" not in said


def test_the_command_says_in_one_line_that_a_mailbox_cannot_be_read(settings: Settings) -> None:
    settings.IMAP_URLS = ["imap://judge:hunter2@127.0.0.1:1/INBOX"]
    with pytest.raises(CommandError, match="cannot be read") as caught:
        call_command("poll_mail", "--once")
    assert "hunter2" not in str(caught.value)


def test_on_the_first_look_old_mail_is_kept_but_not_answered(judge_mailbox: JudgeMailbox) -> None:
    deliver(judge_mailbox)
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=timezone.now() + dt.timedelta(days=8))
    assert InboundMail.objects.get().state == InboundMail.State.IGNORED


def test_a_poller_that_waits_for_its_server_ends_when_it_is_told_to(tmp_path: Path) -> None:
    """Its server says what it can do, and never another word."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"imap://judge:secret@127.0.0.1:{silent.getsockname()[1]}/INBOX"
        env = {**os.environ, "DATABASE_URL": database_url(), "IMAP_URL": url}
        process = subprocess.Popen(
            [sys.executable, "manage.py", "poll_mail"],
            cwd=ROOT,
            env=env | {"VAR_DIR": str(tmp_path)},
        )
        try:
            connected, _ = silent.accept()
            with connected:
                connected.sendall(b"* OK ready\r\n")
                tag, _ = connected.recv(100).split()
                connected.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
                assert b"LOGIN" in connected.recv(100)
                process.terminate()
                assert process.wait(imap.READ_SECONDS / 2) == 0
        finally:
            process.kill()
            process.wait()
