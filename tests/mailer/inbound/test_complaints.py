"""Complaints as providers send them (RFC 5965, Appendix B): matched, obeyed, never answered."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from games.models import Address, Conduct
from games.queries.moderators.cases import waiting
from games.queries.moderators.moderation import for_moderators
from games.services.moderation.conduct import mail_resume
from mailer import jobs
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from mailer.outbound.compose import compose
from tests.cast import DAY, NOBODY, NOW, address_of
from tests.mailer.correspondence import answer_to, flat, receive, told_cast, write
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
    returned: str = "",
    whole: bool = True,
    fields: str = "",
) -> bytes:
    """A complaint in the shape of RFC 5965, B.1 (little) or B.2 (with `fields`), about a mail."""
    returned += "\r\n" if returned else ""
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
        f"From: <judge@game.test>\r\nTo: <[redacted]>\r\nSubject: Spring\r\n{returned}{body}\r\n"
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


def own_header(mail: OutboundMail) -> str:
    """The line of our header that names the secret address where no envelope does."""
    with override_settings(VERP=False):
        lines = compose(mail).decode().split("\r\n")
    [line] = [one for one in lines if one.startswith("X-Return-To: ")]
    return line


def complained() -> list[str]:
    found = Address.objects.filter(complained_at__isnull=False)
    return list(found.values_list("email", flat=True))


WAYS = {
    "to the envelope sender": lambda mail: arf(verp(mail)),
    "with the envelope sender in it": lambda mail: arf(JUDGE, mail_from=verp(mail), fields=MUCH),
    "with the whole mail": lambda mail: arf(JUDGE, returned=f"Return-Path: <{verp(mail)}>"),
    "with its header only": lambda mail: arf(
        JUDGE, returned=f"Return-Path: {verp(mail)}", whole=False
    ),
    "where all mails leave with one sender": lambda mail: arf(
        JUDGE, returned=f"Return-Path: <{JUDGE}>\r\n{own_header(mail)}"
    ),
    "opting out": lambda mail: arf(verp(mail), kind="opt-out"),
    "opting out of a list": lambda mail: arf(verp(mail), kind="opt-out-list"),
}


@each_row("way", WAYS)
def test_a_complaint_is_known_and_a_moderator_looks(mail: OutboundMail, way: str) -> None:
    queued = OutboundMail.objects.count()
    came = receive(WAYS[way](mail))
    assert (came.state, came.bounce_of, came.player) == ("report", mail, mail.player)
    assert "was called spam" in came.note
    assert complained() == [address_of("Ana")]
    told = OutboundMail.objects.order_by("pk")[queued:]
    assert [one.recipient for one in told] == [address_of("Ana")], "who complains is not answered"
    (case,) = for_moderators(now=NOW, viewer=NOBODY).requests
    assert (case.kind, case.player) == ("complained", mail.player)
    assert waiting(User.objects.create_superuser("root"), NOW)[1] == 1


STRANGE = {
    "by whoever has an answer to the mail": lambda mail: arf(
        JUDGE, returned=f"Message-ID: {mail.message_id}"
    ),
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


def test_a_complaint_about_a_mail_of_long_ago_is_not_believed(mail: OutboundMail) -> None:
    OutboundMail.objects.filter(pk=mail.pk).update(state="sent", sent_at=NOW - 91 * DAY)
    assert receive(arf(verp(mail))).state == InboundMail.State.IGNORED
    assert not complained()


def test_the_player_is_told_once_what_stopped_and_turns_it_on_by_a_reply(
    mail: OutboundMail,
) -> None:
    work = mail.player.addresses.create(email="ana@work.test", confirmed_at=NOW, created_at=NOW)  # type: ignore[union-attr]
    mail.recipient = work.email
    mail.save()
    receive(arf(verp(mail)))
    receive(arf(verp(mail)))
    told = list(OutboundMail.objects.filter(kind="called_spam").order_by("pk"))
    assert [one.recipient for one in told] == [work.email, address_of("Ana")]
    stopped = "marked as spam at ana@work.test"
    assert all(stopped in flat(one.body) for one in told)
    assert all(one.buttons == [["Get all of it again", "MAIL ON"]] for one in told)
    for command in ("STATUS", "SET"):
        assert stopped in flat(answer_to(write("Ana", command, to=told[1].reply_to)).body)
    on = answer_to(write("Ana", "MAIL ON", to=told[1].reply_to))
    assert "You get all our mails again" in on.body
    assert not complained()
    assert stopped not in flat(answer_to(write("Ana", "STATUS")).body)


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
    assert "marked one of ours as spam" in flat(told.body)
    assert "sent on Mon 2 Mar 2026." in flat(told.body)
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
    from mailer.models import Bulk
    from mailer.outbound import outbox

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
