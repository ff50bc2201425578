"""A tournament: the games that name it, and one table of the points that they brought.

It exists only as a name in each game. The points of a power go to whoever held its seat at the end;
a game without a result, or one that is not over, gives no points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Upper

from games.errors import NotFound
from games.models import Game, Player, Seat
from games.queries.endings.ending import winners_of
from games.queries.phases.centers import center_history
from games.queries.reports.end_report import final_of
from games.queries.reports.wording import did_you_mean
from games.scoring.systems import score, score_text, system_named

_MOST_COMPARED = 500
"""How many tournaments' names an unknown name is compared with."""


@dataclass(frozen=True, slots=True)
class GamePoints:
    """The points that a player took from one game."""

    game: str
    power: str
    points: Fraction

    @property
    def number(self) -> str:
        """The points as people write them: "33.33"."""
        return score_text(self.points)


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the table. Players with equally many points share their place."""

    place: int
    player: Player
    points: Fraction
    played: tuple[GamePoints, ...]

    @property
    def number(self) -> str:
        """The points as people write them: "33.33"."""
        return score_text(self.points)

    @property
    def points_text(self) -> str:
        """The points with their word: "34 points", "1 point"."""
        return f"{self.number} point{'' if self.number == '1' else 's'}"


@dataclass(frozen=True, slots=True)
class Tournament:
    """All games of a tournament, the first made first, and how everybody stands."""

    name: str
    games: tuple[Game, ...]
    ranks: tuple[Rank, ...]

    @property
    def over(self) -> tuple[Game, ...]:
        """Its games that are over."""
        return tuple(game for game in self.games if game.status == Game.Status.FINISHED)

    @property
    def to_come(self) -> tuple[Game, ...]:
        """Its games that are played, or will be."""
        return tuple(game for game in self.games if game.status != Game.Status.FINISHED)

    @property
    def without_result(self) -> tuple[Game, ...]:
        """Its games that are over and brought nobody any points."""
        return tuple(game for game in self.over if not winners_of(game))

    @property
    def systems(self) -> tuple[str, ...]:
        """The titles of the systems by which its games are scored, each once."""
        return tuple(dict.fromkeys(system_named(game.scoring).title for game in self.games))


def games_of(name: str) -> QuerySet[Game]:
    """Return the games of a tournament, whose name may be in upper or lower case."""
    # The first of the two lets the index serve, which has no games without a tournament.
    return Game.objects.exclude(tournament="").filter(tournament__iexact=name)


def tournament_named(name: str) -> Tournament:
    """Return the tournament of that name. Raises NotFound."""
    games = tuple(games_of(name).order_by("created_at", "pk"))
    if not games:
        near = did_you_mean(name, _names())
        raise NotFound(f"There is no tournament “{name}”.{near}")
    return Tournament(games[0].tournament, games, tuple(_ranks(games)))


def are_any() -> bool:
    """Say whether there is any tournament."""
    return Game.objects.exclude(tournament="").exists()


def tournaments() -> QuerySet[Any, Any]:
    """Return all tournaments, the newest first: rows with the `name` of each and the `number` of
    its games."""
    each = Game.objects.exclude(tournament="").order_by().values(key=Upper("tournament"))
    counted = each.annotate(name=Min("tournament"), number=Count("pk"), first=Min("pk"))
    # With its key: without what it is grouped by, Django cannot count them on SQLite.
    return counted.order_by("-first").values_list("key", "name", "number", named=True)


def _names() -> list[str]:
    return [one.name for one in tournaments()[:_MOST_COMPARED]]


def _ranks(games: Sequence[Game]) -> Iterator[Rank]:
    """Yield the table, the best first."""
    results: dict[Player, list[GamePoints]] = {}
    for game in games:
        for player, played in _results(game):
            results.setdefault(player, []).append(played)
    totals = {
        player: sum((one.points for one in all_), Fraction()) for player, all_ in results.items()
    }
    ordered = sorted(results, key=lambda player: (-totals[player], player.name.lower(), player.pk))
    place = 0
    for index, player in enumerate(ordered):
        if not index or totals[player] != totals[ordered[index - 1]]:
            place = index + 1
        yield Rank(place, player, totals[player], tuple(results[player]))


def _results(game: Game) -> Iterator[tuple[Player, GamePoints]]:
    """Yield what a game brought to those who held its seats when it ended."""
    if game.status != Game.Status.FINISHED or not winners_of(game):
        return
    history = center_history(game)
    points = score(game.scoring, final_of(game, history)) if history else {}
    seats = Seat.objects.filter(power__game=game, until=None).select_related("power", "player")
    for seat in seats.order_by("power__name"):
        if seat.power.name in points:
            yield seat.player, GamePoints(game.name, seat.power.name, points[seat.power.name])
