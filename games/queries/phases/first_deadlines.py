"""When the first phases of a game would be due if it began now."""

from __future__ import annotations

import datetime as dt

from games.models import Game
from games.queries.parsing.start_times import start_moment
from games.queries.reports.wording import local_moment
from games.timing.deadlines import Step, due_at
from games.timing.durations import duration_text
from games.timing.pace import pace_of

_A_SECOND = dt.timedelta(seconds=1)
YEAR: tuple[tuple[str, Step], ...] = (
    ("the first orders", "M"),
    ("the second orders", "M"),
    ("the first builds", "A"),
)


def first_deadlines(game: Game, *, now: dt.datetime) -> list[str]:
    """Say when the first three phases would be due if nobody were away and the game started now, or
    at the time that is set, on the game's own clocks. Raises BadInput for settings with which that
    is impossible."""
    pace, begun = pace_of(game), start_moment(game.start, game.timezone) or now
    said = []
    for number, (what, step) in enumerate(YEAR, start=1):
        begun = due_at(pace, step, begun, first=number == 1)
        said.append(f"{local_moment(begun, game.timezone)}: {what}")
    return said


def if_it_began_now(game: Game) -> str:
    """Say what the `first_deadlines` depend on, for a game that starts as soon as it can."""
    if not game.muster:
        return "If all seats were taken now, the first deadlines would be:"
    return (
        f"Once all seats are taken, the players have {duration_text(game.muster)} to say that they "
        "are here; the game starts when the last of them has. If they all had now, the first "
        "deadlines would be:"
    )


def passed_over(game: Game, *, now: dt.datetime) -> str:
    """Say which times of the clock can never be a deadline because movement phases are too long; ""
    if each can be one.

    Somebody who writes Mon Wed Fri means all three. Raises BadInput like `first_deadlines`.
    """
    pace = pace_of(game)
    clock = pace.movement_clock
    begun = pace.moment("M", now)
    for _ in clock.slots if clock else ():
        free, due = pace.moment("M", begun + _A_SECOND), due_at(pace, "M", begun)
        if free < due:
            return (
                f"A movement phase lasts at least {duration_text(pace.movement)}: after "
                f"{local_moment(begun, game.timezone)} the next deadline is "
                f"{local_moment(due, game.timezone)}, not {local_moment(free, game.timezone)}. If "
                "every time of the clock should be one, make the length of movement phases shorter."
            )
        begun = due
    return ""
