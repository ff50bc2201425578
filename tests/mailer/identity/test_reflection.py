"""What a forged From line cannot bring about: advertisements by us, and the end of answers."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from games.errors import BadInput
from games.models import Player
from games.services.cleaned import clean_name
from mailer.commands.player import COMMANDS
from mailer.models import OutboundMail
from mailer.replies import budget
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, answer_to, eml, flat, home, receive, to_seat, write
from tests.mailer.identity_tables import SERVER, results
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@each_row(
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
    with pytest.raises(BadInput, match="cannot look like an address on the net"):
        clean_name(name)
    body = answer_to(write("Zoe", f"REGISTER {name}")).body
    assert name not in body
    assert not Player.objects.exists()


@each_row("name", ["J. R. Smith", "J.R. Smith", "Dr. Ana O'Neil-Smith", "María 2"])
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
    assert "will not answer any more for now" in " ".join(told.body.split())
    assert answer_to(write("Carla", "LIST", to=home("Carla"))).kind == "reply"


def test_a_stranger_beyond_the_limit_is_not_told(db: None) -> None:
    for number in range(budget.STRANGERS_BUDGET + 2):
        receive(eml("LIST", sender="zoe@players.test", to=JUDGE, subject=str(number), date=NOW))
    assert not OutboundMail.objects.filter(kind="unanswered").exists()


SPAM = "buy-cheap.example/now"


def answers_of(raw: bytes) -> str:
    """All that we write because of a mail."""
    mails = OutboundMail.objects.filter(answers=receive(raw))
    return "\n".join(f"{mail.subject}\n{flat(mail.body)}" for mail in mails)


@each_row("word", sorted(command for command, one in COMMANDS.items() if one.open_to_all))
def test_no_command_repeats_the_words_of_a_stranger(marne: Cast, word: str) -> None:
    forms = ("{0} {1}", "{0} {1}?", "{0} marne {1}", "{0} to {1}\n{1} is great", "{0}\n{1}")
    for number, form in enumerate(forms):
        text = form.format(word.upper(), SPAM)
        sender = f"Victim <victim{number}@elsewhere.test>"
        assert "buy-cheap" not in answers_of(eml(text, sender=sender, subject=SPAM)).lower()


def attached(sender: str) -> bytes:
    head = (
        f"From: {sender}\r\nTo: judge@game.test\r\nSubject: Hello\r\n"
        "Message-ID: <attached@elsewhere.test>\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nLIST\r\n"
    )
    file = f'--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename="{SPAM}"'
    return f"{head}{file}\r\n\r\nxx\r\n--b--\r\n".encode()


def test_the_name_of_a_strangers_file_is_not_repeated(marne: Cast) -> None:
    said = answers_of(attached("victim@elsewhere.test"))
    assert "We did not read an attachment." in said
    assert "buy-cheap" not in said


def test_what_a_forged_player_is_said_to_have_written_has_no_link(marne: Cast) -> None:
    text = (
        f"LIST\nLook at http://{SPAM} today\nHISTORY {SPAM}\n"
        "“pay”at@buy-cheap.example\nSent by www.buy-cheap.example"
    )
    said = answers_of(eml(text, sender="carla@players.test", subject=f"See {SPAM}"))
    assert "http: //buy-cheap. example/now" in said
    for link in ("buy-cheap.example", "://buy", "www.buy", "@buy"):
        assert link not in said


def test_what_a_forged_player_is_said_to_have_written_is_short(marne: Cast) -> None:
    text = f"{'Send money to the usual account ' * 20}\nHISTORY {'of my riches ' * 40}"
    said = answers_of(eml(text, sender="carla@players.test"))
    assert said.count("usual account") <= 2
    assert said.count("of my riches") <= 10


def test_the_name_of_a_file_in_a_forged_players_mail_is_no_link(marne: Cast) -> None:
    said = answers_of(attached("carla@players.test"))
    assert "We did not read the attachment buy-cheap. example/now." in said


def test_who_is_proved_reads_what_they_wrote_as_they_wrote_it(marne: Cast) -> None:
    to = to_seat(marne)
    raw = eml(f"FROBNICATE {SPAM}", sender="carla@players.test", to=to)
    assert f"FROBNICATE {SPAM}" in answers_of(raw)
