"""Settings that may change while a game is being played: its times, and what a missed deadline
leads to.

The map, the rules and the ways to win never change, because players joined for them.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping
from contextlib import suppress

from django.core.exceptions import ValidationError
from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput
from games.events import SettingsChanged
from games.models import Event, Game
from games.queries.lookup import open_phase
from games.queries.parsing.start_times import start_moment
from games.queries.players.seats import seats_free
from games.queries.reports.wording import days_off_text, local_moment
from games.services.clock.muster import game_filled
from games.services.common import lock_game
from games.services.ordering.readiness import all_in_refresh
from games.services.setup.game_faults import require_none, tournament_faults
from games.services.setup.games import check_times
from games.services.setup.start_times import start_read, start_set
from games.settings import CHANGEABLE
from games.settings.setting import Setting
from games.timing.pace import next_reminder
from games.timing.zones import known_zones


@transaction.atomic
def settings_change(
    *, game: Game, changes: Mapping[str, object], why: str, by: str, now: dt.datetime
) -> Event:
    """Change settings (names of CHANGEABLE) and tell everybody what was changed to what.

    The deadline of the open phase stays; lengths and clocks apply from the next phase on,
    everything else at once; a full game that no longer has a time to start begins. `why` and `by`
    are told. Raises BadInput for a setting that never changes, for one that makes no sense, and
    when nothing would change; WrongState when the game is over.
    """
    game = lock_game(game)
    lifecycle.require(game, *(set(Game.Status) - {Game.Status.FINISHED}))
    if fixed := sorted(changes.keys() - CHANGEABLE.keys()):
        raise BadInput(f"This setting never changes in a game: {', '.join(fixed)}.")
    changes = start_read(game, changes, now)
    said = changes_said(game, changes)
    for name, value in changes.items():
        setattr(game, name, value)
    _check(game, list(changes))
    if not said:
        raise BadInput(f"The game {game.name} already has all of these settings.")
    was_at = game.starts_at
    if {"start", "timezone"} & said.keys() and game.status == Game.Status.FORMING:
        start_set(game, game.start, now)
    game.save(update_fields=[*said, "starts_at", "start_reminded_at"])
    _refresh(game, now)
    event = log.record(
        game=game,
        phase=open_phase(game),
        facts=SettingsChanged(changes=tuple(said.values()), why=why, by=by),
        now=now,
    )
    if was_at and not game.starts_at and not seats_free(game):
        game_filled(game=game, now=now)
    return event


def changes_said(game: Game, changes: Mapping[str, object]) -> dict[str, str]:
    """Say what becomes of each setting that would change, by its name: "length of movement phases:
    4 days (before: 3 days)"."""
    after = copy.copy(game)
    for name, value in changes.items():
        setattr(after, name, value)
    said = {name: (_words(one, after), _words(one, game)) for name, one in CHANGEABLE.items()}
    return {
        name: f"{CHANGEABLE[name].about.label}: {new} (before: {old})"
        for name, (new, old) in said.items()
        if new != old
    }


def _words(setting: Setting, game: Game) -> str:
    """Say a value. `games.settings` has no words for days off, of which some that are kept may be
    broken, and knows no time zones."""
    value = getattr(game, setting.name)
    if setting.name == "start" and value and game.timezone in known_zones():
        at = start_moment(game.start, game.timezone)
        return local_moment(at, game.timezone) if at else ""
    if setting.name == "days_off" and value:
        with suppress(BadInput):
            return days_off_text(str(value))
    return setting.words(value)


def _check(game: Game, names: list[str]) -> None:
    others = [field.name for field in Game._meta.fields if field.name not in names]
    try:
        game.clean_fields(exclude=others)
    except ValidationError as error:
        raise BadInput(" ".join(error.messages)) from error
    check_times(game)
    require_none(list(tournament_faults(game)))


def _refresh(game: Game, now: dt.datetime) -> None:
    """Work out again what the open phase has stored of the settings, except its deadline."""
    phase = open_phase(game)
    if phase is None:
        return
    if phase.due_at is not None:
        phase.remind_at = next_reminder(game, phase.timed_from, phase.due_at, now)
        phase.save(update_fields=["remind_at"])
    all_in_refresh(phase=phase, now=now)
