"""A round of a tournament before it is made: its games, and who plays what in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games.errors import BadInput
from games.models import Game, Player, Seat
from games.queries.players.seats import power_names
from games.queries.tournaments.seating import Past, PastSeat, seating
from games.queries.tournaments.tournament import games_of

MOST_GAMES = 20
"""Of one round."""


@dataclass(frozen=True, slots=True)
class GamePlanned:
    """A game that a round will have, and who gets each of its powers."""

    name: str
    seats: tuple[tuple[str, Player], ...]


@dataclass(frozen=True, slots=True)
class RoundPlanned:
    """The plan of a round."""

    name: str
    games: tuple[GamePlanned, ...]
    again: tuple[tuple[str, Player], ...]
    """The powers whose players have already played them in the tournament."""
    meetings: int
    """How often players will meet others whom they have already met in the tournament."""


def round_planned(like: Game, name: str, players: Sequence[Player]) -> RoundPlanned:
    """Say how a round of that name would seat these players, in games like this one.

    The order in which they are named makes no difference. Raises BadInput if they do not fill whole
    games, or one of them is named twice.
    """
    powers = power_names(like)
    _require_to_fill_games(players, len(powers))
    by_key = {player.pk: player for player in players}
    past = Past([PastSeat(*row) for row in _seats_of(like.tournament).values_list(*_PLAYED)])
    seated = seating(list(by_key), powers, past, name)
    pairs = [[(power, by_key[key]) for power, key in seats.items()] for seats in seated]
    games = [
        GamePlanned(f"{name}-{number}", tuple(seats)) for number, seats in enumerate(pairs, start=1)
    ]
    every = [pair for seats in pairs for pair in seats]
    return RoundPlanned(
        name=name,
        games=tuple(games),
        again=tuple((power, one) for power, one in every if past.times(one.pk, power)),
        meetings=sum(past.met_within(seats) for seats in seated),
    )


def players_of(tournament: str) -> list[Player]:
    """Return who plays in a tournament, or did to the end of a game, by name."""
    held = _seats_of(tournament).filter(until=None)
    found = Player.objects.filter(pk__in=held.values("player"), erased_at=None)
    return sorted(found, key=lambda player: (player.name.lower(), player.pk))


def seats_known(tournament: str) -> list[int]:
    """Return the keys of the tenures that the seats of the next round depend on."""
    return list(_seats_of(tournament).order_by("pk").values_list("pk", flat=True))


_PLAYED = ("player", "power__game", "power__name")


def _seats_of(tournament: str) -> QuerySet[Seat]:
    """All tenures, including ended ones, of games that were played or will be: whoever had such a
    seat has seen the power and met the others, whatever became of the game."""
    never = {"power__game__status": Game.Status.FINISHED, "power__game__started_at": None}
    return Seat.objects.filter(power__game__in=games_of(tournament)).exclude(**never)


def _require_to_fill_games(players: Sequence[Player], powers: int) -> None:
    twice = next((one for one in players if players.count(one) > 1), None)
    if twice:
        raise BadInput(f"{twice.name} is named twice.")
    over, more = len(players) % powers, -len(players) % powers
    if over:
        leave_out = f"leave out {over}, or " if len(players) > powers else ""
        raise BadInput(
            f"{len(players)} players do not fill games of {powers} powers: {leave_out}name {more} "
            "more."
        )
    if len(players) > MOST_GAMES * powers:
        raise BadInput(f"A round has {MOST_GAMES} games at most.")
