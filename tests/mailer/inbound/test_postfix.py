"""A real Postfix between us and the players: its reports come into a real mailbox and are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Address, OrderSet
from mailer import jobs
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from tests.cast import Cast, make_cast
from tests.conftest import JudgeMailbox
from tests.mailer.sink import Sink, running_sink
from tests.servers import Dovecot, Postfix
from tests.servers.postfix import can_run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.on_one,
    pytest.mark.skipif(not can_run(), reason="Postfix can be started by root only"),
]


@pytest.fixture(scope="module")
def players() -> Iterator[Sink]:
    """The mail server of the players' domain."""
    with running_sink() as sink:
        yield sink


@pytest.fixture(scope="module")
def session_postfix(dovecot: Dovecot, players: Sink) -> Iterator[Postfix]:
    ports = {"players.test": players.port, "work.test": players.port, "gone.test": 1}
    with Postfix(lmtp_port=dovecot.lmtp_port, routes=ports) as server:
        yield server


@pytest.fixture
def postfix(
    session_postfix: Postfix, players: Sink, judge_mailbox: JudgeMailbox, settings: Settings
) -> Postfix:
    """Postfix as our relay, everybody's mailbox in order."""
    settings.EMAIL_URL = session_postfix.url
    players.unknown, players.faults, players.full = set(), [], set()
    players.taken.clear()
    return session_postfix


def mail_to(cast: Cast, email: str) -> OutboundMail:
    """A mail to Ben, who has this address, committed and sent to the relay."""
    ben = cast.player("Ben")
    ben.addresses.filter(of_record=True).update(email=email)
    mail = outbox.enqueue(
        key=f"test/{email}",
        kind="phase_processed",
        recipient=email,
        subject="[marne] results",
        body="England: F London - North Sea: succeeds.\n",
        now=timezone.now(),
        priority=OutboundMail.Priority.RESULT,
        player=ben,
        reply_to=addresses.seat_address(
            seat=cast.seat("England"), phase=cast.phase, now=timezone.now()
        ),
    )
    jobs.outbox(timezone.now())
    return mail


def until(happened: Callable[[], object]) -> None:
    """Poll and work on what comes, until it happened."""
    end = time.monotonic() + 90
    while not happened():
        assert time.monotonic() < end, [str(one.note) for one in InboundMail.objects.all()]
        jobs.poll(timezone.now())
        jobs.process(timezone.now())
        time.sleep(0.2)


@pytest.fixture
def game(transactional_db: None) -> Cast:
    cast = make_cast(now=timezone.now())
    OutboundMail.objects.all().delete()
    return cast


def lost(mail: OutboundMail) -> bool:
    return OutboundMail.objects.filter(pk=mail.pk, bounced_at__isnull=False).exists()


def test_an_unknown_player_is_reported_and_everybody_concerned_hears_of_it(
    game: Cast, postfix: Postfix, players: Sink
) -> None:
    players.unknown = {"ben@players.test"}
    ben = game.player("Ben")
    ben.addresses.create(
        email="ben@work.test", confirmed_at=timezone.now(), created_at=timezone.now()
    )
    mail = mail_to(game, "ben@players.test")
    until(lambda: lost(mail))
    mail.refresh_from_db()
    assert mail.state == OutboundMail.State.SENT  # Postfix took it; the players' server did not
    assert mail.bounce.startswith("there is no such mailbox (550 5.1.1 No such user")
    assert mail.reports.get().state == InboundMail.State.REPORT
    assert ben.addresses.get(email="ben@players.test").failing_since
    jobs.outbox(timezone.now())
    until(lambda: len(players.taken) >= 2)
    assert {to for to, _ in players.taken} == {"gm@players.test", "ben@work.test"}
    assert not OrderSet.objects.exists()


def test_a_full_mailbox_is_late_first_and_lost_when_the_server_gives_up(
    game: Cast, postfix: Postfix, players: Sink
) -> None:
    players.full = {"ben@players.test"}
    mail = mail_to(game, "ben@players.test")
    ben = Address.objects.filter(email="ben@players.test")
    until(lambda: ben.get().late_reports)
    assert ben.get().failing_since is None
    assert not lost(mail)
    until(lambda: lost(mail))
    mail.refresh_from_db()
    assert mail.bounce.startswith("the mailbox is full (452 4.2.2 Mailbox full)")
    assert ben.get().failing_since


def test_a_server_that_is_gone_is_reported_in_the_end(game: Cast, postfix: Postfix) -> None:
    mail = mail_to(game, "ben@gone.test")
    until(lambda: lost(mail))
    mail.refresh_from_db()
    assert "4.4.1" in mail.bounce
    assert "refused" in mail.bounce


def test_a_mail_that_is_too_large_for_the_other_side_is_lost(
    game: Cast, postfix: Postfix, players: Sink
) -> None:
    players.faults = ["552 5.3.4 Message too big for this mailbox"]
    mail = mail_to(game, "ben@players.test")
    until(lambda: lost(mail))
    mail.refresh_from_db()
    assert mail.bounce.startswith("552 5.3.4")


def test_a_domain_without_a_way_there_is_refused_at_once(game: Cast, postfix: Postfix) -> None:
    mail = mail_to(game, "ben@nowhere.test")
    mail.refresh_from_db()
    assert mail.state == OutboundMail.State.FAILED
    assert mail.bounced_at
    assert "5.4.4" in mail.bounce
    assert game.player("Ben").record.failing_since
