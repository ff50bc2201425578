"""A player whose mail comes back: their other address, who is told, and when they are back."""

from __future__ import annotations

import datetime as dt
from email import message_from_bytes

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import FailingUser, Game, OrderSet
from games.queries.access.roles import MODERATOR
from games.services.accounts.addresses import MOST_DELAYS
from games.services.accounts.own_data import own_data_ask
from games.services.moderation.staff import user_failed
from games.services.setup.co_gms import co_gm_add
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses, outbox
from mailer.outbound.compose import compose
from mailer.privacy import data_requests
from tests.cast import DAY, HOUR, NOW, Cast
from tests.mailer.bounces import State, address, back_to, result, second_address, told
from tests.mailer.correspondence import answer_to, flat, receive, to_seat, write
from tests.mailer.reports import dsn
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_what_was_lost_goes_to_the_second_address_which_learns_why(marne: Cast) -> None:
    second_address(marne.player("Ben"))
    mail = result(marne)
    receive(dsn(back_to(mail)))
    [again] = OutboundMail.objects.filter(recipient="ben@work.test")
    assert again.subject == mail.subject
    assert again.reply_to == mail.reply_to
    assert again.body.count("write above this line") == 1
    assert "could not deliver the mail below to ben@players.test" in flat(again.body)
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


@pytest.mark.parametrize("heard", [True, False], ids=["they write", "a mail stays there"])
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


@each_row("said", ["5.7.1 550 5.7.1 Blocked as spam", "5.0.0 552 Message size exceeds limit"])
def test_a_gm_is_not_out_of_reach_because_one_mail_was_refused_for_what_it_is(
    marne: Cast, said: str
) -> None:
    moderator("mo")
    status, _, answer = said.partition(" ")
    for number in range(1, MOST_DELAYS + 1):
        receive(dsn(back_to(to_gm(marne)), status=status, said=f"smtp; {answer}"))
        assert len(about_staff()) == (number == MOST_DELAYS)
