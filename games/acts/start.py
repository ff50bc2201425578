"""Start a game whose seats are all taken; a game that musters asks its players first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Nothing
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.phases.musters import players_with_place, silent_players
from games.queries.players.seats import BEFORE_START
from games.queries.reports.wording import listed, local_moment
from games.services.clock.muster import game_begin
from games.timing.durations import duration_text


class Start(GameAct[Nothing]):
    name = "start"
    title = "Start the game"
    help = "Give out the powers by the preference lists, open the first phase and tell everybody."
    group = Group.GAME
    when = BEFORE_START
    undo = "A start cannot be taken back: the game can only be ended."
    parameters = Nothing

    def forecast(self, subject: Game, given: Nothing, now: dt.datetime) -> Sequence[str]:
        names = [player.name for player in players_with_place(subject)]
        return [
            f"All seats are taken. Who plays: {listed(names)}.",
            *_muster(subject),
            *_before_its_time(subject),
            "The powers are given out by the preference lists, by lot where they clash.",
            f"The first phase lasts {_lasts(subject)}.",
            "Every player gets a mail with their power, their units and the deadline.",
        ]

    def do(self, subject: Game, given: Nothing, *, by: Actor, now: dt.datetime) -> Done:
        game = game_begin(game=subject, by=by.name, now=now)
        if game.status == Status.MUSTER:
            return Done(
                f"The players of {game.name} are asked whether they are here. It starts when all "
                "have answered."
            )
        return Done(f"The game {game.name} has started.")


def _lasts(game: Game) -> str:
    """Say how long the first phase lasts; with a clock, at least how long, and then until its next
    time."""
    length = duration_text(game.movement_length + game.first_extra)
    return f"at least {length}, until the next time of the clock" if game.movement_clock else length


def _before_its_time(game: Game) -> list[str]:
    """Say that a game with a time to start does not wait for it; nothing if it has none."""
    if not game.starts_at:
        return []
    set_for = local_moment(game.starts_at, game.timezone)
    return [f"It starts at once, before the time that was set, {set_for}."]


def _muster(game: Game) -> list[str]:
    """Say what the game's muster means for the start; nothing if it has none."""
    if game.status == Status.MUSTER:
        silent = [player.name for player in silent_players(game)]
        return [
            f"It starts at once, though these have not said that they are here: {listed(silent)}."
        ]
    if not game.muster or game.starts_at:
        return []
    return [
        f"First the players are asked whether they are here; they have {duration_text(game.muster)}"
        " to answer. The game starts when all have; anybody who has not by then loses their seat."
    ]
