"""Mails with nothing but a subject: HELP is answered, anything else is not read and told so."""

from __future__ import annotations

import pytest

from games.models import OrderSet
from tests.cast import Cast, address_of
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@each_row("text", ["", "\n", " \n\n"])
def test_help_in_a_subject_is_answered(marne: Cast, text: str) -> None:
    body = answer_to(write("Carla", text, to=home("Carla"), subject="Help")).body
    assert "WHATIF" in body


@each_row("subject", ["Re: A Paris - Burgundy", "READY", "Re: [marne] results", "A Par - Bur?"])
def test_any_other_subject_is_not_read_and_the_answer_says_so(marne: Cast, subject: str) -> None:
    body = flat(answer_to(write("Carla", "", to=home("Carla"), subject=subject)).body)
    assert "In a subject we read only HELP, STOP and plain orders, so nothing was done." in body
    assert not OrderSet.objects.exists()


def test_a_subject_beside_a_text_is_no_command(marne: Cast) -> None:
    mail = write("Carla", "STATUS marne", to=home("Carla"), subject="HELP")
    assert "WHATIF" not in answer_to(mail).body


@each_row(("behind", "is_order"), [("", False), (": A Par - Bur", True)])
def test_the_subject_of_our_mail_is_no_order_that_was_not_followed(
    marne: Cast, behind: str, is_order: bool
) -> None:
    """In “Passed on to Russia” we would see a move to Prussia."""
    ours = answer_to(write("Carla", "PRESS TO Russia\nHi!", to=to_seat(marne)))
    answer = eml(
        "STATUS",
        sender=address_of("Carla"),
        to=ours.reply_to,
        subject=f"Re: {ours.subject}{behind}",
        headers=f"In-Reply-To: {ours.message_id}\r\n",
    )
    assert ("NOT DONE: YOUR SUBJECT" in answer_to(receive(answer)).body) is is_order
