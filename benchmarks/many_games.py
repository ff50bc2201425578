"""Many running games with the cast of the tests in all of them. Import after django.setup()."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from games.models import Game, Phase, Player
from games.services.ordering.orders import orders_submit
from games.services.setup.games import game_create, game_start
from mailer import jobs
from tests.cast import NOW, OPENINGS, POWERS, make_gm, make_player, seat_fill


def make_games(number: int, now: dt.datetime = NOW) -> list[Game]:
    """Start this many games in Spring 1901, each with seven players of its own, all told of it."""
    gm = make_gm()
    games = []
    for index in range(number):
        players = {power: make_player(f"{name}{index}", now=now) for name, power in POWERS.items()}
        games.append(make_game(f"game{index}", gm, players, now))
    jobs.tell(now)
    return games


def make_game(name: str, gm: User, players: dict[str, Player], now: dt.datetime) -> Game:
    """Make one game that waits for its deadline, with the given player at each power."""
    game = game_create(name=name, gm=gm, process_early=False, now=now)
    for power in game.powers.all():
        seat_fill(game=game, power=power, player=players[power.name], now=now)
    return game_start(game=game, now=now)


def order_openings(phase: Phase) -> None:
    """Submit every power's opening, as if each had mailed it."""
    for seat in phase.game.powers.all():
        orders_submit(
            seat=seat.seats.get(until=None),
            phase=phase,
            lines=list(enumerate(OPENINGS[seat.name], start=1)),
            amend=False,
            received_at=NOW,
            source=f"{phase.pk}/{seat.name}",
            now=NOW,
        )
