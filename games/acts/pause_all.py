"""Stop the clocks of a tournament's games in one act, and let them run again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from games.acts import pause, resume
from games.acts.all_games import AllGames, WhichGames, choices_of, games_in
from games.acts.game import Group, Status
from games.acts.parameters import Ask
from games.models import Game
from games.queries.reports.wording import listed

_RUNNING = frozenset({Status.ACTIVE})
_PAUSED = frozenset({Status.PAUSED})


def _running(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return choices_of(game, _RUNNING)


def _choices_if_paused(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return choices_of(game, _PAUSED)


@dataclass(frozen=True, kw_only=True)
class Pausing(pause.Parameters, WhichGames):
    games: Annotated[
        tuple[str, ...], Ask("Which games", "To pause them all, tick none.", choices=_running)
    ] = ()
    to: Annotated[
        str,
        Ask(
            "Or until",
            "On each game’s own clock. Leave both empty to pause until somebody resumes them.",
            longest=40,
            is_moment=True,
        ),
    ] = ""


class PauseAll(AllGames[Pausing]):
    name = "pause_all"
    title = "Pause all games"
    help = "Stop the clocks of all games of the tournament, or of some, in one go."
    group = Group.TIME
    when = _RUNNING
    when_paused = "“Pause” changes when that ends, and “Resume all games” ends it."
    instead = ("pause", "resume_all")
    undo = "“Resume all games” ends it, on the page of any of them; “Pause” there changes its end."
    done = ("The game {} is paused.", "The games {} are paused.")
    parameters = Pausing
    one = pause.Pause()

    def left_out(self, subject: Game) -> Iterator[str]:
        if names := [one.name for one in games_in(subject, _PAUSED)]:
            yield f"Already paused, and left as before: {listed(names)}."


@dataclass(frozen=True, kw_only=True)
class Resuming(resume.Parameters, WhichGames):
    games: Annotated[
        tuple[str, ...],
        Ask("Which games", "To resume them all, tick none.", choices=_choices_if_paused),
    ] = ()


class ResumeAll(AllGames[Resuming]):
    name = "resume_all"
    title = "Resume all games"
    help = "End the pauses of all games of the tournament, or of some, in one go."
    group = Group.TIME
    when = _PAUSED
    undo = "“Pause all games” stops the clocks again."
    done = ("The clock of {} runs again.", "The clocks of {} run again.")
    parameters = Resuming
    one = resume.Resume()
