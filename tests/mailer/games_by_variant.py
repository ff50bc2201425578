"""A game of every variant by mail, from JOIN to the results: `make test-variants`.

Not among the tests that `make test` runs: `test_variants.py` plays the one that has most of its
own. Here each power orders something legal in every phase, whatever the map offers, in the notation
that the judge prints; every receipt and every result mail must have every order.
"""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from atlas import Subject, draw
from judge import Position, adjudicate, load_variant, variant_names
from mailer.models import OutboundMail
from tests.mailer.by_variant import answer, begun_by_mail, mailed, start_mail
from tests.mailer.correspondence import flat

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(900)]

PHASES = 5


@pytest.mark.parametrize("variant", variant_names())
def test_a_game_is_played_by_mail(variant: str) -> None:
    table = begun_by_mail(variant)
    differs = load_variant(variant).differs
    for seat in table.seats():
        told = start_mail(seat)
        assert f"you play {seat.power.name}" in told
        assert all(paragraph in told for paragraph in differs)
    rules = flat(answer(mailed(seat.player, f"RULES {table.game.name}", now=table.now)).body)
    assert load_variant(variant).title in rules
    for _ in range(PHASES):
        if table.game.status != "active":
            break
        phase = table.phase
        ordered = table.play_phase()
        assert any(ordered.values())
        mails = OutboundMail.objects.filter(event__phase=phase, player=seat.player)
        body = flat(mails.exclude(kind="reply").latest("pk").body)
        for order in (order for given in ordered.values() for order in given):
            assert order in body


@pytest.mark.parametrize("variant", variant_names())
def test_its_board_is_drawn(variant: str) -> None:
    position = Position.start(load_variant(variant))
    outcome = adjudicate(position, {})
    picture = draw(Subject(position, tuple(outcome.results), outcome.next), "board")
    assert Image.open(io.BytesIO(picture.png())).format == "PNG"
    ET.fromstring(picture.svg())
