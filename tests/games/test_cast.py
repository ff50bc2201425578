"""The cast is what the other tests take it for."""

from __future__ import annotations

from tests.cast import NOW, POWERS, Cast


def test_everybody_plays_the_power_he_asked_for(marne: Cast) -> None:
    seated = {marne.seat(power).player.name: power for power in POWERS.values()}
    assert seated == POWERS


def test_the_game_stands_in_its_first_phase(marne: Cast) -> None:
    assert marne.phase.name == "S1901M"
    assert marne.phase.opened_at == NOW
    assert marne.game.status == "active"
