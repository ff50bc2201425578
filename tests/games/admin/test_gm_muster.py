"""How the GM's page and the commands start a game that musters."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.core.management import call_command

from games.acts import GAME_ACTS
from games.acts.parameters import Nothing
from games.models import Game, Player
from games.queries.access.staff_names import Actor
from games.queries.parsing.game_names import game_by_name
from games.queries.phases.musters import silent_players
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, POWERS, make_player, seat_fill
from tests.made import made_once

START = GAME_ACTS["start"]


@pytest.fixture
def full(db: None) -> Game:
    """A game whose places are taken, the last one by its GM's hand, and which has not started."""
    made_once("full by its GM's hand", fill)
    return Game.objects.get(name="marne")


def fill() -> None:
    game = game_create(name="marne", muster=2 * DAY, now=NOW)
    *names, last = POWERS
    for name in names:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    seat_fill(game=game, power=game.powers.get(name="Turkey"), player=make_player(last), now=NOW)


def test_starting_a_game_with_a_muster_asks_the_players_first(full: Game) -> None:
    foreseen = " ".join(START.forecast(full, Nothing(), NOW))
    assert "they have 2 days to answer" in foreseen or "they have 2d to answer" in foreseen
    done = START.do(full, Nothing(), by=Actor("gm"), now=NOW)
    assert done.said == (
        "The players of marne are asked whether they are here. It starts when all have answered."
    )
    assert game_by_name("marne").status == Game.Status.MUSTER


def test_starting_it_again_waits_no_longer_and_says_for_whom_it_did(full: Game) -> None:
    START.do(full, Nothing(), by=Actor("gm"), now=NOW)
    full.refresh_from_db()
    assert "though these have not said that they are here: Ana, Ben" in " ".join(
        START.forecast(full, Nothing(), NOW)
    )
    assert START.do(full, Nothing(), by=Actor("gm"), now=NOW).said == "The game marne has started."
    assert game_by_name("marne").status == Game.Status.ACTIVE


def test_the_commands_know_the_muster(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_game", "marne", "--muster", "48h", "--min-reliability", "80")
    game = game_by_name("marne")
    assert (game.muster, game.min_reliability) == (2 * DAY, 80)
    for name in list(POWERS)[:-1]:
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    greta = make_player("Greta")
    seat_fill(game=game, power=game.powers.get(name="Turkey"), player=greta, now=NOW)
    with time_machine.travel(NOW, tick=False):
        call_command("start_game", "marne")
    assert "They can answer until 2026-03-04 12:00 UTC." in capsys.readouterr().out
    assert len(silent_players(game)) == Player.objects.count() - 1
    with time_machine.travel(NOW + dt.timedelta(hours=1), tick=False):
        call_command("start_game", "marne")
    assert "Started marne with" in capsys.readouterr().out
