"""Powers whose names have several words, as Chaos has one, in every command that names a power."""

from __future__ import annotations

import datetime as dt

import pytest

from games.models import Application, Game, Power
from games.queries.board import first_state
from games.services.adjudication.opening import phase_open
from games.services.setup.games import game_create
from mailer.outbound import addresses
from tests.cast import NOW, make_player
from tests.mailer.correspondence import flat, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@each_row(
    ("written", "kept"),
    [
        ("St Petersburg", "St Petersburg"),
        ("st. petersburg; [Moscow or Warsaw]", "St Petersburg; [Moscow or Warsaw]"),
        ("Moscow or St Petersburg", "[Moscow or St Petersburg]"),
    ],
)
def test_join_reads_names_of_several_words(written: str, kept: str) -> None:
    game = game_create(name="storm", variant="chaos", now=NOW)
    make_player("Ana")
    body = flat(write("Ana", f"JOIN storm {written}", to=home("Ana")).answers.get().body)
    assert "You have a seat in the game storm." in body
    assert Application.objects.get(game=game).preferences in (written, kept)


@each_row("written", ["storm St Petersburg", "St. Petersburg storm", "storm St.Pete"])
def test_takeover_reads_names_of_several_words(written: str) -> None:
    game = game_create(name="storm", variant="chaos", now=NOW)
    home = addresses.player_address(address=make_player("Hugo").record, now=NOW)
    Power.objects.filter(game=game, name="St Petersburg").update(open_since=NOW - dt.timedelta(1))
    Game.objects.update(status=Game.Status.ACTIVE)
    phase_open(game=game, number=1, state=first_state("chaos"), now=NOW)
    body = flat(write("Hugo", f"TAKEOVER {written}", to=home).answers.get().body)
    assert "you now play St Petersburg in the game storm" in body
