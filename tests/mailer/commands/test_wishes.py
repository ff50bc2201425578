"""Wishes written as people talk: recognised, offered, and done for one word of reply."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from games.models import Game, OrderSet, Press
from games.services.accounts.merging import players_merge
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import address_add
from games.services.setup.games import game_create
from mailer.commands.lines.spoken_to import powers_addressed
from mailer.commands.wishes.letters import message
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.reading.quotes import Line
from tests.cast import NOW, Cast, make_player
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, write
from tests.mailer.correspondence import replied as said
from tests.mailer.reports import dsn
from tests.rows import each_row

pytestmark = pytest.mark.django_db
AT_WORK = "carla@work.test"
POWERS = ("Austria", "England", "Germany", "Italy", "Russia", "Turkey")


def send(cast: Cast, text: str, *, at: dt.datetime = NOW) -> InboundMail:
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    return write("Carla", text, to=to, received_at=at)


@each_row(
    ("text", "powers"),
    [
        ("Hi Germany, I would like to propose an alliance.", ["Germany"]),
        ("Dear Germany and Italy,", ["Germany", "Italy"]),
        ("to: Germany", ["Germany"]),
        ("@turkey can you hear me?", []),
        ("@turkey: can you hear me?", ["Turkey"]),
        ("Hello to Russia! Shall we?", ["Russia"]),
        ("REPLY TO Germany: yes, let's", ["Germany"]),
        ("DM Turkey: hello", ["Turkey"]),
        ("PM to Germany", ["Germany"]),
        ("Russia, are you there?", ["Russia"]),
        ("Liebes Germany, wollen wir?", ["Germany"]),
        ("Germany moves to Burgundy I think", []),
        ("I like Germany, and Italy.", []),
        ("France, that is me", []),
    ],
)
def test_whom_a_line_speaks_to(text: str, powers: list[str]) -> None:
    found = powers_addressed(text, POWERS)
    assert (found[0] if found else []) == powers


@pytest.mark.parametrize("text", ["ismail, shall we?", "ISMAIL, shall we?", "İSMAİL, shall we?"])
def test_a_name_is_found_whatever_the_capitals_of_its_alphabet(text: str) -> None:
    assert powers_addressed(text, POWERS, {"İsmail": "Turkey"}) == (["Turkey"], "shall we?")


@each_row(
    ("text", "heading"),
    [
        ("Please tell all but Turkey that I come", "PRESS TO ALL BUT Turkey on"),
        ("Write to Germany but Turkey must not know", "PRESS TO Germany on"),
        ("Tell Germany and Italy without Russia, please", "PRESS TO Germany, Italy on"),
        ("Tell everyone that I come", "BROADCAST on"),
    ],
)
def test_who_must_not_read_a_letter_is_not_among_those_for_whom_we_say_how_to_write(
    text: str, heading: str
) -> None:
    wish = message([Line(1, text)], POWERS)
    assert wish
    assert f"write {heading} a line" in wish.instead


def test_a_letter_to_a_power_is_passed_on_for_a_yes(marne: Cast) -> None:
    body = said(send(marne, "A Par - Bur\n\nHi Germany,\nI would like an alliance.\nBest, Carla"))
    assert "This reads like a letter to Germany" in body
    assert "Reply with the word YES" in body
    assert not Press.objects.exists()
    done = send(marne, "YES")
    press = Press.objects.get()
    assert press.to == ["Germany"]
    assert "I would like an alliance." in press.text
    assert "A Par" not in press.text
    assert "Passed on to Germany" in said(done)
    assert "We have already done" in said(send(marne, "Yes!"))
    assert Press.objects.count() == 1


def test_a_second_yes_to_an_offer_that_was_corrected_claims_nothing_was_done(marne: Cast) -> None:
    """What it offered could not be done, and something else waits for a YES."""
    first = answer_to(send(marne, "A Par - Bur\n\nHi Germany,\nI would like an alliance."))
    OutboundMail.objects.filter(pk=first.pk).update(on_yes="SET TIMEZONE Berlin")
    headers = f"In-Reply-To: {first.message_id}\r\n"

    def yes() -> InboundMail:
        return receive(eml("YES", sender=first.recipient, to=first.reply_to, headers=headers))

    assert answer_to(yes()).on_yes == "SET TIMEZONE Europe/Berlin"
    again = said(yes())
    assert "We have already done" not in again
    assert "What is waiting for a YES now is “SET TIMEZONE Europe/Berlin”" in again


def test_a_yes_means_the_offer_although_its_player_is_a_part_of_another_account_since(
    marne: Cast,
) -> None:
    assert "Reply with the word YES" in said(send(marne, "Hi Germany,\nshall we?"))
    players_merge(
        kept=make_player("Ida"), other=marne.player("Carla"), why="One.", by="mo", now=NOW
    )
    assert "Passed on to Germany" in said(send(marne, "YES"))


def two_addresses(cast: Cast) -> str:
    """The reply address of Carla, who has a second address now."""
    address = address_add(player=cast.player("Carla"), email=AT_WORK, now=NOW)
    address_confirm(address=address, now=NOW)
    return addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)


def yes_to(mail: OutboundMail) -> None:
    headers = f"In-Reply-To: {mail.message_id}\r\n"
    receive(eml("YES", sender=AT_WORK, to=mail.reply_to, headers=headers))


def test_a_yes_to_the_copy_of_a_receipt_says_which_one_it_is_for(marne: Cast) -> None:
    to = two_addresses(marne)
    first = write("Carla", "Hi Germany, shall we be friends?", to=to, sender=AT_WORK)
    write("Carla", "Hi Italy, shall we be friends?", to=to, sender=AT_WORK)
    yes_to(first.answers.get(kind="copy"))
    assert Press.objects.get().to == ["Germany"]


@pytest.mark.parametrize("names_it", [True, False])
def test_a_yes_to_a_receipt_that_was_sent_again_elsewhere_does_it(
    marne: Cast, names_it: bool
) -> None:
    mail = write("Carla", "Hi Germany, shall we be friends?", to=two_addresses(marne))
    receive(dsn(addresses.bounce_address(answer_to(mail).message_id)))
    again = mail.answers.get(recipient=AT_WORK)
    if names_it:
        yes_to(again)
    else:
        write("Carla", "YES", to=again.reply_to, sender=AT_WORK)
    assert Press.objects.get().to == ["Germany"]


def test_orders_below_a_letter_are_no_part_of_it(marne: Cast) -> None:
    send(marne, "Germany, shall we be friends?\nA Par - Bur\nand peace")
    send(marne, "yes")
    assert Press.objects.get().text == "Germany, shall we be friends?"


def test_where_there_is_no_press_nothing_is_offered(marne: Cast) -> None:
    Game.objects.update(press_mode=Game.PressMode.NONE)
    body = said(send(marne, "Hi Germany, shall we be friends?"))
    assert "YES" not in body
    assert "Nobody has seen it" in body


def test_days_away_are_noted_for_a_yes(marne: Cast) -> None:
    body = said(send(marne, "I am on vacation next week."))  # NOW is Monday, 2 March 2026
    assert "away from Mon 9 Mar 2026 to Sun 15 Mar 2026, both days included" in body
    player = marne.player("Carla")
    assert not player.absences.exists()
    send(marne, "ok")
    assert str(player.absences.get().first) == "2026-03-09"
    assert str(player.absences.get().last) == "2026-03-15"


def test_days_that_cannot_be_read_are_asked_for(marne: Cast) -> None:
    body = said(send(marne, "I will be away on 3/4 and I do not know how long"))
    assert "write the first and the last day" in body
    assert "YES" not in body


@each_row(
    ("text", "advice"),
    [
        ("could we please have more time this turn", "EXTEND 24h"),
        ("sorry but I quit, this is no fun", "write RESIGN"),
        ("quit marne", "write RESIGN"),
        ("who marne", "write STATUS"),
        ("who plays Germany?", "write STATUS"),
        ("Who am I playing?", "write STATUS"),
        ("shall we call it a draw, everybody", "VOTE DRAW"),
        ("Can you change the fleet please, rest as before", "write AMEND"),
        ("oops forgot, is it to late for orders?", "write STATUS"),
        ("When does the game go on?", "write STATUS"),
        ("Please ignore my last mail", "write CLEAR"),
        ("Please disregard my previous orders.", "write CLEAR"),
        ("undo my orders", "write CLEAR"),
        ("I take back my moves", "write CLEAR"),
        ("please send me all the results again", "write HISTORY"),
        ("my new address is carla@work.test", "write SET ADDRESS"),
        ("Can I create a game for me and my friends?", "write CREATE"),
    ],
)
def test_other_wishes_are_answered_with_how_they_are_written(
    marne: Cast, text: str, advice: str
) -> None:
    assert advice in said(send(marne, text))


def test_in_a_fast_game_as_much_time_is_advised_as_may_be_asked_for(marne: Cast) -> None:
    Game.objects.update(movement_length=dt.timedelta(minutes=30))
    assert "one line: EXTEND 30m and why" in said(send(marne, "I need more time this week"))
    assert "For example: EXTEND 30m I am" in said(send(marne, "EXTEND 30m"))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("STATUS marn", "STATUS marne"),
        ("VOTE CONCEDE TO Germny", "VOTE CONCEDE TO Germany"),
    ],
)
def test_a_misspelt_name_in_a_command_is_put_right_for_a_yes(
    marne: Cast, wrong: str, right: str
) -> None:
    body = said(send(marne, wrong))
    assert f"You wrote “{wrong}”:" in body
    assert f"Reply with the word YES, and we take it as “{right}”." in body
    assert said(send(marne, "YES")) == said(send(marne, right))


def test_press_to_a_misspelt_power_is_sent_for_a_yes(marne: Cast) -> None:
    mail = send(marne, "PRESS TO Germny\nshall we?\nEND PRESS\nA Par - Bur")
    assert "Did you mean Germany?" in said(mail)
    assert not Press.objects.exists()
    send(marne, "Yes")
    press = Press.objects.get()
    assert (press.to, press.text) == (["Germany"], "shall we?")


@each_row(
    ("heading", "to"),
    [
        ("PRSS TO Germany", ["Germany"]),
        ("pess to Germany, Italy", ["Germany", "Italy"]),
        ("PRRESS TO Germany:", ["Germany"]),
    ],
)
def test_a_letter_below_a_misspelt_word_press_is_sent_for_a_yes_only(
    marne: Cast, heading: str, to: list[str]
) -> None:
    mail = send(marne, f"{heading}\nShall we be friends?\nEND PRESS\nA Par - Bur")
    assert "This reads like a letter to Germany" in said(mail)
    assert "Reply with the word YES, and we pass all of it on" in said(mail)
    assert not Press.objects.exists()
    send(marne, "Yes")
    press = Press.objects.get()
    assert (press.to, press.text) == (to, "Shall we be friends?")


ALL_BUT_TURKEY = "Austria, England, Germany, Italy and Russia"


@each_row(
    ("command", "greeting", "readers"),
    [
        ("PRSS TO ALL: ", "", "everybody"),
        ("BROADCST: ", "", "everybody"),
        ("", "To all but Turkey:\n", ALL_BUT_TURKEY),
        ("BROADCST\n", "Sauf la Turquie :\n", ALL_BUT_TURKEY),
        ("BROADCAST, ", "NOT TO TURKEY:\n", ALL_BUT_TURKEY),
    ],
)
def test_a_letter_alone_below_a_heading_of_another_spelling_is_told_of_and_nothing_else(
    marne: Cast, command: str, greeting: str, readers: str
) -> None:
    mail = send(marne, f"{command}{greeting}Peace!\nWho joins?")
    assert f"NOT SENT to {readers}" in mail.answers.get().subject
    assert "We could not use any line" not in said(mail)
    send(marne, "Yes")
    assert Press.objects.get().text == f"{greeting}Peace!\nWho joins?"


def test_words_like_press_before_other_words_are_no_letter(marne: Cast) -> None:
    for text in ("Dress to impress\nand be there", "Broadcasts are fun\nand so are you"):
        assert "reads like a letter" not in said(send(marne, text))


def test_two_wishes_in_one_mail_are_asked_for_by_name(marne: Cast) -> None:
    body = said(send(marne, "STATUS marn\nPRESS TO Germny\nshall we?"))
    assert "YES" not in body
    assert "Then write: STATUS marne" in body
    assert "nothing to confirm" in said(send(marne, "YES"))


def test_a_yes_that_proves_nothing_does_nothing(marne: Cast) -> None:
    send(marne, "Hi Germany, shall we be friends?")
    write("Carla", "YES", to="judge@game.test")
    write("Carla", "YES", to=home("Carla"))
    assert not Press.objects.exists()


def test_a_yes_never_orders(marne: Cast) -> None:
    body = said(send(marne, "A Par - Burgundyy\nA Marr - Nowhere"))
    assert "Reply with the word YES" not in body
    before = OrderSet.objects.count()
    send(marne, "YES")
    assert OrderSet.objects.count() == before


@each_row(
    ("text", "right"),
    [("REDAY", "READY"), ("STATSU please", "STATUS"), ("STATSU\nthanks so much for it", "STATUS")],
)
def test_a_misspelt_command_alone_is_asked_about_and_done_for_a_yes(
    marne: Cast, text: str, right: str
) -> None:
    wrong = text.splitlines()[0]
    mail = send(marne, text)
    body = said(mail)
    assert (
        f"You wrote “{wrong}”, which is not a command we know. Did you mean {right}? Then reply "
        "with the word YES. France has orders for 0 of 3 units."
    ) in body
    assert "Example of" not in body
    assert "These orders stand now" not in body
    assert mail.answers.get().subject == f"[marne] NOT understood: {wrong}"
    assert said(send(marne, "YES")) == said(send(marne, right))


def test_what_other_programs_call_a_command_is_known(marne: Cast) -> None:
    send(marne, "A Par - Bur")
    body = said(send(marne, "CANCEL"))
    assert "Did you mean CLEAR, to take back all your orders for this phase?" in body
    assert "Your earlier orders stand: France has orders for 1 of 3 units." in body
    assert "Your orders are taken back." in said(send(marne, "YES"))


def test_a_command_that_cannot_be_taken_back_is_not_done_for_a_yes(marne: Cast) -> None:
    body = said(send(marne, "RESING"))
    assert "Did you mean RESIGN? Then please write it that way." in body
    assert "YES" not in body


def test_a_misspelt_command_that_cannot_be_done_is_refused_at_once(marne: Cast) -> None:
    body = said(send(marne, "JION somme"))
    assert "Did you mean JOIN somme? There is no game “somme”." in body
    assert "YES" not in body


@pytest.mark.parametrize("text", ["RESEND", "wheres my orders"])
def test_a_word_that_begins_otherwise_is_not_meant_for_a_command(marne: Cast, text: str) -> None:
    assert "Did you mean" not in said(send(marne, text))


def test_a_word_that_is_like_no_command_gets_a_short_answer(marne: Cast) -> None:
    body = said(send(marne, "hgkjh\nABSENCE FROM 24 to 26 December"))
    assert (
        " NOT UNDERSTOOD You wrote “hgkjh”, which is neither an order nor a command we know."
        in body
    )
    assert "Example of" not in body


def test_a_command_with_words_that_it_does_not_take_gets_a_short_answer(marne: Cast) -> None:
    body = said(send(marne, "READY to go"))
    assert "Please write READY on a line of its own (HELP READY explains it)." in body
    assert "These orders stand now" not in body


@each_row("text", ["paris", "A Par - Bur\nSTAUS", "A Xyz - Abc\nSTAUS", "Par to Bur"])
def test_what_may_be_an_order_still_gets_the_whole_receipt(marne: Cast, text: str) -> None:
    assert "These orders stand now for France" in said(send(marne, text))


def test_a_misspelt_command_is_asked_about_in_no_game_too(marne: Cast) -> None:
    mail = write("Hugo", "LIZT", to=home("Hugo"))
    assert "Did you mean LIST? Then reply with the word YES." in said(mail)
    assert mail.answers.get().subject == "NOT understood: LIZT"


def test_a_misspelt_command_among_orders_is_named_with_the_right_one(marne: Cast) -> None:
    body = said(send(marne, "A Par - Bur\nREDAY"))
    assert "If you meant the command, write: READY" in body
    assert "YES" not in body


def test_prose_gets_no_talk_of_a_parser(marne: Cast) -> None:
    body = said(send(marne, "my train is very late"))
    assert "reads like something said to people" in body
    assert "province" not in body


@each_row(
    ("press", "how"),
    [
        ("both", "put PRESS TO and a power on a line"),
        ("private", "put PRESS TO and a power on a line"),
        ("public", "put BROADCAST on a line"),
        ("none", None),
    ],
)
def test_words_to_others_beside_orders_bring_how_to_write_them(
    marne: Cast, press: str, how: str | None
) -> None:
    Game.objects.update(press_mode=press)
    body = said(send(marne, "A Par - Bur\nWould anybody here want to be friends with me?"))
    assert "reads like something said to people" in body
    assert ("To write to other players, " in body) is (how is not None)
    assert (how or "") in body


def test_somebody_who_wants_to_be_replaced_reads_how_to_resign(marne: Cast) -> None:
    body = said(send(marne, "Replace me please, I have no time any more"))
    assert "To give up your power, write RESIGN" in body


@each_row(
    "question",
    [
        "Could Germany please support me to Belgium?",
        "Will A Mun support me?",
        "Can you hold Munich for me?",
    ],
)
@each_row("above", ["", "A Par - Bur\n"])
def test_a_question_with_words_of_orders_is_said_to_people(
    marne: Cast, question: str, above: str
) -> None:
    body = said(send(marne, above + question))
    assert f"“{question}”: this reads like something said to people" in body
    assert "is not the beginning of an order" not in body


@each_row("line", ["Is A Par - Bur legal?", "A Par - Bur or Pic?", "A Par S Bur?"])
def test_a_question_about_an_order_is_told_what_is_wrong_with_it_once(
    marne: Cast, line: str
) -> None:
    assert said(send(marne, line)).count(f"You wrote “{line}”") == 1


def test_status_comes_first_then_what_was_not_used(marne: Cast) -> None:
    body = said(send(marne, "A Par - Bur\nA Gas - Par\nREADY"))
    order = [
        "1 line NOT used. France has orders for 1 of 3 units.",
        "NOT USED",
        "These orders stand now",
    ]
    assert sorted(order, key=body.index) == order
    assert body.count("Deadline:") == 1


@each_row(
    "letter",
    [
        "Hi Germany, I would like to attack Russia",
        "Hi Germany,\nwhat do you think about an attack on Russia?",
        "Hi Germany, what do you think about an attack on Russia? I could support you.",
        "Dear Germany,\nI am on holiday next week, let us talk then.",
    ],
)
def test_a_letter_is_offered_first_and_never_denied(marne: Cast, letter: str) -> None:
    mail = send(marne, letter)
    assert mail.answers.get(kind="reply").subject == "[marne] NOT SENT to Germany"
    body = said(mail)
    assert body.partition("Hello Carla, ")[2].startswith("This reads like a letter to Germany: ")
    assert re.search(r"(?:”\.|[.?]”) Reply with the word YES", body)
    assert "France has orders for 0 of 3 units." in body
    for denial in ("a greeting", "found nothing", "NOT ordered", "NOT USED", "no order in your"):
        assert denial not in body


def test_an_absence_is_offered_first_and_no_word_said_of_orders_refused(marne: Cast) -> None:
    mail = send(marne, "Dear all,\nI am on vacation next week.\nthank you all for your patience")
    assert mail.answers.get(kind="reply").subject == "[marne] NOT noted yet: your absence"
    body = said(mail)
    assert body.partition("Hello Carla, ")[2].startswith("You wrote “I am on vacation next week.” ")
    assert "- You wrote “thank you all for your patience”" in body
    assert "NOT USED" not in body


@pytest.mark.parametrize(
    "text", ["A Par - Xyzzy\nHi Germany, what now?", "Hi Germany, what now?\nA Par - Xyzzy"]
)
def test_a_bad_order_beside_a_letter_is_told_first(marne: Cast, text: str) -> None:
    mail = send(marne, text)
    assert "NOT ordered" in mail.answers.get(kind="reply").subject
    assert "There is no province “Xyzzy”" in said(mail)
    assert "a greeting" not in said(mail)


def test_a_mail_of_which_nothing_is_used_says_that_earlier_orders_stand(marne: Cast) -> None:
    send(marne, "A Par - Bur\nA Mar H\nF Bre H")
    body = said(send(marne, "A Par - Xyzzy"))
    assert (
        "We could not use any line of your mail. Your earlier orders stand: every unit of France "
        "has one." in body
    )


def test_a_misspelt_power_in_a_list_is_put_right_for_a_yes(marne: Cast) -> None:
    game_create(name="yours", gm=marne.gm, now=NOW)
    asked = write("Carla", "JOIN yours Germny; France", to=home("Carla")).answers.get()
    assert "we take it as “JOIN yours Germany; France”" in flat(asked.body)
    done = write("Carla", "YES", to=asked.reply_to).answers.get()
    assert done.subject == "[yours] You have joined"
    assert "Your list: Germany; France" in flat(done.body)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("WHATIF\nGermny: A Mun - Bur", "Germany: A Mun - Bur"),
        ("SET ZONE Berlin", "SET ZONE Europe/Berlin"),
    ],
)
def test_every_command_puts_a_misspelt_name_right(marne: Cast, wrong: str, right: str) -> None:
    assert f"we take it as “{right}”" in said(send(marne, wrong))
    assert "nothing to confirm" not in said(send(marne, "YES"))


@pytest.mark.parametrize("above", ["GM marne", "gm [marne]:"])
def test_what_a_player_writes_below_gm_and_a_game_is_no_command_of_their_own(
    marne: Cast, above: str
) -> None:
    Game.objects.filter(pk=marne.game.pk).update(player_extensions=2)
    due_at = marne.phase.due_at
    mail = send(marne, f"{above}\nEXTEND 1h because I say so\nREADY")
    assert mail.answers.get(kind="reply").subject == "NOT done: GM"
    assert "You are not the game master of a game here" in said(mail)
    assert "nothing was done about it or what is below it" in said(mail)
    marne.phase.refresh_from_db()
    assert marne.phase.due_at == due_at
    assert not marne.phase.readiness.exists()


def test_orders_below_a_greeting_to_the_gm_count(marne: Cast) -> None:
    send(marne, "GM Alice,\nA Par - Bur")
    assert "A Par - Bur" in OrderSet.objects.get().lines


@pytest.mark.parametrize("line", ["GM PROCESS", "gm marne process"])
def test_a_players_gm_command_is_no_order(marne: Cast, line: str) -> None:
    mail = send(marne, line)
    assert mail.answers.get(kind="reply").subject == "NOT done: GM"
    assert f"You wrote “{line}”: You are not the game master of a game here" in said(mail)
    assert "order" not in said(mail)
    send(marne, f"A Par - Bur\n{line}\nA Mar H")
    lines = OrderSet.objects.get().lines
    assert len(lines) == 2, lines


def test_an_apology_for_a_delay_asks_for_no_extension(marne: Cast) -> None:
    assert "EXTEND" not in said(send(marne, "so sorry for the delay, all\nA Par - Bur"))
    assert "EXTEND 24h" in said(send(marne, "Sorry, I need more time this week"))
