"""A GM's mail ends with commands that the game can follow as it stands."""

from __future__ import annotations

import pytest

from games.models import Game
from mailer.notices.notice import gm_hint
from tests.mailer.correspondence import flat


@pytest.mark.parametrize(
    ("status", "offered", "useless"),
    [
        ("forming", "INVITE", "EXTEND"),
        ("muster", "START", "EXTEND"),
        ("active", "EXTEND", "RESUME"),
        ("paused", "RESUME", "EXTEND"),
        ("finished", "LOG", "EXTEND"),
    ],
)
def test_a_gm_is_offered_what_the_game_can_follow(status: str, offered: str, useless: str) -> None:
    hint = flat(gm_hint(Game(status=status)))
    assert f" {offered}" in hint
    assert useless not in hint
    assert hint.endswith("HELP lists them all.")
