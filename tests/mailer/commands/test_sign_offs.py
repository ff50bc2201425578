"""How people end their mails: a name, good wishes, and sometimes what matters most."""

from __future__ import annotations

import pytest

from games.models import OrderSet, Press
from games.services.setup.games import game_create
from mailer.commands.calls import Takes
from mailer.commands.player import COMMANDS
from mailer.models import OutboundMail
from mailer.reading.quotes import own_lines
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ORDERS = "A Par - Bur\nA Mar - Spa\nF Bre - Mid"


def answer(cast: Cast, text: str) -> OutboundMail:
    to = to_seat(cast)
    return answer_to(write("Carla", text, to=to, subject="Re: [marne]"))


@each_row(
    "name",
    [
        *("Carla", "carla", "- Carla", "Carla (France)", "Carla\nFrance", "C.", "Thanks Carla"),
        *(
            "Good luck all!",
            "Thanks and see you on the board!\nCarla",
            "Have fun, everyone\n\nCarla",
        ),
    ],
)
def test_a_name_or_good_wishes_below_orders_are_no_line_that_was_not_used(
    marne: Cast, name: str
) -> None:
    said = answer(marne, f"{ORDERS}\n\n{name}")
    assert "NOT used" not in said.subject
    assert "3 of 3" in said.body
    assert f"You wrote “{name}" not in said.body
    assert OrderSet.objects.get().counts


@each_row(
    "end",
    [
        *("С уважением,\nКарла", "S pozdravem\nCarla", "Terveisin,\nCarla", "Saygılarımla\nCarla"),
        *("Med venlig hilsen\nCarla", "Üdvözlettel,\nCarla", "Με εκτίμηση,\nΚάρλα"),
        *("Отправлено с iPhone", "Odesláno z iPhonu", "Sendt fra min iPhone"),
        *("Lähetetty iPhonesta", "Στάλθηκε από το iPhone μου", "Trimis de pe iPhone"),
    ],
)
def test_an_end_in_many_languages_is_no_order(marne: Cast, end: str) -> None:
    said = answer(marne, f"{ORDERS}\n\n{end}")
    assert "NOT used" not in said.subject
    assert "3 of 3" in said.body


OFFICE = "Senior Consultant\nACME Ltd | 1 High St | +44 20 7946 0000\nwww.acme.test"


@each_row(
    "end",
    [
        f"Carla\n{OFFICE}",
        "Carla\nACME Corp.",
        "Carla\nPress Officer",
        f"Kind regards\n\nCarla Smith\n{OFFICE}",
        "Carla\nTel: 030 1234567\n\ncarla@acme.test",
    ],
)
def test_what_offices_put_below_a_name_is_no_line_that_was_not_used(marne: Cast, end: str) -> None:
    said = answer(marne, f"{ORDERS}\n\n{end}")
    assert "NOT used" not in said.subject
    assert "3 of 3" in said.body


@each_row("below", ["Brest to Mid", "READY", "F Bre H", "VOTE DRAW"])
def test_what_is_meant_below_a_name_is_read(marne: Cast, below: str) -> None:
    said = answer(marne, f"A Par - Bur\nA Mar - Spa\n\nCarla\n{below}")
    assert "You wrote “Carla”" not in said.body
    assert {"READY": "READY is noted", "VOTE DRAW": "draw"}.get(below, "3 of 3: F Bre") in said.body


def test_a_sentence_below_a_name_is_answered(marne: Cast) -> None:
    said = answer(marne, f"{ORDERS}\n\nCarla\n\nP.S. can we have more time")
    assert "EXTEND 24h" in said.body


def test_a_signature_below_a_command_is_no_bad_news(marne: Cast) -> None:
    game_create(name="verdun", gm=marne.gm, now=NOW)
    mail = answer_to(write("Hugo", "JOIN verdun\n\nHugo\nACME Corp.", to=home("Hugo")))
    assert mail.subject == "[verdun] You have joined"


@each_row("end", [OFFICE, "Tel: 030 1234567", "carla@acme.test"])
def test_press_takes_no_card_of_its_writer_along(marne: Cast, end: str) -> None:
    answer(marne, f"PRESS TO Italy\nShall we?\n\nCarla\n{end}")
    assert Press.objects.get().text == "Shall we?"


BELOW_REGARDS = "Kind regards,\n\nCarla Dubois\n\nSenior Manager | Acme Ltd\n\nT: +44 20 7946 0000"


def in_word(text: str) -> bytes:
    """The text as Outlook sends it: HTML alone, each line in a paragraph of its own."""
    lines = (f"<p class=MsoNormal>{line or '&nbsp;'}</p>" for line in text.split("\n"))
    return "".join(lines).encode()


@each_row("closes", [BELOW_REGARDS, BELOW_REGARDS.replace("\n\n", "\n")])
@each_row("is_html", [False, True])
def test_nobody_learns_from_a_card_below_a_closing_who_wrote(
    marne: Cast, closes: str, is_html: bool
) -> None:
    to = to_seat(marne)
    text = f"PRESS TO Italy\nDear Italy,\n\nshall we?\n\n{closes}"
    raw = eml("" if is_html else text, sender="carla@players.test", to=to)
    receive(raw.replace(b"text/plain", b"text/html") + in_word(text) if is_html else raw)
    assert Press.objects.get().text == "Dear Italy,\n\nshall we?\n\nKind regards,"


def test_a_card_below_orders_is_no_line_that_was_not_used(marne: Cast) -> None:
    said = answer(marne, f"{ORDERS}\n\n{BELOW_REGARDS}")
    assert "NOT used" not in said.subject
    assert "3 of 3" in said.body


def test_a_quote_below_a_card_stays_a_quote() -> None:
    header = ["From: Judge <judge@game.test>", "Sent: 2 March", "To: Carla", "Subject: x", "READY"]
    _, ignored = own_lines(["A Par H", *BELOW_REGARDS.split("\n"), "", *header])
    assert {line.why for line in ignored if line.text in header} == {"quoted"}


@each_row("below", ["Brest to Mid", "VOTE YES", "My new address is a@b.test then"])
def test_what_is_meant_below_a_card_is_read(below: str) -> None:
    kept, _ = own_lines(["Thanks,", "Carla", "", "", "Then two words", below])
    assert below in [line.text for line in kept]


def test_press_keeps_a_name_and_whatever_stands_before_its_end(marne: Cast) -> None:
    for text in ("Shall we?\n\nCarla", "Shall we?\n\nCarla\nwww.acme.test\nEND PRESS"):
        answer(marne, f"PRESS TO Italy\n{text}")
        assert Press.objects.latest("pk").text == text.removesuffix("\nEND PRESS")


def test_somebody_elses_name_below_orders_is_asked_about(marne: Cast) -> None:
    assert "You wrote “Boris”" in flat(answer(marne, f"{ORDERS}\n\nBoris").body)


def test_a_word_and_a_name_change_nothing_about_orders(marne: Cast) -> None:
    answer(marne, ORDERS)
    said = answer(marne, "READY\n\nCarla")
    assert "READY is noted" in said.body
    assert "NOT" not in said.subject


OF_OLDER_JUDGES = {"legacy", "gm"}


@each_row(
    "word",
    sorted(
        {one.name for one in COMMANDS.values() if one.takes is not Takes.SOMETHING}
        - OF_OLDER_JUDGES
    ),
)
def test_a_command_below_thanks_is_no_signature(word: str) -> None:
    for said in (word, word.upper()):
        lines, _ = own_lines(["A Par - Bur", "Thanks!", said])
        assert [line.text for line in lines] == ["A Par - Bur", said]


def test_commands_with_more_after_them_are_no_signature_either(marne: Cast) -> None:
    for said in ("VOTE YES", "JOIN marne France", "EXTEND 24h because I am ill", "HOLD ALL"):
        lines, _ = own_lines(["Thanks!", said])
        assert [line.text for line in lines] == [said]


@each_row("name", ["the Sultan", "hans meier", "Karl von Bülow", "C. Smith, Esq."])
def test_what_can_be_a_name_below_a_closing_is_left_out(name: str) -> None:
    assert own_lines(["A Par - Bur", "Thanks,", name])[0][1:] == ()


def test_a_letter_that_begins_with_thanks_is_passed_on_as_a_whole(marne: Cast) -> None:
    answer(marne, "PRESS TO Italy\nThanks!\nLet's meet in Tyrolia.\nEND PRESS")
    assert "Let's meet in Tyrolia." in Press.objects.get().text


def test_a_newcomers_good_wishes_do_not_head_the_answer(db: None) -> None:
    text = "REGISTER Nora North\n\nThanks and see you on the board!\nNora"
    mail = receive(eml(text, sender="nora@players.test"))
    assert answer_to(mail).subject == "Please confirm your address"
