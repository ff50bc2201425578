"""The settings of a game that its page has no sentence of its own for."""

from __future__ import annotations

from games.admin.forms import NEW_GAME, GameForm
from games.models import Game
from games.services.gm_settings import setting_text

TOLD_ELSEWHERE = frozenset(
    {
        *("name", "variant", "rules", "gm", "gm_sees", "timezone"),
        *("movement_length", "retreat_length", "adjustment_length"),
        *("movement_clock", "retreat_clock", "adjustment_clock", "days_off", "first_extra"),
        *("transit_grace", "player_extensions", "when_missing"),
    }
)
"""Settings that a game's page has in sentences of its own."""


def settings_of(game: Game) -> list[tuple[str, str]]:
    """Return the other settings of a game as its page shows them: name and value."""
    names = [name for _, options in NEW_GAME for name in options["fields"]]
    return [
        (str(GameForm.base_fields[name].label), setting_text(game, name))
        for name in names
        if name not in TOLD_ELSEWHERE
    ]
