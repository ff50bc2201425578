"""One mail to its answer: what is done, what is held, what is set aside, who is told."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from pytest_django import Settings

from games.models import Address, OrderSet, Player, Press
from games.queries.orders.current_orders import current_decisions, readings
from mailer.commands.calls import ORDERS
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.views.list import List
from mailer.commands.script import read_script
from mailer.inbound import copies, processing, retries
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.replies import budget
from tests.cast import NOW, Cast, address_of
from tests.mailer.beside import beside
from tests.mailer.correspondence import JUDGE, answer_to, eml, flat, receive, stored, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
HOUR = dt.timedelta(hours=1)
LATER = 9 * HOUR
"""When a program that heard no 250 tries again."""
SECOND = dt.timedelta(seconds=1)
SET = "A Par - Bur\nA Mar - Spa\nF Bre - MAO\n"
SAID = f"{SET}READY"


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = JUDGE


@pytest.fixture
def france(marne: Cast) -> str:
    """The reply address of Carla, who plays France."""
    return to_seat(marne)


# --- what is done ---------------------------------------------------------------------------


def test_orders_to_the_reply_address_are_kept_and_answered(marne: Cast, france: str) -> None:
    mail = write("Carla", SET, to=france)
    assert mail.state == State.DONE
    orders = OrderSet.objects.get()
    assert orders.counts
    assert orders.power.name == "France"
    assert orders.mail.mail == mail
    answer = answer_to(mail)
    assert answer.recipient == "carla@players.test"
    assert "1 of 3: A Marseilles - Spain" in answer.body
    assert answer.in_reply_to == mail.message_id
    assert answer.reply_to == france


def test_the_answer_quotes_no_line_that_could_be_read_as_an_order(marne: Cast, france: str) -> None:
    texts = [
        SET,
        "A Pariss - Gascony\nF Brest - Gasgony Bay and further\nA Mar S A Par - Bur\nF Bre H",
        "A Par - Pic\nA Mar S A Par - Bur\nF Brest - Mid-Atlantic Ocean",
        "STATUS\nORDERS\nMAP\nLIST\nHELP\nSET\nCLEAR\nJOIN nowhere\nJOIN\nREADY\nWAIT",
        "ABSENCE\nHISTORY\nLEAVE marne\nREGISTER X\nSIGNOFF\nA Par H",
        *(f"HELP {name}" for name in COMMANDS),
        "\n".join(f"this is line {number} of a long story" for number in range(9)),
    ]
    bodies = [answer_to(write("Carla", text, to=france)).body for text in texts]
    for body in bodies:
        own_words = read_letter(b"From: carla@players.test\n\n" + body.partition("-##")[2].encode())
        commands = {call.command for call in read_script(own_words, WORDS)} - {ORDERS}
        assert not {
            command
            for command in commands
            if COMMANDS[command].secured or command in ("join", "register")
        }
    lines = [line for body in bodies for line in body.splitlines()]
    read = readings(marne.phase, "France", lines)
    assert [one.text for one in read if one.order] == []


def test_one_bad_line_costs_no_good_one(marne: Cast, france: str) -> None:
    body = flat(answer_to(write("Carla", "A Par - Bur\nA Parris - Nowhere\n", to=france)).body)
    assert "of 3: A Paris - Burgundy" in body
    assert "You wrote “A Parris - Nowhere”:" in body
    assert OrderSet.objects.get().counts


def test_every_line_of_a_mail_is_accounted_for(marne: Cast, france: str) -> None:
    text = "Hi,\nA Par - Bur\nnonsense\nSTATUS\n-- \nCarla\n> quoted\n"
    body = flat(answer_to(write("Carla", text, to=france)).body)
    for said in (
        "“Hi,”",
        "2 of 3: A Paris - Burgundy",
        "“nonsense”",
        "marne: it is Spring 1901 movement.",
        "“Carla”",
        "1 quoted line",
    ):
        assert said in body


def test_a_mail_that_came_in_time_but_is_read_late_counts(marne: Cast, france: str) -> None:
    due = marne.phase.due_at
    assert due is not None
    mail = write("Carla", SET, to=france, received_at=due, now=due + HOUR)
    assert OrderSet.objects.get().counts
    assert "too late" not in answer_to(mail).body


def test_a_late_set_is_kept_and_answered_as_late(marne: Cast, france: str) -> None:
    due = marne.phase.due_at
    assert due is not None
    mail = write("Carla", SET, to=france, received_at=due + HOUR)
    orders = OrderSet.objects.get()
    assert orders.late
    assert not orders.counts
    assert "too late" in answer_to(mail).body
    assert "too late" in answer_to(mail).subject


def test_an_amendment_changes_only_what_it_names(marne: Cast, france: str) -> None:
    write("Carla", SET, to=france)
    body = answer_to(write("Carla", "AMEND\nA Par H", to=france)).body
    assert "A Paris Holds" in body
    assert "A Marseilles - Spain" in body


# --- the same mail again --------------------------------------------------------------------


def test_a_mail_to_the_reply_addresses_of_two_games_says_for_which_it_was_not(
    marne: Cast, france: str
) -> None:
    somme = beside(marne, "somme")
    other = addresses.seat_address(seat=somme.seat("France"), phase=somme.phase, now=NOW)
    answer = answer_to(write("Carla", "READY", to=f"{france}, {other}"))
    assert answer.subject == (
        "[marne] NOT done: the same in somme; Spring 1901 movement: READY noted"
    )
    assert "nothing was done in somme" in flat(answer.body)
    assert not somme.phase.readiness.exists()


@pytest.mark.parametrize(
    ("text", "message_id", "date", "subject", "counts"),
    [
        ("A Par H", "<one@players.test>", NOW + HOUR, "Re: marne", False),
        ("PRESS TO Italy\nHello", "<by-a-relay@players.test>", NOW, "Re: marne", False),
        ("PRESS TO Italy\nHello", "<marked@players.test>", NOW, "[spam?] Re: marne", False),
        ("PRESS TO Italy\nHello", "<by-hand@players.test>", NOW + SECOND, "Re: marne", True),
    ],
)
def test_the_same_mail_again_changes_nothing_and_is_not_answered(
    marne: Cast,
    france: str,
    text: str,
    message_id: str,
    date: dt.datetime,
    subject: str,
    counts: bool,
) -> None:
    def come(at: dt.datetime, **header: Any) -> InboundMail:
        raw = eml(text, sender="Carla <carla@players.test>", to=france, **header)
        return receive(raw, received_at=at)

    come(NOW, message_id="<one@players.test>", date=NOW, subject="Re: marne")
    write("Carla", SET, to=france)
    before = (OrderSet.objects.count(), Press.objects.count())
    again = come(
        NOW + LATER, message_id=message_id, date=date, headers="X-Hop: 2\r\n", subject=subject
    )
    assert again.state == (State.DONE if counts else State.IGNORED)
    assert again.answers.exists() == counts
    assert ((OrderSet.objects.count(), Press.objects.count()) != before) == counts


def test_a_copy_without_a_subject_is_known_behind_many_other_mails(
    marne: Cast, france: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_MOST_COMPARED", 1)

    def come() -> InboundMail:
        sender = "Carla <carla@players.test>"
        return receive(eml("PRESS TO Italy\nHello", sender=sender, to=france, subject="", date=NOW))

    come()
    write("Carla", "ORDERS", to=france)
    assert come().state == State.IGNORED


def test_who_redirects_a_mail_by_hand_is_told_that_it_changes_nothing(
    marne: Cast, france: str
) -> None:
    raw = eml(SET, sender="Carla <carla@players.test>", to=france)
    receive(raw)
    again = receive(b"Resent-From: carla@players.test\r\n" + raw)
    assert OrderSet.objects.count() == 1
    assert "To say the same again, write it in a new mail." in flat(answer_to(again).body)


def test_of_commands_in_one_second_the_last_is_carried_out(marne: Cast, france: str) -> None:
    for text in ("READY", "WAIT", "READY"):
        receive(eml(text, sender="Carla <carla@players.test>", to=france, date=NOW))
    assert marne.phase.readiness.get().word == "ready"


@each_row(
    "text, says",
    [
        (
            "A Par H\nA Mar H\nF Bre H",
            "Nothing has changed. Not all of its orders still stand; if you want them back, send"
            " them in a new mail.",
        ),
        ("AMEND\nA Par H", "Nothing has changed. Not all of its orders still stand;"),
        ("A Par H\nREADY", "READY does not count, because this is a copy of a mail whose orders"),
        ("CLEAR", "We have this mail already, and took back what stood when it first came."),
    ],
)
def test_a_late_copy_by_another_message_id_does_not_replace_newer_orders(
    marne: Cast, france: str, text: str, says: str
) -> None:
    def come(at: dt.datetime, text: str, written: dt.datetime, subject: str = "!") -> InboundMail:
        sender = "Carla <carla@players.test>"
        raw = eml(text, sender=sender, to=france, date=written, subject=subject)
        return receive(raw, received_at=at)

    come(NOW, text, NOW)
    come(NOW + HOUR, SET, NOW + HOUR)
    marne.phase.readiness.all().delete()  # as orders that cannot be followed do
    copy = flat(answer_to(come(NOW + LATER, text, NOW, "[spam?]")).body)
    assert says in copy
    assert "1 of 3: A Marseilles - Spain 2 of 3: A Paris - Burgundy" in copy
    assert not marne.phase.readiness.exists()
    older = flat(answer_to(come(NOW + LATER, "A Par H", NOW - HOUR)).body)
    assert "before the orders of Mon 2 Mar 2026, 13:00 UTC, which stood until now." in older
    assert "If you want those instead, send them again." in older
    amended = flat(answer_to(come(NOW + 2 * LATER, "AMEND\nA Par - Gas", NOW)).body)
    assert "so it changes them." in amended
    anew = flat(answer_to(come(NOW + 3 * LATER, text, NOW + 3 * LATER)).body)
    assert "already" not in anew
    assert "before the orders of" not in anew


def test_ready_in_a_copy_was_said_when_the_first_one_came(marne: Cast, france: str) -> None:
    for at, text, written in ((0, SAID, 0), (1, "WAIT", 1), (2, SAID, 0)):
        sender, date = "Carla <carla@players.test>", NOW + written * HOUR
        raw = eml(text, sender=sender, to=france, date=date, subject=f"{at}")
        mail = receive(raw, received_at=NOW + at * HOUR)
    assert marne.phase.readiness.get().word == "wait"
    assert "You have said WAIT since this mail came, and that stands." in answer_to(mail).body


@each_row(
    "texts, units",
    [
        (["A Par H", "A Par - Gas", "A Par H"], {"A Paris": "A Paris Holds"}),
        (["A Par H", "AMEND\nA Mar - Spa", "A Par H"], {"A Paris": "A Paris Holds"}),
        (["CLEAR", "A Par H", "CLEAR"], {}),
        (["A Par H", "A Par - Gas", "A Par H", "A Par - Gas"], {"A Paris": "A Paris - Gascony"}),
        # These are copies.
        (["A Par H", "A Par - Gas", "A Par - Gas"], {"A Paris": "A Paris - Gascony"}),
        (["CLEAR\nA Par H", "CLEAR\nA Par H"], {"A Paris": "A Paris Holds"}),
    ],
)
def test_of_mails_with_one_date_the_last_counts(
    marne: Cast, france: str, texts: list[str], units: dict[str, str]
) -> None:
    """A script writes some within a second, a broken program has the same Date for all."""
    for number, text in enumerate(texts):
        raw = eml(text, sender="Carla <carla@players.test>", to=france, date=NOW)
        receive(raw, received_at=NOW + number * HOUR)
    power = marne.seat("France").power
    decided = current_decisions(marne.phase, power)
    assert {unit: order for unit, order in decided if order} == units


def test_a_stolen_message_id_does_not_shut_a_player_out(marne: Cast, france: str) -> None:
    write("Ben", "LIST", message_id="<guessed@players.test>")
    mail = write("Carla", SET, to=france, message_id="<guessed@players.test>")
    assert mail.state == State.DONE
    assert OrderSet.objects.get().counts


def test_a_guess_at_what_a_player_writes_does_not_shut_them_out(marne: Cast) -> None:
    guessed, own = (
        receive(eml("LIST", sender=address_of("Carla"), date=NOW), received_at=NOW + after)
        for after in (dt.timedelta(0), dt.timedelta(seconds=9))
    )
    assert (guessed.proof, guessed.state, own.state) == ("none", State.DONE, State.DONE)


# --- who is not believed --------------------------------------------------------------------


def test_a_forged_from_line_alone_orders_nothing(marne: Cast) -> None:
    mail = write("Carla", SET)
    assert mail.state == State.HELD
    assert not OrderSet.objects.exists()
    question = answer_to(mail)
    assert question.recipient == "carla@players.test"
    assert "A Par" not in question.body


def test_a_stolen_reply_address_alone_orders_nothing(marne: Cast, france: str) -> None:
    mail = write("Ben", SET, to=france)
    assert mail.state == State.HELD
    assert not OrderSet.objects.exists()
    assert answer_to(mail).recipient == "carla@players.test"


def test_a_reply_address_in_the_text_proves_nothing(marne: Cast, france: str) -> None:
    mail = write("Carla", f"{SET}\n> Reply-To: {france}\n{france}\n")
    assert mail.state == State.HELD


def test_reply_to_proves_nothing(marne: Cast, france: str) -> None:
    raw = eml(SET, sender="ben@players.test", to=france, headers="Reply-To: carla@players.test\r\n")
    assert receive(raw).state == State.HELD
    assert not OrderSet.objects.exists()


@each_row(
    "forged",
    [
        "carla@players.test <ben@players.test>",
        '"carla@players.test" <ben@players.test>',
        "carla@players.test, ben@players.test",
        "ben@players.test (carla@players.test)",
        "carla@players.test<ben@evil.test>",
        "Carla: carla@players.test;",
    ],
)
def test_a_from_line_with_two_readings_is_nobody_s(marne: Cast, france: str, forged: str) -> None:
    raw = eml(SET, sender=forged, to=france)
    assert receive(raw).state in (State.HELD, State.IGNORED)
    assert not OrderSet.objects.exists()


def test_a_held_mail_that_its_owner_confirms_counts_from_when_it_came(
    marne: Cast,
) -> None:
    held = write("Carla", SET)
    due = marne.phase.due_at
    assert due is not None
    write(
        "Carla",
        "Hi,\n\n> what?\n*Yes!*\n\nThat was me.",
        to=answer_to(held).reply_to,
        now=due - HOUR,
    )
    held.refresh_from_db()
    assert held.state == State.DONE
    orders = OrderSet.objects.get()
    assert orders.counts
    assert orders.received_at == NOW
    assert orders.mail.mail == held


def test_what_else_an_answer_to_a_question_holds_is_named(marne: Cast) -> None:
    held = write("Carla", SET)
    answer = answer_to(write("Carla", "yes\nF Bre H\nREADY", to=answer_to(held).reply_to))
    assert "did nothing else about these words" in flat(answer.body)
    assert "- You wrote “F Bre H” - You wrote “READY”" in flat(answer.body)
    assert OrderSet.objects.get().mail.mail == held
    write("Carla", "F Bre H", to=answer.reply_to, received_at=NOW + HOUR)
    assert OrderSet.objects.count() == 2


def test_orders_in_a_second_answer_to_a_question_are_named(marne: Cast) -> None:
    held = write("Carla", SET)
    write("Carla", "yes", to=answer_to(held).reply_to)
    again = answer_to(write("Carla", "F Bre H", to=answer_to(held).reply_to))
    assert "- You wrote “F Bre H”" in flat(again.body)
    write("Carla", "F Bre H", to=again.reply_to, received_at=NOW + HOUR)
    assert OrderSet.objects.count() == 2


@pytest.mark.parametrize("own", [True, False])
def test_the_receipt_of_a_held_mail_goes_to_the_address_it_came_from_if_it_is_the_player_s(
    marne: Cast, france: str, own: bool
) -> None:
    carla = marne.player("Carla")
    at = NOW if own else None
    Address.objects.create(player=carla, email="carla@work.test", confirmed_at=at, created_at=NOW)
    held = receive(eml(SET, sender="carla@work.test", to=JUDGE if own else france))
    assert held.state == State.HELD
    answer = write("Carla", "CONFIRM", to=answer_to(held).reply_to)
    told = OutboundMail.objects.filter(answers=answer).values_list("recipient", flat=True)
    assert set(told) == {address_of("Carla")} | ({"carla@work.test"} if own else set())


def test_a_held_mail_never_beats_a_set_that_came_after_it(marne: Cast, france: str) -> None:
    held = write("Carla", "A Par H\nA Mar H\nF Bre H")
    write("Carla", SET, to=france, received_at=NOW + HOUR)
    answer = write("Carla", "yes", to=answer_to(held).reply_to, received_at=NOW + 2 * HOUR)
    assert "A Marseilles - Spain" in answer_to(answer).body


def test_nobody_else_can_confirm_a_held_mail(marne: Cast) -> None:
    held = write("Carla", SET)
    answer = write("Ben", "yes", to=answer_to(held).reply_to)
    held.refresh_from_db()
    assert (held.state, answer.state) == (State.HELD, State.HELD)
    assert not OrderSet.objects.exists()


def test_a_mail_its_owner_refuses_is_dropped_for_good(marne: Cast) -> None:
    held = write("Carla", SET)
    reply_to = answer_to(held).reply_to
    write("Carla", "REFUSE", to=reply_to)
    write("Carla", "yes", to=reply_to, subject="again")
    held.refresh_from_db()
    assert held.state == State.IGNORED
    assert not OrderSet.objects.exists()


@each_row(
    "text",
    ["I did not send anything!", "What? That wasn't me.", "Nein, das war ich nicht", "yes, me"],
)
def test_an_answer_without_the_word_sets_nothing_free(marne: Cast, text: str) -> None:
    held = write("Carla", SET)
    doubt = answer_to(write("Carla", text, to=answer_to(held).reply_to))
    held.refresh_from_db()
    assert held.state == State.HELD
    assert "REFUSE" in doubt.body
    write("Carla", "CONFIRM\nit was not clear to me", to=doubt.reply_to)
    held.refresh_from_db()
    assert held.state == State.DONE
    assert OrderSet.objects.get().counts


def test_a_question_says_what_the_mail_holds_without_quoting_it(marne: Cast) -> None:
    body = flat(answer_to(write("Carla", f"{SET}READY")).body)
    assert "It contains 3 order lines and the command READY for France in the game marne." in body
    assert "Burgundy" not in body
    body = flat(answer_to(write("Carla", f"PHASE S1901M\n{SET}")).body)
    assert "It contains 3 order lines for France in the game marne." in body


def test_a_question_names_each_command_once(marne: Cast) -> None:
    body = flat(answer_to(write("Carla", "SET NAME Carla Cro\nSET REMINDERS OFF\nREADY")).body)
    assert "It contains the commands SET and READY for France in" in body


def test_a_question_names_a_word_of_older_judges_as_it_was_written(marne: Cast) -> None:
    body = flat(answer_to(write("Carla", f"{SET}PROCESS")).body)
    assert "It contains 3 order lines and the command PROCESS for France in the game marne." in body


def test_a_question_that_is_answered_is_not_answered_again(marne: Cast) -> None:
    held = write("Carla", SET)
    reply_to = answer_to(held).reply_to
    write("Carla", "yes", to=reply_to)
    second = write("Carla", "yes", to=reply_to, received_at=NOW + HOUR)
    assert "already answered" in answer_to(second).body
    assert OrderSet.objects.count() == 1


def test_a_player_without_reply_address_may_ask(marne: Cast) -> None:
    mail = write("Carla", "STATUS\nLIST\nHELP")
    assert mail.state == State.DONE
    assert answer_to(mail).recipient == "carla@players.test"


def test_an_answer_without_proof_shows_no_orders(marne: Cast, france: str) -> None:
    write("Carla", SET, to=france)
    mail = write("Carla", "STATUS marne")
    assert "Burgundy" not in answer_to(mail).body


# --- machines -------------------------------------------------------------------------------


@each_row(
    "headers",
    [
        "Auto-Submitted: auto-replied\r\n",
        "Precedence: bulk\r\n",
        "Return-Path: <>\r\n",
        "List-Id: <all.players.test>\r\n",
        "X-Autoreply: yes\r\n",
        "X-Auto-Reply-From: carla@players.test\r\n",
    ],
)
def test_a_machine_is_neither_answered_nor_obeyed(marne: Cast, france: str, headers: str) -> None:
    raw = eml("I am away until Monday.", sender="carla@players.test", to=france, headers=headers)
    mail = receive(raw)
    assert mail.state == State.IGNORED
    assert mail.note.startswith("A program wrote it")
    assert not OutboundMail.objects.filter(answers=mail).exists()
    assert not OrderSet.objects.exists()


@each_row(
    ("subject", "machine"),
    [
        ("Vacation: Re: [marne] Fall 1901 movement: results", True),
        ("Vacation reply: I am away", True),
        ("Gelesen: [marne] Fall 1901 movement: results", True),
        ("Lu : [marne] Fall 1901 movement: results", True),
        ("Respuesta automática: [marne]", True),
        ("Autoodpowiedź: [marne]", True),
        ("Not read: [marne] Fall 1901 movement: results", True),
        ("Re: Automatic reply: [marne]", True),
        ("Vacation in June", False),
        ("I have read: nothing", False),
    ],
)
def test_a_machine_is_known_by_its_subject(
    marne: Cast, france: str, subject: str, machine: bool
) -> None:
    away = "I am away until Monday."
    mail = receive(eml(away, sender="carla@players.test", to=france, subject=subject))
    assert (mail.state == State.IGNORED) is machine


def test_our_own_mail_is_not_answered(marne: Cast) -> None:
    mail = receive(eml("LIST", sender=JUDGE))
    assert mail.state == State.IGNORED
    assert not mail.answers.exists()


@pytest.mark.parametrize("sender", ["root@server", "a@192.0.2.1", f"{'a' * 250}@x.test"])
def test_who_cannot_be_written_to_is_not_answered_and_breaks_nothing(
    marne: Cast, france: str, settings: Settings, sender: str
) -> None:
    for text in ("LIST", "REGISTER Zoe"):
        mail = receive(eml(text, sender=sender))
        assert (mail.state, mail.error) == (State.IGNORED, "")
    owner = receive(eml("A Par - Bur", sender=sender, to=france))
    assert owner.answers.get().recipient == address_of("Carla")
    settings.MAILS_PER_HOUR = 1
    assert receive(eml("A Par - Pic", sender=sender, to=france)).state == State.LATER


def test_strangers_get_only_a_few_answers_a_day(db: None) -> None:
    mails = [write("Zoe", f"hello {number}") for number in range(budget.STRANGERS_BUDGET + 3)]
    answered = [mail for mail in mails if mail.answers.exists()]
    assert len(answered) == budget.STRANGERS_BUDGET
    assert "too many" in mails[-1].note
    tomorrow = write("Zoe", "hello again", received_at=NOW + dt.timedelta(days=1, seconds=1))
    assert tomorrow.answers.exists()


# --- what breaks ----------------------------------------------------------------------------


def broken(*args: object) -> None:
    raise RuntimeError("boom")


def test_a_mail_that_breaks_the_program_three_times_is_set_aside(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(List, "run", broken)
    poison = stored(eml("LIST", sender="carla@players.test"))
    good = stored(eml("STATUS", sender="ben@players.test"))
    now = NOW
    assert processing.process_inbound(now=now, limit=10) == 1
    good.refresh_from_db()
    assert good.state == State.DONE
    for _ in range(3):
        now += HOUR
        processing.process_inbound(now=now, limit=10)
    poison.refresh_from_db()
    assert poison.state == State.QUARANTINED
    assert poison.attempts == retries.ATTEMPTS
    assert poison.error.startswith("RuntimeError in inbound/test_one_mail.py, line ")
    assert "boom" not in poison.error, "an error's text may quote orders"
    told = answer_to(poison)
    assert told.recipient == "carla@players.test"
    assert "boom" not in told.body


def test_what_a_broken_mail_began_is_undone(
    marne: Cast, france: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(List, "run", broken)
    write("Carla", f"{SET}LIST", to=france)
    assert not OrderSet.objects.exists()


def test_a_mail_that_was_set_aside_can_be_run_again(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(List, "run", broken)
        mail = stored(eml("LIST", sender="carla@players.test"))
        for hour in range(4):
            processing.process_mail(mail_id=mail.pk, now=NOW + hour * HOUR)
    InboundMail.objects.update(state=State.NEW, attempts=0, retry_at=None)
    assert processing.process_mail(mail_id=mail.pk, now=NOW + 9 * HOUR) == State.DONE
    assert mail.answers.filter(kind="reply").count() == 1


def test_a_mail_is_worked_on_once(marne: Cast, france: str) -> None:
    mail = write("Carla", SET, to=france)
    assert processing.process_mail(mail_id=mail.pk, now=NOW + HOUR) is None
    assert OutboundMail.objects.filter(answers=mail).count() == 1


# --- from stranger to player ----------------------------------------------------------------


def test_a_stranger_becomes_a_player_by_two_mails(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    assert asked.recipient == "zoe@players.test"
    assert not Address.objects.get().confirmed_at
    welcome = answer_to(write("Zoe", "sure!", to=asked.reply_to))
    assert Player.objects.get().address == "zoe@players.test"
    assert "Welcome" in welcome.subject


def test_nobody_can_confirm_another_s_address(db: None) -> None:
    asked = answer_to(write("Zoe", "REGISTER Zoe Miller"))
    mail = write("Ben", "sure!", to=asked.reply_to)
    assert mail.state == State.HELD
    assert not Address.objects.get(email="zoe@players.test").confirmed_at


def test_a_stranger_who_writes_anything_else_is_told_how_to_begin(db: None) -> None:
    mail = write("Zoe", "A Par - Bur")
    assert "REGISTER" in answer_to(mail).body
    assert mail.state == State.DONE


def test_a_mail_with_nothing_but_a_quote_says_where_to_write(marne: Cast, france: str) -> None:
    mail = write("Carla", "> A Par - Bur\n", to=france)
    assert "above the quoted text" in flat(answer_to(mail).body)
    assert not OrderSet.objects.exists()
