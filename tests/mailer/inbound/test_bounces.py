"""Mails that come back: which mail it was, what only looks like a report, what is merely late."""

from __future__ import annotations

from email import message_from_bytes
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games.models import Address, Game, OrderSet, Player
from games.services.accounts.addresses import MOST_DELAYS
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.inbound import bounces
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.outbound import addresses, outbox
from mailer.outbound.compose import compose
from mailer.outbound.smtp import envelope_sender
from mailer.reading.report import Report, in_words, is_of_the_mail
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_cast, make_gm, make_player
from tests.mailer import reports
from tests.mailer.bounces import State, address, back_to, result, second_address, told
from tests.mailer.correspondence import JUDGE, answer_to, flat, receive, write
from tests.mailer.reports import bare, dsn
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_a_report_is_tied_to_the_mail_and_the_player_by_its_envelope_sender(marne: Cast) -> None:
    mail = result(marne)
    report = receive(dsn(back_to(mail)))
    assert report.state == State.REPORT
    assert report.bounce_of == mail
    assert report.player == marne.player("Ben")
    assert "did not arrive" in report.note
    mail.refresh_from_db()
    assert mail.bounced_at == NOW
    assert "user unknown" in mail.bounce
    ben = address("Ben")
    assert ben.failing_since == NOW
    assert ben.failure.startswith("there is no such mailbox (550 5.1.1")


def test_a_report_about_a_mail_of_long_ago_is_not_believed(marne: Cast) -> None:
    """Whoever gets a whole mail that is passed on has its secret, and could use it for ever."""
    mail = result(marne)
    OutboundMail.objects.filter(pk=mail.pk).update(state="sent", sent_at=NOW - 31 * DAY)
    assert receive(dsn(back_to(mail))).state == State.IGNORED
    assert address("Ben").failing_since is None
    OutboundMail.objects.filter(pk=mail.pk).update(sent_at=NOW - 29 * DAY)
    assert receive(dsn(back_to(mail))).state == State.REPORT


@each_row(
    ("said", "means"),
    [
        ("552 5.2.2 Mailbox full", "the mailbox is full (552 5.2.2 Mailbox full)"),
        ("450 4.2.2 over quota", "the mailbox is full (450 4.2.2 over quota)"),
        ("550 5.7.1 Blocked", "550 5.7.1 Blocked"),
        ("550 user unknown", "550 user unknown"),
    ],
)
def test_what_a_common_code_means_is_said_before_it(said: str, means: str) -> None:
    assert in_words(said) == means
    assert is_of_the_mail(in_words(said)) == is_of_the_mail(said)


def test_a_report_at_the_address_of_one_mail_is_about_no_other(marne: Cast) -> None:
    mail, other = result(marne), result(marne, "Carla")
    assert receive(dsn(back_to(mail), returned=f"Return-Path: {back_to(other)}")).bounce_of == mail


def test_a_report_that_returns_the_secret_address_is_believed_wherever_it_comes(
    marne: Cast,
) -> None:
    mail = result(marne)
    report = receive(dsn(JUDGE, returned=f"Return-Path: <{back_to(mail)}>"))
    assert report.bounce_of == mail
    assert address("Ben").failing_since


def test_whoever_got_an_answer_to_our_mail_can_report_nothing_about_it(marne: Cast) -> None:
    """Its Message-ID is in References of every answer, to all who get one."""
    mail = result(marne)
    report = receive(dsn(JUDGE, returned=f"Message-ID: {mail.message_id}"))
    assert report.state == State.IGNORED
    assert address("Ben").failing_since is None


@each_row("shape", sorted(reports.PLAIN))
def test_reports_of_other_servers_are_read_at_the_address_of_the_mail(
    marne: Cast, shape: str
) -> None:
    mail = result(marne)
    report = receive(bare(back_to(mail), **reports.PLAIN[shape]))
    assert report.bounce_of == mail
    mail.refresh_from_db()
    assert mail.bounced_at
    assert "5.1.1" in mail.bounce or "550 no such address" in mail.bounce


@each_row("shape", sorted(reports.PLAIN))
def test_such_a_report_says_nothing_anywhere_else(marne: Cast, shape: str) -> None:
    mail = result(marne)
    raw = bare(JUDGE, **reports.PLAIN[shape])
    report = receive(raw + f"\r\nMessage-ID: {mail.message_id}\r\n".encode())
    assert report.state == State.IGNORED
    assert address("Ben").failing_since is None


@each_row(
    "to",
    [
        JUDGE,
        f"judge+{addresses.BOUNCE}{'a' * 27}@game.test",
        f"judge+{addresses.BOUNCE}short@game.test",
    ],
)
def test_a_forged_report_hurts_nobody(marne: Cast, to: str) -> None:
    result(marne)
    forged = receive(dsn(to, returned="Message-ID: <guessed@game.test>"))
    assert forged.state == State.IGNORED
    assert not Address.objects.exclude(failing_since=None).exists()
    assert told() == []
    assert not forged.answers.exists()


def test_nobody_can_report_a_mail_to_somebody_else(marne: Cast) -> None:
    """Players see the addresses of their own mails only: they can harm nobody but themselves."""
    receive(dsn(back_to(result(marne))))
    failing = Address.objects.exclude(failing_since=None)
    assert [one.player.name for one in failing] == ["Ben"]


def test_a_report_is_never_read_for_orders_nor_answered(marne: Cast) -> None:
    mail = result(marne)
    report = receive(dsn(back_to(mail), returned_text="F London - English Channel"))
    assert not OrderSet.objects.exists()
    assert not report.answers.exists()


def test_orders_sent_to_a_bounce_address_do_nothing(marne: Cast) -> None:
    mail = write("Ben", "F London - North Sea", to=back_to(result(marne)))
    assert mail.state == State.IGNORED
    assert "only for mail that comes back" in mail.note
    assert not OrderSet.objects.exists()


def test_a_note_of_absence_is_no_report(marne: Cast) -> None:
    mail = result(marne)
    absent = bare(
        back_to(mail),
        sender="Ben <ben@players.test>",
        subject="Out of office: [marne] Spring 1901",
        text="I am away until Monday. 550 things to do.",
        headers="Auto-Submitted: auto-replied\r\n",
    )
    assert receive(absent).state == State.IGNORED
    assert address("Ben").failing_since is None


def test_a_report_of_success_changes_nothing(marne: Cast) -> None:
    mail = result(marne)
    report = receive(dsn(back_to(mail), action="delivered", status="2.0.0"))
    assert report.state == State.REPORT
    mail.refresh_from_db()
    assert (mail.bounced_at, mail.bounce) == (None, "")
    assert (address("Ben").failing_since, address("Ben").late_reports) == (None, 0)


OLD = {"state": "failed", "created_at": NOW - 9 * DAY}


@each_row(
    ("row", "heard_of_since", "lost"),
    [
        ({"state": "failed"}, False, True),
        ({"state": "queued"}, False, False),
        ({"state": "failed", "last_error": "No server could be reached."}, False, False),
        ({**OLD, "not_before": NOW - 4 * DAY}, False, False),
        ({**OLD, "not_before": NOW - 2 * HOUR}, False, True),
        ({**OLD, "not_before": NOW - 2 * HOUR}, True, False),
    ],
)
def test_what_the_relay_refused_lately_and_for_good_has_come_back(
    marne: Cast, row: dict[str, object], heard_of_since: bool, lost: bool
) -> None:
    said = {"last_error": "550 5.1.1 No such user"}
    if heard_of_since:
        OutboundMail.objects.filter(pk=result(marne).pk).update(state="sent", sent_at=NOW - HOUR)
    OutboundMail.objects.filter(pk=result(marne).pk).update(**(said | row))
    assert bounces.refusals(NOW) == lost
    assert (address("Ben").failing_since == NOW) == lost


def test_a_refused_mail_over_which_the_program_breaks_keeps_no_other_waiting(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, note = result(marne, "Ana"), bounces.note_trouble
    result(marne, "Ben")
    OutboundMail.objects.update(state="failed", last_error="550 5.1.1 No such user")

    def breaks(mail: OutboundMail, said: str, **when: Any) -> None:
        if mail == first:
            raise ValueError("a fault of ours")
        note(mail, said, **when)

    monkeypatch.setattr(bounces, "note_trouble", breaks)
    assert bounces.refusals(NOW) == 1
    assert address("Ben").failing_since == NOW


def test_a_report_of_what_nobody_knows_changes_nothing(marne: Cast) -> None:
    mail = result(marne)
    assert receive(dsn(back_to(mail), action="teleported")).state != State.DONE
    mail.refresh_from_db()
    assert (mail.bounced_at, mail.bounce) == (None, "")


# --- Late is not lost -----------------------------------------------------------------------


def test_delays_are_counted_and_only_many_of_them_are_a_failure(marne: Cast) -> None:
    mail = result(marne)
    late = {"action": "delayed", "status": "4.2.2", "said": "smtp; 452 4.2.2 mailbox full"}
    for number in range(1, MOST_DELAYS):
        assert "is delayed" in receive(dsn(back_to(mail), **late)).note
        assert address("Ben").late_reports == number
        assert address("Ben").failing_since is None
    assert told() == []
    receive(bare(back_to(mail), **reports.LATE))
    assert address("Ben").failing_since == NOW
    assert len(told()) == 1
    mail.refresh_from_db()
    assert mail.bounced_at is None


def test_mails_refused_for_what_they_are_go_elsewhere_and_only_many_are_a_failure(
    marne: Cast,
) -> None:
    second_address(marne.player("Ben"))
    large = {"status": "5.2.3", "said": "smtp; 552 5.2.3 Message too large"}
    for number in range(1, MOST_DELAYS):
        assert "did not arrive" in receive(dsn(back_to(result(marne)), **large)).note
        assert OutboundMail.objects.filter(recipient="ben@work.test").count() == number
    assert (address("Ben").failing_since, told()) == (None, [])
    receive(dsn(back_to(result(marne)), **large))
    assert address("Ben").failing_since == NOW
    assert address("Ben").failure == "552 5.2.3 Message too large"
    assert len(told()) == 1


@each_row(
    ("said", "of_the_mail"),
    [
        ("550 5.1.1 No such user", False),
        ("550 5.2.1 Mailbox disabled", False),
        ("552 5.2.2 Mailbox full", False),
        ("552 5.2.3 Message too large for this mailbox", True),
        ("552 5.3.4 Message size exceeds fixed limit", True),
        ("554 5.4.4 No such domain", False),
        ("550 5.5.0 Requested action not taken: mailbox unavailable", False),
        ("554 5.6.0 Content rejected", True),
        ("550 5.7.1 Looks like spam", True),
        ("5.1.1 550 5.7.1 No such user", False),
        ("5.0.0 550 5.7.1 Blocked", True),
        ("5.0.0 550 no such address", False),
        ("550 no such address, try 5.7.10.1", False),
        ("552 Too much mail data", True),
        ("554 Transaction failed", True),
        ("554 5.7.1 <ana@x.test>: Recipient address rejected: Access denied", True),
        ("554 5.7.1 <relay[192.0.2.7]>: Client host rejected: Access denied", True),
        ("554 5.7.1 <ana@x.test>: Relay access denied", True),
        ("550 5.7.124 Sender not in the allowed-senders list", False),
        ("550 5.7.133 Sender not authenticated for group", False),
        ("550 5.7.137 Refused by some other policy", True),
        ("450 4.7.1 Greylisted for days", False),
        ("no reason was given", False),
    ],
)
def test_what_a_server_says_is_about_the_mail_or_about_where_it_goes(
    said: str, of_the_mail: bool
) -> None:
    assert is_of_the_mail(said) == of_the_mail


def test_a_mail_given_up_after_days_is_lost_whatever_the_reason(marne: Cast) -> None:
    mail = result(marne)
    receive(dsn(back_to(mail), status="4.4.1", said="X-Postfix; connection timed out"))
    assert address("Ben").failing_since
    mail.refresh_from_db()
    assert mail.bounce == "4.4.1 connection timed out"


def test_answers_to_strangers_leave_without_a_sender_and_all_others_with_their_own(
    marne: Cast,
) -> None:
    welcome = answer_to(write("Zoe", "hello"))
    assert envelope_sender(welcome) == ""
    mails = [result(marne), result(marne, "Carla")]
    senders = {envelope_sender(mail) for mail in mails}
    assert len(senders) == 2
    for sender in senders:
        local, _, domain = sender.partition("@")
        assert (domain, len(local) <= 64) == ("game.test", True)
        assert addresses.find([sender]) is None


def test_without_verp_reports_are_tied_by_a_header_of_ours(marne: Cast, settings: Settings) -> None:
    settings.VERP = False
    mail = result(marne)
    assert envelope_sender(mail) == JUDGE
    said = message_from_bytes(compose(mail))["X-Return-To"]
    assert receive(dsn(JUDGE, returned=f"X-Return-To: {said}")).bounce_of == mail


# --- Reading --------------------------------------------------------------------------------


def test_of_several_recipients_the_worst_news_counts() -> None:
    two = dsn("judge@game.test", action="delivered", status="2.0.0").replace(
        b"\r\n\r\n--cut\r\nContent-Type: message/rfc822",
        b"\r\n\r\nFinal-Recipient: rfc822; x@y.test\r\nAction: failed\r\nStatus: 5.2.2\r\n\r\n"
        b"--cut\r\nContent-Type: message/rfc822",
    )
    report = read_letter(two).report
    assert report
    assert (report.action, report.status, report.lost) == ("failed", "5.2.2", True)


def test_a_report_with_only_the_header_of_our_mail_is_tied_by_it() -> None:
    raw = dsn("judge@game.test", returned="Return-Path: <one@game.test>")
    header_only = raw.replace(b"message/rfc822", b"text/rfc822-headers")
    report = read_letter(header_only).report
    assert report
    assert report.returned_to == "one@game.test"


@each_row("cut", range(0, 1200, 60))
def test_a_report_that_is_cut_short_breaks_nothing(cut: int) -> None:
    letter = read_letter(dsn("judge@game.test")[:cut])
    assert letter.report is None or isinstance(letter.report, Report)


@given(st.binary(max_size=200), st.integers(0, 900))
def test_a_report_with_garbage_in_it_breaks_nothing(garbage: bytes, at: int) -> None:
    raw = dsn("judge@game.test")
    letter = read_letter(raw[:at] + garbage + raw[at:])
    assert letter.report is None or letter.report.said == letter.report.said.strip()


def test_the_gm_hears_of_a_player_out_of_reach_before_the_game_starts(db: None) -> None:
    gm = make_gm()
    game = game_create(name="marne", gm=gm, muster=2 * DAY, now=NOW)
    for name in POWERS:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.MUSTER
    ben = Player.objects.get(name="Ben")
    asked = outbox.enqueue(
        key="muster",
        kind="muster_begun",
        recipient=ben.address,
        subject="[marne] Are you here?",
        body="Please answer.",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
        player=ben,
    )
    receive(dsn(back_to(asked)))
    [word] = told()
    assert word.recipient == "gm@players.test"
    assert word.subject == "[marne] Mail to Ben is not getting through"
    assert "Our mail to Ben, who has joined your game marne, is not getting through" in flat(
        word.body
    )
    assert "the game asks whether everybody is here" in flat(word.body)


@pytest.mark.parametrize("anonymous", [False, True])
def test_who_plays_in_an_anonymous_game_does_not_learn_by_it_who_plays_what(
    db: None, settings: Settings, anonymous: bool
) -> None:
    settings.OPERATOR_ADDRESSES = ["root@game.test"]
    cast = make_cast(anonymous=anonymous)
    User.objects.filter(pk=cast.gm.pk).update(email="carla@players.test")
    receive(dsn(back_to(result(cast))))
    readers = ["root@game.test"] if anonymous else ["carla@players.test"]
    assert [mail.recipient for mail in told()] == readers
