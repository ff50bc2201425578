"""Whose turn it is, whose fault it was, and which games wait for a mail that was set aside."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from pytest_django import Settings

from games.models import Game, OrderSet
from games.services.adjudication.phases import phase_process_now
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.commands.player.views.list import List
from mailer.commands.receipt import Receipt
from mailer.inbound import holds, one_mail, processing, retries, setting_aside, store, turns
from mailer.inbound.locked_mail import open_mails
from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForGmHeldMail
from tests.cast import DAY, HOUR, NOW, OPENINGS, PLAIN, POWERS, Cast
from tests.mailer.correspondence import JUDGE, answer_to, eml, flat, stored, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
SECOND = dt.timedelta(seconds=1)
MINUTE = dt.timedelta(minutes=1)
URL = "imap://judge:secret@mail.test/INBOX"
DUE = NOW + 3 * DAY
OPERATOR = "root@game.test"


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = JUDGE
    settings.OPERATOR_ADDRESSES = [OPERATOR]
    settings.IMAP_URLS = [URL]


@pytest.fixture
def france(marne: Cast) -> str:
    """The reply address of Carla, who plays France."""
    return to_seat(marne)


def raiser(error: Exception) -> object:
    def run(*args: object, **named: object) -> None:
        raise error

    return run


def at_work(mail: InboundMail, since: dt.datetime) -> None:
    """A worker has taken this mail and was killed."""
    assert retries.claim(mail_id=mail.pk, now=since)


def state(mail: InboundMail) -> str:
    mail.refresh_from_db()
    return mail.state


# --- Turns ----------------------------------------------------------------------------------


def test_the_mails_of_one_sender_delay_nobody_else(marne: Cast) -> None:
    flood = [stored(eml("STATUS", sender="carla@players.test")) for _ in range(40)]
    late = stored(eml("STATUS", sender="Ben <Ben@players.test>"), received_at=NOW + HOUR)
    assert processing.process_inbound(now=NOW + HOUR, limit=2) == 2
    assert state(late) == State.DONE
    assert [state(mail) for mail in flood].count(State.DONE) == 1


def test_whoever_comes_while_a_flood_is_worked_on_waits_for_a_few_mails(marne: Cast) -> None:
    for _ in range(40):
        stored(eml("STATUS", sender="carla@players.test"))
    processing.process_inbound(now=NOW, limit=20)
    for name in ("ben", "dora", "emma"):
        stored(eml("STATUS", sender=f"{name}@players.test"), received_at=NOW + MINUTE)
    before = InboundMail.objects.filter(state=State.DONE).count()
    processing.process_inbound(now=NOW + MINUTE, limit=4)
    done = InboundMail.objects.filter(state=State.DONE)
    assert done.count() == before + 4
    assert done.exclude(sender="carla@players.test").count() == 3


def test_the_mails_of_one_sender_are_worked_on_in_their_order(marne: Cast, france: str) -> None:
    mails = [stored(eml(f"A Par - {to}", sender="carla@players.test", to=france)) for to in "BPG"]
    processing.process_inbound(now=NOW, limit=10)
    worked_on = list(OrderSet.objects.order_by("pk").values_list("mail__mail", flat=True))
    assert worked_on == [mail.pk for mail in mails]


def test_nobody_takes_the_next_mail_of_a_sender_whose_mail_is_being_worked_on(marne: Cast) -> None:
    first, second = (stored(eml("STATUS", sender="carla@players.test")) for _ in range(2))
    at_work(first, NOW)
    assert turns.next_turn(NOW) == []
    assert turns.next_turn(NOW + turns.LEASE) == [first.pk]
    processing.process_mail(mail_id=first.pk, now=NOW + turns.LEASE)
    assert turns.next_turn(NOW + turns.LEASE) == [second.pk]


def test_a_mail_that_breaks_does_not_stop_the_next_of_its_sender(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(List, "run", raiser(RuntimeError("boom")))
    stored(eml("LIST", sender="carla@players.test"))
    good = stored(eml("STATUS", sender="carla@players.test"))
    assert processing.process_inbound(now=NOW, limit=10) == 1
    assert state(good) == State.DONE


def test_of_mails_taken_together_the_one_that_breaks_costs_the_others_nothing(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    def breaks(*args: object) -> None:
        runs.append("run")
        raise RuntimeError("boom")

    monkeypatch.setattr(List, "run", breaks)
    good, bad, another = (
        stored(eml(text, sender=f"{name}@players.test"))
        for name, text in (("ben", "STATUS"), ("carla", "LIST"), ("dora", "STATUS"))
    )
    assert processing.process_inbound(now=NOW, limit=10) == 2
    assert [state(mail) for mail in (good, bad, another)] == [State.DONE, State.NEW, State.DONE]
    assert [mail.answers.count() for mail in (good, bad, another)] == [1, 0, 1]
    assert bad.attempts == 1
    assert bad.error.startswith("RuntimeError")
    assert len(runs) == 2  # among the others, and by itself


@each_row(
    ("line", "claimed"),
    [
        ("From: Carla <Carla@Players.test>", "carla@players.test"),
        ("From: a@x.test, b@x.test", ""),
        ("From: a@x.test\r\nFrom: b@x.test", ""),
        ("X-From: a@x.test", ""),
        (f"X: {'x' * 100_000}\r\nFrom: a@x.test", ""),
    ],
)
def test_the_sender_of_whom_it_is_the_turn_is_read_when_a_mail_is_stored(
    db: None, line: str, claimed: str
) -> None:
    assert stored(f"{line}\r\n\r\nFrom: z@z.test\r\n".encode()).sender == claimed


# --- Too many commands ----------------------------------------------------------------------


def test_of_very_many_commands_the_first_are_done_and_the_sender_is_told(
    marne: Cast, france: str
) -> None:
    text = "\n".join([*["STATUS"] * 20, "LIST", *["STATUS"] * 30])
    body = flat(answer_to(write("Carla", text, to=france)).body)
    assert "One mail can hold 20 commands, and yours has 51." in body
    assert "the first of those is LIST." in body
    assert "send the others in another mail" in body
    assert body.count("marne: it is Spring") == 20


def test_twenty_commands_and_any_number_of_orders_are_none_too_many(
    marne: Cast, france: str
) -> None:
    text = "\n".join([*["STATUS"] * 19, *["A Par H"] * 30])
    body = flat(answer_to(write("Carla", text, to=france)).body)
    assert "can hold" not in body
    assert OrderSet.objects.exists()


def test_a_game_master_is_told_as_well(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    text = "\n".join(["STATUS"] * 25)
    body = flat(answer_to(write("gm", text, to=to, sender="gm@players.test")).body)
    assert "One mail can hold 20 commands, and yours has 25." in body
    assert body.count("STATUS in marne") == 20


def test_a_grave_command_after_twenty_others_is_not_done_unasked(marne: Cast, france: str) -> None:
    text = "\n".join([*["STATUS"] * 20, "RESIGN marne"])
    write("Carla", text, to=france)
    assert marne.seat("France").player.name == "Carla"


# --- Whose fault it was ---------------------------------------------------------------------

SICK = [OperationalError("deadlock detected"), InterfaceError("connection already closed")]


@pytest.mark.parametrize("error", SICK)
def test_an_error_of_the_database_is_no_strike_against_a_mail(
    marne: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    now = NOW
    with monkeypatch.context() as patch:
        patch.setattr(List, "run", raiser(error))
        for _ in range(6):
            assert processing.process_mail(mail_id=mail.pk, now=now) is None
            mail.refresh_from_db()
            assert (mail.state, mail.attempts) == (State.NEW, 0)
            assert mail.retry_at
            now = mail.retry_at
    assert now <= NOW + 5 * MINUTE
    assert processing.process_mail(mail_id=mail.pk, now=now) == State.DONE


def test_so_is_one_that_another_error_was_raised_from(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*args: object) -> None:
        raise RuntimeError("while telling") from SICK[0]

    monkeypatch.setattr(List, "run", run)
    mail = stored(eml("LIST", sender="carla@players.test"))
    processing.process_mail(mail_id=mail.pk, now=NOW)
    mail.refresh_from_db()
    assert (mail.attempts, mail.setbacks) == (0, 1)


@pytest.mark.parametrize("error", [DatabaseError("away"), SICK[1]])
def test_a_database_too_sick_to_note_it_notes_it_later(
    marne: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    with monkeypatch.context() as patch:
        patch.setattr(List, "run", raiser(SICK[0]))
        patch.setattr(retries, "_note_setback", raiser(error))
        processing.process_mail(mail_id=mail.pk, now=NOW)
    assert processing.process_mail(mail_id=mail.pk, now=NOW + MINUTE) is None
    mail.refresh_from_db()
    assert (mail.attempts, mail.setbacks) == (0, 1)
    assert processing.process_mail(mail_id=mail.pk, now=NOW + 2 * MINUTE) == State.DONE


def test_a_mail_over_which_the_database_fails_for_ever_is_set_aside_in_the_end(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(List, "run", raiser(SICK[0]))
    mail = stored(eml("LIST", sender="carla@players.test"))
    for hour in range(retries.MOST_SETBACKS):
        assert state(mail) == State.NEW
        processing.process_mail(mail_id=mail.pk, now=NOW + hour * HOUR)
    assert state(mail) == State.QUARANTINED


def test_a_mail_whose_worker_was_killed_is_tried_again_after_half_a_minute(marne: Cast) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    at_work(mail, NOW)
    assert processing.process_inbound(now=NOW + 29 * SECOND, limit=10) == 0
    assert processing.process_inbound(now=NOW + 30 * SECOND, limit=10) == 1
    assert state(mail) == State.DONE


class Clock:
    """A monotonic clock that a test moves."""

    passed = 100.0

    def monotonic(self) -> float:
        return self.passed


def claims_noted(monkeypatch: pytest.MonkeyPatch) -> list[dt.datetime]:
    """When mails are taken from now on."""
    taken: list[dt.datetime] = []
    claim = retries.claim_first

    def claimed(mails: list[int], *, now: dt.datetime) -> list[tuple[int, bytes]]:
        taken.append(now)
        return claim(mails, now=now)

    monkeypatch.setattr(retries, "claim_first", claimed)
    return taken


def test_a_worker_has_the_last_mail_of_many_for_itself_as_long_as_the_first(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(turns.TOGETHER + 1):
        stored(eml("LIST", sender=f"ana{number}@players.test"))
    clock, taken, write = Clock(), claims_noted(monkeypatch), one_mail.Closing.write

    def slowly(closing: one_mail.Closing) -> None:
        write(closing)
        clock.passed += 29.9

    monkeypatch.setattr(one_mail.Closing, "write", slowly)
    monkeypatch.setattr(processing, "time", clock)
    number = turns.TOGETHER + 1
    assert processing.process_inbound(now=NOW, limit=number) == number
    assert taken == [NOW, NOW + 29 * SECOND]


def test_a_worker_gives_back_in_time_what_it_cannot_begin_with_and_ends_its_turn(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, taken = Clock(), claims_noted(monkeypatch)

    def breaks_late(*_: object) -> None:
        clock.passed += 11
        raise RuntimeError("boom")

    monkeypatch.setattr(one_mail, "_work", breaks_late)
    monkeypatch.setattr(processing, "time", clock)
    mails = [stored(eml("LIST", sender=f"{name}@players.test")) for name in "abcde"]
    assert processing.process_inbound(now=NOW, limit=10) == 0
    assert taken == [NOW, NOW + 22 * SECOND, NOW + 44 * SECOND]
    assert {state(mail) for mail in mails} == {State.NEW}
    assert [mail.attempts for mail in mails] == [1, 1, 1, 0, 0]
    assert not any(mail.working_since for mail in mails)


def test_what_a_sick_database_does_not_take_back_is_no_death_of_a_worker(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    at_work(mail, NOW)
    with monkeypatch.context() as patch:
        patch.setattr(turns, "give_back", raiser(SICK[0]))
        retries.give_back([mail.pk], taken_at=NOW)
    assert retries.claim(mail_id=mail.pk, now=NOW + SECOND) is None
    mail.refresh_from_db()
    assert (mail.attempts, mail.setbacks, mail.working_since) == (0, 1, None)


def test_workers_on_one_backlog_take_the_next_mails_that_nobody_is_at(marne: Cast) -> None:
    at_once = turns.TOGETHER
    mails = [stored(eml("LIST", sender=f"zoe{one}@players.test")).pk for one in range(at_once + 3)]
    at_work(InboundMail.objects.get(pk=mails[0]), NOW)
    first = retries.claim_first(mails, now=NOW)
    second = retries.claim_first(mails, now=NOW)
    assert [pk for pk, _ in first] == mails[1 : at_once + 1]
    assert [pk for pk, _ in second] == mails[at_once + 1 :]
    assert b"LIST" in first[0][1]
    assert retries.claim_first(mails[:3], now=NOW) == []
    assert turns.left_by_the_dead(mails[:3], now=NOW) == []
    later = NOW + turns.LEASE
    assert retries.claim_first(mails[:3], now=later) == []  # died over: that is noted first
    assert set(turns.left_by_the_dead(mails[:3], now=later)) == set(mails[:3])


def test_a_mail_that_alone_kills_its_workers_is_set_aside(marne: Cast) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    now = NOW
    for _ in range(3):
        assert state(mail) == State.NEW
        at_work(mail, now)
        now += HOUR
    assert not retries.claim(mail_id=mail.pk, now=now)
    assert state(mail) == State.QUARANTINED
    assert mail.attempts == 3


def test_a_machine_that_goes_down_again_and_again_is_no_fault_of_its_mails(marne: Cast) -> None:
    mails = [stored(eml("LIST", sender=f"{name}@players.test")) for name in ("carla", "ben")]
    now = NOW
    for _ in range(5):
        for mail in mails:
            at_work(mail, now)
        now += HOUR
    for mail in mails:
        mail.refresh_from_db()
        assert (mail.state, mail.attempts) == (State.NEW, 0)
    for mail in mails:
        assert processing.process_mail(mail_id=mail.pk, now=now) == State.DONE


def test_mails_that_all_kill_their_workers_at_once_are_set_aside_in_the_end(marne: Cast) -> None:
    mails = [stored(eml("LIST", sender=f"{name}@players.test")) for name in ("carla", "ben")]
    for hour in range(retries.MOST_SETBACKS + 1):
        for mail in mails:
            retries.claim(mail_id=mail.pk, now=NOW + hour * HOUR)
    assert {state(mail) for mail in mails} == {State.QUARANTINED}


def test_a_worker_that_fails_too_late_leaves_what_another_has_done(marne: Cast) -> None:
    mail = stored(eml("LIST", sender="carla@players.test"))
    InboundMail.objects.filter(pk=mail.pk).update(attempts=2)
    assert processing.process_mail(mail_id=mail.pk, now=NOW) == State.DONE
    retries.note_failure(mail_id=mail.pk, error=RuntimeError("boom"), now=NOW + HOUR)
    assert state(mail) == State.DONE
    assert (mail.attempts, mail.error) == (2, "")


# --- Mails that keep us busy ----------------------------------------------------------------


def spin() -> None:
    while True:
        pass


def match() -> None:
    re.fullmatch("(?:a|a)+", "a" * 64 + "b")


def swallow() -> None:
    with contextlib.suppress(BaseException):
        spin()


@pytest.fixture
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST", 0.1)
    monkeypatch.setattr(turns, "LONGEST_TOGETHER", 0.05)


@pytest.mark.usefixtures("little_time")
@pytest.mark.parametrize("work", [spin, match, swallow])
def test_a_mail_that_keeps_us_busy_is_set_aside_and_nothing_else_is_lost(
    marne: Cast, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = List.run

    def busy(*asked: Any) -> Receipt:
        Game.objects.update(name="somme")
        work()
        return run(*asked)

    monkeypatch.setattr(List, "run", busy)
    mails = [
        stored(eml(text, sender=f"{name}@players.test"))
        for name, text in (("ben", "STATUS"), ("carla", "LIST"), ("dora", "STATUS"))
    ]
    assert processing.process_inbound(now=NOW, limit=10) == 2
    assert [state(mail) for mail in mails] == [State.DONE, State.QUARANTINED, State.DONE]
    assert Game.objects.get().name == "marne"
    assert mails[1].attempts == 1
    assert mails[1].error.startswith("TookTooLong in ")
    [sorry] = OutboundMail.objects.filter(kind="set_aside")
    assert sorry.recipient == "carla@players.test"
    assert "kept our server busy for so long that we stopped" in flat(sorry.body)
    [to_operator] = OutboundMail.objects.filter(kind=setting_aside.KIND)
    assert "takes too long over mail" in flat(to_operator.body)


@pytest.mark.usefixtures("little_time")
def test_so_is_one_that_keeps_us_busy_as_it_is_read(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(raw: bytes) -> Letter:
        if b"LIST" in raw:
            spin()
        return read_letter(raw)

    monkeypatch.setattr(processing, "read_with_greetings", busy)
    mails = [stored(eml(text, sender=JUDGE.replace("judge", text))) for text in ("LIST", "HELP")]
    mails.append(stored(eml("STATUS", sender="ben@players.test")))
    assert processing.process_inbound(now=NOW, limit=10) == 2
    assert state(mails[0]) == State.QUARANTINED


@pytest.mark.usefixtures("little_time")
def test_after_some_mails_that_keep_us_busy_the_next_gets_little_time(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(retries.MOST_SLOW_ONES):
        set_aside(eml("LIST", sender=f"{number}@players.test"))
    InboundMail.objects.update(error="TookTooLong in spin", processed_at=NOW)
    runs: list[str] = []

    def busy(*_: object) -> None:
        runs.append("run")
        spin()

    monkeypatch.setattr(List, "run", busy)
    mail = write("Carla", "LIST")
    assert (mail.state, len(runs)) == (State.QUARANTINED, 1)
    assert "3 others within an hour" in mail.note


# --- Which games wait -----------------------------------------------------------------------


def set_aside(raw: bytes, at: dt.datetime = NOW) -> InboundMail:
    """A mail that the program breaks on, whatever is in it."""
    mail = stored(raw, received_at=at)
    break_on(mail, at)
    return mail


def break_on(mail: InboundMail, at: dt.datetime) -> None:
    """Let the program break on a mail until it is set aside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_mail, "_work", raiser(RuntimeError("boom")))
        for hour in range(3):
            processing.process_mail(mail_id=mail.pk, now=at + hour * HOUR)
    assert state(mail) == State.QUARANTINED


def deadlines(now: dt.datetime = DUE + HOUR) -> int:
    """The deadlines, after all mail is read."""
    mailbox = store.mailbox_for(URL)
    store.note_poll(mailbox, now)
    mailbox.gap_from = mailbox.gap_to = None
    mailbox.save()
    return jobs.deadlines(now)


def told(kind: str = setting_aside.KIND) -> list[str]:
    mails = OutboundMail.objects.filter(kind=kind).order_by("recipient")
    return list(mails.values_list("recipient", flat=True))


def orders(to: str, sender: str = "carla@players.test", headers: str = "") -> bytes:
    return eml("\n".join(OPENINGS["France"]), sender=sender, to=to, headers=headers)


def test_the_phase_waits_for_a_mail_to_a_seat_that_was_set_aside(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert list(mail.holds.all()) == [marne.game]
    assert deadlines() == 0
    assert told() == ["gm@players.test", OPERATOR]
    assert told("set_aside") == ["carla@players.test"]


def test_what_is_told_of_it_shows_nothing_of_what_it_says(marne: Cast, france: str) -> None:
    set_aside(orders(france))
    for told_to in OutboundMail.objects.filter(kind=setting_aside.KIND):
        body = flat(told_to.body)
        assert "marne" in body
        assert not [line for line in OPENINGS["France"] if line in body]
        assert addresses.redact(france) not in body.replace("judge@", "")
    gm = OutboundMail.objects.get(recipient="gm@players.test")
    assert "PROCESS" in gm.body
    assert "carla@players.test" in gm.body


def test_when_a_phase_waits_for_hours_everybody_is_told_once_why(marne: Cast, france: str) -> None:
    set_aside(orders(france))
    deadlines(DUE + HOUR)
    assert told("phase_held") == []
    for hours in (2, 3):
        deadlines(DUE + hours * HOUR)
    assert len(told("phase_held")) == 8
    body = flat(OutboundMail.objects.filter(kind="phase_held").order_by("pk")[0].body)
    assert "could not read one of the mails" in body
    assert "mailbox" not in body
    assert "carla" not in body.lower()


def test_the_phase_goes_on_when_the_mail_is_worked_on_after_all(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert retries.run_again(mail_ids=[mail.pk], now=NOW + HOUR) == 1
    assert deadlines() == 0, "it is not worked on yet"
    processing.process_mail(mail_id=mail.pk, now=DUE + HOUR)
    assert deadlines() == 1
    assert OrderSet.objects.get().counts


def test_who_has_to_see_to_it_is_told_when_a_mail_breaks_the_program_once_more(
    marne: Cast, france: str
) -> None:
    mail = set_aside(orders(france))
    once = told()
    retries.run_again(mail_ids=[mail.pk], now=NOW + 3 * HOUR)
    break_on(mail, NOW + 3 * HOUR)
    assert once
    assert told() == sorted([*once, *once])
    assert told("set_aside") == ["carla@players.test"]


def test_the_phase_goes_on_when_an_operator_lets_the_mail_go(marne: Cast, france: str) -> None:
    mail = set_aside(orders(france))
    assert holds.let_go(mail_ids=[mail.pk], now=NOW) == 1
    assert holds.let_go(mail_ids=[mail.pk], now=NOW) == 0
    assert deadlines() == 1


def test_a_phase_that_the_gm_processed_nonetheless_leaves_the_next_one_free(
    marne: Cast, france: str
) -> None:
    set_aside(orders(france))
    assert phase_process_now(game_id=marne.game.pk, now=DUE + HOUR)
    due = marne.phase.due_at
    assert due is not None
    assert deadlines(due + HOUR) == 1


def test_a_mail_that_came_after_the_deadline_holds_up_nothing(marne: Cast, france: str) -> None:
    set_aside(orders(france), at=DUE + SECOND)
    assert deadlines() == 1


def test_a_mail_that_proved_its_sender_holds_up_all_games_it_may_mean(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    passed = "Authentication-Results: mx.game.test; dmarc=pass header.from=players.test\r\n"
    mail = set_aside(orders(JUDGE, headers=passed))
    assert (mail.player, mail.proof) == (marne.player("Carla"), "authenticated")
    assert list(mail.holds.all()) == [marne.game]
    assert deadlines() == 0


def test_each_mail_that_proves_its_sender_is_apologised_for(marne: Cast, france: str) -> None:
    for _ in range(2):
        set_aside(orders(france))
    assert told("set_aside") == ["carla@players.test"] * 2
    for _ in range(2):
        mail = stored(orders(france, sender="ben@players.test"))
        mail.proof = "none"
        mail.put_off(NOW, note="Kept for later: too many from this sender in an hour.")
        break_on(mail, NOW)
    assert told("set_aside") == ["ben@players.test", *["carla@players.test"] * 2]


def test_the_gm_s_own_mail_holds_up_their_game(marne: Cast) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    mail = set_aside(eml("PAUSE", sender="gm@players.test", to=to))
    assert list(mail.holds.all()) == [marne.game]


def test_a_gm_s_answer_to_our_question_holds_up_the_game_that_it_is_about(marne: Cast) -> None:
    held = stored(eml("END", sender="gm@players.test"))
    question = ForGmHeldMail(marne.gm, marne.game, held, "as it stood")
    to = addresses.address_for(question, now=NOW)
    mail = set_aside(eml("CONFIRM", sender="gm@players.test", to=to))
    assert list(mail.holds.all()) == [marne.game]


def second_game(cast: Cast, name: str) -> Game:
    """A game with the same players in the same seats."""
    game = game_create(name=name, gm=cast.gm, now=NOW, **PLAIN)
    for one, wish in POWERS.items():
        game_join(game=game, player=cast.player(one), preferences=wish, now=NOW)
    return game


def test_a_proved_mail_of_somebody_with_two_seats_holds_up_both_games(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    somme = second_game(marne, "somme")
    passed = "Authentication-Results: mx.game.test; dmarc=pass header.from=players.test\r\n"
    mail = set_aside(orders(JUDGE, headers=passed))
    assert list(mail.holds.order_by("name")) == [marne.game, somme]
    assert sorted(told()) == ["gm@players.test", "gm@players.test", OPERATOR]


def test_a_mail_without_a_plain_sender_holds_up_nothing(marne: Cast) -> None:
    mail = set_aside(orders(JUDGE, sender="carla@players.test, ana@players.test"))
    assert not mail.holds.exists()


@pytest.mark.parametrize(
    "headers",
    ["", "Authentication-Results: mx.game.test; dmarc=fail header.from=players.test\r\n"],
)
def test_a_forged_mail_holds_up_nothing_and_tells_the_operators_once_a_day(
    marne: Cast, settings: Settings, headers: str
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    for _ in range(3):
        mail = set_aside(orders(JUDGE, headers=headers))
        assert not mail.holds.exists()
    assert told() == [OPERATOR]
    assert told("set_aside") == ["carla@players.test"]
    assert deadlines() == 1


def test_a_mail_that_our_own_server_calls_forged_holds_up_nothing_whatever_it_is_sent_to(
    marne: Cast, settings: Settings, france: str
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    failed = "Authentication-Results: mx.game.test; dmarc=fail header.from=players.test\r\n"
    assert not set_aside(orders(france, headers=failed)).holds.exists()


def test_a_program_s_answer_to_a_reply_address_holds_up_nothing(marne: Cast, france: str) -> None:
    assert not set_aside(orders(france, headers="Auto-Submitted: auto-replied\r\n")).holds.exists()


def test_the_seat_of_somebody_who_left_holds_up_nothing(marne: Cast, france: str) -> None:
    seat = marne.seat("France")
    seat.until = NOW
    seat.save()
    assert not set_aside(orders(france)).holds.exists()


def test_a_database_that_fails_while_a_mail_is_set_aside_costs_the_game_no_hold(
    marne: Cast, france: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = stored(orders(france))
    monkeypatch.setattr(one_mail, "_work", raiser(RuntimeError("boom")))
    for hour in range(2):
        processing.process_mail(mail_id=mail.pk, now=NOW + hour * HOUR)

    def away(*_: object, **__: object) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(setting_aside, "_tell_operators", away)
        with pytest.raises(OperationalError):
            processing.process_mail(mail_id=mail.pk, now=NOW + 2 * HOUR)
    assert state(mail) == State.NEW
    assert not OutboundMail.objects.exists()
    processing.process_mail(mail_id=mail.pk, now=NOW + 3 * HOUR)
    assert state(mail) == State.QUARANTINED
    assert list(mail.holds.all()) == [marne.game]


def test_a_mail_is_set_aside_even_if_nobody_can_tell_whom_it_concerns(
    marne: Cast, france: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting_aside, "_games_that_wait", raiser(RuntimeError("boom")))
    mail = set_aside(orders(france))
    assert mail.state == State.QUARANTINED
    assert told() == [OPERATOR]
    assert told("set_aside") == ["carla@players.test"]


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_a_mail_is_carried_out_though_another_worker_looks_at_its_row_for_a_moment() -> None:
    """Whoever finds that a mail is claimed locks its row to find it; passed over then, the mail
    would be nobody's until the claim had run out."""
    mail = stored(eml("LIST", sender="carla@players.test"))
    locked, looked = threading.Event(), threading.Event()

    def look() -> None:
        with transaction.atomic():
            InboundMail.objects.select_for_update().get(pk=mail.pk)
            locked.set()
            looked.wait(10)
        connection.close()

    other = threading.Thread(target=look)
    other.start()
    assert locked.wait(10)
    threading.Timer(0.2, looked.set).start()
    with transaction.atomic():
        found = open_mails({mail.pk: read_letter(bytes(mail.raw))}, now=NOW)
    other.join()
    assert list(found) == [mail.pk]


@each_row(
    ("text", "state", "said"),
    [
        ("MAP", State.DONE, "We cannot read the board of this game just now."),
        ("WHATIF\nA Par-Bur", State.DONE, "please try again tomorrow"),
        ("A Par-Bur\nA Mar-Spa", State.QUARANTINED, "You need not send it again"),
    ],
)
def test_whoever_writes_about_a_board_that_cannot_be_read_hears_so(
    marne: Cast, france: str, text: str, state: str, said: str
) -> None:
    phase = marne.phase
    phase.position["units"]["France"] = ["A Nowhere"]
    phase.save()
    mail = write("Carla", text, to=france)
    for hours in range(1, 4):
        processing.process_inbound(now=NOW + hours * HOUR, limit=10)
    mail.refresh_from_db()
    assert mail.state == state
    assert said in flat(answer_to(mail).body)
    assert OutboundMail.objects.filter(recipient=OPERATOR).count() == 1
    for_gm = OutboundMail.objects.filter(recipient=marne.gm.email)
    assert ["cannot be read: that is why" in flat(one.body) for one in for_gm] == [True] * (
        state == State.QUARANTINED
    )
