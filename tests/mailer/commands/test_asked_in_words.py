"""What people ask in their own words, and how far a word of reply takes them."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from games.models import Game
from mailer.commands.yes_and_no import says_it_is_me
from mailer.models import OutboundMail
from mailer.notices.messages.moderation_mail import tell_all
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def answer(cast: Cast, text: str) -> OutboundMail:
    return answer_to(write("Carla", text, to=to_seat(cast), subject="Re: [marne]"))


@each_row(
    ("text", "command"),
    [
        ("Can I have a reminder one day before, please?", "SET REMINDERS"),
        ("Please remind me one day before the deadline.", "SET REMINDERS"),
        ("How much time do I have?", "STATUS"),
        ("What are the results?", "HISTORY"),
        ("I want to complain about Germany, he insults me", "MODERATOR"),
        ("Somebody else reads my mails! My password was stolen!", "MODERATOR"),
        ("the game master does not answer", "PRESS TO GM"),
        ("I want to hand France over to my friend Igor", "PRESS TO GM"),
        ("I am back from hospital.", "RETURN"),
        ("Hello, I'm back again", "RETURN"),
    ],
)
def test_a_question_in_everyday_words_is_told_the_command(
    marne: Cast, text: str, command: str
) -> None:
    news = "Your question: see" if text.startswith(("Can", "How", "What")) else "NOT done:"
    assert answer(marne, text).subject == f"[marne] {news} {command}"


@pytest.mark.parametrize(
    "text",
    [
        "I remind you all of what we agreed last year",
        "Italy is cheating on nobody, let us see what comes back to us",
    ],
)
def test_words_to_others_are_not_taken_for_a_wish_for_reminders_or_a_return(
    marne: Cast, text: str
) -> None:
    subject = answer(marne, text).subject
    assert "REMINDERS" not in subject
    assert "RETURN" not in subject


def test_who_goes_to_hospital_is_told_how_to_announce_an_absence(marne: Cast) -> None:
    said = answer(marne, "I go to hospital tomorrow, I come back after two weeks.")
    assert said.subject == "[marne] NOT noted yet: your absence"
    assert "ABSENCE FROM 24 Dec TO 27 Dec" in flat(said.body)


def test_who_comes_back_from_vacation_is_offered_no_new_absence(marne: Cast) -> None:
    said = flat(answer(marne, "I am back from my vacation").body)
    assert "To end an absence early, write ABSENCE OFF" in said


@pytest.mark.parametrize(
    "text", ["I will be back from vacation on Monday", "I am away, I am back from Monday"]
)
def test_who_says_when_they_come_back_is_away_until_then(marne: Cast, text: str) -> None:
    assert answer(marne, text).subject == "[marne] NOT noted yet: your absence"


def test_who_can_play_no_more_for_hospital_is_told_how_to_give_the_seat_up(marne: Cast) -> None:
    said = answer(marne, "I can not play any more, I must go to hospital for a long time")
    assert said.subject == "[marne] NOT done: RESIGN"


def test_orders_that_come_too_late_bring_no_lesson_in_writing_them(marne: Cast) -> None:
    due = marne.phase.due_at
    assert due is not None
    late = write(
        "Carla",
        "A Xyz to Qqq\nThank you for this nice game",
        to=to_seat(marne),
        received_at=due + HOUR,
    )
    said = flat(answer_to(late).body)
    assert "too late" in said
    assert "Orders in this phase look like this" not in said


def test_what_changes_nothing_is_done_for_a_yes(marne: Cast) -> None:
    said = answer(marne, "Please show me the list of games")
    assert "Or reply with the word YES, and we take it as LIST." in flat(said.body)
    listed = answer_to(write("Carla", "YES", to=said.reply_to))
    assert listed.subject == "Games"


def test_what_changes_something_is_not_done_for_a_yes(marne: Cast) -> None:
    said = answer(marne, "I want to quit, sorry to all")
    assert "the word YES" not in flat(said.body)
    assert said.on_yes == ""


def test_who_wants_to_join_in_words_reads_an_example(marne: Cast) -> None:
    Game.objects.update(status=Game.Status.FORMING)
    said = answer_to(write("Hugo", "I want to join a game. I would like France", to=home("Hugo")))
    assert "for example JOIN marne France; Italy." in flat(said.body)


def test_words_that_nobody_understands_name_the_way_to_a_person(marne: Cast) -> None:
    said = flat(answer(marne, "My eyes are not so good any more these days").body)
    assert "To ask a person, write MODERATOR on a line of its own" in said


def test_a_question_beside_orders_is_answered_once_and_is_no_order_gone_wrong(marne: Cast) -> None:
    said = flat(answer(marne, "A Par - Bur\nWho plays Germany? I want to write to them").body)
    assert "write STATUS on a line of its own" in said
    assert (
        "“Who plays Germany? I want to write to them”: taken as a question, not as an order."
        in said
    )
    assert "is not the beginning of an order" not in said


def test_moderators_are_led_to_the_queue_by_a_link_in_their_mail(marne: Cast) -> None:
    call_command("make_moderator", "moritz@game.test")
    answer(marne, "MODERATOR\nGermany insults me.")
    tell_all(NOW)
    told = OutboundMail.objects.get(recipient="moritz@game.test")
    link = f"{settings.SITE_URL}{reverse('admin:games_player_queue')}"
    assert f"\n{link}\n" in told.body


@each_row("text", ["Yes it is my adress", "this is my e-mail address", "it is my mail"])
def test_a_yes_to_whose_address_it_is_may_be_misspelt(text: str) -> None:
    assert says_it_is_me(text)
