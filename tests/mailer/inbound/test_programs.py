"""Mails that bear the mark of a program: none that says something to us is dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.models import Conduct, Event, OrderSet, Press
from mailer import notices
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, answer_to, flat, receive, to_seat
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
LETTERS = Path(__file__).parents[1] / "letters"
IN_THE_CORPUS = b"judge+abcdefghijklmnopqrstuvwxyz2@game.test"
ORDERS = "A Paris - Burgundy\nA Mar - Spa\nF Bre - MAO"

PEOPLE = sorted(
    path.stem
    for path in LETTERS.glob("*.eml")
    if path.stem.startswith(("headers-", "subject-")) or path.stem == "mailing-list"
)


def to_france(cast: Cast) -> str:
    return to_seat(cast)


def mail(
    text: str, *headers: str, to: str = JUDGE, name: str = "Carla", subject: str = ""
) -> bytes:
    head = [f"From: {name} <{address_of(name)}>", f"To: {to}", f"Subject: {subject}", *headers]
    return "\r\n".join([*head, "", *text.splitlines(), ""]).encode()


@each_row("name", PEOPLE)
def test_orders_from_every_provider_count(marne: Cast, name: str) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    done = receive(raw.replace(IN_THE_CORPUS, to_france(marne).encode()))
    assert done.state == State.DONE
    assert OrderSet.objects.get().counts
    assert "Paris - Burgundy" in answer_to(done).body


HINTS = [
    *("Precedence: bulk", "Precedence: list", "Precedence: junk", "List-Id: <x.players.test>"),
    *("List-Unsubscribe: <mailto:x@y.test>", "List-Post: <mailto:x@y.test>", "X-Loop: x"),
]
NO_MARKS = [
    *("Feedback-ID: 1:user:proton", "X-Auto-Response-Suppress: All", "Auto-Submitted: no"),
    *("Auto-Submitted: No; x=y", "Precedence: first-class", "X-Mailer: robot"),
]
SURE = [
    *("Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied (vacation)"),
    *("Auto-Submitted: notify", "Return-Path: <>", "X-Autoreply: yes", "Precedence: auto_reply"),
]


@each_row("header", [*HINTS, *NO_MARKS])
@each_row("text", [ORDERS, "STATUS", "HELP\nthank you"])
def test_behind_a_hint_a_reply_is_read_like_any_other(marne: Cast, header: str, text: str) -> None:
    done = receive(mail(text, header, to=to_france(marne)))
    assert done.state == State.DONE
    assert done.answers.exists()


@each_row("header", SURE)
def test_behind_a_sure_mark_the_owner_is_asked(marne: Cast, header: str) -> None:
    held = receive(mail(ORDERS, header, to=to_france(marne)))
    assert held.state == State.HELD
    assert not OrderSet.objects.exists()
    asked = answer_to(held)
    assert asked.recipient == "carla@players.test"
    assert "as if a program wrote it" in flat(asked.body)


def test_nobody_is_told_to_make_the_address_of_a_mailing_list_their_own(marne: Cast) -> None:
    raw = mail(ORDERS, "List-Id: <club.groups.test>", to=to_france(marne))
    held = receive(raw.replace(b"<carla@players.test>", b"<club@groups.test>"))
    assert held.state == State.HELD
    assert "SET ADDRESS" not in answer_to(held).body


@each_row("header", SURE)
def test_after_the_owner_has_said_yes_the_orders_of_a_script_count(
    marne: Cast, header: str
) -> None:
    held = receive(mail(ORDERS, header, to=to_france(marne)))
    done = receive(mail("CONFIRM", to=answer_to(held).reply_to))
    assert done.state == State.DONE
    assert OrderSet.objects.get().counts


@each_row("header", [*HINTS, *SURE])
@each_row("text", ["I am away until Monday.", "> A Par - Bur", "Ich bin bis Montag im Urlaub.", ""])
def test_a_vacation_program_s_answer_stays_unanswered(marne: Cast, header: str, text: str) -> None:
    away = receive(mail(text, header, to=to_france(marne)))
    assert away.state == State.IGNORED
    assert not OutboundMail.objects.exists()


@each_row("subject", ["Automatic reply: results", "Abwesenheitsnotiz", "Read: x"])
def test_a_subject_tells_only_of_mails_that_say_nothing(marne: Cast, subject: str) -> None:
    away = receive(mail("I am away until Monday.", to=to_france(marne), subject=subject))
    assert away.state == State.IGNORED
    assert receive(mail(ORDERS, to=to_france(marne), subject=subject)).state == State.DONE


@pytest.mark.parametrize("subject", ["Read: this, please", "Vacation: may I play?"])
def test_a_newcomer_is_answered_whatever_the_subject(db: None, subject: str) -> None:
    done = receive(mail("REGISTER Zoe Zander", name="Zoe", subject=subject))
    assert done.answers.exists()


@each_row("header", [*HINTS, *SURE])
def test_without_proof_or_a_reply_address_a_marked_mail_is_dropped(
    marne: Cast, header: str
) -> None:
    assert receive(mail(ORDERS, header)).state == State.IGNORED
    assert receive(mail("LIST", header, name="Zoe")).state == State.IGNORED
    assert not OutboundMail.objects.exists()


@each_row("header", [*HINTS, *SURE])
def test_in_a_foreign_name_to_a_valid_reply_address_the_owner_is_asked(
    marne: Cast, header: str
) -> None:
    held = receive(mail(ORDERS, header, to=to_france(marne), name="Zoe"))
    assert held.state == State.HELD
    assert answer_to(held).recipient == "carla@players.test"


RSVP = (
    "--x\nContent-Type: text/plain\n\n{text}\n"
    "--x\nContent-Type: text/calendar; charset=utf-8; method={method}\n\n"
    "BEGIN:VCALENDAR\nMETHOD:{method}\nEND:VCALENDAR\n--x--"
)
MIXED = 'Content-Type: multipart/alternative; boundary="x"'


@each_row("method", ["REPLY", "reply", "COUNTER"])
def test_what_a_calendar_answers_to_a_deadline_of_ours_is_ignored(marne: Cast, method: str) -> None:
    text = "Carla has accepted this invitation.\nmarne: Spring 1901 movement (France)"
    answer = receive(mail(RSVP.format(text=text, method=method), MIXED, to=to_france(marne)))
    assert answer.state == State.IGNORED
    assert not OutboundMail.objects.exists()


@pytest.mark.parametrize("kind", ["text/calendar", "application/ics; name=invite.ics"])
def test_a_calendars_answer_is_known_by_its_file_where_its_type_does_not_say(
    marne: Cast, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    text = "Carla has accepted this invitation."
    raw = RSVP.format(text=text, method="REPLY").replace(
        "text/calendar; charset=utf-8; method=REPLY", kind
    )
    with caplog.at_level("INFO", logger="mailer.models.inbound"):
        answer = receive(mail(raw, MIXED, to=to_france(marne)))
    assert answer.state == State.IGNORED
    assert not OutboundMail.objects.exists()
    assert f"Mail #{answer.pk} is ignored" in caplog.text
    assert "a calendar program answers one of our entries" in caplog.text


def test_orders_in_a_calendars_answer_are_not_lost(marne: Cast) -> None:
    """Calendars let people add a word: their owner is asked whether it was theirs."""
    raw = mail(RSVP.format(text=ORDERS, method="REPLY"), MIXED, to=to_france(marne))
    assert receive(raw).state == State.HELD


def test_a_calendar_file_that_somebody_sends_along_is_no_answer(marne: Cast) -> None:
    raw = mail(RSVP.format(text=ORDERS, method="PUBLISH"), MIXED, to=to_france(marne))
    assert receive(raw).state == State.DONE


GMAIL = (
    "--x\nContent-Type: text/plain; charset=utf-8\n\n👍\n\nCarla Dupont reacted via Gmail\n"
    "--x\nContent-Type: text/vnd.google.email-reaction+json; charset=utf-8\n\n"
    '{"emoji":"👍","version":1}\n--x--'
)


def press_to_france(cast: Cast) -> str:
    """Where Carla answers what Germany wrote to her."""
    to = to_seat(cast, "Germany")
    receive(mail("PRESS TO France\nHello!", to=to, name="Dmitri"))
    notices.tell_event(Event.objects.get(kind="press_sent"), now=NOW)
    return OutboundMail.objects.get(kind="press_sent", recipient=address_of("Carla")).reply_to


def test_a_thumb_pressed_in_gmail_is_no_mail_to_anybody(marne: Cast) -> None:
    to = press_to_france(marne)
    assert receive(mail(GMAIL, MIXED, to=to)).state == State.IGNORED
    assert receive(mail(GMAIL, MIXED, to=to_france(marne))).state == State.IGNORED
    assert Press.objects.count() == 1


def test_the_name_in_a_reaction_by_outlook_is_not_passed_on_as_press(marne: Cast) -> None:
    text = "[like]  Carla Dupont reacted to your message:\n____________\n"
    text += "From: judge <judge@game.test>\nSent: Monday, March 2, 2026 1:00 PM\nTo: Carla\n"
    text += "Subject: Press\n\nHello!"
    answer = receive(mail(text, to=press_to_france(marne)))
    assert "NOT SENT" in answer_to(answer).subject
    assert Press.objects.count() == 1


def test_no_report_is_ever_read_for_orders(marne: Cast) -> None:
    report = 'Content-Type: multipart/report; boundary="x"'
    text = f"--x\n\n{ORDERS}\n--x--"
    assert receive(mail(text, report, to=to_france(marne))).state == State.IGNORED


@each_row(
    ("header", "subject", "asks"),
    [(SURE[1], "", State.HELD), ("X: x", "Out of office", State.DONE)],
)
def test_a_vacation_program_s_words_go_to_the_moderators_and_nobody_answers_them(
    marne: Cast, header: str, subject: str, asks: State
) -> None:
    """They may be the player's own, of whom the moderators would think that they said nothing."""
    own = marne.player("Carla").addresses.get()
    to = addresses.moderators_address(address=own, now=NOW)
    away = receive(mail("I am away.", header, to=to, subject=subject))
    assert away.state == State.IGNORED
    assert away.note.endswith("The moderators have it.")
    assert not OutboundMail.objects.exists()
    why = Conduct.objects.get(kind=Conduct.Kind.ASKED).why
    assert why.startswith("I am away.\n\n(A program may have written this: ")
    assert receive(mail("MODERATOR\nI am back.", header, to=to, subject=subject)).state == asks


def test_a_vacation_program_s_words_are_not_passed_on_as_press(marne: Cast) -> None:
    assert receive(mail("PRESS TO Germany\nHello!", to=to_france(marne))).state == State.DONE
    (press,) = Event.objects.filter(kind="press_sent")
    notices.tell_event(press, now=NOW)
    reply_to = OutboundMail.objects.get(recipient=address_of("Dmitri")).reply_to
    away = receive(mail("I am away.", "Precedence: bulk", to=reply_to, name="Dmitri"))
    assert away.state == State.HELD
    assert Press.objects.count() == 1
