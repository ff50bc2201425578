"""When the first phases of a game would be due if it began now."""

from __future__ import annotations

import datetime as dt

from games.models import Game
from games.queries.wording import local_moment
from games.timing.deadlines import Step, due_at
from games.timing.pace import pace_of

YEAR: tuple[tuple[str, Step], ...] = (
    ("the first orders", "M"),
    ("the second orders", "M"),
    ("the first builds", "A"),
)


def first_deadlines(game: Game, *, now: dt.datetime) -> list[str]:
    """Say when the first three phases are due if all seats were taken now and nobody is away, on
    the game's own clocks. Raises BadInput for settings that leave no such time."""
    pace, begun = pace_of(game), now
    said = []
    for number, (what, step) in enumerate(YEAR, start=1):
        begun = due_at(pace, step, begun, first=number == 1)
        said.append(f"{local_moment(begun, game.timezone)}: {what}")
    return said
