"""REGISTER: a newcomer's name and address."""

from __future__ import annotations

import pytest

from games.models import Game, Player
from mailer.commands.player.account.register import name_in
from mailer.models import OutboundMail
from tests.cast import Cast
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, said, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def test_register_without_a_name_asks_for_one(db: None) -> None:
    assert "REGISTER Ana Smith" in said(write("Zoe", "REGISTER"))
    assert not Player.objects.exists()


def test_nobody_is_called_as_invitations_have_it_where_the_name_goes(db: None) -> None:
    answer = answer_to(write("x", "REGISTER your name", sender="zoe@players.test"))
    assert "Please write your name after REGISTER" in answer.body
    assert not Player.objects.exists()


def test_a_stranger_who_joins_is_told_how_joining_goes_with_registering(verdun: Game) -> None:
    answer = flat(answer_to(write("x", "JOIN verdun", sender="zoe@players.test")).body)
    told = "To join the game verdun, reply with two lines: REGISTER and your name, and below it"
    assert answer.index(told) < answer.index("You have reached")
    for join in ("JOIN nowhere", "SIGNON ?nowhere"):
        answer = flat(answer_to(write("x", join, sender="zoe@players.test")).body)
        assert "but we know none of that name" in answer


def test_register_of_a_registered_address_changes_nothing(marne: Cast) -> None:
    assert "already registered, as Hugo" in said(write("Hugo", "REGISTER Somebody Else"))
    assert Player.objects.filter(name="Hugo").exists()


@each_row(
    ("wrote", "name"),
    [
        ("as Zoe Miller", "Zoe Miller"),
        ("me please, Zoe Miller", "Zoe Miller"),
        ("me as Zoe Miller, please!", "Zoe Miller"),
        ("my name is Zoe", "Zoe"),
        ("Asta Meyer", "Asta Meyer"),
        ("Ian Nameth", "Ian Nameth"),
        ("me", ""),
    ],
)
def test_words_around_a_name_are_no_part_of_it(wrote: str, name: str) -> None:
    assert name_in(wrote) == name


def test_register_twice_before_confirming_keeps_one_player(db: None) -> None:
    write("Zoe", "REGISTER Zoe")
    write("Zoe", "REGISTER Zoe Miller")
    assert Player.objects.get().name == "Zoe Miller"


def test_confirm_without_a_question_changes_nothing(marne: Cast) -> None:
    assert "nothing to confirm" in said(write("Hugo", "CONFIRM"))


def test_a_confirming_mail_may_hold_commands_too(verdun: Game) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    body = said(write("Zoe", "Yes, that is me\nJOIN verdun France", to=asked.reply_to))
    assert "You have a seat in the game verdun" in body
    assert "What else you wrote" not in body


def test_who_has_not_confirmed_yet_is_asked_to_and_not_welcomed_as_a_stranger(db: None) -> None:
    write("Zoe", "REGISTER Zoe Miller")
    asked = answer_to(write("Zoe", "EXPORT"))
    assert "not confirmed yet" in flat(asked.body)
    assert "Nobody is registered" not in flat(asked.body)
    assert "registered as Zoe Miller" in said(write("Zoe", "", to=asked.reply_to))


def test_a_command_beside_the_confirmation_of_an_address_is_named(marne: Cast) -> None:
    write("Ana", "SET ADDRESS a@work.test", to=home("Ana"))
    to_it = OutboundMail.objects.filter(recipient="a@work.test").order_by("pk")
    receive(eml("CONFIRM\nEXPORT", sender="a@work.test", to=to_it[0].reply_to))
    body = flat(to_it.latest("pk").body)
    assert "is confirmed" in body
    assert "You wrote “EXPORT”" in body
    assert "as any reply does" not in body


@each_row("word", ["END", "quit", "SIGNOFF"])
def test_a_word_that_only_ends_a_mail_is_answered_with_what_may_be_meant(
    marne: Cast, word: str
) -> None:
    mail = write("Ana", word, to=to_seat(marne, "Austria"))
    assert f"You wrote “{word}”" in said(mail)
    assert "write RESIGN" in said(mail)


def test_who_says_that_a_mail_was_not_theirs_has_said_nothing_else(marne: Cast) -> None:
    write("Ana", "EXPORT")
    asked = OutboundMail.objects.get(kind="question")
    body = said(write("Ana", "REFUSE", to=asked.reply_to))
    assert "Nothing of that mail is done" in body
    assert "WHAT ELSE" not in body
    assert "You wrote" not in body


def test_a_reply_that_refuses_registers_nobody(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    write("Zoe", "REFUSE", to=asked.reply_to)
    assert Player.objects.get().address == ""
