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


@pytest.mark.parametrize("status", ["active", "paused"])
def test_a_gm_who_plays_is_offered_nothing_that_they_may_not_do(status: str) -> None:
    hint = flat(gm_hint(Game(status=status), plays=True))
    assert " or WRITE TO ALL" in hint
    assert not any(word in hint for word in ("EXTEND", "PROCESS", "EXCUSE"))
