"""Columns of the list of games: when each is due, and for whom it waits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import countdown
from games.models import Game, Phase, Power
from games.queries import roles
from games.queries.own_games import zone_of, zone_shown
from games.queries.sheet import sheets_of
from games.queries.waiting import awaited, to_confirm_text
from games.queries.wording import NOTHING, local_moment, some_of


def reckon(games: Iterable[Any], viewer: User) -> None:
    """Note on all games of the list together, and on their open phases, what their rows say."""
    games = list(games)
    zone = zone_of(viewer)
    phases = [phase for game in games for phase in game.unfinished]
    veiled = roles.games_veiled(viewer, phases)
    sheets = sheets_of(phases)
    powers = awaited(Power.objects.filter(game__phases__in=phases))
    waited: dict[int, set[str]] = {phase.game_id: set() for phase in phases}
    for game, name in powers.values_list("game", "name"):
        waited[game].add(name)
    for game in games:
        game.zone_shown = zone_shown(zone, game)
    for phase in phases:
        phase.veiled = phase.game_id in veiled
        sheet, ours = sheets[phase.pk], waited[phase.game_id]
        phase.not_in = [name for name in sheet.not_in if name in ours]
        phase.to_speak_again = [name for name in sheet.unheard if name in ours]
        phase.to_confirm = () if phase.not_in else sheet.to_confirm(ours)


def deadline(game: Any, now: dt.datetime) -> str | SafeString:
    """Say when the game is due, on the reader's clocks or the game's own."""
    zone = game.zone_shown
    if not game.unfinished:
        ended = game.finished_at
        return f"over since {local_moment(ended, zone)}" if ended else NOTHING
    phase = game.unfinished[0]
    if phase.status == Phase.Status.STUCK:
        since = local_moment(phase.due_at, zone) if phase.due_at else NOTHING
        return format_html("<strong>stuck</strong> since {}", since)
    if game.status == Game.Status.PAUSED:
        return "paused"
    return countdown(phase.due_at, now, zone)


def waited_for(phase: Any, game: Any) -> str:
    """Say whom the open phase of a game waits for."""
    if phase.veiled:
        return "told when the game is over"
    missing = phase.not_in
    if len(missing) > 1 and len(missing) == game.places:
        return f"all {game.places}"
    if missing:
        return some_of(missing)
    if again := phase.to_speak_again:
        have = "has" if len(again) == 1 else "have"
        return f"{', '.join(again)}, who {have} to speak again since the deadline moved"
    rest = to_confirm_text(phase.to_confirm)
    return f"all orders are in{rest}" if rest else "nobody: all orders are in"
