"""The demo's games as its page shows them: phase, deadline, and how many centres each power has."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from games.models import Game
from games.queries.lookup import open_phase, seats_of
from games.queries.reports.summary import GameSummary, game_summary


@dataclass(frozen=True)
class PowerRow:
    """A power with its player and its centres; `share` is the bar's length in per cent."""

    name: str
    player: str
    centres: int
    share: int


@dataclass(frozen=True)
class Table:
    """A game and where it stands."""

    game: GameSummary
    powers: list[PowerRow]
    seconds_left: int | None


CENTRES_TO_WIN = 18
Status = Game.Status


def tables(now: dt.datetime) -> list[Table]:
    """Return the games: those being played, those looking for players, the last one finished."""
    games = list(Game.objects.select_related("gm").order_by("id"))
    finished = [game for game in games if game.status == Status.FINISHED]
    going_on = [game for game in games if game.status != Status.FINISHED]
    going_on.sort(key=lambda game: game.status == Status.FORMING)
    return [_table(game, now) for game in (*going_on, *finished[-1:])]


def _table(game: Game, now: dt.datetime) -> Table:
    summary = game_summary(game)
    due = summary.due_at
    left = max(0, round((due - now).total_seconds())) if due else None
    return Table(game=summary, powers=_powers(game), seconds_left=left)


def _powers(game: Game) -> list[PowerRow]:
    owned = _centres(game)
    rows = [_row(seat.power.name, seat.player.name, owned) for seat in seats_of(game)]
    return sorted(rows, key=lambda row: (-row.centres, row.name))


def _centres(game: Game) -> dict[str, list[str]]:
    phase = open_phase(game) or game.phases.last()
    if phase is None:
        return {}
    return phase.state_left["centers"]


def _row(power: str, player: str, owned: dict[str, list[str]]) -> PowerRow:
    centres = len(owned.get(power, ()))
    return PowerRow(power, player, centres, min(100, round(100 * centres / CENTRES_TO_WIN)))
