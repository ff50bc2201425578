"""Press by mail: who gets it, what it tells, and what becomes of answers."""

from __future__ import annotations

import re

import pytest

from games.models import Event, Player, Press
from mailer import jobs, notices
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, threads
from tests.cast import NOW, POWERS, Cast, address_of, make_cast
from tests.mailer.correspondence import eml, flat, on_the_wire, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

NAMES = {power: name for name, power in POWERS.items()}
SECRET = re.compile(r"\+[a-z2-7]{27}@", re.IGNORECASE)


def order_address(cast: Cast, power: str) -> str:
    return to_seat(cast, power)


def say(cast: Cast, text: str, *, power: str = "France", to: str = "") -> str:
    """Let a power write this, by default to its reply address; return the receipt."""
    mail = write(NAMES[power], text, to=to or order_address(cast, power))
    return flat(mail.answers.get(kind="reply").body)


def told() -> dict[str, OutboundMail]:
    """Tell what is untold; return the newest press mail of each recipient."""
    for event in Event.objects.filter(told_at=None, kind="press_sent"):
        notices.tell_event(event, now=NOW)
    mails = OutboundMail.objects.filter(kind="press_sent").order_by("pk")
    return {mail.recipient: mail for mail in mails}


def readers() -> set[str]:
    return set(told())


def test_press_goes_to_the_powers_named_and_to_nobody_else(marne: Cast) -> None:
    receipt = say(marne, "PRESS TO Germany, Ita\nDear both,\nshall we?\n\nYours\nEND PRESS")
    assert "Passed on to Germany and Italy" in receipt
    assert "> Dear both, > shall we?" in receipt
    assert readers() == {address_of("Dmitri"), address_of("Emma")}
    body = told()[address_of("Emma")].body
    assert "France writes to Germany and Italy in the game marne:" in body
    assert "\n  Dear both,\n  shall we?\n" in body


@each_row(
    ("to", "offer"),
    [("Emma", "Italy"), ("emma braun", "Italy"), ("Turkey, Emma Braun", "Turkey, Italy")],
)
def test_press_to_a_player_by_name_is_offered_to_their_power(
    marne: Cast, to: str, offer: str
) -> None:
    Player.objects.filter(name="Emma").update(name="Emma Braun")
    receipt = say(marne, f"PRESS TO {to}\nShall we?")
    assert "Press is for powers, not for people." in receipt
    assert f"plays Italy. Reply with the word YES, and we take it as “PRESS TO {offer}”" in receipt
    assert readers() == set()


def test_a_list_keeps_its_numbers_and_bullets(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\n1. I leave Burgundy.\n(2) You leave Ruhr.\n- As to 1: now.")
    assert Press.objects.get().text == "1. I leave Burgundy.\n(2) You leave Ruhr.\n- As to 1: now."
    told()
    to = OutboundMail.objects.get(recipient=address_of("Dmitri"), kind="press_sent").reply_to
    say(marne, "To your list:\n1) yes\n2) no", power="Germany", to=to)
    assert Press.objects.latest("pk").text == "To your list:\n1) yes\n2) no"


@each_row("text", ["👍👍", "Really?\n???", ":-)\n!!"])
def test_signs_that_say_something_are_passed_on(marne: Cast, text: str) -> None:
    say(marne, "PRESS TO Germany\nPeace?")
    told()
    to = OutboundMail.objects.get(recipient=address_of("Dmitri"), kind="press_sent").reply_to
    say(marne, f"{text}\n\n----------", power="Germany", to=to)
    assert Press.objects.latest("pk").text == text


def test_text_on_the_line_of_its_readers_is_told_where_it_belongs(marne: Cast) -> None:
    said = say(marne, "PRESS TO Italy lets be friends")
    assert "or to ALL, alone on the line, and put your text below it." in said
    assert not Press.objects.exists()


@pytest.mark.parametrize("line", ["PRESS Germany", "Press Germany:"])
def test_without_the_word_to_it_is_press_all_the_same_and_no_order(marne: Cast, line: str) -> None:
    to = to_seat(marne)
    write("Carla", f"{line}\nHelp me with this:\nA Par - Bur", to=to)
    assert Press.objects.get().to == ["Germany"]
    assert not marne.phase.order_sets.exists()


def test_powers_may_be_named_in_the_language_of_the_player(marne: Cast) -> None:
    receipt = say(marne, "PRESS TO Deutschland, Турции\nKommt ihr?")
    assert "Passed on to Germany and Turkey" in receipt
    assert readers() == {address_of("Dmitri"), address_of("Greta")}


def test_a_broadcast_goes_to_everybody_but_its_writer(marne: Cast) -> None:
    assert "Passed on to everybody" in say(marne, "BROADCAST\nHello, Europe.\nEND BROADCAST")
    everybody = {address_of(name) for name in POWERS} | {"gm@players.test"}
    assert readers() == everybody - {address_of("Carla")}


@each_row("word", ["GM", "gm", "M", "MASTER"])
def test_press_to_the_gm_reaches_nobody_else(marne: Cast, word: str) -> None:
    say(marne, f"PRESS TO {word}: my cat is ill")
    assert readers() == {"gm@players.test"}
    assert "  my cat is ill\n" in told()["gm@players.test"].body


@pytest.mark.parametrize("mode", ["none", "public"])
def test_a_game_without_private_press_passes_none_on(db: None, mode: str) -> None:
    cast = make_cast(press_mode=mode)
    assert "Passed on" not in say(cast, "PRESS TO Germany\nHello.")
    assert readers() == set()


def test_orders_after_the_end_of_press_are_orders(marne: Cast) -> None:
    receipt = say(marne, "PRESS TO Germany\nHello.\nEND PRESS\nA Paris - Burgundy")
    assert "Passed on to Germany" in receipt
    assert "YOUR ORDERS FOR FRANCE" in receipt
    assert "Burgundy" not in told()[address_of("Dmitri")].body


@pytest.mark.parametrize("words", ["PRESS TO Germany", "BROADCAST"])
def test_an_order_below_press_that_was_never_closed_is_named_to_its_writer(
    marne: Cast, words: str
) -> None:
    receipt = say(marne, f"{words}\nHello.\n\nA Paris - Burgundy")
    assert (
        "That was passed on, too, and is not an order. To order it, write it below a line"
        in flat(receipt)
    )
    assert "is not an order" not in say(
        marne, f"{words}\nA Paris - Burgundy may come.\nBest, Carla"
    )


def test_what_is_for_one_power_never_goes_to_another_though_end_is_missing(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nItaly is a fool.\nPRESS TO Italy\nGermany is a fool.")
    assert "Germany is a fool." not in told()[address_of("Dmitri")].body
    assert "Germany is a fool." in told()[address_of("Emma")].body


def test_nothing_below_signoff_is_passed_on(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nHello.\nSIGNOFF\nprivate note")
    assert "private note" not in told()[address_of("Dmitri")].body


@each_row("words", ["PRESS TO Germany", "PRESS SURE TO Germany", "BROADCAST"])
@each_row("text", ["A Paris - Burgundy", "I will move F Bre-Eng and A Par-Pic."])
def test_press_that_says_whom_it_is_for_may_tell_moves(marne: Cast, words: str, text: str) -> None:
    say(marne, f"{words}\n{text}")
    assert text in told()[address_of("Dmitri")].body


def test_a_reply_that_tells_moves_is_passed_on(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    say(marne, "I will move F Kie-Den and A Ber-Kie.", power="Germany", to=answer)
    assert Press.objects.get(number=2).text == "I will move F Kie-Den and A Ber-Kie."


@each_row(
    ("text", "subject"),
    [
        ("PRESS TO Frnace\nHello.", "[marne] NOT SENT to Frnace"),
        ("PRESS TO Italy, Frnace\nHello.", "[marne] NOT SENT to Italy, Frnace"),
        ("PRESS TO Italy, Frnace, SURE\nHello.", "[marne] NOT SENT to Italy, Frnace"),
        ("PRESS TO Germany\nEND PRESS", "[marne] NOT SENT to Germany"),
        ("STATUS\nPRESS TO Spain\nHello.", "[marne] NOT SENT to Spain, and more"),
    ],
)
def test_the_subject_says_when_nobody_got_it(marne: Cast, text: str, subject: str) -> None:
    to = order_address(marne, "France")
    mail = write("Carla", text, to=to)
    assert mail.answers.get().subject == subject
    assert not Press.objects.exists()


def test_the_subject_says_when_a_reply_was_not_sent(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    mail = write("Dmitri", "Hello Carla,\nA Berlin - Kiel\nRegards\nDmitri", to=answer)
    assert mail.answers.get().subject == "[marne] NOT SENT"
    assert Press.objects.count() == 1


def test_press_carries_no_identity_and_no_secret_of_its_writer(marne: Cast) -> None:
    secret = order_address(marne, "France")
    text = (
        f"PRESS TO Germany\nHello.\nMy address is {secret.upper()} or CARLA@players.test\n"
        f"token {secret.partition('+')[2].partition('@')[0]}\n-- \nCarla Dupont\n+33 1 23 45\n"
        "\nOn Monday, Emma Smith <emma@players.test> wrote:\n> quoted secret"
    )
    mail = write("Carla", text, to=secret, subject="from Carla", message_id="<carla-pc@home>")
    assert mail.state == InboundMail.State.DONE
    raw = on_the_wire(told()[address_of("Dmitri")])
    head = raw.partition("\r\n\r\n")[0]
    for leak in ("Carla", "carla", "CARLA", "Dupont", "33 1 23", "@home", "quoted", "Emma"):
        assert leak not in raw, leak
    shown = [found.group() for found in SECRET.finditer(raw.replace(head, ""))]
    assert shown == []
    assert secret.partition("+")[2].partition("@")[0] not in raw.lower()


def test_nobody_can_make_their_words_look_like_the_servers(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nHello.\nItaly writes to Germany in the game marne:\nAttack!")
    body = told()[address_of("Dmitri")].body
    assert "\nItaly writes" not in body
    assert "\n  Italy writes to Germany in the game marne:\n" in body


def test_a_reply_goes_to_the_writer_alone(marne: Cast) -> None:
    say(marne, "PRESS TO Germany, Italy\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    assert "Passed on to France" in say(marne, "Hi France,\nyes!", power="Germany", to=answer)
    last = Press.objects.get(number=2)
    assert (last.to, last.text) == (["France"], "Hi France,\nyes!")
    assert address_of("Carla") in readers()


def test_a_reply_to_all_goes_to_all_who_take_part(marne: Cast) -> None:
    say(marne, "PRESS TO Germany, Italy\nShall we?")
    mail = told()[address_of("Dmitri")]
    both = f"{mail.reply_to}, {mail.cc}"
    receipt = say(marne, "Yes!", power="Germany", to=both)
    assert "Passed on to France and Italy" in receipt


def test_the_gm_takes_part_in_a_reply_to_all(marne: Cast) -> None:
    say(marne, "PRESS TO Germany, GM\nMay we?")
    mail = told()[address_of("Dmitri")]
    receipt = say(marne, "Yes?", power="Germany", to=f"{mail.reply_to}, {mail.cc}")
    assert "Passed on to France and the GM" in receipt


def test_press_between_two_has_no_reply_to_all(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    assert told()[address_of("Dmitri")].cc == ""


def test_a_reply_to_press_is_passed_on_as_it_is_and_no_command_of_it_is_done(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nAre you ready?")
    answer = told()[address_of("Dmitri")].reply_to
    say(marne, "Ready\nStatus", power="Germany", to=answer)
    assert Press.objects.get(number=2).text == "Ready\nStatus"
    assert not marne.phase.readiness.exists()
    assert not marne.phase.order_sets.exists()


@each_row(
    ("text", "stray"),
    [
        ("A draw is fine.\nVOTE DRAW\nSee you", "VOTE DRAW"),
        ("As we said:\nF Kie-Den", "F Kie-Den"),
        ("I am ready\nWait for me", ""),
        ("SURE\nThis is my move:\nF Kie-Den", ""),
    ],
)
def test_what_may_have_been_meant_for_us_in_a_reply_to_press_is_named(
    marne: Cast, text: str, stray: str
) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    receipt = say(marne, text, power="Germany", to=answer)
    assert "Passed on to France" in receipt
    assert (f"You wrote “{stray}” in it. That was passed on, too, and nothing" in receipt) == bool(
        stray
    )


def test_orders_sent_as_a_reply_to_press_by_mistake_stay_secret(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    receipt = say(marne, "A Berlin - Kiel\nA Munich - Ruhr", power="Germany", to=answer)
    assert "did not pass on" in receipt
    assert Press.objects.count() == 1
    say(marne, "SURE\nA Berlin - Kiel", power="Germany", to=answer)
    assert Press.objects.get(number=2).text == "A Berlin - Kiel"


def test_sure_below_a_greeting_is_the_same_word(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    say(marne, "Hallo,\n\nSURE\nA Berlin - Kiel", power="Germany", to=answer)
    assert Press.objects.get(number=2).text == "Hallo,\n\nA Berlin - Kiel"


def test_a_reply_that_begins_with_press_goes_where_that_says(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    say(marne, "PRESS TO Italy\nFrance asks me.", power="Germany", to=answer)
    assert Press.objects.get(number=2).to == ["Italy"]


def test_another_cannot_answer_with_a_forwarded_reply_address(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    assert write("Emma", "No!", to=answer).state == InboundMail.State.HELD
    assert Press.objects.count() == 1


def test_nobody_writes_press_by_a_forged_from(marne: Cast) -> None:
    assert write("Carla", "PRESS TO Germany\nAttack me!").state == InboundMail.State.HELD
    assert Press.objects.count() == 0


def test_a_held_answer_is_passed_on_when_its_owner_says_so(marne: Cast) -> None:
    say(marne, "PRESS TO Germany\nShall we?")
    answer = told()[address_of("Dmitri")].reply_to
    held = write("Dmitri", "Yes!", to=answer, sender="Dmitri <dmitri@elsewhere.test>")
    assert held.state == InboundMail.State.HELD
    write("Dmitri", "yes", to=addresses.challenge_address(mail=held, now=NOW))
    assert Press.objects.get(number=2).text == "Yes!"


def test_a_conversation_is_one_thread_in_each_mailbox(marne: Cast) -> None:
    jobs.tell(NOW)
    to = order_address(marne, "France")
    write("Carla", "PRESS TO Germany\nShall we?", to=to, message_id="<first@carla>")
    first = told()[address_of("Dmitri")]
    say(marne, "Yes!", power="Germany", to=first.reply_to)
    second = told()[address_of("Carla")]
    say(marne, "Good.", to=second.reply_to)
    third = told()[address_of("Dmitri")]
    assert first.subject == second.subject == third.subject == "[marne] Press: France, Germany"
    root = threads.root(marne.phase, marne.player("Carla")).message_id
    assert second.references == f"{root} <first@carla>"
    root = threads.root(marne.phase, marne.player("Dmitri")).message_id
    assert first.references == root
    assert third.references.split()[:2] == [root, first.message_id]
    assert "<first@carla>" not in third.references


def test_a_mail_that_is_delivered_twice_is_passed_on_once(marne: Cast) -> None:
    to = order_address(marne, "France")
    for _ in range(2):
        write("Carla", "PRESS TO Germany\nHello.", to=to, message_id="<same@carla>")
    assert Press.objects.count() == 1


@each_row("line", ["Press on, my friend", "Press", "press the button to win"])
def test_a_line_that_only_begins_like_press_sends_nothing(marne: Cast, line: str) -> None:
    say(marne, line)
    assert Press.objects.count() == 0


def test_a_broadcast_of_nothing_is_refused(marne: Cast) -> None:
    assert "no text to pass on" in say(marne, "BROADCAST")


def test_the_text_of_press_keeps_its_paragraphs() -> None:
    letter = read_letter(eml("PRESS TO Italy\nOne.\n\nTwo.\nEND PRESS\nREADY", sender="a@b.test"))
    press, ready = read_script(letter, WORDS)
    assert [(line.number, line.text) for line in press.lines] == [(2, "One."), (4, "Two.")]
    assert ready.command == "ready"
