"""A player's further addresses: asked for, confirmed, used and given up."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection, transaction

from games.models import Address, OrderSet, Player
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import MOST_ADDRESSES, address_add
from mailer.commands.own_settings.addresses import MOST_ASKED
from mailer.commands.player.consent import confirm
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.buttons import asked_for
from tests.cast import DAY, NOW, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, home, to_seat, write
from tests.mailer.correspondence import replied as said
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State


def added(marne: Cast) -> InboundMail:
    return write("Carla", "SET ADDRESS carla@work.test", to=home("Carla"))


def test_whoever_confirms_an_address_from_another_reads_where_to_do_it(marne: Cast) -> None:
    """They answered our receipt, which has no button for that, and not the mail that we sent to the
    new address."""
    receipt = said(write("Carla", "SET ADDRESS carla@work.test", to=home("Carla")))
    assert "Reply CONFIRM to that mail" in receipt
    assert not list(asked_for(receipt))
    told = said(write("Carla", "CONFIRM", to=home("Carla")))
    assert "To confirm carla@work.test, reply CONFIRM to the mail that we sent there." in told


def test_an_address_that_the_same_mail_forgets_again_is_not_asked(marne: Cast) -> None:
    text = "SET ADDRESS carla@work.test\nSET FORGET carla@work.test"
    mail = write("Carla", text, to=home("Carla"))
    assert not mail.answers.filter(kind="question").exists()
    told = "carla@work.test is not an address of yours here. You have carla@players.test."
    assert told in said(mail)
    connection.check_constraints()


def test_a_player_has_us_ask_at_few_addresses_a_day(marne: Cast) -> None:
    def ask(number: int, at: dt.datetime) -> str:
        text = f"SET ADDRESS carla{number}@x.test"
        asked = said(write("Carla", text, to=home("Carla"), received_at=at))
        text = f"SET FORGET carla{number}@x.test"
        write("Carla", text, to=home("Carla"), received_at=at)
        return asked

    assert all("We have asked at" in ask(number, NOW) for number in range(MOST_ASKED))
    assert "for you today, which is the most we do in a day. Please try again tomorrow." in ask(
        99, NOW
    )
    assert OutboundMail.objects.filter(recipient__endswith="@x.test").count() == MOST_ASKED
    assert "We have asked at" in ask(99, NOW + DAY)


def test_nobody_is_told_of_a_question_that_is_not_asked(marne: Cast) -> None:
    for name in ("Ana", "Ben", "Emma", "Felix", "Greta", "Carla"):
        asked = write(name, "SET ADDRESS shared@work.test", to=home(name))
        write(name, "SET FORGET shared@work.test", to=home(name))
        is_asked = asked.answers.filter(kind="question").exists()
        assert is_asked == ("We have asked at shared@work.test whether" in said(asked))
    assert "so often today that we ask no more before tomorrow" in said(asked)


def test_a_new_address_counts_once_it_is_confirmed_from_there(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    assert question.recipient == "carla@work.test"
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    mail = write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert "Carla's, too" in said(mail)
    order = write("x", "A Par H", sender="carla@work.test", to=to_seat(marne, "France"))
    assert order.answers.get(kind="reply").recipient == address_of("Carla")
    assert OrderSet.objects.get().counts


def test_a_stranger_s_reply_without_the_word_confirms_nothing(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    write("x", "Who are you? READY", sender="carla@work.test", to=question.reply_to)
    write("x", "SET NAME Fool", sender="carla@work.test", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    assert Player.objects.filter(name="Carla").exists()


def test_whoever_confirms_an_address_that_is_forgotten_at_that_moment_reads_what_to_do(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def just_forgotten(**given: Any) -> Player:
        Address.objects.filter(email="carla@work.test").delete()
        return address_confirm(**given)

    question = added(marne).answers.get(kind="question")
    monkeypatch.setattr(confirm, "address_confirm", just_forgotten)
    mail = write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert "no longer counts, so nothing is confirmed. Please write REGISTER" in said(mail)


def test_nobody_confirms_it_from_elsewhere(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    write("Ben", "CONFIRM", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at


def test_another_player_s_address_cannot_be_added(marne: Cast) -> None:
    mail = write("Carla", "SET ADDRESS ben@players.test", to=home("Carla"))
    assert Address.objects.get(email="ben@players.test").player.name == "Ben"
    [told] = mail.answers.filter(recipient="ben@players.test")
    assert "it is yours alone, and we have not told Carla" in flat(told.body)
    assert told.reply_to == ""
    for word in ("CONFIRM", "YES"):
        write("Ben", word)
    assert Address.objects.get(email="ben@players.test").player.name == "Ben"


@each_row(
    "text",
    [
        "SET ADDRESS {}",
        "SET ADDRESS {0}\nSET ADDRESS {0}\nSET",
        "SET ADDRESS {0}\nSET FORGET {0}",
        "SET FORGET {}",
        "SET ADDRESS {0}\nSET RECORD {0}",
        "SET ADDRESS {}\n" + "\n".join(f"SET ADDRESS carla{n}@x.test" for n in range(6)),
    ],
)
def test_nobody_learns_by_naming_an_address_who_plays_here(marne: Cast, text: str) -> None:
    answers = []
    for email in ("BEN@players.test", "not@players.test"):
        with transaction.atomic():
            said_so = said(write("Carla", text.format(email), to=home("Carla")))
            answers.append(said_so.replace(email, "…"))
            transaction.set_rollback(True)
    assert answers[0] == answers[1]


def test_an_address_that_nobody_confirms_is_forgotten_in_time(marne: Cast) -> None:
    added(marne)
    later = NOW + 31 * DAY
    text = "SET ADDRESS carla@home.test"
    write("Carla", text, to=home("Carla"), received_at=later)
    assert not Address.objects.filter(email="carla@work.test").exists()
    assert Address.objects.filter(email="carla@home.test").exists()


def test_nobody_has_more_addresses_than_one_may(marne: Cast) -> None:
    claimed = [
        address_add(player=marne.player("Carla"), email=f"carla{n}@x.test", now=NOW)
        for n in range(MOST_ADDRESSES)
    ]
    for one in claimed[:-1]:
        address_confirm(address=one, now=NOW)
    to = addresses.player_address(address=claimed[-1], now=NOW)
    mail = write("x", "CONFIRM", sender=claimed[-1].email, to=to)
    assert "You already have 5 addresses" in said(mail)
    assert not Address.objects.get(pk=claimed[-1].pk).confirmed_at


def test_a_registration_that_was_begun_cannot_be_caught_by_another(marne: Cast) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe"))
    write("Carla", "SET ADDRESS zoe@players.test", to=home("Carla"))
    write("Zoe", "yes", to=asked.reply_to)
    assert not Address.objects.get(email="zoe@players.test").confirmed_at


def test_a_claim_to_an_address_is_over_when_its_owner_registers(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    asked = answer_to(write("x", "REGISTER Zoe", sender="carla@work.test"))
    write("x", "CONFIRM", sender="carla@work.test", to=question.reply_to)
    assert not Address.objects.get(email="carla@work.test").confirmed_at
    write("x", "yes", sender="carla@work.test", to=asked.reply_to)
    assert Address.objects.get(email="carla@work.test").player.name == "Zoe"
    assert Player.objects.filter(name="Carla").exists()


def test_another_address_of_record_gets_the_mails(marne: Cast) -> None:
    marne.player("Carla").addresses.create(
        email="carla@work.test", confirmed_at=NOW, created_at=NOW
    )
    mail = write("Carla", "SET RECORD carla@work.test", to=home("Carla"))
    assert "we write to carla@work.test" in said(mail)
    assert marne.player("Carla").address == "carla@work.test"


def test_the_address_of_record_cannot_be_forgotten_but_another_can(marne: Cast) -> None:
    marne.player("Carla").addresses.create(
        email="carla@work.test", confirmed_at=NOW, created_at=NOW
    )
    to = home("Carla")
    assert "Choose another" in said(write("Carla", "SET FORGET carla@players.test", to=to))
    said(write("Carla", "SET FORGET carla@work.test", to=to))
    assert [one.email for one in marne.player("Carla").addresses.all()] == ["carla@players.test"]


def test_an_address_that_is_too_long_to_be_one_is_refused(marne: Cast) -> None:
    mail = write("Carla", f"SET ADDRESS {'a' * 250}@x.test", to=home("Carla"))
    assert "An address can have at most 254 characters here, and this one has 257." in said(mail)


def test_a_reply_that_is_no_clear_yes_is_asked_back_and_the_word_does_it_then(marne: Cast) -> None:
    question = added(marne).answers.get(kind="question")
    asked_back = write("x", "sure, fine", sender="carla@work.test", to=question.reply_to)
    assert "reply with the word CONFIRM" in said(asked_back)
    again = asked_back.answers.get().reply_to
    assert "Carla's, too" in said(write("x", "CONFIRM", sender="carla@work.test", to=again))
