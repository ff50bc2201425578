"""Programs that write to each other must fall silent, and nobody can make us flood a third."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from games.services.accounts.players import address_confirm, player_register
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from mailer.replies import budget
from tests.cast import NOW, Cast
from tests.mailer.correspondence import eml, receive, write

pytestmark = pytest.mark.django_db
State = InboundMail.State


@pytest.mark.parametrize("registered", [False, True])
def test_two_servers_like_ours_fall_silent_after_one_answer(
    db: None, settings: Settings, registered: bool
) -> None:
    settings.JUDGE_ADDRESS = "judge@game.test"
    if registered:
        robot = player_register(name="Robot", email="judge@other.test", now=NOW)
        address_confirm(address=robot, now=NOW)
    answer = write("x", "hello", sender="judge@other.test").answers.get()
    settings.JUDGE_ADDRESS = "judge@other.test"
    received = receive(compose(answer))
    assert received.state == State.IGNORED
    assert not received.answers.exists()


def test_every_mail_of_ours_says_that_a_program_wrote_it(marne: Cast) -> None:
    write("Carla", "A Par - Bur")
    write("Zoe", "REGISTER Zoe")
    ours = list(OutboundMail.objects.all())
    assert len(ours) >= 2
    for mail in ours:
        assert receive(compose(mail)).state == State.IGNORED


def test_a_robot_that_hides_what_it_is_gets_few_answers(db: None) -> None:
    for minute in range(100):
        at = NOW + dt.timedelta(minutes=minute)
        receive(eml(f"hello {minute}", sender="robot@other.test"), received_at=at)
    assert OutboundMail.objects.count() == budget.STRANGERS_BUDGET


def test_forged_mails_make_us_ask_their_victim_only_a_few_times(marne: Cast) -> None:
    for number in range(20):
        mail = write("Carla", f"A Par - Bur\nnumber {number}")
        assert mail.state == State.HELD
    asked = OutboundMail.objects.filter(recipient="carla@players.test", kind="question")
    assert asked.count() == budget.STRANGERS_BUDGET


def test_forged_questions_do_not_use_up_a_player_s_receipts(marne: Cast) -> None:
    for number in range(budget.UNPROVED_BUDGET + 5):
        write("Carla", "LIST", subject=f"number {number}")
    answers = OutboundMail.objects.filter(recipient="carla@players.test", kind="reply")
    assert answers.count() == budget.UNPROVED_BUDGET
    own = marne.player("Carla").addresses.get()
    from_her = addresses.player_address(address=own, now=NOW)
    assert write("Carla", "STATUS", to=from_her).answers.exists()
