"""Columns of the list of games: when each is due, and for whom it waits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import countdown
from games.models import Game, Phase, Power
from games.queries.access import roles
from games.queries.orders.waiting import powers_awaited, to_confirm_text
from games.queries.phases.sheet import sheets_of
from games.queries.players.places import Places
from games.queries.reports.own_games import zone_of, zone_shown
from games.queries.reports.wording import NOTHING, local_moment, some_of

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


@dataclass(frozen=True, slots=True)
class GameRow:
    """What the list says of a game beyond its own columns."""

    zone: str
    """The zone of its times: the reader's, or the game's own."""
    phase: Phase | None = None
    """The phase that is open or stuck."""
    veiled: bool = False
    """Whether the reader must not learn for whom the game waits."""
    not_in: Sequence[str] = ()
    to_speak_again: Sequence[str] = ()
    to_confirm: Sequence[str] = ()


class InList(Places):
    """What the list reads with each game, and works out for all of them."""

    unfinished: list[Phase]
    seated: int
    row: GameRow


if TYPE_CHECKING:
    ListedGame = WithAnnotations[Game, InList]


def add_rows(games: Iterable[ListedGame], viewer: User) -> None:
    """Work out the rows of all games of the list together."""
    games = list(games)
    zone = zone_of(viewer)
    phases = [phase for game in games for phase in game.unfinished]
    veiled = roles.games_veiled(viewer, phases)
    sheets = sheets_of(phases)
    powers = powers_awaited(Power.objects.filter(game__phases__in=phases))
    waited: dict[int, set[str]] = {phase.game_id: set() for phase in phases}
    for game_id, name in powers.values_list("game", "name"):
        waited[game_id].add(name)
    for game in games:
        shown = zone_shown(zone, game)
        if not game.unfinished:
            game.row = GameRow(shown)
            continue
        phase = game.unfinished[0]
        sheet, ours = sheets[phase.pk], waited[game.pk]
        not_in = [name for name in sheet.not_in if name in ours]
        game.row = GameRow(
            zone=shown,
            phase=phase,
            veiled=game.pk in veiled,
            not_in=not_in,
            to_speak_again=[name for name in sheet.unheard if name in ours],
            to_confirm=() if not_in else sheet.to_confirm(ours),
        )


def deadline(game: ListedGame, now: dt.datetime) -> str | SafeString:
    """Say when the game is due, on the reader's clocks or the game's own."""
    phase, zone = game.row.phase, game.row.zone
    if phase is None:
        ended = game.finished_at
        return f"over since {local_moment(ended, zone)}" if ended else NOTHING
    if phase.status == Phase.Status.STUCK:
        since = local_moment(phase.due_at, zone) if phase.due_at else NOTHING
        return format_html("<strong>stuck</strong> since {}", since)
    if game.status == Game.Status.PAUSED:
        return "paused"
    return countdown(phase.due_at, now, zone)


def waited_for(game: ListedGame) -> str:
    """Say whom the open phase of a game waits for."""
    row = game.row
    if row.phase is None:
        return NOTHING
    if row.veiled:
        return "told when the game is over"
    if len(row.not_in) > 1 and len(row.not_in) == game.places:
        return f"all {game.places}"
    if row.not_in:
        return some_of(row.not_in)
    if again := row.to_speak_again:
        have = "has" if len(again) == 1 else "have"
        return f"{', '.join(again)}, who {have} to speak again since the deadline moved"
    rest = to_confirm_text(row.to_confirm)
    return f"all orders are in{rest}" if rest else "nobody: all orders are in"
