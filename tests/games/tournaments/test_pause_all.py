"""The clocks of all games of a tournament, stopped and let run again in one act."""

from __future__ import annotations

import pytest

from games.models import Event, Game
from tests.cast import DAY, Cast
from tests.games.acts.acting import LATER, Acting
from tests.games.tournaments.cups import OWN_PAUSE, make_cup, pauses

pytestmark = pytest.mark.django_db

WHY = "The club moves house."


@pytest.fixture
def cup(db: None) -> Cast:
    return make_cup()


def test_all_games_stop_and_run_again_at_once_and_a_pause_of_its_own_stays(cup: Cast) -> None:
    acting = Acting(cup.game, "pause_all")
    assert acting.act.done_to(cup.game) == cup.game.tournament
    typed = {"length": "2d", "why": WHY}
    said = acting.foresee(**typed)
    assert "marne and r2-1: The clock stops in Spring 1901 movement." in said
    assert "Already paused, and left as before: r3-1." in said
    assert pauses() == OWN_PAUSE
    assert acting.confirm(**typed) == "The games marne and r2-1 are paused."
    assert acting.foresee(**typed) == (
        "The game marne is paused. “Pause” changes when that ends, and “Resume all games” ends it."
    )
    assert pauses() == OWN_PAUSE | dict.fromkeys(("marne", "r2-1"), LATER + 2 * DAY)
    assert Event.objects.filter(kind="game_paused", payload__why=WHY).count() == 2

    acting = Acting(cup.game, "resume_all")
    chosen = Game.objects.filter(name__in=("marne", "r2-1"))
    both = [str(one.pk) for one in chosen]
    said = acting.foresee(games=both, why="We are back.")
    assert "marne and r2-1: The clock runs again." in said
    said = acting.confirm(games=both, why="We are back.")
    assert said == "The clocks of marne and r2-1 run again."
    assert pauses() == OWN_PAUSE
    [own] = Game.objects.filter(name__in=OWN_PAUSE)
    assert "is told by mail." in Acting(own, "resume_all").foresee()
    assert Event.objects.filter(kind="game_resumed", payload__why="We are back.").count() == 2


def test_if_one_game_cannot_be_paused_none_is_and_it_is_named(cup: Cast) -> None:
    Game.objects.filter(name="r2-1").update(gm=None)
    said = Acting(cup.game, "pause_all").confirm(why=WHY)
    assert said.startswith("You are not the GM of the game r2-1. Choose the other games")
    assert pauses() == OWN_PAUSE
