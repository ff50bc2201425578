"""EXCUSE: missing orders no longer count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from games.acts import excuse
from games.errors import BadInput, WrongState
from games.models import Attendance, Game
from games.queries import board
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import names_apart, power_and_reason, power_of, split_reason
from mailer.reading import seasons

_SEASON = re.compile(rf"(?:{seasons.WORDS})\b", re.IGNORECASE)
"""A phase without its year, and no reason."""
_LONGEST_PHASE = 3
"""How many words name a phase: "Fall 1902 movement"."""


class Excuse(ActCommand[excuse.Parameters]):
    name = "excuse"
    usage = "EXCUSE power, power [phase] because reason"
    summary = "excuse orders that did not come, so that they do not count against their player"
    help = (
        "If you name no phase, it is the last one the power missed. ALL means every power that "
        "missed the phase. The board does not change.\n"
        "Example: EXCUSE Italy because her provider was down\n"
        "Example: EXCUSE Italy F1902M because her provider was down\n"
        "Example: EXCUSE ALL F1902M because our mail server was down"
    )
    act = excuse.Excuse()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> excuse.Parameters:
        what, why = _what_and_why(game, call.argument)
        power, *phase = _power_and_phase(what)
        if power.lower() == "all" and phase:
            title = board.phase_title(board.phase_named(phase[0]))
            raise WrongState(f"Nobody has missed {title}.")
        row = _miss(game, power_of(game, power), phase)
        return excuse.Parameters(misses=(str(row.pk),), why=why)

    def each(self, call: Call, game: Game) -> Sequence[Call]:
        """One call for each power on the line, or for each that missed the phase."""
        what, why = _what_and_why(game, call.argument)
        names, *phase = _power_and_phase(what)
        powers = names_apart(names)
        if names.lower() == "all":
            phase = phase or [row.phase.name for row in _running(game)[:1]]
            powers = _powers_that_missed(game, phase)
        if powers in ([], [names]):
            return [call]
        return [
            replace(call, argument=f"{' '.join([one, *phase])} because {why}") for one in powers
        ]


def _what_and_why(game: Game, text: str) -> tuple[str, str]:
    """The power, with the phase after it, and the reason, also without the word "because"."""
    power, why = power_and_reason(game, text)
    words = why.split()
    for end in range(min(_LONGEST_PHASE, len(words)), 0, -1):
        with suppress(BadInput):
            named = board.phase_named(" ".join(words[:end]).rstrip(",;"))
            what, said = power_and_reason(game, f"{power} {' '.join(words[end:])}")
            return (f"{what} {named}", said) if said else split_reason(text)
    return split_reason(text) if _SEASON.match(why) else (power, why)


def _power_and_phase(what: str) -> list[str]:
    return what.rsplit(maxsplit=1) if re.search(r"\d", what) else [what]


def _powers_that_missed(game: Game, phase: list[str]) -> list[str]:
    """The powers that missed the phase named; empty if the text names no phase."""
    with suppress(BadInput):
        missed = [board.phase_named(name) for name in phase]
        return [row.seat.power.name for row in _running(game) if row.phase.name in missed]
    return []


def _running(game: Game) -> list[Attendance]:
    """Phases that today's players missed, the newest first."""
    return [row for row in excuse.misses_of(game) if row.seat.until is None]


def _miss(game: Game, power: str, phase: list[str]) -> Attendance:
    """The power's last miss, or that in the phase named. Raises WrongState without one."""
    name = board.phase_named(phase[0]) if phase else None
    rows = [row for row in _running(game) if row.seat.power.name == power]
    fits = [row for row in rows if name in (None, row.phase.name)]
    if not fits:
        when = f" in {board.phase_title(name)}" if name else ""
        raise WrongState(f"{power} has missed nothing{when} that could be excused.")
    return max(fits, key=lambda row: row.phase.number)
