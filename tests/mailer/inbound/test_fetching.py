"""One mail that the server cannot deliver stops no other, and is never passed over."""

from __future__ import annotations

import datetime as dt
import threading
import tracemalloc
from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Phase
from mailer import jobs
from mailer.inbound import fetching, holds, imap, poller, store
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.reading.parser import LARGEST
from tests.cast import NOW, Cast, make_cast
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import eml, flat
from tests.servers.faulty_imap import Fault, FaultyImap, faulty_imap

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]

HOUR = dt.timedelta(hours=1)
MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)
State = InboundMail.State
KINDS = list(Fault)
OPERATOR = "root@game.test"


@pytest.fixture
def box(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyImap]:
    """A folder with ten mails, received at NOW, and an operator to be told."""
    monkeypatch.setattr(fetching, "PAUSES", (0.0, 0.0, 0.0))
    settings.OPERATOR_ADDRESSES = [OPERATOR]
    settings.SETTLE_SECONDS = 0
    with faulty_imap() as server:
        settings.IMAP_URLS = [server.url]
        server.put(*(letter(number) for number in range(1, 11)))
        server.dates = dict.fromkeys(range(1, 20), f"{NOW:%d-%b-%Y %H:%M:%S} +0000")
        yield server


def letter(number: int, text: str = "HELP") -> bytes:
    return eml(text, sender=f"p{number}@players.test", message_id=f"<{number}@players.test>")


def poll(box: FaultyImap, now: dt.datetime = NOW) -> int:
    return poller.poll_mailbox(url=box.url, now=now)


def uids(state: State = State.NEW) -> list[int]:
    return sorted(InboundMail.objects.filter(state=state).values_list("uid", flat=True))


# --- One bad mail among good ones ------------------------------------------------------------


@pytest.mark.parametrize("fault", KINDS)
def test_one_mail_that_cannot_be_fetched_stops_no_other(box: FaultyImap, fault: Fault) -> None:
    box.faults = {5: fault}
    assert poll(box) == 9
    assert uids() == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    [row] = InboundMail.objects.filter(state=State.UNFETCHED)
    assert row.uid == 5
    assert row.note.startswith("UID 5 cannot be fetched: ")
    assert row.received_at == NOW
    assert Mailbox.objects.get().last_ok_poll == NOW


@pytest.mark.parametrize("fault", KINDS)
def test_what_could_not_be_fetched_is_worked_on_when_it_can(box: FaultyImap, fault: Fault) -> None:
    box.faults = {5: fault}
    poll(box)
    box.faults = {}
    assert poll(box, NOW + 30 * SECOND) == 0, "it is not asked for all the time"
    assert poll(box, NOW + MINUTE) == 1
    assert uids() == list(range(1, 11))
    assert uids(State.UNFETCHED) == []
    assert InboundMail.objects.get(uid=5).received_at == NOW


@pytest.mark.parametrize("fault", [Fault.REFUSES, Fault.HANGS_UP, Fault.NIL, Fault.LEFT_OUT])
def test_it_is_tried_three_times_by_itself_before_that_is_said(
    box: FaultyImap, fault: Fault
) -> None:
    box.faults = {5: fault}
    poll(box)
    alone = [asked for asked in box.fetched if asked == [5]]
    assert len(alone) == 3


def test_a_server_that_fails_once_costs_nothing(
    box: FaultyImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = imap.Session.fetch
    faults = [ConnectionResetError("once")]

    def fail_once(session: imap.Session, facts: dict[int, imap.Facts]) -> dict[int, bytes]:
        if faults:
            raise faults.pop()
        return real(session, facts)

    monkeypatch.setattr(imap.Session, "fetch", fail_once)
    assert poll(box) == 10
    assert uids(State.UNFETCHED) == []
    assert box.logins == 2


def test_pauses_between_attempts_grow_to_an_hour(box: FaultyImap) -> None:
    box.faults = {5: Fault.REFUSES}
    now, pauses = NOW, []
    for _ in range(9):
        poll(box, now)
        row = InboundMail.objects.get(uid=5)
        assert row.retry_at
        pauses.append((row.retry_at - now) // MINUTE)
        now = row.retry_at
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_the_operators_are_told_once_and_nothing_of_what_it_says(box: FaultyImap) -> None:
    box.faults = {5: Fault.REFUSES, 7: Fault.NIL}
    poll(box)
    poll(box, NOW + MINUTE)
    [told] = OutboundMail.objects.all()
    assert told.recipient == OPERATOR
    assert "UID" in told.body
    assert "secret" not in told.body
    assert "on the page below, try the mail again, or let it go" in flat(told.body)
    assert "every phase that was not yet due when it came waits for it" in flat(told.body)


def test_a_mail_that_somebody_moved_away_is_waited_for_no_longer(box: FaultyImap) -> None:
    box.faults = {5: Fault.REFUSES}
    poll(box)
    mail = box.mails.pop(5)
    poll(box, NOW + MINUTE)
    assert uids(State.UNFETCHED) == []
    assert not holds.waited_for(game=None, since=None, due_at=NOW)
    box.mails[5] = mail  # the server had only left it out of its answer
    poll(box, NOW + HOUR)
    assert OutboundMail.objects.count() == 2, "the operators hear that games wait again"
    assert uids(State.UNFETCHED) == [5]
    assert holds.waited_for(game=None, since=None, due_at=NOW)
    box.faults = {}
    assert poll(box, NOW + 2 * HOUR) == 1
    assert uids() == list(range(1, 11))


def test_a_folder_that_is_numbered_anew_brings_it_under_its_new_number(box: FaultyImap) -> None:
    box.faults = {5: Fault.REFUSES}
    poll(box)
    box.uidvalidity, box.faults = 8, {}
    assert poll(box, NOW + MINUTE) == 1
    assert uids(State.UNFETCHED) == []
    assert InboundMail.objects.filter(state=State.NEW).count() == 10


def test_what_was_at_work_ends_where_the_folder_is_numbered_anew_meanwhile(
    box: FaultyImap,
) -> None:
    """A number of the old count names another mail in the new one."""
    box.faults, box.renumbered_at_login = {5: Fault.HANGS_UP}, 2
    with pytest.raises(ConnectionError, match="renumbered"):
        poll(box)
    assert not InboundMail.objects.exists()
    assert Mailbox.objects.get().last_ok_poll is None
    box.faults.clear()
    assert poll(box, NOW + MINUTE) == 10
    assert set(InboundMail.objects.values_list("uidvalidity", flat=True)) == {8}


def test_a_mail_that_somebody_moves_away_while_it_is_asked_for_is_no_fault(
    box: FaultyImap,
) -> None:
    box.vanishing = {5}
    assert poll(box) == 9
    assert uids(State.UNFETCHED) == []
    assert Mailbox.objects.get().last_ok_poll == NOW


def test_a_mail_without_text_or_date_may_have_come_in_time(box: FaultyImap, game: Cast) -> None:
    box.faults, box.dateless = {5: Fault.REFUSES}, {5}
    poll(box)
    (row,) = InboundMail.objects.filter(state=State.UNFETCHED)
    assert row.received_at <= NOW
    assert holds.waited_for(game=None, since=None, due_at=NOW)
    assert uids() == [1, 2, 3, 4, 6, 7, 8, 9, 10]


def test_a_mailbox_that_is_away_is_no_fault_of_its_mails(
    box: FaultyImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.faults = {5: Fault.HANGS_UP}

    def away(session: imap.Session) -> None:
        raise ConnectionRefusedError("nobody listens")

    monkeypatch.setattr(imap.Session, "reopen", away)
    with pytest.raises(ConnectionRefusedError):
        poll(box)
    assert not InboundMail.objects.filter(state=State.UNFETCHED).exists()
    assert Mailbox.objects.get().last_ok_poll is None


# --- What was passed over ---------------------------------------------------------------------


def test_what_lies_in_the_folder_without_a_row_is_fetched_whatever_we_remember(
    box: FaultyImap,
) -> None:
    poll(box)
    InboundMail.objects.get(uid=5).delete()
    assert Mailbox.objects.get().last_uid == 10
    assert poll(box, NOW + MINUTE) == 1
    assert uids() == list(range(1, 11))


# --- Which deadlines wait ---------------------------------------------------------------------


@pytest.fixture
def game(transactional_db: None, box: FaultyImap) -> Cast:
    """Marne; all mail is from before its deadline, and all but the bad one worked on."""
    cast = make_cast(now=NOW - HOUR, movement_length=HOUR)
    jobs.tell(NOW - HOUR)
    OutboundMail.objects.all().delete()
    return cast


def poll_and_work(box: FaultyImap, now: dt.datetime) -> None:
    poll(box, now)
    jobs.process(now)


def test_a_deadline_waits_for_a_mail_that_could_have_come_in_time(
    box: FaultyImap, game: Cast
) -> None:
    box.faults = {5: Fault.REFUSES}
    poll_and_work(box, NOW + MINUTE)
    assert jobs.deadlines(NOW + MINUTE) == 0
    box.faults = {}
    poll_and_work(box, NOW + 2 * MINUTE)
    assert jobs.deadlines(NOW + 2 * MINUTE) == 1


def test_a_deadline_before_it_came_does_not_wait(box: FaultyImap, game: Cast) -> None:
    box.faults = {5: Fault.REFUSES}
    box.dates[5] = f"{NOW + SECOND:%d-%b-%Y %H:%M:%S} +0000"
    poll_and_work(box, NOW + MINUTE)
    assert jobs.deadlines(NOW + MINUTE) == 1


def test_one_whose_date_nobody_knows_may_have_come_since_the_last_complete_poll(
    box: FaultyImap, game: Cast
) -> None:
    poll_and_work(box, NOW - MINUTE)
    [uid] = box.put(letter(11))
    box.faults = {uid: Fault.NO_FACTS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imap.Session, "received_at", lambda session, uid: None)
        poll_and_work(box, NOW + MINUTE)
    row = InboundMail.objects.get(state=State.UNFETCHED)
    assert row.received_at == NOW - MINUTE
    assert jobs.deadlines(NOW + MINUTE) == 0


def test_an_operator_can_let_it_go(box: FaultyImap, game: Cast) -> None:
    box.faults = {5: Fault.REFUSES}
    poll_and_work(box, NOW + MINUTE)
    row = InboundMail.objects.get(state=State.UNFETCHED)
    assert holds.let_go(mail_ids=[row.pk], now=NOW + MINUTE) == 1
    assert jobs.deadlines(NOW + MINUTE) == 1
    assert Phase.objects.filter(name="F1901M").exists()


def test_an_operator_can_have_it_fetched_at_once(box: FaultyImap) -> None:
    box.faults = {5: Fault.REFUSES}
    poll(box)
    box.faults = {}
    row = InboundMail.objects.get(state=State.UNFETCHED)
    holds.run_again(mail_ids=[row.pk], now=NOW)
    assert poll(box, NOW + SECOND) == 1


# --- A real server with a damaged file --------------------------------------------------------


def test_a_file_that_the_real_server_cannot_read_stops_no_other(
    judge_mailbox: JudgeMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "PAUSES", (0.0, 0.0, 0.0))
    for number in range(6):
        raw = letter(number)
        judge_mailbox.deliver(raw, sender="ana@players.test")
    folder = judge_mailbox.dovecot.folder / "mail" / judge_mailbox.address
    [damaged] = [one for one in folder.glob("new/*") if b"<3@players.test>" in one.read_bytes()]
    damaged.chmod(0)
    now = timezone.now()
    assert poller.poll_mailbox(url=judge_mailbox.imap_url, now=now) == 5
    assert InboundMail.objects.filter(state=State.UNFETCHED).count() == 1
    assert not store.all_mail_read(due_at=now, now=now)
    [moved] = folder.glob(f"cur/{damaged.name}*")
    moved.chmod(0o600)
    assert poller.poll_mailbox(url=judge_mailbox.imap_url, now=now + 2 * MINUTE) == 1
    assert InboundMail.objects.filter(state=State.NEW).count() == 6


# --- How much is held at once -----------------------------------------------------------------


def test_a_mailbox_of_giants_is_read_in_small_portions(box: FaultyImap) -> None:
    size = 3 * LARGEST
    box.mails = {uid: letter(uid, "HELP\n" + "x" * size) for uid in range(1, 31)}
    box.mails |= {uid: letter(uid, "HELP\n" + "x" * (size // 6)) for uid in range(31, 61)}
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        assert poll(box) == 60
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < 50_000_000, "with the server's own copies, in this process"
    longest = max(len(asked) for asked in box.fetched)
    assert longest * (size // 6) <= imap.BATCH_BYTES
    kept = [len(bytes(mail.raw)) for mail in InboundMail.objects.all()]
    assert max(kept) == LARGEST


# --- A server that does not say which number comes next, and one that lets nobody in ------------


def test_mail_that_comes_while_others_are_fetched_is_fetched_at_once_without_uidnext(
    box: FaultyImap, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.POLL_SECONDS = 3600.0
    stop, told = threading.Event(), threading.Semaphore(0)
    whole = poller.poll

    def polled(session: imap.Session, *, now: dt.datetime) -> int:
        stored = whole(session, now=now)
        if stored == 10:
            box.mails[11] = letter(11)
        return stored

    monkeypatch.setattr(poller, "poll", polled)
    watching = threading.Thread(target=poller.watch, args=[box.url, stop, told.release])
    watching.start()
    try:
        assert told.acquire(timeout=20)
        assert told.acquire(timeout=20), "it waits for the next poll, an hour away"
    finally:
        stop.set()
        watching.join()
    assert InboundMail.objects.count() == 11


def test_operators_hear_once_a_day_of_a_mailbox_that_lets_nobody_in(box: FaultyImap) -> None:
    """Its password was changed, and nobody reads the log; the relay still takes mail."""
    box.logins_refused = 100
    for minutes in (0, 5, 10, 15, 20, 60):
        jobs.poll(NOW + minutes * MINUTE)
        assert OutboundMail.objects.count() == (minutes >= 15)
    mail = OutboundMail.objects.get()
    assert (mail.recipient, mail.subject) == (OPERATOR, "Our mailbox cannot be read")
    assert "[AUTHENTICATIONFAILED] Authentication failed." in flat(mail.body)
    assert "secret" not in mail.body
    jobs.poll(NOW + 24 * HOUR)
    assert OutboundMail.objects.count() == 2
    box.logins_refused = 0
    jobs.poll(NOW + 25 * HOUR)
    box.logins_refused = 100
    jobs.poll(NOW + 26 * HOUR)
    assert OutboundMail.objects.count() == 2


def test_operators_hear_of_refused_logins_that_only_the_poller_tries(box: FaultyImap) -> None:
    """It tries again just when the worker would, so the worker never comes to it."""
    box.logins_refused = 100
    for minute in range(17):
        if minute % 5 == 0:
            store.note_failure(box.url, NOW + minute * MINUTE, refused=True)
        jobs.poll(NOW + minute * MINUTE)
    assert box.logins_refused == 100
    assert "The server refuses our login." in flat(OutboundMail.objects.get().body)


def test_a_server_that_refuses_our_login_is_left_alone_for_minutes(box: FaultyImap) -> None:
    """Many lock out whoever tries again and again, the right password included."""
    box.logins_refused = 100
    for minute in range(10):
        jobs.poll(NOW + minute * MINUTE)
    assert box.logins_refused == 98
    box.logins_refused = 0
    jobs.poll(NOW + 10 * MINUTE)
    jobs.poll(NOW + 11 * MINUTE)
    assert box.logins == 2


def test_once_anybody_has_read_the_mailbox_nobody_leaves_it_alone(box: FaultyImap) -> None:
    """The poller of another machine may have the right password already."""
    store.note_failure(box.url, NOW, refused=True)
    assert store.was_refused(box.url, NOW + MINUTE)
    poller.poll_mailbox(url=box.url, now=NOW + MINUTE)
    assert not store.was_refused(box.url, NOW + 2 * MINUTE)


def test_a_refusal_that_lies_in_the_future_keeps_nobody_away(box: FaultyImap) -> None:
    """The machine's clock was wrong when it was noted."""
    store.note_failure(box.url, NOW + 24 * HOUR, refused=True)
    jobs.poll(NOW)
    assert box.logins == 1


def test_a_server_that_hangs_up_on_our_login_is_asked_again_at_once(box: FaultyImap) -> None:
    box.refusal, box.logins_refused = "", 1
    jobs.poll(NOW)
    jobs.poll(NOW + MINUTE)
    assert box.logins == 1
