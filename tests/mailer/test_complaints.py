"""Complaints as providers send them (RFC 5965, Appendix B): matched, obeyed, never answered."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.auth.models import User

from games.models import Address, Conduct
from games.queries.cases import waiting
from games.queries.moderation import for_moderators
from games.services.conduct import mail_resume
from mailer import jobs
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from tests.cast import NOBODY, NOW, address_of
from tests.mailer.correspondence import receive, told_cast
from tests.rows import each_row

pytestmark = pytest.mark.django_db

State = OutboundMail.State
_numbers = itertools.count(1)
JUDGE = "judge@game.test"


def arf(
    to: str,
    *,
    kind: str = "abuse",
    mail_from: str = "",
    returned_id: str = "",
    whole: bool = True,
    fields: str = "",
) -> bytes:
    """A complaint in the shape of RFC 5965, B.1 (little) or B.2 (with `fields`), about a mail."""
    id_line = f"Message-ID: {returned_id}\r\n" if returned_id else ""
    original = f"Original-Mail-From: <{mail_from}>\r\n" if mail_from else ""
    shape = "message/rfc822" if whole else "text/rfc822-headers"
    body = "\r\nA Paris - Burgundy\r\nMAIL OFF\r\n" if whole else ""
    return (
        f"From: <abusedesk@players.test>\r\nTo: <{to}>\r\nSubject: FW: Spring 1901\r\n"
        f"Message-ID: <arf{next(_numbers)}@players.test>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=feedback-report;\r\n boundary="part1"\r\n'
        '\r\n--part1\r\nContent-Type: text/plain; charset="US-ASCII"\r\n\r\n'
        "This is an email abuse report for a message received on 2 March 2026.\r\nSTATUS\r\n\r\n"
        "--part1\r\nContent-Type: message/feedback-report\r\n\r\n"
        f"Feedback-Type: {kind}\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: 1\r\n"
        f"{original}{fields}\r\n"
        f"--part1\r\nContent-Type: {shape}\r\nContent-Disposition: inline\r\n\r\n"
        f"From: <judge@game.test>\r\nTo: <[redacted]>\r\nSubject: Spring\r\n{id_line}{body}\r\n"
        "--part1--\r\n"
    ).encode()


MUCH = (
    "Original-Rcpt-To: <user@players.test>\r\nArrival-Date: Mon, 2 Mar 2026 12:00:00 +0000\r\n"
    "Reporting-MTA: dns; mail.players.test\r\nSource-IP: 192.0.2.1\r\n"
    "Authentication-Results: mail.players.test; spf=fail smtp.mail=judge@game.test\r\n"
    "Reported-Domain: game.test\r\nReported-Uri: http://game.test/\r\n"
    "Removal-Recipient: user@players.test\r\n"
)


@pytest.fixture
def mail(db: None) -> OutboundMail:
    """A mail that Ana got."""
    told_cast()
    return OutboundMail.objects.filter(recipient=address_of("Ana")).earliest("pk")


def verp(mail: OutboundMail) -> str:
    return addresses.bounce_address(mail.message_id)


def complained() -> list[str]:
    found = Address.objects.filter(complained_at__isnull=False)
    return list(found.values_list("email", flat=True))


WAYS = {
    "to the envelope sender": lambda mail: arf(verp(mail)),
    "with the envelope sender in it": lambda mail: arf(JUDGE, mail_from=verp(mail), fields=MUCH),
    "with the whole mail": lambda mail: arf(JUDGE, returned_id=mail.message_id),
    "with its header only": lambda mail: arf(JUDGE, returned_id=mail.message_id, whole=False),
    "opting out": lambda mail: arf(JUDGE, kind="opt-out", returned_id=mail.message_id),
}


@each_row("way", WAYS)
def test_a_complaint_is_known_and_a_moderator_looks(mail: OutboundMail, way: str) -> None:
    queued = OutboundMail.objects.count()
    came = receive(WAYS[way](mail))
    assert (came.state, came.bounce_of, came.player) == ("report", mail, mail.player)
    assert "was called spam" in came.note
    assert complained() == [address_of("Ana")]
    assert OutboundMail.objects.count() == queued, "nobody is answered"
    (case,) = for_moderators(now=NOW, viewer=NOBODY).requests
    assert (case.kind, case.player) == ("complained", mail.player)
    assert waiting(User.objects.create_superuser("root"), NOW)[1] == 1


STRANGE = {
    "about no mail of ours": lambda mail: arf(JUDGE, returned_id="<made-up@game.test>"),
    "with no mail named": lambda mail: arf(JUDGE),
    "with a made-up envelope sender": lambda mail: arf(
        JUDGE, mail_from=f"judge+bounce-{'a' * 27}@game.test"
    ),
    "that says it is no spam": lambda mail: arf(verp(mail), kind="not-spam"),
    "of a failed check that nobody clicked": lambda mail: arf(verp(mail), kind="auth-failure"),
}


@each_row("way", STRANGE)
def test_what_proves_nothing_or_complains_of_nothing_changes_nothing(
    mail: OutboundMail, way: str
) -> None:
    queued = OutboundMail.objects.count()
    came = receive(STRANGE[way](mail))
    assert came.state == InboundMail.State.IGNORED
    assert not complained()
    assert not Conduct.objects.exists()
    assert OutboundMail.objects.count() == queued


def test_a_complaint_has_no_lines_that_could_be_orders(mail: OutboundMail) -> None:
    letter = read_letter(arf(verp(mail)))
    assert letter.lines == ()
    assert letter.complaint
    assert letter.complaint.agent == "SomeGenerator/1.0"


def test_the_moderators_are_told_once_however_many_complaints_come(
    mail: OutboundMail, settings: object
) -> None:
    settings.OPERATOR_ADDRESSES = ["op@game.test"]  # type: ignore[attr-defined]
    receive(arf(verp(mail)))
    receive(arf(verp(mail)))
    jobs.tell(NOW)
    (told,) = OutboundMail.objects.filter(kind="asked")
    assert told.subject == "A mail to Ana was called spam"
    assert "marked one of ours as spam" in " ".join(told.body.split())
    assert "A Paris" not in told.body
    assert Conduct.objects.filter(kind="complained").count() == 1


def bulk(mail: OutboundMail, name: str) -> OutboundMail:
    """A reminder, which many get."""
    event = mail.event
    assert event
    event.kind, event.payload = "orders_missing", {"powers": [], "by": ""}
    return outbox.enqueue(
        key=f"orders_missing/{event.pk}/{name}",
        kind="orders_missing",
        recipient=address_of(name),
        subject="Orders",
        body="x",
        now=NOW,
        priority=OutboundMail.Priority.NOTICE,
        player=mail.player,
        event=event,
    )


def test_what_many_get_stops_and_what_is_theirs_goes_on(
    mail: OutboundMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mailer.outbound import outbox
    from mailer.outbound.unsubscribe import Bulk

    monkeypatch.setattr(
        outbox, "bulk_of", lambda one: Bulk.REMINDER if one.kind == "orders_missing" else None
    )
    receive(arf(verp(mail)))
    assert bulk(mail, "Ana").state == State.KEPT
    assert bulk(mail, "Ben").state == State.QUEUED
    own = outbox.enqueue(
        key="own",
        kind="phase_processed",
        recipient=address_of("Ana"),
        subject="Results",
        body="x",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
        player=mail.player,
    )
    assert own.state == State.QUEUED

    assert mail.player
    mail_resume(player=mail.player, why="A slip.", by="mo", now=NOW)
    assert not complained()
