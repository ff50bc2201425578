"""What a game's page says of powers and settings beside the plain facts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.admin.forms import NEW_GAME
from games.admin.labels import label_of
from games.models import Game
from games.queries.overview import PowerRow
from games.services.gm_settings import setting_text
from games.text import moment

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
        (label_of(name), setting_text(game, name)) for name in names if name not in TOLD_ELSEWHERE
    ]


def notes_of(row: PowerRow, now: dt.datetime) -> Iterator[tuple[str, str]]:
    """Yield what a GM has to know of a power: what stands out, and the rest of the sentence."""
    if row.disorder_since:
        yield "civil disorder", f"since {moment(row.disorder_since)}"
    if row.mails:
        yield "mails do not arrive", f"since {moment(row.mails)}"
    if row.late:
        yield "", f"{row.late} late in this phase"
    if row.missed:
        yield "", f"missed {row.missed} phase{'' if row.missed == 1 else 's'}"
    if row.found and row.found.is_known:
        yield "", f"reliability {row.found.percent} %"
    for one in row.away:
        begins = "away" if one.first <= now.date() else "will be away"
        yield "", f"{begins} {one.first:%-d %b} to {one.last:%-d %b}"
