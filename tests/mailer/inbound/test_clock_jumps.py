"""A clock that jumps opens no barrier: no phase ends while its mail may be unread."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import pwd
import shutil
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from diplomacy_server.management.commands import tick
from games.models import Phase
from mailer import jobs, tasks
from mailer.inbound import poller, store, timekeeping, turns
from mailer.inbound.place import Place
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import leases, outbox
from tests.cast import DAY, HOUR, NOW, Cast, make_cast
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import all_sent, told_cast
from tests.rows import each_row

pytestmark = pytest.mark.django_db

URL = "imap://judge:secret@127.0.0.1:1/INBOX"
DUE = NOW + 3 * DAY
MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def game(db: None, settings: Settings) -> Cast:
    """Marne in S1901M, its deadline at DUE, everybody told of the start."""
    settings.IMAP_URLS = [URL]
    cast = told_cast()
    all_sent()
    return cast


def polled(at: dt.datetime) -> Mailbox:
    mailbox = store.mailbox_for(URL)
    store.note_poll(mailbox, at)
    mailbox.save()
    return mailbox


# --- Forward and back -------------------------------------------------------------------------


def test_a_clock_that_goes_forward_and_back_between_two_polls_opens_nothing(game: Cast) -> None:
    """Germany's orders come in time, but no poll brings them before the deadline is looked at."""
    before = DUE - HOUR
    polled(before)
    polled(before + 110 * MINUTE)
    assert polled(before).last_ok_poll == before, "the time is set back"
    assert jobs.deadlines(DUE + 5 * MINUTE) == 0
    assert game.phase.name == "S1901M"


def test_a_last_poll_in_the_future_is_believed_by_nobody(game: Cast) -> None:
    polled(DUE - HOUR)
    polled(DUE + HOUR)
    assert jobs.deadlines(DUE + 5 * MINUTE) == 0
    polled(DUE + 5 * MINUTE)
    assert jobs.deadlines(DUE + 5 * MINUTE) == 1


def test_nor_is_it_believed_once_its_time_has_come_if_all_polls_failed_meanwhile(
    game: Cast,
) -> None:
    polled(DUE - HOUR)
    polled(DUE + HOUR)
    store.note_failure(URL, DUE)
    assert Mailbox.objects.get().last_ok_poll is None
    assert jobs.deadlines(DUE + 61 * MINUTE) == 0
    polled(DUE + 62 * MINUTE)
    assert jobs.deadlines(DUE + 62 * MINUTE) == 1


def test_a_poll_that_ends_after_a_later_one_sets_nothing_back(game: Cast) -> None:
    """Two pollers at once: the slow one began earlier and has nothing to say."""
    mailbox = polled(NOW + MINUTE)
    store.note_poll(mailbox, NOW, ended_at=NOW + 2 * MINUTE)
    assert mailbox.last_ok_poll == NOW + MINUTE


def test_a_poll_of_another_process_that_began_meanwhile_is_no_fault_of_the_clock(
    game: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox = polled(NOW + dt.timedelta(milliseconds=300))
    store.note_poll(mailbox, NOW, ended_at=NOW + dt.timedelta(milliseconds=200))
    assert mailbox.last_ok_poll == NOW + dt.timedelta(milliseconds=300)
    assert "lay in the future" not in caplog.text


# --- Steps that a process notices -------------------------------------------------------------


class Clocks:
    """The two clocks of a machine, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: dt.datetime) -> None:
        self.wall, self.running = at, 1000.0
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.wall)
        monkeypatch.setattr(timekeeping, "running", lambda: self.running)
        self.watch = timekeeping.Watch()
        self.watch.now()

    def pass_(self, time: dt.timedelta, *, step: dt.timedelta = dt.timedelta(0)) -> dt.datetime:
        """Time goes by, and the wall clock jumps besides."""
        self.wall += time + step
        self.running += time.total_seconds()
        return self.watch.now()


@pytest.fixture
def clocks(game: Cast, monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """It is ten minutes before the deadline, and all mail is read."""
    polled(DUE - 10 * MINUTE)
    return Clocks(monkeypatch, DUE - 10 * MINUTE)


def test_a_clock_that_is_set_right_by_a_second_or_runs_on_is_steady(clocks: Clocks) -> None:
    clocks.pass_(DAY, step=SECOND)
    clocks.pass_(MINUTE, step=-2 * SECOND)
    assert Mailbox.objects.get().settling_until is None


def test_a_deadline_that_only_a_jump_made_due_waits_and_is_not_due_when_it_jumps_back(
    clocks: Clocks, game: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = clocks.pass_(MINUTE, step=HOUR)
    assert "jumped by +3600.0 s" in caplog.text
    polled(wrong + MINUTE)
    assert jobs.deadlines(clocks.pass_(2 * MINUTE)) == 0
    right = clocks.pass_(MINUTE, step=-HOUR)
    assert right == DUE - 6 * MINUTE
    assert Mailbox.objects.get().last_ok_poll == right - 2 * MINUTE, "as long ago as it was"
    polled(right)
    assert jobs.deadlines(clocks.pass_(5 * MINUTE)) == 0
    polled(now := clocks.pass_(10 * MINUTE))
    assert jobs.deadlines(now) == 1
    assert not OutboundMail.objects.filter(kind="deadline_moved").exists()


def test_a_server_that_runs_by_cron_notices_a_jump_between_two_rounds(
    clocks: Clocks, game: Cast, tmp_path: Path
) -> None:
    """Each round is a process of its own, and knows the one before by a file alone."""

    def round_(time: dt.timedelta, *, step: dt.timedelta = dt.timedelta(0)) -> int:
        clocks.wall += time + step
        clocks.running += time.total_seconds()
        polled(now := timekeeping.now_in_rounds(tmp_path / "clock"))
        return jobs.deadlines(now)

    assert round_(MINUTE) == 0
    assert round_(MINUTE, step=HOUR) == 0, "due by a clock that is wrong"
    assert round_(MINUTE, step=-HOUR) == 0
    assert round_(9 * MINUTE) == 0, "it may jump again"
    assert round_(2 * MINUTE) == 1
    assert not OutboundMail.objects.filter(kind="deadline_moved").exists()


@pytest.mark.parametrize("known", ["", "another-start -5000.0", "nonsense"])
def test_a_round_knows_nothing_of_another_start_of_the_machine(
    clocks: Clocks, tmp_path: Path, known: str
) -> None:
    (file := tmp_path / "clock").write_text(known)
    timekeeping.now_in_rounds(file)
    assert Mailbox.objects.get().settling_until is None


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """As somebody who may not write into every file."""
    if os.geteuid():
        yield
        return
    os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_memory_that_root_wrote_is_not_believed_for_ever(clocks: Clocks) -> None:
    """It would show each round the same jump again, and no deadline would ever count."""
    with tempfile.TemporaryDirectory() as folder:
        timekeeping.now_in_rounds(file := Path(folder) / "clock")
        before = file.read_text()
        file.chmod(0o444)
        if not os.geteuid():
            shutil.chown(folder, "nobody")
        clocks.pass_(MINUTE, step=dt.timedelta(seconds=3))
        with as_nobody():
            timekeeping.now_in_rounds(file)
        assert file.read_text() != before


def test_after_a_while_the_new_time_is_believed(clocks: Clocks, game: Cast) -> None:
    clocks.pass_(MINUTE, step=HOUR)
    polled(now := clocks.pass_(store.SETTLING))
    assert jobs.deadlines(now) == 1


def test_mail_does_not_wait_for_the_time_before_a_step_back(clocks: Clocks, game: Cast) -> None:
    """An hour fast since its start, the machine queued answers and took mails till it was set."""
    ahead = clocks.pass_(MINUTE, step=HOUR)
    OutboundMail.objects.filter(state=OutboundMail.State.QUEUED).delete()
    written, in_hand = (queued(number, ahead) for number in range(2))
    OutboundMail.objects.filter(pk=in_hand.pk).update(
        leased_until=ahead + MINUTE, leased_by="a worker that died"
    )
    mailbox = store.mailbox_for(URL)
    for number, began in enumerate((None, ahead)):
        InboundMail.objects.create(
            mailbox=mailbox,
            uidvalidity=1,
            uid=number,
            sha256=str(number),
            raw=b"",
            sender=f"p{number}@players.test",
            received_at=ahead,
            stored_at=ahead,
            retry_at=ahead + 30 * SECOND,
            working_since=began,
        )
    now = clocks.pass_(MINUTE, step=-HOUR)
    first, second = InboundMail.objects.order_by("uid")
    assert [mail.pk for mail in leases.Due().lease(now=now, limit=10)] == [written.pk]
    assert turns.next_turn(now) == [first.pk]
    later = leases.Due().lease(now=now + 2 * MINUTE, limit=10)
    assert in_hand.pk in [mail.pk for mail in later]
    assert second.pk in turns.next_turn(now + MINUTE)


def test_after_a_step_back_a_mail_is_dated_by_the_mailbox_not_an_hour_before_the_last(
    clocks: Clocks, game: Cast
) -> None:
    """Else earlier orders would count instead, and late ones would be in time."""
    came = DUE - 9 * MINUTE
    now = clocks.pass_(MINUTE, step=-HOUR)
    store.store(
        place=Place(store.mailbox_for(URL), 1, 1),
        raw=b"From: a@players.test\r\n\r\nF Kie H\r\n",
        received_at=came,
        now=now,
    )
    assert InboundMail.objects.get().received_at == came


def queued(number: int, at: dt.datetime) -> OutboundMail:
    outbox.enqueue(
        key=f"mail/{number}",
        kind="reply",
        recipient=f"p{number}@players.test",
        subject="",
        body="",
        now=at,
        priority=OutboundMail.Priority.RECEIPT,
    )
    return OutboundMail.objects.get(key=f"mail/{number}")


def test_several_processes_that_notice_one_step_count_it_once(clocks: Clocks) -> None:
    others = [timekeeping.Watch() for _ in range(3)]
    for other in others:
        other.now()
    now = clocks.pass_(MINUTE, step=-HOUR)
    first = Mailbox.objects.get().last_ok_poll
    assert first == now - MINUTE
    for other in others:
        other.now()
    assert Mailbox.objects.get().last_ok_poll == first


def test_a_step_that_cannot_be_noted_is_noted_with_the_next_look(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(step: dt.timedelta, *, now: dt.datetime) -> None:
        raise ConnectionError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(store, "note_step", fail)
        with pytest.raises(ConnectionError):
            clocks.pass_(MINUTE, step=HOUR)
    clocks.pass_(MINUTE)
    assert Mailbox.objects.get().settling_until is not None


def test_a_process_that_was_stopped_between_two_clocks_compares_them_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The machine slept just then: that is no step of a clock."""
    noted: list[dt.timedelta] = []
    monkeypatch.setattr(store, "note_step", lambda step, *, now: noted.append(step))
    watch = timekeeping.Watch()
    watch.now()
    slept = iter([1000.0, 1600.0])
    with monkeypatch.context() as patch:
        patch.setattr(timekeeping, "running", lambda: next(slept))
        watch.now()
    watch.now()
    assert noted == []


def test_the_real_clocks_of_this_machine_agree() -> None:
    watch = timekeeping.Watch()
    before = timezone.now()
    assert before <= watch.now() <= watch.now() <= timezone.now()


# --- Whole seconds ----------------------------------------------------------------------------


def test_all_mail_dated_with_the_second_of_the_deadline_is_read_before_it_counts(
    game: Cast, settings: Settings
) -> None:
    """Mail servers date by whole seconds: what came 0.9 s after it is dated as at the deadline."""
    Phase.objects.update(due_at=NOW + 15 * SECOND)
    polled(NOW + dt.timedelta(seconds=15.9))
    assert jobs.deadlines(NOW + 20 * SECOND) == 0
    polled(NOW + 16 * SECOND)
    assert jobs.deadlines(NOW + 20 * SECOND) == 1


def test_a_game_that_began_in_the_middle_of_a_second_is_due_at_a_whole_one() -> None:
    cast = make_cast(now=NOW + dt.timedelta(microseconds=400_000))
    assert cast.phase.due_at == DUE + SECOND


# --- Several machines, one of them with a wrong clock --------------------------------------------


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("apart", [-2 * MINUTE, 2 * MINUTE])
def test_a_machine_whose_clock_is_wrong_says_so(
    game: Cast, apart: dt.timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    assert not timekeeping.is_right(timezone.now() + apart)
    (line,) = caplog.messages
    assert f"{apart.total_seconds():+.0f} s from the database's" in line


@pytest.mark.only_on("PostgreSQL")
def test_seconds_are_no_wrong_clock(game: Cast, caplog: pytest.LogCaptureFixture) -> None:
    assert timekeeping.is_right(timezone.now() + 20 * SECOND)
    assert not caplog.messages


@pytest.mark.only_on("PostgreSQL")
def test_a_machine_whose_clock_is_fast_ends_no_phase_and_reads_no_mail(
    game: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others do; it goes on working on mails and sending them."""
    done: list[object] = []
    for name in ("poll", "forget", "outbox"):
        monkeypatch.setattr(jobs, name, lambda *_, name=name, **__: done.append(name) or 1)
    monkeypatch.setattr(
        jobs, "process_in_turns", lambda *_, **__: done.append("process_in_turns") or 1
    )
    monkeypatch.setattr(tasks, "in_turns", lambda jobs, *_, **__: done.append(jobs) or 1)
    monkeypatch.setattr(tasks, "now", lambda: timezone.now() + 3 * MINUTE)
    everything = (tasks.poll, tasks.process, tasks.deadlines, tasks.forget, tasks.outbox)

    for task in everything:
        task()
    assert done == ["process_in_turns", jobs.TELLING, "forget", "outbox"]

    monkeypatch.setattr(tasks, "now", timezone.now)
    done.clear()
    for task in everything:
        task()
    assert done == ["poll", "process_in_turns", jobs.BY_THE_CLOCK, "forget", "outbox"]


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_a_poller_whose_clock_is_wrong_reads_nothing(
    game: Cast, judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_mailbox.deliver(b"From: a@players.test\r\n\r\nSTATUS\r\n", sender="a@players.test")
    stop = threading.Event()
    monkeypatch.setattr(poller, "_wait", lambda session, stop: stop.set())

    monkeypatch.setattr(timekeeping, "now", lambda: timezone.now() - 3 * MINUTE)
    poller._watch_session(judge_mailbox.imap_url, stop, lambda: None)
    assert not InboundMail.objects.exists()

    stop.clear()
    monkeypatch.setattr(timekeeping, "now", timezone.now)
    poller._watch_session(judge_mailbox.imap_url, stop, lambda: None)
    assert InboundMail.objects.exists()


@pytest.mark.only_on("PostgreSQL")
def test_tick_says_that_the_clock_is_wrong(game: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tick, "is_right", lambda now: False)
    with pytest.raises(CommandError, match="clock is wrong"):
        call_command("tick")


@pytest.mark.only_on("PostgreSQL")
@each_row(
    ("wish", "value"),
    [
        ("tcp_keepalives_idle", "30"),
        ("tcp_keepalives_interval", "10"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "60000"),
        ("idle_in_transaction_session_timeout", "310s"),
        ("jit", "off"),
    ],
)
def test_what_a_dead_machine_had_locked_is_free_again_soon(db: None, wish: str, value: str) -> None:
    """PostgreSQL would wait two hours for a machine that went away without a word."""
    by_tcp = connection.copy()  # a socket knows no other machine
    by_tcp.settings_dict["HOST"] = urlsplit(os.environ["DATABASE_URL"]).hostname
    with contextlib.closing(by_tcp), by_tcp.cursor() as cursor:
        cursor.execute(f"SHOW {wish}")
        assert cursor.fetchone()[0] == value
