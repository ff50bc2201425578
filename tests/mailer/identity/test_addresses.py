"""Reply addresses: stable, secret, found only where a recipient stands."""

from __future__ import annotations

import re

import pytest
from pytest_django import Settings

from games.errors import BadInput
from games.models import Address
from games.services.cleaned import clean_email
from mailer.models import OutboundMail, ReplyToken
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, to_seat, write
from tests.rows import each_row

pytestmark = [pytest.mark.django_db, pytest.mark.on_both]


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = "judge@game.test"


def france(marne: Cast) -> str:
    return to_seat(marne)


def test_a_seat_has_one_address_for_a_phase_however_often_it_is_asked_for(marne: Cast) -> None:
    assert france(marne) == france(marne)
    assert ReplyToken.objects.filter(seat=marne.seat("France"), phase=marne.phase).count() == 1


def test_every_seat_has_another_address(marne: Cast) -> None:
    all_of_them = {to_seat(marne, power) for power in ("France", "England", "Turkey")}
    assert len(all_of_them) == 3


def test_an_address_has_the_form_that_mail_systems_deliver(marne: Cast) -> None:
    assert re.fullmatch(r"judge\+[a-z2-7]{27}@game\.test", france(marne))
    assert len(france(marne).partition("@")[0]) <= 64  # RFC 5321, 4.5.3.1.1


def test_the_database_does_not_know_the_secret(marne: Cast) -> None:
    token = france(marne).partition("+")[2].partition("@")[0]
    row = ReplyToken.objects.get(seat=marne.seat("France"))
    assert token not in row.digest
    assert not any(token in str(value) for value in vars(row).values())


def test_another_secret_key_makes_other_addresses(marne: Cast, settings: Settings) -> None:
    before = france(marne)
    settings.SECRET_KEY = "another"
    assert france(marne) != before


def test_the_token_is_found_among_the_recipients_in_any_case(marne: Cast) -> None:
    found = addresses.find(["ana@players.test", france(marne).upper()])
    assert found is not None
    assert found.seat == marne.seat("France")
    assert found.phase == marne.phase


@each_row(
    "recipient",
    [
        "judge@game.test",
        "judge+aaaaaaaaaaaaaaaaaaaaaaaaaaa@game.test",
        "judge+short@game.test",
        "judge+@game.test",
        "nobody",
        "",
    ],
)
def test_an_address_without_a_known_token_finds_nothing(marne: Cast, recipient: str) -> None:
    france(marne)
    assert addresses.find([recipient]) is None


def test_a_token_at_another_domain_or_name_is_not_ours(marne: Cast) -> None:
    token = france(marne).partition("+")[2].partition("@")[0]
    assert addresses.find([f"judge+{token}@evil.test", f"other+{token}@game.test"]) is None


def test_a_revoked_token_finds_nothing(marne: Cast) -> None:
    address = france(marne)
    ReplyToken.objects.update(revoked_at=NOW)
    assert addresses.find([address]) is None


def test_logs_can_be_cleared_of_tokens(marne: Cast) -> None:
    assert addresses.redact(f"to {france(marne)}") == "to judge+[token]@game.test"


@pytest.mark.parametrize("address", ["judge@game.test", "JUDGE+abc@Game.Test"])
def test_our_own_address_is_known_with_and_without_token(address: str) -> None:
    assert addresses.is_own(address)


@each_row("address", ["ana@players.test", "judge@players.test", "xjudge@game.test"])
def test_other_addresses_are_not_our_own(address: str) -> None:
    assert not addresses.is_own(address)


def test_nobody_has_an_address_of_ours(marne: Cast) -> None:
    secret = france(marne)
    for own in ("judge@game.test", "JUDGE@Game.Test", secret):
        answer = answer_to(write("Carla", f"SET ADDRESS {own}", to=secret))
        assert "That is our own address" in flat(answer.body)
        with pytest.raises(BadInput, match="our own address"):
            clean_email(own)
    assert not Address.objects.filter(email__icontains="judge").exists()
    assert not OutboundMail.objects.filter(kind="question").exists()


def test_capitals_bring_nobody_more_of_our_questions(marne: Cast) -> None:
    for email in (
        "zoe@b.test",
        "Zoe@b.test",
        "zOe@b.test",
        "zoE@b.test",
        "ZOE@b.test",
        "zoe@B.test",
    ):
        write("Carla", f"SET ADDRESS {email}", to=france(marne))
    assert OutboundMail.objects.filter(kind="question").count() == 5
