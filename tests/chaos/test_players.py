"""The scripted players of the chaos run lose nothing themselves, and say truly what they wrote."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from diplomacy_server.demo.answers import AS_READ, first_letter
from diplomacy_server.demo.cast import CAST
from diplomacy_server.demo.handwriting import reply
from diplomacy_server.demo.reading import read_mail
from tests.chaos import players
from tests.chaos.diary import Diary
from tests.chaos.players import Correspondent, Draft, Mailbox
from tests.servers import Dovecot, Relay
from tests.servers.relay import Fault

WELCOME = b"From: judge@game.test\r\nMessage-ID: <w1>\r\nSubject: Welcome, Ana\r\n\r\nHello.\r\n"


@pytest.fixture
def correspondent(
    dovecot: Dovecot, smtp: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Correspondent]:
    monkeypatch.setattr(players, "SENT_TWICE", 0.0)
    monkeypatch.setattr(players, "THINKING_SECONDS", (0.0, 0.0))
    ana = CAST[0]
    mailbox = Mailbox(ana.address, dovecot.port)
    mailbox.new()  # what other tests left
    diary = Diary(tmp_path / "diary.jsonl")
    yield Correspondent(ana, mailbox, smtp.port, diary, 5.0, random.Random(1))
    mailbox.close()


def arrived(smtp: Relay) -> Counter[str]:
    return Counter(mail.message_id for mail in smtp.accepted if mail.sender == CAST[0].address)


def test_a_mail_that_comes_twice_is_answered_once(
    correspondent: Correspondent, smtp: Relay
) -> None:
    for _ in range(2):
        smtp.send("judge@game.test", correspondent.person.address, WELCOME)

    correspondent.look(0.0)
    correspondent.look(0.0)

    assert [draft.message["Subject"] for draft in correspondent.drafts] == ["Re: Welcome, Ana"]


def test_what_is_not_taken_is_sent_again_until_it_is(
    correspondent: Correspondent, smtp: Relay
) -> None:
    draft = Draft(first_letter(correspondent.person), "", 0.0)
    correspondent.drafts.append(draft)
    smtp.faults[:] = [Fault.TEMPFAIL, Fault.LOST_250]

    for second in range(0, 60, 3):
        correspondent.send(float(second))

    assert not correspondent.drafts
    assert list(arrived(smtp).values()) == [2], "the one with the lost 250 and the last"
    attempts = correspondent.diary.read()
    assert [attempt.taken for attempt in attempts] == [False, False, True]
    assert {attempt.message_id for attempt in attempts} == set(arrived(smtp))
    assert {attempt.kind for attempt in attempts} == {"letter"}


def test_nothing_is_sent_before_its_time(correspondent: Correspondent, smtp: Relay) -> None:
    correspondent.drafts.append(Draft(first_letter(correspondent.person), "", 10.0))
    correspondent.send(9.0)
    assert not arrived(smtp)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A Paris - Burgundy\nF Brest Holds", "orders"),
        ("AMEND\nF Brest H", "orders"),
        (AS_READ, "letter"),
    ],
)
def test_a_word_on_a_guess_is_no_set_of_orders(text: str, kind: str) -> None:
    mail = read_mail(WELCOME)
    assert {Draft(reply(person, mail, text), "marne", 0.0).kind for person in CAST} == {kind}


def test_everybody_begins_by_registering(correspondent: Correspondent) -> None:
    letter = first_letter(correspondent.person)
    assert letter["To"] == settings.JUDGE_ADDRESS
    assert "REGISTER" in str(letter.get_content())
