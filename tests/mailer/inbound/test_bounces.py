"""Mails that come back: tied to the mail, noted, tried elsewhere, told in time; never believed
from somebody who cannot know."""

from __future__ import annotations

import datetime as dt
from email import message_from_bytes
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games.models import Address, FailingUser, Game, OrderSet, Player
from games.queries.access.roles import MODERATOR
from games.services.accounts.addresses import MOST_DELAYS
from games.services.accounts.own_data import own_data_ask
from games.services.moderation.staff import user_failed
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from mailer import jobs
from mailer.inbound import bounces
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from mailer.outbound.compose import compose
from mailer.outbound.smtp import envelope_sender
from mailer.privacy import data_requests
from mailer.reading.report import Report, in_words, is_of_the_mail
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_cast, make_gm, make_player
from tests.mailer import reports
from tests.mailer.correspondence import JUDGE, answer_to, flat, receive, to_seat, write
from tests.mailer.reports import bare, dsn
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State


def result(cast: Cast, name: str = "Ben") -> OutboundMail:
    """A mail of ours to a player of the cast."""
    player = cast.player(name)
    return outbox.enqueue(
        key=f"test/{OutboundMail.objects.count()}",
        kind="phase_processed",
        recipient=player.address,
        subject="[marne] Spring 1901 movement: results",
        body="##- Please write above this line -##\n\nEngland: F London - North Sea: succeeds.\n",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
        player=player,
        reply_to=to_seat(cast, "England"),
    )


def back_to(mail: OutboundMail) -> str:
    return addresses.bounce_address(mail.message_id)


def address(name: str) -> Address:
    return Player.objects.get(name=name).addresses.get(of_record=True)


def told() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="undelivered").order_by("pk"))


def second_address(player: Player) -> Address:
    return player.addresses.create(email="ben@work.test", confirmed_at=NOW, created_at=NOW)


# --- Which mail, which player ---------------------------------------------------------------


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


@each_row("said", ["5.7.1 550 5.7.1 Blocked as spam", "5.0.0 552 Message size exceeds limit"])
def test_a_gm_is_not_out_of_reach_because_one_mail_was_refused_for_what_it_is(
    marne: Cast, said: str
) -> None:
    moderator("mo")
    status, _, answer = said.partition(" ")
    for number in range(1, MOST_DELAYS + 1):
        receive(dsn(back_to(to_gm(marne)), status=status, said=f"smtp; {answer}"))
        assert len(about_staff()) == (number == MOST_DELAYS)


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


# --- The player's other address -------------------------------------------------------------


def test_what_was_lost_goes_to_the_second_address_which_learns_why(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    mail = result(marne)
    receive(dsn(back_to(mail)))
    [again] = OutboundMail.objects.filter(recipient="ben@work.test")
    assert again.subject == mail.subject
    assert again.reply_to == mail.reply_to
    assert again.body.count("write above this line") == 1
    assert "could not be delivered to ben@players.test" in flat(again.body)
    assert "F London - North Sea: succeeds" in again.body
    assert max(map(len, again.body.splitlines())) <= 72
    orders = write("Ben", "F London - North Sea", sender="ben@work.test", to=again.reply_to)
    assert orders.state == State.DONE
    assert OrderSet.objects.get().counts


def test_what_goes_to_the_second_address_has_all_that_the_lost_mail_had(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    jobs.tell(NOW)
    lost = OutboundMail.objects.get(recipient="ben@players.test", kind="game_started")
    receive(dsn(back_to(lost)))
    [again] = OutboundMail.objects.filter(recipient="ben@work.test")
    parts = [
        sorted(part.get_content_type() for part in message_from_bytes(compose(mail)).walk())
        for mail in (lost, again)
    ]
    assert parts[0] == parts[1]
    assert {"image/png", "text/calendar"} <= set(parts[1])
    assert again.buttons == lost.buttons != []


def test_a_yes_to_what_went_to_the_second_address_does_what_was_offered(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    to = to_seat(marne, "England")
    lost = answer_to(write("Ben", "PRESS TO Germny\nHello", to=to))
    assert lost.on_yes
    receive(dsn(back_to(lost)))
    again = OutboundMail.objects.get(recipient="ben@work.test", kind="reply")
    assert again.on_yes == lost.on_yes


def test_the_second_address_learns_why_a_file_of_all_about_its_owner_is_not_with_it(
    marne: Cast,
) -> None:
    second_address(marne.player("Ben"))
    own_data_ask(player=marne.player("Ben"), now=NOW)
    data_requests.carry_out(NOW)
    sent = OutboundMail.objects.get(kind="own_data")
    receive(dsn(back_to(sent)))
    again = OutboundMail.objects.get(recipient="ben@work.test")
    assert b"application/zip" in compose(sent)
    assert b"application/zip" not in compose(again)
    assert "The file is not attached" in flat(again.body)


def test_the_same_report_again_sends_nothing_again(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    mail = result(marne)
    for _ in range(3):
        receive(dsn(back_to(mail)))
    assert OutboundMail.objects.filter(recipient="ben@work.test").count() == 1
    assert len(told()) == 1


def test_when_the_second_address_fails_too_the_mail_goes_to_no_third_person(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    mail = result(marne)
    receive(dsn(back_to(mail)))
    again = OutboundMail.objects.get(recipient="ben@work.test")
    before = OutboundMail.objects.exclude(kind="undelivered").count()
    receive(dsn(back_to(again)))
    assert OutboundMail.objects.exclude(kind="undelivered").count() == before
    assert len(told()) == 2


def test_an_unconfirmed_second_address_gets_nothing(marne: Cast) -> None:
    marne.player("Ben").addresses.create(email="ben@work.test", created_at=NOW)
    receive(dsn(back_to(result(marne))))
    assert not OutboundMail.objects.filter(recipient="ben@work.test").exists()


# --- Who is told ----------------------------------------------------------------------------


def test_the_gm_and_the_moderators_are_told_once_for_one_outage(marne: Cast) -> None:
    moderators = Group.objects.get_or_create(name=MODERATOR)[0]
    for name in ("mo", "ben"):  # the player's own failing address is a moderator's, too
        User.objects.create_user(name, f"{name}@players.test", is_staff=True).groups.add(moderators)
    for _ in range(3):
        receive(dsn(back_to(result(marne))))
    assert sorted(mail.recipient for mail in told()) == ["gm@players.test", "mo@players.test"]
    assert [bool(mail.reply_to) for mail in told()] == [True, False]  # the game's, for its GM
    for mail in told():
        assert mail.subject == "[marne] Mail to Ben (England) is not getting through"
        assert flat(mail.body).startswith("Our mail to Ben, who plays England in ")
        assert "user unknown" in flat(mail.body)
        assert "ben@players.test" not in mail.body
        assert "North Sea" not in mail.body
        assert max(map(len, mail.body.splitlines())) <= 72


def to_gm(cast: Cast) -> OutboundMail:
    """A mail of ours to the game master."""
    return outbox.enqueue(
        key=f"test/{OutboundMail.objects.count()}",
        kind="phase_processed",
        recipient=cast.gm.email,
        subject="[marne] Spring 1901 movement: results",
        body="England: F London - North Sea: succeeds.\n",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
    )


def moderator(name: str) -> User:
    user = User.objects.create_user(name, f"{name}@players.test", is_staff=True)
    user.groups.add(Group.objects.get_or_create(name=MODERATOR)[0])
    return user


def about_staff() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="undelivered_staff").order_by("pk"))


def page_of_game(cast: Cast, client: Client, at: dt.datetime = NOW) -> str:
    """The game's page, as whoever runs the server sees it."""
    client.force_login(
        User.objects.get_or_create(username="root", is_superuser=True, is_staff=True)[0]
    )
    with time_machine.travel(at, tick=False):
        page = client.get(reverse("admin:games_game_change", args=[cast.game.pk]))
    return page.content.decode()


def test_the_moderators_are_told_once_that_mails_do_not_reach_a_gm(
    marne: Cast, client: Client
) -> None:
    moderator("mo")
    assert "Mails to the GM do not arrive" not in page_of_game(marne, client)
    for _ in range(2):
        receive(dsn(back_to(to_gm(marne))))
    [mail] = about_staff()
    assert (mail.recipient, mail.subject) == (
        "mo@players.test",
        "Mail to gm is not getting through",
    )
    assert "Our mail to gm, who is the game master of marne, is not getting through." in flat(
        mail.body
    )
    assert "user unknown" in flat(mail.body)
    assert "gm@players.test" not in mail.body
    assert "North Sea" not in mail.body
    assert (
        "Mails to the GM have not been arriving since Mon 2 Mar 2026, 12:00 UTC."
        in page_of_game(marne, client)
    )


def test_of_a_moderator_out_of_reach_the_other_moderators_are_told(marne: Cast) -> None:
    for name in ("mo", "mia"):
        moderator(name)
    marne.gm.groups.add(Group.objects.get(name=MODERATOR))
    receive(dsn(back_to(to_gm(marne))))
    assert [mail.recipient for mail in about_staff()] == ["mo@players.test", "mia@players.test"]
    body = flat(about_staff()[0].body)
    assert "the game master of marne, and a moderator here," in body
    assert "No other GM of marne can be reached, so nobody reads what" in body
    assert "will wait" not in body


def test_of_a_gm_out_of_reach_it_is_told_which_game_waits_for_them(marne: Cast) -> None:
    moderator("mo")
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    receive(dsn(back_to(to_gm(marne))))
    body = flat(about_staff()[0].body)
    assert "When orders are missing, marne will wait until the game master decides." in body
    assert "let somebody else run a game: “Add a co-GM or deputy” on its page" in body


def test_of_a_gm_out_of_reach_whom_others_help_no_alarm_is_raised(marne: Cast) -> None:
    moderator("mo")
    co_gm_add(game=marne.game, email="di@players.test", until=None, by="gm", now=NOW)
    receive(dsn(back_to(to_gm(marne))))
    body = flat(about_staff()[0].body)
    assert "Others run marne, too, and our mails go to them." in body
    assert "nobody reads" not in body


def test_a_co_gm_whom_no_mail_reaches_either_helps_nobody(marne: Cast) -> None:
    moderator("mo")
    helper = co_gm_add(game=marne.game, email="di@players.test", until=None, by="gm", now=NOW)
    user_failed(user=helper.user, since=NOW, failure="")
    receive(dsn(back_to(to_gm(marne))))
    body = flat(about_staff()[0].body)
    assert "No other GM of marne can be reached, so nobody reads" in body


def test_without_another_moderator_the_operators_are_told_of_the_staff(
    marne: Cast, settings: Settings
) -> None:
    settings.OPERATOR_ADDRESSES = ["root@game.test", "gm@players.test"]
    receive(dsn(back_to(to_gm(marne))))
    assert [mail.recipient for mail in about_staff()] == ["root@game.test"]


def test_a_gm_whose_games_are_over_is_nobody_s_trouble(marne: Cast) -> None:
    moderator("mo")
    Game.objects.update(status=Game.Status.FINISHED)
    receive(dsn(back_to(to_gm(marne))))
    assert about_staff() == []


@pytest.mark.parametrize("heard", [True, False], ids=["he writes", "a mail stays there"])
def test_a_gm_is_within_reach_again_when_a_mail_came_from_there_or_arrived(
    marne: Cast, client: Client, heard: bool
) -> None:
    moderator("mo")
    receive(dsn(back_to(to_gm(marne))))
    if heard:
        to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
        write("gm", "STATUS", to=to, received_at=NOW + HOUR)
    arrived = to_gm(marne)
    OutboundMail.objects.filter(pk=arrived.pk).update(state="sent", sent_at=NOW + HOUR)
    assert ("Mails to the GM" in page_of_game(marne, client, NOW + 2 * HOUR)) != heard
    assert "Mails to the GM" not in page_of_game(marne, client, NOW + 2 * DAY)
    assert "550 5.1.1" in FailingUser.objects.get().failure
    jobs.forget(NOW + 2 * HOUR)
    assert FailingUser.objects.exists() != heard, "a mail sent just now may still come back"
    jobs.forget(NOW + 2 * DAY)
    assert not FailingUser.objects.exists()
    later = NOW + 3 * DAY
    receive(dsn(back_to(to_gm(marne))), received_at=later, now=later)
    assert len(about_staff()) == 2


@each_row("what", ["another writes", "a From line alone", "a mail that is late"])
def test_a_gm_stays_out_of_reach_by_what_shows_nothing_of_their_address(
    marne: Cast, what: str
) -> None:
    moderator("mo")
    receive(dsn(back_to(to_gm(marne))))
    match what:
        case "another writes":
            write("Ben", "STATUS", to=to_seat(marne, "England"), received_at=NOW + HOUR)
        case "a From line alone":
            write("gm", "STATUS", sender=marne.gm.email, received_at=NOW + HOUR)
        case _:
            late = OutboundMail.objects.filter(pk=to_gm(marne).pk)
            late.update(state="sent", sent_at=NOW + HOUR, bounce="4.4.1 no answer")
    jobs.forget(NOW + 2 * DAY)
    assert FailingUser.objects.exists()


def test_they_are_told_before_the_deadline(marne: Cast) -> None:
    receive(dsn(back_to(result(marne))), now=NOW + HOUR)
    due_at = marne.phase.due_at
    assert due_at
    assert all(mail.not_before < due_at for mail in told())
    assert told()


def test_without_gm_and_moderators_the_operators_are_told(marne: Cast, settings: Settings) -> None:
    settings.OPERATOR_ADDRESSES = ["root@game.test"]
    marne.game.gm = None
    marne.game.save()
    receive(dsn(back_to(result(marne))))
    assert [mail.recipient for mail in told()] == ["root@game.test"]


def test_a_player_who_plays_nowhere_is_noted_and_nobody_is_told(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    mail = result(marne, "Hugo")
    receive(dsn(back_to(mail)))
    assert hugo.addresses.get().failing_since
    assert told() == []


# --- Back again -----------------------------------------------------------------------------


def test_a_later_mail_from_the_address_ends_the_outage(marne: Cast) -> None:
    mail = result(marne)
    receive(dsn(back_to(mail)))
    write("Ben", "STATUS", to=mail.reply_to, received_at=NOW + HOUR)
    ben = address("Ben")
    assert (ben.failing_since, ben.failure, ben.late_reports) == (None, "", 0)
    receive(dsn(back_to(result(marne))), received_at=NOW + DAY)
    assert len(told()) == 2


def test_a_mail_that_was_on_its_way_before_does_not_end_it(marne: Cast) -> None:
    mail = result(marne)
    receive(dsn(back_to(mail)), received_at=NOW + HOUR)
    write("Ben", "STATUS", to=mail.reply_to, received_at=NOW, now=NOW + HOUR)
    assert address("Ben").failing_since


def test_a_from_line_alone_does_not_end_it(marne: Cast) -> None:
    receive(dsn(back_to(result(marne))))
    write("Ben", "LIST", received_at=NOW + HOUR)
    assert address("Ben").failing_since


# --- What strangers get ---------------------------------------------------------------------


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
