"""A deadline in the dark: the phase waits, people are told, lost time is given back."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from games.models import Event, Game, Phase
from mailer import jobs
from mailer.inbound import poller, store
from mailer.inbound.place import Place
from mailer.models import Mailbox, OutboundMail
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, submit
from tests.mailer.correspondence import all_sent, told_cast

URL = "imap://judge:secret@127.0.0.1:1/INBOX"
DUE = NOW + 3 * DAY
MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None, settings) -> Cast:
    """Marne in S1901M, everybody told of the start."""
    settings.IMAP_URLS = [URL]
    cast = told_cast()
    all_sent()
    return cast


def polled(at: dt.datetime, url: str = URL) -> Mailbox:
    """The mailbox was read completely by a poll that began at this time."""
    mailbox = store.mailbox_for(url)
    store.note_poll(mailbox, at)
    mailbox.save()
    return mailbox


def polled_until(last: dt.datetime) -> None:
    """The mailbox was read every hour until `last`."""
    now = NOW
    while now < last:
        polled(now)
        now += HOUR
    polled(last)


def told(kind: str) -> int:
    return OutboundMail.objects.filter(kind=kind).count()


def bodies(event: Event) -> list[str]:
    """The mails about this event, each on one line."""
    return [" ".join(mail.body.split()) for mail in OutboundMail.objects.filter(event=event)]


def everybody_orders(game: Cast, at: dt.datetime) -> None:
    for power, lines in OPENINGS.items():
        submit(game, power, lines, at=at)


# --- Settling ------------------------------------------------------------------------------


def test_after_the_deadline_mails_get_two_minutes_into_the_mailbox(game: Cast):
    polled_until(DUE + 2 * MINUTE - SECOND)
    assert jobs.deadlines(DUE + 3 * MINUTE) == 0
    polled(DUE + 2 * MINUTE)
    assert jobs.deadlines(DUE + 3 * MINUTE) == 1


def test_a_short_phase_settles_in_a_hundredth_of_its_length(game: Cast):
    Phase.objects.update(due_at=NOW + 100 * SECOND)
    polled(NOW + 100 * SECOND)
    assert jobs.deadlines(NOW + 200 * SECOND) == 0
    polled(NOW + 101 * SECOND)
    assert jobs.deadlines(NOW + 200 * SECOND) == 1


def test_a_deadline_set_before_the_phase_began_settles_at_once(game: Cast):
    Phase.objects.update(due_at=NOW - HOUR)
    polled(NOW)
    assert jobs.deadlines(NOW) == 1


def test_a_phase_with_all_orders_in_needs_no_time_to_settle(game: Cast):
    everybody_orders(game, NOW + HOUR)
    polled(NOW + HOUR)
    assert jobs.deadlines(NOW + HOUR) == 1


# --- While the mailbox is down -------------------------------------------------------------


def test_a_failed_poll_is_noted_once_and_forgotten_with_the_next_good_one(game: Cast, monkeypatch):
    def refuse(*, url: str, now: dt.datetime) -> int:
        raise ConnectionRefusedError("nobody listens")

    monkeypatch.setattr(poller, "poll_mailbox", refuse)
    jobs.poll(NOW)
    jobs.poll(NOW + HOUR)
    assert Mailbox.objects.get().failing_since == NOW
    assert polled(NOW + 2 * HOUR).failing_since is None


def test_an_outage_of_minutes_is_not_told_and_moves_nothing(game: Cast):
    polled_until(DUE - HOUR)
    store.note_failure(URL, DUE - HOUR / 2)
    assert jobs.deadlines(DUE + HOUR / 2) == 0
    assert told("phase_held") == 0
    polled(DUE + HOUR / 2)
    assert jobs.deadlines(DUE + HOUR / 2) == 1
    assert told("deadline_moved") == 0


def test_an_outage_of_hours_at_a_deadline_is_told_to_everybody_once(game: Cast, settings):
    settings.OPERATOR_ADDRESSES = ["root@game.test"]
    polled_until(DUE - HOUR)
    store.note_failure(URL, DUE - HOUR / 2)
    assert jobs.deadlines(DUE + 2 * HOUR) == 0
    assert jobs.deadlines(DUE + 3 * HOUR) == 0
    mails = OutboundMail.objects.filter(kind="phase_held")
    assert mails.count() == 7 + 1 + 1
    for mail in mails:
        assert mail.subject == (
            "[marne] Spring 1901 movement: it waits, our mailbox is out of reach"
        )
        said = " ".join(mail.body.split())
        assert re.search(r"(has|have not) been .+ since Thu 5 Mar 2026, 11:00 UTC\.", said)
    assert game.phase.name == "S1901M"


def test_a_second_outage_at_the_moved_deadline_is_told_again_and_moves_nothing(game: Cast):
    polled_until(DUE - HOUR)
    store.note_failure(URL, DUE - HOUR / 2)
    jobs.deadlines(DUE + 2 * HOUR)
    polled(DUE + 3 * HOUR)
    jobs.deadlines(DUE + 3 * HOUR)
    due_at = game.phase.due_at
    assert due_at
    store.note_failure(URL, DUE + 4 * HOUR)
    jobs.deadlines(due_at + HOUR)
    jobs.deadlines(due_at + 2 * HOUR)
    first, second = Event.objects.filter(kind="phase_held").order_by("number")
    assert (first.payload["due_at"], second.payload["due_at"]) == (
        DUE.isoformat(),
        due_at.isoformat(),
    )
    assert all("the deadline moves" in body for body in bodies(first))
    again = bodies(second)
    assert len(again) == 8
    assert all("its deadline has already moved for an outage" in one for one in again)
    polled(due_at + 3 * HOUR)
    assert jobs.deadlines(due_at + 3 * HOUR) == 1
    assert told("deadline_moved") == 8


def test_an_outage_between_deadlines_concerns_nobody(game: Cast):
    polled(NOW)
    store.note_failure(URL, NOW + HOUR)
    jobs.deadlines(NOW + DAY)
    polled_until(NOW + DAY)
    polled_until(DUE + HOUR)
    assert jobs.deadlines(DUE + HOUR) == 1
    assert Event.objects.filter(kind__in=["phase_held", "deadline_moved"]).count() == 0


# --- When it is back -----------------------------------------------------------------------


def test_a_deadline_in_a_long_outage_moves_by_the_time_that_was_lost(game: Cast):
    polled_until(DUE - 10 * HOUR)
    back = DUE + 5 * HOUR
    polled(back)
    assert jobs.deadlines(back) == 0
    assert game.phase.name == "S1901M"
    assert game.phase.due_at == back + 10 * HOUR
    assert told("deadline_moved") == 8


def test_a_mailbox_that_replaces_a_dead_one_gives_back_the_time_of_the_outage(
    game: Cast, settings
) -> None:
    """Its name is new, so that nothing was read under it before."""
    polled_until(DUE - 10 * HOUR)
    store.note_failure(URL, DUE - 9 * HOUR)
    settings.IMAP_URLS = [URL.replace("127.0.0.1", "127.0.0.2")]
    back = DUE + 5 * HOUR
    polled(back, settings.IMAP_URLS[0])
    assert jobs.deadlines(back) == 0
    assert game.phase.due_at == back + 10 * HOUR


def test_a_second_mailbox_beside_one_that_is_read_moves_nothing(game: Cast, settings) -> None:
    polled_until(DUE + HOUR)
    settings.IMAP_URLS = [URL, URL.replace("127.0.0.1", "127.0.0.2")]
    polled(DUE + HOUR, settings.IMAP_URLS[1])
    assert jobs.deadlines(DUE + HOUR) == 1
    assert told("deadline_moved") == 0


def test_a_mailbox_that_is_taken_in_again_beside_one_that_is_read_moves_nothing(
    game: Cast, settings
) -> None:
    """Nobody was to look into it meanwhile."""
    other = URL.replace("127.0.0.1", "127.0.0.2")
    settings.IMAP_URLS = [URL, other]
    polled(NOW, other)
    store.note_failure(other, NOW + MINUTE)
    settings.IMAP_URLS = [URL]
    polled_until(DUE + HOUR)
    settings.IMAP_URLS = [URL, other]
    polled(DUE + HOUR + MINUTE, other)
    assert jobs.deadlines(DUE + HOUR + MINUTE) == 1
    assert told("deadline_moved") == 0


def test_the_moved_deadline_is_kept(game: Cast):
    polled_until(DUE - 10 * HOUR)
    back = DUE + 5 * HOUR
    polled(back)
    jobs.deadlines(back)
    now = back
    while now < back + 10 * HOUR:
        polled(now)
        assert jobs.deadlines(now) == 0
        now += HOUR
    polled(now + HOUR)
    assert jobs.deadlines(now + HOUR) == 1
    assert told("deadline_moved") == 8


def test_a_server_looked_after_once_a_day_moves_each_deadline_only_once(game: Cast):
    now, processed = NOW, 0
    for _ in range(8):
        polled(now)
        processed += jobs.deadlines(now)
        now += DAY
    assert processed > 0
    moves = Event.objects.filter(kind="deadline_moved")
    assert moves.count() <= Phase.objects.count()


def test_nothing_moves_when_all_orders_were_in_before_the_outage(game: Cast):
    everybody_orders(game, NOW + HOUR)
    polled(NOW)
    back = DUE + DAY
    polled(back)
    assert jobs.deadlines(back) == 1
    assert told("deadline_moved") == 0


def test_mail_that_came_in_the_outage_is_read_before_anything_is_decided(game: Cast):
    polled_until(DUE - 10 * HOUR)
    back = DUE + 5 * HOUR
    mailbox = polled(back)
    store.store(
        place=Place(mailbox, 1, 1),
        raw=b"From: ana@players.test\n\nHELP\n",
        received_at=DUE - HOUR,
        now=back,
    )
    assert jobs.deadlines(back) == 0
    assert told("deadline_moved") == 0
    jobs.process(back)
    jobs.deadlines(back)
    assert told("deadline_moved") == 8


def test_one_of_two_mailboxes_in_the_dark_is_dark(game: Cast, settings):
    other = "imap://other:secret@127.0.0.1:1/INBOX"
    settings.IMAP_URLS = [URL, other]
    polled_until(DUE + HOUR)
    polled(DUE - 10 * HOUR, other)
    assert jobs.deadlines(DUE + HOUR) == 0
    polled(DUE + HOUR, other)
    assert jobs.deadlines(DUE + HOUR) == 0
    assert game.phase.due_at == DUE + 11 * HOUR


def test_a_mailbox_we_no_longer_read_holds_up_nothing(game: Cast):
    former = polled(NOW, "imap://former:secret@127.0.0.1:1/INBOX")
    Mailbox.objects.filter(pk=former.pk).update(failing_since=NOW)
    polled_until(DUE + HOUR)
    assert jobs.deadlines(DUE + HOUR) == 1


def test_an_early_end_waits_for_the_mailbox_and_alarms_nobody(game: Cast):
    """The receipts promised that orders can be changed until then: such a mail may lie unread."""
    Game.objects.update(early_delay=HOUR)
    polled(NOW + HOUR)
    everybody_orders(game, NOW + HOUR)
    store.note_failure(URL, NOW + HOUR + MINUTE)
    assert jobs.deadlines(NOW + 5 * HOUR) == 0
    assert told("phase_held") == 0
    polled(NOW + 6 * HOUR)
    assert jobs.deadlines(NOW + 6 * HOUR) == 1
    assert told("deadline_moved") == 0
