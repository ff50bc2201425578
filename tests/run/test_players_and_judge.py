"""The scripted players against the judge's real mails: new wording must stay readable."""

from __future__ import annotations

import datetime as dt
import hashlib

import pytest

from diplomacy_server.demo.answers import letters_after
from diplomacy_server.demo.cast import CAST, ORGANISER, Person
from diplomacy_server.demo.organiser import letters_of_organiser
from diplomacy_server.demo.reading import Mail, Retreat, read_situation
from games.models import Player, Power, Seat
from games.queries.board import Dislodgement, Duty
from games.queries.phases.next_phase import NextPhase
from mailer.inbound import processing
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.notices import tell_event
from mailer.notices.parts.duties import must_do
from tests.cast import NOW, Cast

MINUTE = dt.timedelta(minutes=1)


def as_received(mail: OutboundMail) -> Mail:
    return Mail(mail.subject, mail.body, mail.message_id, mail.references, mail.reply_to)


def judge_reads(raw: bytes) -> list[Mail]:
    """Let a mail go through the judge's hands; return the mails that answer it."""
    mailbox, _ = Mailbox.objects.get_or_create(url="imap://judge@127.0.0.1/INBOX")
    mail = InboundMail.objects.create(
        mailbox=mailbox,
        uidvalidity=1,
        uid=mailbox.mails.count() + 1,
        sha256=hashlib.sha256(raw).hexdigest(),
        raw=raw,
        received_at=NOW + MINUTE,
        stored_at=NOW + MINUTE,
    )
    processing.process_mail(mail_id=mail.pk, now=NOW + MINUTE)
    return [as_received(answer) for answer in mail.answers.all()]


def carla() -> Person:
    """A scripted player who sits where the cast has Carla."""
    person = Person("Carla", "France", "-- \nCarla")
    assert person.address == "carla@players.example"
    return person


def from_carla(person: Person, raw: bytes) -> bytes:
    return raw.replace(person.address.encode(), b"carla@players.test")


def test_the_start_mail_is_answered_with_orders_that_are_followed(marne: Cast) -> None:
    (event,) = marne.events("game_started")
    start = next(
        mail for mail in tell_event(event, now=NOW) if mail.recipient == "carla@players.test"
    )
    situation = read_situation(as_received(start))
    assert situation is not None
    assert situation.power == "France"
    assert situation.to_order == ("A Marseilles", "A Paris", "F Brest")
    assert situation.units["Russia"] == (
        "A Moscow",
        "A Warsaw",
        "F Sevastopol",
        "F St Petersburg(sc)",
    )
    assert len(situation.centres) == 7

    person = carla()
    # Their slips of the pen follow from the Message-ID: after this one they make none.
    start.message_id = "<start@games.test>"
    (answer,) = letters_after(as_received(start), person)
    (receipt,) = judge_reads(from_carla(person, answer.as_bytes()))
    assert "[marne]" in receipt.subject
    assert marne.phase.order_sets.filter(counts=True).count() == 1
    # A receipt with nothing amiss ends the conversation.
    assert letters_after(receipt, person) == []


def test_a_receipt_that_misses_a_unit_is_answered_with_an_amendment(marne: Cast) -> None:
    (event,) = marne.events("game_started")
    start = next(
        mail for mail in tell_event(event, now=NOW) if mail.recipient == "carla@players.test"
    )
    raw = (
        f"From: carla@players.test\r\nTo: {start.reply_to}\r\nSubject: x\r\n\r\n"
        "A Paris - Moscow\r\nA Marseilles - Spain\r\nF Brest Holds\r\n"
    )
    (receipt,) = judge_reads(raw.encode())
    person = carla()
    (amendment,) = letters_after(receipt, person)
    judge_reads(from_carla(person, amendment.as_bytes()))
    sets = list(marne.phase.order_sets.order_by("id"))
    assert [one.mode for one in sets] == ["replace", "amend"]
    assert any("Paris" in line for line in sets[-1].lines)
    assert sets[-1].counts


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (
            Duty("Italy", "M", units=("A Rome", "F St Petersburg(sc)")),
            {"to_order": ("A Rome", "F St Petersburg(sc)")},
        ),
        (
            Duty(
                "Italy",
                "R",
                units=("A Rome", "F Naples"),
                retreats=(
                    Dislodgement("Italy", "A Rome", ("Apulia", "North Africa")),
                    Dislodgement("Italy", "F Naples", ()),
                ),
            ),
            {
                "retreats": (
                    Retreat("A Rome", ("Apulia", "North Africa")),
                    Retreat("F Naples", ()),
                )
            },
        ),
        (
            Duty("Italy", "A", builds=2, sites=("Naples", "Rome", "Venice")),
            {"builds": 2, "build_sites": ("Naples", "Rome", "Venice")},
        ),
        (Duty("Italy", "A", disbands=1), {"disbands": 1}),
    ],
    ids=["movement", "retreats", "builds", "disbands"],
)
def test_every_duty_is_read_as_the_judge_words_it(what: Duty, expected: dict[str, object]) -> None:
    step = NextPhase("S1901M", "Spring 1901 movement", what.step, None, MINUTE, False, what, False)
    seat = Seat(power=Power(name="Italy"), player=Player(timezone="UTC"))
    text = "You play Italy. " + " ".join(must_do(step, seat, NOW))
    situation = read_situation(Mail("[marne] results", text, "<1@x>", "", "judge+x@localhost"))
    assert situation is not None
    assert {name: getattr(situation, name) for name in expected} == expected


def test_the_organiser_recognises_the_end_of_a_game(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(
        "diplomacy_server.demo.organiser.make_game", lambda name: not made.append(name)
    )
    going_on = Mail("[sample] Fall 1903 movement: results", "It goes on.", "<1@x>", "", "judge@x")
    assert letters_of_organiser(going_on, ORGANISER) == []
    over = Mail(
        "[sample-2] The game is over: Turkey has won",
        "The game sample-2 is over. Turkey has won with 18 centres.",
        "<1@x>",
        "",
        "judge@x",
    )
    invitations = letters_of_organiser(over, ORGANISER)
    assert made == ["sample-3"]
    assert [letter["To"] for letter in invitations] == [person.address for person in CAST]
    foreign = Mail("[marne] results", over.text, "<1@x>", "", "judge@x")
    assert letters_of_organiser(foreign, ORGANISER) == []
