"""EXCUSE: orders that did not come count no longer."""

from __future__ import annotations

import re

from games.acts import excuse
from games.errors import WrongState
from games.models import Attendance, Game
from games.queries import board
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, power_of, split_reason


class Excuse(ActCommand[excuse.Parameters]):
    name = "excuse"
    usage = "EXCUSE power [phase] because reason"
    summary = "do not count orders that did not come against their player"
    help = (
        "Without a phase it is the last one that the power missed. What happened on the board "
        "does not change.\n"
        "Example: EXCUSE Italy because her provider was down\n"
        "Example: EXCUSE Italy F1902M because her provider was down"
    )
    act = excuse.Excuse()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> excuse.Parameters:
        what, why = split_reason(call.argument)
        power, *phase = what.rsplit(maxsplit=1) if re.search(r"\d", what) else [what]
        row = _missed(game, power_of(game, power), phase)
        return excuse.Parameters(miss=str(row.pk), why=why)


def _missed(game: Game, power: str, phase: list[str]) -> Attendance:
    """The power's last miss, or that in the phase named. Raises WrongState without one."""
    name = board.phase_named(phase[0]) if phase else None
    rows = [
        row
        for row in excuse.misses_of(game)
        if row.seat.until is None and row.seat.power.name == power
    ]
    fits = [row for row in rows if name in (None, row.phase.name)]
    if not fits:
        when = f" in {board.phase_title(name)}" if name else ""
        raise WrongState(f"{power} has missed nothing{when} that could be excused.")
    return max(fits, key=lambda row: row.phase.number)
