"""A server that was put back to a backup, and mails that answer what it has sent since then."""

from __future__ import annotations

import re

import pytest
from pytest_django import Settings

from games.models import OrderSet
from mailer.models import InboundMail, ReplyToken
from tests.cast import Cast, address_of, submit
from tests.mailer.correspondence import answer_to, eml, flat, receive, to_seat
from tests.rows import each_row

pytestmark = pytest.mark.django_db
PASSED = "Authentication-Results: mx.game.test; dmarc=pass header.from=players.test\r\n"


@pytest.fixture(autouse=True)
def trusted(settings: Settings) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"


def lost_address(marne: Cast) -> str:
    """Where Carla answers a mail that was sent after the backup was made."""
    address = to_seat(marne)
    ReplyToken.objects.all().delete()
    return address


def carla(text: str, to: str) -> InboundMail:
    subject = "Re: [marne] Winter 1901 adjustments: results"
    sender = f"Carla <{address_of('Carla')}>"
    return receive(eml(text, sender=sender, to=to, subject=subject, headers=PASSED))


@each_row("text", ["A Paris - Picardy", "AMEND\nA Paris - Picardy", "HOLD ALL", "SAME"])
def test_orders_for_a_phase_that_was_lost_replace_none_of_the_phase_before(
    marne: Cast, text: str
) -> None:
    submit(marne, "France", "A Paris - Burgundy")
    mail = carla(text, lost_address(marne))
    assert OrderSet.objects.count() == 1
    answer = answer_to(mail)
    assert answer.subject.startswith("[marne] NOT used: your orders")
    assert "answered a mail that this server does not know" in flat(answer.body)


def test_words_to_nobody_we_know_of_are_not_called_orders(marne: Cast) -> None:
    """A letter that answers press that was lost."""
    answer = answer_to(carla("You have my word on that.", lost_address(marne)))
    assert answer.subject.startswith("[marne] NOT used: your mail")
    assert "nobody got it: send it again below PRESS TO and the powers." in flat(answer.body)


def test_whoever_lost_a_seat_they_took_over_is_asked_for_no_orders(marne: Cast) -> None:
    """As far as the server knows they have no power in the game, so it could take none."""
    lost = lost_address(marne)
    marne.seat("France").delete()
    answer = answer_to(carla("Change Paris to A Paris - Picardy", lost))
    assert "In that state you play no power in marne" in flat(answer.body)
    assert not re.search("in reply to this mail|AMEND", answer.body)


def test_the_answer_to_orders_for_a_lost_phase_takes_them_again(marne: Cast) -> None:
    answer = answer_to(carla("A Paris - Picardy", lost_address(marne)))
    carla("A Paris - Picardy", answer.reply_to)
    assert OrderSet.objects.count() == 1


def test_whoever_answered_a_mail_that_was_lost_is_not_told_that_they_answered_none(
    marne: Cast, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = ""
    question = answer_to(carla("A Paris - Picardy", lost_address(marne)))
    assert "a reply address that does not work any more" in flat(question.body)
    carla("YES", question.reply_to)
    assert not OrderSet.objects.exists()


def test_what_is_for_no_phase_is_done_wherever_it_was_sent(marne: Cast) -> None:
    assert answer_to(carla("LIST", lost_address(marne))).subject == "Games"


def test_orders_that_answer_no_mail_are_for_the_open_phase(marne: Cast) -> None:
    carla("A Paris - Burgundy", "judge@game.test")
    assert OrderSet.objects.count() == 1
