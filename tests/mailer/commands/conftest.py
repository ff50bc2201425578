"""A game looking for players, for commands about such games."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services.setup.games import game_create
from tests.cast import NOW, Cast


@pytest.fixture
def verdun(marne: Cast) -> Game:
    """A game looking for players."""
    return game_create(name="verdun", gm=marne.gm, now=NOW)
