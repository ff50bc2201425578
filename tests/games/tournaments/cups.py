"""A tournament of three games for the acts on all of them, made once in each process."""

from __future__ import annotations

import datetime as dt

from games.models import Game, Phase
from tests.cast import DAY, NOW, Cast, make_cast, the_cast
from tests.games.commands import run
from tests.games.tournaments.games import CUP
from tests.made import made_once

DUE = NOW + 3 * DAY
OWN_PAUSE = {"r3-1": NOW + 9 * DAY}
"""The game that has been paused by itself, and until when."""


def make_cup() -> Cast:
    """Make `marne`, `r2-1` and `r3-1`, all due at `DUE`, and the last one paused."""
    made_once("three games of a tournament", _made)
    return the_cast()


def _made() -> None:
    make_cast(tournament=CUP, scoring="draw-size", anonymous=False)
    for number in ("r2", "r3"):
        run("make_round", "marne", number)
    Phase.objects.update(due_at=DUE)
    for name, until in OWN_PAUSE.items():
        paused = {"status": Game.Status.PAUSED, "paused_at": NOW, "resume_at": until}
        Game.objects.filter(name=name).update(**paused)


def due() -> dict[str, dt.datetime | None]:
    """When each game's phase is due."""
    return dict(Phase.objects.values_list("game__name", "due_at"))


def pauses() -> dict[str, dt.datetime | None]:
    """When the pause of each paused game ends."""
    paused = Game.objects.filter(status=Game.Status.PAUSED)
    return dict(paused.values_list("name", "resume_at"))
