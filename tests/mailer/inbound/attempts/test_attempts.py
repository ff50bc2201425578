"""Whose fault it was: what is tried again, and what is set aside."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games.models import Game
from mailer.commands.player.views.list import List
from mailer.commands.receipt import Receipt
from mailer.inbound import one_mail, processing, retries, setting_aside, turns
from mailer.inbound.locked_mail import open_mails
from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import JUDGE, answer_to, eml, flat, stored, write
from tests.mailer.inbound.attempts.attempting import (
    MINUTE,
    OPERATOR,
    SECOND,
    State,
    at_work,
    orders,
    raiser,
    set_aside,
    state,
    told,
)
from tests.rows import each_row

pytestmark = pytest.mark.django_db


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
    assert [
        "cannot read the board of the game: that is why" in flat(one.body) for one in for_gm
    ] == [True] * (state == State.QUARANTINED)
