"""Which game master's mail is believed: the second table of docs/identity.md, cell by cell."""

from __future__ import annotations

import itertools

import pytest
from pytest_django import Settings

from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import JUDGE, eml, flat, receive
from tests.mailer.identity_tables import GAME_MASTERS, SERVER, cells, results, rows

pytestmark = pytest.mark.django_db
State = InboundMail.State
ADDRESSES = ("the game master's reply address", "our own address")
SENDERS = {"game master": "gm@players.test", "somebody else": "zoe@players.test"}
SAID = ("passed", "nothing", "failed")
REQUESTS = {"look": "STATUS", "change": "EXTEND 24h because of rain", "grave": "PROCESS"}


def test_the_table_has_a_row_for_every_combination() -> None:
    assert [tuple(row[:3]) for row in rows(GAME_MASTERS)] == list(
        itertools.product(ADDRESSES, SENDERS, SAID)
    )


@pytest.mark.parametrize(
    ("address", "sender", "said", "request_", "expected"), cells(GAME_MASTERS, REQUESTS)
)
def test_every_cell_of_the_table_is_true(
    marne: Cast,
    settings: Settings,
    address: str,
    sender: str,
    said: str,
    request_: str,
    expected: str,
) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER
    to_gm = address == ADDRESSES[0]
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW) if to_gm else JUDGE
    text = REQUESTS[request_] if to_gm else f"GM marne {REQUESTS[request_]}"
    before = marne.phase.due_at
    mail = receive(eml(text, sender=SENDERS[sender], to=to, headers=results(said)))
    asked = OutboundMail.objects.filter(kind="question", recipient="gm@players.test").exists()
    done = {
        "look": any("Nothing has come yet" in one.body for one in mail.answers.all()),
        "change": marne.phase.due_at != before,
        "grave": marne.phase.name != "S1901M",
    }[request_]
    assert done == (expected == "done")
    assert asked == (expected == "asked")
    assert (mail.state == State.HELD) == (expected in ("held", "asked"))
    if expected == "refused":
        assert "REGISTER" in mail.answers.get().body


@pytest.mark.parametrize("request_", REQUESTS)
def test_what_a_stranger_sent_to_the_gms_address_is_done_when_the_gm_says_so(
    marne: Cast, request_: str
) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    before = marne.phase.due_at
    receive(eml(REQUESTS[request_], sender="zoe@players.test", to=to))
    question = OutboundMail.objects.get(kind="question")
    receive(eml("yes", sender="gm@players.test", to=question.reply_to))
    changed = marne.phase.due_at != before or marne.phase.name != "S1901M"
    assert changed == (request_ != "look")


@pytest.mark.parametrize("request_", ["change", "grave"])
def test_what_a_stranger_sent_is_named_and_only_the_word_confirm_sets_it_free(
    marne: Cast, request_: str
) -> None:
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    before = marne.phase.due_at
    held = receive(eml(REQUESTS[request_], sender="zoe@players.test", to=to))
    question = OutboundMail.objects.get(kind="question")
    word = REQUESTS[request_].split()[0]
    assert f"It has the command {word}." in flat(question.body)
    assert "reply with the word YES" in flat(question.body)
    receive(eml("What is this?", sender="gm@players.test", to=question.reply_to))
    held.refresh_from_db()
    assert held.state == State.HELD
    assert (marne.phase.name, marne.phase.due_at) == ("S1901M", before)
