"""Which status may follow which."""

from __future__ import annotations

import pytest

from games.errors import WrongState
from games.lifecycle import FOLLOWING, change_status, require
from games.models import Game

Status = Game.Status


@pytest.mark.parametrize("start", Status)
@pytest.mark.parametrize("to", Status)
def test_only_the_allowed_changes_happen(start: Status, to: Status) -> None:
    game = Game(name="marne", status=start)
    if to in FOLLOWING[start]:
        change_status(game, to)
        assert game.status == to
    else:
        with pytest.raises(WrongState, match=r"The game marne .*\."):
            change_status(game, to)
        assert game.status == start


def test_a_finished_game_is_only_played_again_by_a_rollback() -> None:
    assert FOLLOWING[Status.FINISHED] == frozenset({Status.ACTIVE})


def test_a_wrong_status_is_said_in_a_sentence() -> None:
    with pytest.raises(WrongState, match=r"^The game marne is paused\.$"):
        require(Game(name="marne", status=Status.PAUSED), Status.ACTIVE)
