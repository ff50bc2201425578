"""What a forged From line cannot bring about: advertisements by us, and the end of answers."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from games.errors import BadInput
from games.models import Player
from games.services.cleaned import clean_name
from mailer.models import OutboundMail
from mailer.replies import budget
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, answer_to, eml, home, receive, write
from tests.mailer.identity_tables import SERVER, results

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        "Buy http://evil.example/pay now",
        "evil.example",
        "Cheap pills at evil.co",
        "pay@evil.example",
        "www evil",
        "evil。example",
        "x://y",
    ],
)
def test_an_advertisement_is_no_name(name: str) -> None:
    with pytest.raises(BadInput, match="cannot be a name here"):
        clean_name(name)
    body = answer_to(write("Zoe", f"REGISTER {name}")).body
    assert name not in body
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["J. R. Smith", "J.R. Smith", "Dr. Ana O'Neil-Smith", "María 2"])
def test_names_of_people_are_names(name: str) -> None:
    assert clean_name(name) == name


def test_an_answer_to_a_stranger_repeats_nothing_of_the_mail(db: None) -> None:
    text = "HELP\nLIST\nBuy at evil.example\n-- \nevil.example signs"
    mail = receive(eml(text, sender="zoe@players.test", subject="Visit evil.example"))
    answer = answer_to(mail)
    assert "evil" not in answer.body + answer.subject


def test_forged_mails_do_not_use_up_the_answers_of_a_newcomer_whose_mail_is_proved(
    db: None, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER
    for number in range(budget.STRANGERS_BUDGET + 1):
        write("Zoe", f"LIST\nhello {number}")
    raw = eml("REGISTER Zoe Miller", sender=address_of("Zoe"), headers=results("passed"))
    assert answer_to(receive(raw)).subject == "Please confirm your address"


def test_proved_answers_do_not_count_towards_the_unproved(marne: Cast) -> None:
    for number in range(budget.UNPROVED_BUDGET + 1):
        write("Carla", "LIST", to=home("Carla"), subject=str(number))
    assert answer_to(write("Carla", "LIST")).kind == "reply"


def test_who_is_answered_no_more_is_told_once(marne: Cast) -> None:
    mails = [write("Carla", "LIST", subject=str(at)) for at in range(budget.UNPROVED_BUDGET + 3)]
    assert [mail.answers.filter(kind="reply").exists() for mail in mails[-4:]] == [
        True,
        False,
        False,
        False,
    ]
    (told,) = OutboundMail.objects.filter(kind="unanswered")
    assert told.recipient == address_of("Carla")
    assert "answer no more of the kind for now" in " ".join(told.body.split())
    assert answer_to(write("Carla", "LIST", to=home("Carla"))).kind == "reply"


def test_a_stranger_beyond_the_limit_is_not_told(db: None) -> None:
    for number in range(budget.STRANGERS_BUDGET + 2):
        receive(eml("LIST", sender="zoe@players.test", to=JUDGE, subject=str(number), date=NOW))
    assert not OutboundMail.objects.filter(kind="unanswered").exists()
