"""What a game's page says about powers and settings, besides the plain facts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Game
from games.queries.reports.power_rows import PowerRow
from games.queries.reports.wording import counted, local_moment
from games.settings import SETTINGS


def settings_of(game: Game) -> list[tuple[str, str]]:
    """Return the settings that no sentence of a game's page mentions: name and value."""
    return [
        (one.label, one.words(getattr(game, name)))
        for name, one in SETTINGS.items()
        if one.about.on_page
    ]


def notes_of(row: PowerRow, now: dt.datetime, zone: str) -> Iterator[tuple[str, str]]:
    """Yield what a GM has to know about a power: what stands out, and the rest of the sentence."""
    if row.disorder_since:
        yield "civil disorder", f"since {local_moment(row.disorder_since, zone)}"
    if row.mails:
        yield "mails do not arrive", f"since {local_moment(row.mails, zone)}"
    if row.mail_paused:
        yield "mail paused", f"since {local_moment(row.mail_paused, zone)}: they get no results"
    if row.late:
        yield "", f"{row.late} late in this phase"
    if row.missed:
        yield "", f"missed {counted(row.missed, 'phase')}"
    if row.found and row.found.is_known:
        yield "", f"reliability {row.found.percent}%"
    for one in row.away:
        begins = "away" if one.first <= now.date() else "will be away"
        yield "", f"{begins} {one.first:%-d %b} to {one.last:%-d %b}"
