"""Powers as subjects of an act: which can be chosen, and how to ask for them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping

from games.acts.parameters import Ask
from games.models import Game
from games.queries.endings.ending import alive, final_state
from games.queries.lookup import seats_of
from games.queries.players.seats import power_names


def which_power(names: Callable[[Game], Iterable[str]]) -> Ask:
    """Ask for one of these powers, each with its player, as long as something is left of it."""

    def choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
        players = {seat.power.name: seat.player.name for seat in seats_of(game)}
        left = remaining(game)
        return {
            name: f"{name} ({players.get(name, 'nobody')})" for name in names(game) if name in left
        }

    return Ask("Power", missing="Please say which power.", choices=choices)


def remaining(game: Game) -> Collection[str]:
    """Return the powers that are not eliminated; before the start, all of them."""
    state = final_state(game)
    return power_names(game) if state is None else alive(state)


def powers_played(game: Game) -> list[str]:
    """Return the powers that somebody plays."""
    return [seat.power.name for seat in seats_of(game)]


def in_disorder(game: Game) -> list[str]:
    """Return the powers that are in civil disorder."""
    return list(game.powers.exclude(disorder_since=None).values_list("name", flat=True))


def not_in_disorder(game: Game) -> list[str]:
    """Return the powers that are not in civil disorder."""
    return list(game.powers.filter(disorder_since=None).values_list("name", flat=True))


def open_to_takers(game: Game) -> list[str]:
    """Return the powers whose seats are open."""
    return list(game.powers.exclude(open_since=None).values_list("name", flat=True))
