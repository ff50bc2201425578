"""How many mails of people who are not registered are answered, all of them together."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from games.models import OrderSet, Player
from games.services.moderation.staff import moderator_appoint
from mailer import jobs
from mailer.inbound import store
from mailer.models import InboundMail, OutboundMail
from mailer.replies import budget
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import eml, flat, receive, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State


@pytest.fixture
def three(settings: Settings) -> None:
    settings.STRANGERS_PER_HOUR = 3
    settings.OPERATOR_ADDRESSES = ["operator@game.test"]


def from_strangers(number: int, *, first: int = 0, headers: str = "") -> list[InboundMail]:
    return [
        receive(eml("LIST", sender=f"one{n}@elsewhere.test", headers=headers))
        for n in range(first, first + number)
    ]


def states(mails: list[InboundMail]) -> list[str]:
    for mail in mails:
        mail.refresh_from_db()
    return [mail.state for mail in mails]


# --- What they read --------------------------------------------------------------------------


@each_row(
    ("text", "subject", "said"),
    [
        (
            "I am Carla at work. A Par - Bur, A Mar - Spa",
            "NOT done: your orders",
            "Your orders were NOT used: nobody plays here",
        ),
        ("You keep writing to me. Stop it.", "Nothing to stop", "so there is nothing to stop"),
        ("Hi! Is the game verdun still open?", "Welcome", "write LIST on a line of its own"),
        ("I did not register yet, how?", "Welcome", "You have reached a program"),
        ("I'd like to watch the game marne.", "Welcome", "write OBSERVE and the game's name"),
        ("Can I take over a country?", "Welcome", "LIST shows such seats"),
        ("Could I talk to the person in charge?", "Welcome", "write MODERATOR on a line"),
        ("I am 13. Do I need my parents' permission?", "Welcome", "write MODERATOR on a line"),
        ("I am the mother of Ben (13).", "Welcome", "To reach the people who run this server"),
        ("Bonjour, je voudrais jouer avec vous.", "Welcome", "To join a game, register as shown"),
        ("Dzień dobry, chciałbym zagrać.", "Welcome", "To join a game, register as shown"),
        ("Ich möchte keine Züge verpassen und mitspielen.", "Welcome", "To join a game, register"),
        ("Ich will keine Regeln verletzen, wie kann ich mitspielen?", "Welcome", "To join a game"),
        (
            "Ich möchte nicht mehr warten. Wann geht es los?",
            "Welcome",
            "You have reached a program",
        ),
        ("Bonjour, je ne veux plus être spectateur, je veux jouer !", "Welcome", "To join a game"),
        ("I want to play. Please take the name Hugo for me.", "Welcome", "To join a game"),
        *(
            (text, "Welcome", "Hello, To join a game, register as shown")
            for text in (
                "I have followed the rules of such games for years and would like to play.",
                "I follow the rules of many old games. I would like to play.",
                "My son and I would like to play together. How do we join?",
                "I am a retired train operator and would like to join a game.",
            )
        ),
        ("Can I take over my brother's account?", "Welcome", "Hello, You have reached a program"),
        ("EXPORT", "Welcome", "Nothing was done about EXPORT: it is for registered players."),
        ("Is this a bot?", "Welcome", "You have reached a program by which people play"),
        ("A Par-Bur", "NOT done: your orders", "Your orders were NOT used: nobody plays here"),
        ("Hi!\nA Par-Bur\nF Bre H", "NOT done: your orders", "send them again from that one."),
        ("remove me", "Nothing to stop", "so there is nothing to stop"),
        ("Do you delete all data after a game?", "Welcome", "To reach the people who run this"),
        ("Please remove me from your list", "Nothing to stop", "so there is nothing to stop"),
        *(
            (text, "Nothing to stop", "so there is nothing to stop")
            for text in (
                "I got this mail by mistake",
                "I do not want to play any more games. Remove me.",
                "Stop sending these mails, I never joined",
                "Please stop emailing me.",
                "Stop sending me this spam or I will report you.",
                "Under GDPR article 17 I ask you to delete all data you hold about me.",
                "Bonjour, je ne veux plus recevoir vos courriels. Merci de me désinscrire.",
                "Ich möchte nicht mehr angeschrieben werden. Bitte löscht meine Daten!",
                "Ich möchte keine weiteren Mails von Ihnen.",
                "Je ne veux plus être contacté.",
                "Please take my name off your list.",
                "I don't want these mails",
                "do not contact me",
                "delete my data",
                "Remove this address from your database",
                "Who are you? I never signed up.",
                "You have the wrong email address",
                "Bitte keine Mails mehr",
                "Bitte löschen Sie meine Adresse",  # codespell:ignore sie,adresse
                "désabonner",
            )
        ),
        # The commonest questions, and below the answer the welcome.
        ("Line 1: REGISTER Ana\nLine 2: JOIN verdun", "Welcome", "once more without “Line 1:”"),
        ("How do I join?", "Welcome", "To join a game, register as shown below."),
        ("I'd like to play, please", "Welcome", "To join a game, register as shown below."),
        ("Wie kann ich mitspielen?", "Welcome", "To join a game, register as shown below."),
        ("Hello, is there a game open?", "Welcome", "write LIST on a line of its own"),
        ("Do you have any games starting soon?", "Welcome", "write LIST on a line of its own"),
        ("What are the rules?", "Welcome", "write RULES on a line of its own"),
        ("Does it cost anything?", "Welcome", "Nothing here asks for money."),
        ("Is it free?", "Welcome", "Nothing here asks for money."),
        ("How much time does it need?", "Welcome", "Most games last for months"),
        (
            "How do I sign up, and does it cost anything?",
            "Welcome",
            "is confirmed. Nothing here asks for money. You have reached",
        ),
        *(
            (text, "Welcome", "You have reached a program by which people play")
            for text in (
                "take me to the game",
                "take my word for it, this is fun",
                "delete my orders",
                "My orders were sent in error, can you change them?",
                "I cannot stop sending my friends to your site, great!",
            )
        ),
    ],
)
def test_a_stranger_reads_first_what_became_of_their_mail(
    marne: Cast, text: str, subject: str, said: str
) -> None:
    answer = receive(eml(text, sender="x@elsewhere.test", subject="")).answers.get()
    assert answer.subject == subject
    assert said in flat(answer.body)


def test_a_moderator_is_told_where_moderators_do_their_work(marne: Cast) -> None:
    moderator_appoint(user=User.objects.create_user("mo", "mo@players.test"))
    answer = receive(eml("mute Turkey", sender="mo@players.test")).answers.get()
    assert answer.subject == "NOT understood"
    assert "Moderators do their work in the admin" in flat(answer.body)
    assert "\nGM marne STATUS\n" in answer.body


# --- How many are answered in an hour --------------------------------------------------------


def test_ten_thousand_forged_senders_make_us_write_to_few(marne: Cast, three: None) -> None:
    from_strangers(10)
    written = OutboundMail.objects.filter(recipient__endswith="@elsewhere.test")
    assert written.count() == 3


def test_a_newcomer_whose_mail_waits_is_answered_when_there_is_room(
    marne: Cast, three: None
) -> None:
    mails = from_strangers(3)
    ben = receive(eml("REGISTER Ben Newman", sender="ben@elsewhere.test"))
    assert states([*mails, ben]) == [State.DONE] * 3 + [State.LATER]
    assert not ben.answers.exists()
    assert jobs.process(NOW + HOUR) == 1
    assert "registered as Ben Newman" in flat(ben.answers.get().body)


def test_those_that_wait_are_spread_over_the_hours_to_come(marne: Cast, three: None) -> None:
    mails = from_strangers(12)
    waits = [mail.retry_at - NOW for mail in mails[3:] if mail.retry_at]
    assert waits == [HOUR] * 3 + [2 * HOUR] * 3 + [3 * HOUR] * 3
    for hour in (1, 2, 3):
        jobs.process(NOW + hour * HOUR)
    assert states(mails) == [State.DONE] * 12


def test_who_came_first_is_answered_first(marne: Cast, three: None) -> None:
    early = from_strangers(5)
    late = receive(eml("LIST", sender="late@elsewhere.test"), received_at=NOW + HOUR)
    jobs.process(NOW + HOUR)
    assert states([*early, late]) == [State.DONE] * 5 + [State.LATER]
    jobs.process(NOW + 2 * HOUR)
    assert states([late]) == [State.DONE]


def test_a_mail_that_finds_no_room_again_waits_only_until_there_is_some(
    marne: Cast, three: None
) -> None:
    def come(hours: float, first: int, number: int = 3) -> list[InboundMail]:
        at = NOW + hours * HOUR
        return [
            receive(eml("LIST", sender=f"one{n}@elsewhere.test"), received_at=at)
            for n in range(first, first + number)
        ]

    come(0, 0, 9)
    come(0.5, 10)
    jobs.process(NOW + HOUR)
    late = come(1.1, 20)
    for hours in (2, 3.5, 4.1):
        jobs.process(NOW + hours * HOUR)
    assert states(late) == [State.LATER] * 3
    jobs.process(NOW + 4.5 * HOUR)
    assert states(late) == [State.DONE] * 3


def test_whoever_answers_our_question_does_not_wait_behind_strangers(
    marne: Cast, three: None
) -> None:
    asked = receive(eml("REGISTER Ben Newman", sender="ben@elsewhere.test")).answers.get()
    from_strangers(9)
    answer = receive(eml("CONFIRM", sender="ben@elsewhere.test", to=asked.reply_to))
    assert answer.state == State.DONE
    assert answer.player == Player.objects.get(name="Ben Newman")


def test_forged_registrations_are_bounded_as_well(marne: Cast, three: None) -> None:
    for number in range(9):
        receive(eml(f"REGISTER Ben {chr(65 + number) * 4}", sender=f"b{number}@elsewhere.test"))
    assert OutboundMail.objects.filter(recipient__endswith="@elsewhere.test").count() == 3


def test_what_an_operator_leaves_unanswered_keeps_nobody_waiting(marne: Cast, three: None) -> None:
    mails = from_strangers(9)
    ben = receive(eml("REGISTER Ben Newman", sender="ben@elsewhere.test"))
    in_hand = InboundMail.objects.filter(pk=mails[8].pk)
    in_hand.update(working_since=NOW)  # a worker has it: it may be answered this moment
    assert budget.leave_unanswered(mail_ids=[mails[8].pk], now=NOW) == 0
    in_hand.update(working_since=None)
    left = budget.leave_unanswered(mail_ids=[one.pk for one in mails], now=NOW)
    assert left == 6
    jobs.process(NOW)
    assert states([ben]) == [State.LATER]
    jobs.process(NOW + HOUR)
    assert states([ben]) == [State.DONE]
    assert states(mails) == [State.DONE] * 3 + [State.IGNORED] * 6


def test_the_operators_and_the_log_are_told_once(
    marne: Cast, three: None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        from_strangers(8)
    said = OutboundMail.objects.get(recipient="operator@game.test")
    assert "More than 3 mails came within an hour" in flat(said.body)
    assert "set TRUSTED_AUTHSERV_ID" in flat(said.body)
    assert max(map(len, said.body.splitlines())) <= 72
    assert [one.message for one in caplog.records if "strangers" in one.message] == [
        "More than 3 strangers wrote within an hour: their mails wait"
    ]


def test_players_are_answered_whatever_strangers_write(marne: Cast, three: None) -> None:
    from_strangers(5)
    to = to_seat(marne)
    assert write("Carla", "A Paris - Burgundy", to=to).answers.exists()
    assert write("Ana", "LIST").answers.exists()
    assert OrderSet.objects.get().counts


def test_game_masters_are_no_strangers(marne: Cast, three: None) -> None:
    from_strangers(5)
    mail = receive(eml("GM marne\nSTATUS", sender=marne.gm.email))
    assert mail.state == State.DONE
    assert mail.answers.exists()


def test_forged_mails_keep_nobody_out_whose_domain_stands_up_for_them(
    marne: Cast, three: None, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    from_strangers(5)
    passed = "Authentication-Results: mx.game.test; dmarc=pass header.from=elsewhere.test\r\n"
    proved = from_strangers(4, first=10, headers=passed)
    assert states(proved) == [State.DONE] * 3 + [State.LATER]


def test_strangers_that_wait_hold_up_no_deadline(
    marne: Cast, three: None, settings: Settings
) -> None:
    settings.IMAP_URLS = ["imap://judge:secret@mail.test/INBOX"]
    assert State.LATER in states(from_strangers(5))
    assert store.all_mail_read(due_at=NOW, now=NOW)
