"""A deadline for people who could not know of it: the relay takes none of the mails with which the
phase began, or takes them too late."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Event, Phase
from mailer import jobs
from mailer.inbound import store
from mailer.models import OutboundMail
from mailer.outbound import pace, sending
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.mailer.correspondence import told_cast
from tests.mailer.sink import running_sink
from tests.servers.process import free_ports

DUE = NOW + 3 * DAY
BOX = "imap://judge:secret@127.0.0.1:1/INBOX"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(transactional_db: None, settings) -> Cast:
    """Marne in S1901M, with a start mail to everybody in the queue, and nobody at the relay."""
    settings.IMAP_URLS = [BOX]
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    pace.forget()
    return told_cast()


def due(at: dt.datetime) -> int:
    """Look for due phases, with all mail read; returns how many were decided."""
    mailbox = store.mailbox_for(BOX)
    mailbox.last_ok_poll = at
    mailbox.save()
    return jobs.deadlines(at)


def sent_each_hour(first: dt.datetime, last: dt.datetime) -> None:
    while first <= last:
        sending.drain(now=first)
        first += HOUR


def moves() -> list[str]:
    return [one.payload["why"] for one in Event.objects.filter(kind="deadline_moved")]


def test_a_phase_that_nobody_knows_of_waits_and_its_players_get_their_time_again(
    game: Cast, settings
):
    sent_each_hour(NOW, DUE)
    assert due(DUE + HOUR) == 0
    assert game.phase.due_at == DUE
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE + 2 * HOUR)
        assert len(relay.taken) >= 7
        assert due(DUE + 2 * HOUR) == 0
        assert game.phase.due_at == DUE + 2 * HOUR + 3 * DAY
        assert moves() == ["The mails with which this phase began could not be sent in time."]
        told = OutboundMail.objects.filter(kind="deadline_moved", player__isnull=False)
        assert told.count() == 7
        assert due(DUE + 2 * HOUR + 3 * DAY + HOUR) == 1


def test_mails_that_go_out_in_the_last_tenth_of_a_phase_are_too_late(game: Cast, settings):
    late = DUE - 7 * HOUR
    sent_each_hour(NOW, late - HOUR)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=late)
    assert due(DUE + HOUR) == 0
    assert game.phase.due_at == DUE + HOUR + 3 * DAY


def test_mails_that_go_out_a_day_before_the_deadline_move_nothing(game: Cast, settings):
    sent_each_hour(NOW, DUE - DAY - HOUR)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE - DAY)
    assert due(DUE + HOUR) == 1
    assert moves() == []


def test_one_full_mailbox_keeps_nobody_waiting(game: Cast, settings):
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        relay.full.add(address_of("Carla"))
        for hours in range(0, 72, 8):
            sending.drain(now=NOW + hours * HOUR)
        assert OutboundMail.objects.get(state="queued").recipient == address_of("Carla")
    assert due(DUE + HOUR) == 1


def test_orders_of_everybody_need_no_mail_of_ours(game: Cast):
    sent_each_hour(NOW, NOW + HOUR)
    for power, lines in OPENINGS.items():
        submit(game, power, lines, at=NOW + HOUR)
    assert due(NOW + 5 * HOUR) == 1


def test_a_deadline_moves_once_for_mails_that_could_not_be_sent(game: Cast, settings):
    sent_each_hour(NOW, DUE)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE + HOUR)
    due(DUE + HOUR)
    moved = game.phase.due_at
    assert moved
    OutboundMail.objects.filter(opens=game.phase).update(sent_at=moved)
    assert due(moved + HOUR) == 1


def test_results_that_could_not_be_sent_keep_the_next_phase_waiting(game: Cast, settings):
    """The start was told; the relay goes down with the first results."""
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=NOW)
    assert due(DUE + HOUR) == 1
    fall = Phase.objects.get(status=Phase.Status.OPEN)
    assert fall.due_at
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    sent_each_hour(DUE + HOUR, fall.due_at)
    assert due(fall.due_at + HOUR) == 0
    assert game.phase.name == fall.name


def test_a_relay_that_is_back_after_a_weekend_may_put_mails_off_once_more(game: Cast, settings):
    sent_each_hour(NOW, DUE)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        relay.full.add(address_of("Carla"))
        sending.drain(now=DUE + HOUR)
        assert OutboundMail.objects.get(recipient=address_of("Carla")).state == "queued"
        relay.full.clear()
        sending.drain(now=DUE + 2 * HOUR)
    assert OutboundMail.objects.get(recipient=address_of("Carla")).state == "sent"
