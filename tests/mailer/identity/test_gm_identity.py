"""Which game master's mail is believed: the second table of docs/identity.md, cell by cell."""

from __future__ import annotations

import itertools

import pytest
from pytest_django import Settings

from games.models import Player
from games.services.accounts.players import address_confirm, player_register
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, seat_fill
from tests.mailer.correspondence import JUDGE, eml, flat, receive
from tests.mailer.identity_tables import GAME_MASTERS, SERVER, cells, results, rows
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
AS_GM = "the game master's reply address"
AS_PLAYER = "their own reply address as a player"
ADDRESSES = (AS_GM, AS_PLAYER, "our own address")
SENDERS = {"game master": "gm@players.test", "somebody else": "zoe@players.test"}
SAID = ("passed", "nothing", "failed")
REQUESTS = {"look": "STATUS", "change": "EXTEND 24h because of rain", "grave": "PROCESS"}


def test_the_table_has_a_row_for_every_combination() -> None:
    assert [tuple(row[:3]) for row in rows(GAME_MASTERS)] == list(
        itertools.product(ADDRESSES, SENDERS, SAID)
    )


@each_row(("address", "sender", "said", "request_", "expected"), cells(GAME_MASTERS, REQUESTS))
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
    to = _written_to(address, marne)
    text = REQUESTS[request_] if address == AS_GM else f"GM marne {REQUESTS[request_]}"
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


def _written_to(address: str, cast: Cast) -> str:
    """The address, with whatever must be true for the GM to have it."""
    if address == AS_GM:
        return addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    if address == AS_PLAYER:
        return addresses.player_address(address=_the_gm_as_a_player().record, now=NOW)
    return JUDGE


def _the_gm_as_a_player() -> Player:
    return address_confirm(
        address=player_register(name="Gerda", email=SENDERS["game master"], now=NOW), now=NOW
    )


def test_the_reply_address_of_a_power_does_not_prove_its_player_as_the_gm(marne: Cast) -> None:
    """Players forward such mails to their allies, and a From line is soon forged."""
    france = marne.game.powers.get(name="France")
    seat = seat_fill(game=marne.game, power=france, player=_the_gm_as_a_player(), now=NOW)
    to = addresses.seat_address(seat=seat, phase=marne.phase, now=NOW)
    mail = receive(eml("GM marne PAUSE because of rain", sender="gm@players.test", to=to))
    assert mail.state == State.HELD
    assert not marne.events("game_paused")
    assert OutboundMail.objects.filter(kind="question", recipient="gm@players.test").exists()


@each_row("request_", REQUESTS)
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
    assert f"It contains the command {word}." in flat(question.body)
    assert "reply with the word YES" in flat(question.body)
    receive(eml("What is this?", sender="gm@players.test", to=question.reply_to))
    held.refresh_from_db()
    assert held.state == State.HELD
    assert (marne.phase.name, marne.phase.due_at) == ("S1901M", before)
