"""Settings that may change while a game is played: its times, and what a missed deadline brings.

The map, the rules and who may win never change: players joined for them.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput
from games.events import SettingsChanged
from games.models import Event, Game
from games.queries.lookup import open_phase
from games.services.common import locked
from games.services.games import check_times
from games.services.orders import all_in_refresh
from games.timing.durations import duration_text
from games.timing.pace import next_reminder

CHANGEABLE: Mapping[str, str] = {
    "movement_length": "length of movement phases",
    "retreat_length": "length of retreat phases",
    "adjustment_length": "length of adjustment phases",
    "timezone": "time zone",
    "movement_clock": "movement is due at",
    "retreat_clock": "retreats are due at",
    "adjustment_clock": "adjustments are due at",
    "days_off": "days without deadlines",
    "waits_for_absent": "no deadline in announced absences",
    "process_early": "early processing",
    "early_delay": "delay of early processing",
    "transit_grace": "grace for late mails",
    "reminders": "reminders",
    "when_missing": "when orders are missing",
    "extension_length": "length of the one extension",
    "player_extensions": "extensions for each player",
    "disorder_after": "missed phases until civil disorder",
    "takeover_time": "least time after a takeover",
}
"""The settings by their fields, named as players read them."""

BY_LENGTH: Mapping[str, str] = {
    "early_delay": "30 minutes, less in phases shorter than a day",
    "takeover_time": "1 day, but no more than the phase lasts",
}
"""The settings that go by the length of the phase where nobody chose anything."""


@transaction.atomic
def settings_change(
    *, game: Game, changes: Mapping[str, object], why: str, by: str, now: dt.datetime
) -> Event:
    """Change settings (names of CHANGEABLE) and tell everybody what was changed to what.

    The deadline of the open phase stays where it is; lengths and clocks hold from the next phase
    on, the rest at once. `why` and `by` are told. Raises BadInput for a setting that never changes,
    for one that makes no sense, and when nothing would be other than before; WrongState when the
    game is over.
    """
    game = locked(game)
    lifecycle.require(game, *(set(Game.Status) - {Game.Status.FINISHED}))
    if fixed := sorted(changes.keys() - CHANGEABLE.keys()):
        raise BadInput(f"This setting never changes in a game: {', '.join(fixed)}.")
    said = changes_said(game, changes)
    for name, value in changes.items():
        setattr(game, name, value)
    _check(game, list(changes))
    if not said:
        raise BadInput(f"All of that is so in the game {game.name} already.")
    game.save(update_fields=list(said))
    _refresh(game, now)
    return log.record(
        game=game,
        phase=open_phase(game),
        facts=SettingsChanged(changes=tuple(said.values()), why=why, by=by),
        now=now,
    )


def changes_said(game: Game, changes: Mapping[str, object]) -> dict[str, str]:
    """Say of each setting that would be other than before what becomes of it, by its name:
    "length of movement phases: 4 days (before: 3 days)"."""
    after = copy.copy(game)
    for name, value in changes.items():
        setattr(after, name, value)
    return {
        name: f"{called}: {setting_text(after, name)} (before: {setting_text(game, name)})"
        for name, called in CHANGEABLE.items()
        if setting_text(after, name) != setting_text(game, name)
    }


def setting_text(game: Game, name: str) -> str:
    """Say how a setting stands: "3 days", "yes", "Tue Fri 20:00", "none"."""
    value = getattr(game, name)
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None and name in BY_LENGTH:
        return BY_LENGTH[name]
    if value in (None, ""):
        return "none"
    label = getattr(game, f"get_{name}_display", None)
    return label() if label else str(value)


def _check(game: Game, names: list[str]) -> None:
    others = [field.name for field in Game._meta.fields if field.name not in names]
    try:
        game.clean_fields(exclude=others)
    except ValidationError as error:
        raise BadInput(" ".join(error.messages)) from error
    check_times(game)


def _refresh(game: Game, now: dt.datetime) -> None:
    """Reckon anew what the open phase has stored of the settings, but not its deadline."""
    phase = open_phase(game)
    if phase is None:
        return
    if phase.due_at is not None:
        phase.remind_at = next_reminder(game, phase.due_at, now)
        phase.save(update_fields=["remind_at"])
    all_in_refresh(phase=phase, now=now)
