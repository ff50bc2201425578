"""The processes of a worker share the cores, and none is kept waiting by one that hangs."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import pytest
from django.db import connection
from pytest_django import Settings

from mailer.cores import Cores, number_of_cores
from mailer.inbound import processing, store
from mailer.jobs import due_phases
from tests.cast import HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import eml, stored

FORK = multiprocessing.get_context("fork")
LONG = 60.0


class Worker:
    """A forked process that asks for a core and keeps it until it is told to let go."""

    def __init__(self, shared: Cores) -> None:
        self.line, theirs = FORK.Pipe()
        self.process: BaseProcess = FORK.Process(target=_work, args=(shared, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def at_work(self, within: float) -> bool:
        """Whether it has begun by then."""
        return self.line.poll(within)

    def let_go(self) -> None:
        self.line.send("enough")
        self.process.join(LONG)

    def kill(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join(LONG)


def _work(shared: Cores, line: Connection) -> None:
    with shared.one():
        line.send("at work")
        line.recv()


@pytest.fixture
def two_at_work() -> Iterator[tuple[Cores, Worker, Worker]]:
    """Two cores, and a process at work on each."""
    shared = Cores(2, patience=10 * LONG)
    first, second = Worker(shared), Worker(shared)
    assert first.at_work(LONG)
    assert second.at_work(LONG)
    yield shared, first, second
    for worker in (first, second):
        worker.process.kill()


@pytest.mark.parametrize("end", [Worker.let_go, Worker.kill], ids=["is done", "was killed"])
def test_a_third_process_waits_until_one_of_two_is_gone(
    two_at_work: tuple[Cores, Worker, Worker], end: Callable[[Worker], None]
) -> None:
    shared, first, _ = two_at_work
    third = Worker(shared)
    assert not third.at_work(0.3)
    end(first)
    assert third.at_work(LONG)
    third.let_go()


def test_who_has_waited_long_enough_goes_on_without_and_takes_nothing_from_others(
    two_at_work: tuple[Cores, Worker, Worker],
) -> None:
    shared, first, _ = two_at_work
    shared.patience = 0.1
    with shared.one():
        pass
    shared.patience = 10 * LONG
    third = Worker(shared)
    assert not third.at_work(0.3), "the core that somebody did without was given back"
    first.let_go()
    assert third.at_work(LONG)
    third.let_go()


def test_a_core_is_given_back_when_the_work_breaks() -> None:
    shared = Cores(1, patience=10 * LONG)
    with pytest.raises(ValueError, match="broke"), shared.one():
        raise ValueError("broke")
    worker = Worker(shared)
    assert worker.at_work(LONG)
    worker.let_go()


def test_workers_that_were_started_apart_do_not_wait_for_each_other() -> None:
    ours, theirs = (Cores(1, patience=10 * LONG) for _ in range(2))
    busy = Worker(theirs)
    assert busy.at_work(LONG)
    done = threading.Event()

    def work() -> None:
        with ours.one():
            done.set()

    threading.Thread(target=work, daemon=True).start()
    assert done.wait(LONG)
    busy.let_go()


def test_there_are_as_many_as_this_process_may_use() -> None:
    assert Cores().number == number_of_cores() == len(os.sched_getaffinity(0)) >= 1


class Seen(Cores):
    """Cores that note whether who asked for one was in a transaction, where others may wait."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_in_transaction: list[bool] = []

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        self.asked_in_transaction.append(connection.in_atomic_block)
        with super().one():
            yield


def mails(number: int) -> None:
    for at in range(number):
        stored(eml("HELP", sender=address_of("Carla"), message_id=f"<{at}@carla.test>"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_one
def test_mails_and_phases_are_worked_on_with_a_core(
    marne: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMAP_URLS = ["imap://judge:secret@127.0.0.1:1/INBOX"]
    for_mails, for_phases = Seen(), Seen()
    monkeypatch.setattr(processing, "_CORES", for_mails)
    monkeypatch.setattr(due_phases, "_CORES", for_phases)
    mails(2)
    assert processing.process_inbound(now=NOW + HOUR, limit=2) == 2
    for power, lines in OPENINGS.items():
        submit(marne, power, lines, NOW + HOUR)
    mailbox = store.mailbox_for(settings.IMAP_URLS[0])
    assert marne.phase.due_at
    mailbox.last_ok_poll = now = marne.phase.due_at + HOUR
    mailbox.save()
    assert all(due_phases.process_all([marne.game.pk], lambda: now))
    for seen in (for_mails, for_phases):
        assert seen.asked_in_transaction
        assert not any(seen.asked_in_transaction)


@pytest.mark.django_db
def test_who_asks_the_dns_takes_no_core_from_others(
    marne: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CHECK_DKIM = True
    seen = Seen()
    monkeypatch.setattr(processing, "_CORES", seen)
    mails(1)
    assert processing.process_inbound(now=NOW + HOUR, limit=1) == 1
    assert not seen.asked_in_transaction
