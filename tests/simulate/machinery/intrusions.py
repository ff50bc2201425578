"""Somebody comes between a worker's look for what is due and its decision: another worker decides
the phase, or whoever runs the game or the server does something else to it.

What is promised: the phase is as it is when it is decided, not as it was when it was seen. Nobody's
phase ends early, is decided twice, or while its game is paused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from games.models import Phase
from games.queries.phases.due_phase import due_phase
from games.services.adjudication.due_games import phases_due
from mailer.inbound.outages import Light, light
from tests.simulate.machinery.server import Server
from tests.simulate.machinery.standstills import Standstills
from tests.simulate.players.writers import GMS
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.gm_pages import GmPages
from tests.simulate.staff.opposites import WISHES

WORKER, HALT = "another worker", "halt"
ALL: tuple[tuple[str, dict[str, Any]], ...] = (*WISHES, (WORKER, {}), (WORKER, {}), (HALT, {}))


@dataclass
class Intrusions(OnSomeDays):
    """All of a seed; `pages` are those of the GM."""

    TRIES = (0, 1, 2, 4)
    WITHIN = 25.0

    pages: GmPages
    server: Server
    standstills: Standstills

    def happen(self) -> None:
        """Have somebody come between at the next deadline."""
        self.lie_in_wait(*self.chance.choice(ALL))

    def lie_in_wait(self, what: str, given: dict[str, Any]) -> None:
        """Do something right before a worker decides the next phase."""
        self.server.processes.intruders["deadlines"] = partial(self._intrude, what, given)

    def _intrude(self, what: str, given: dict[str, Any]) -> None:
        phase = self._about_to_be_decided()
        if phase is None:
            self.lie_in_wait(what, given)
        elif what == WORKER:
            self.server.work("deadlines")
        elif what == HALT:
            self.standstills.halt()
        else:
            act = partial(self.pages.on_page, phase.game, what, given)
            self.server.processes.run("page", act)

    def _about_to_be_decided(self) -> Phase | None:
        """The first phase that a worker decides now, in a game that one of ours runs."""
        now = self.agenda.clock.shown()
        phases = Phase.objects.filter(status="open", game__in=phases_due(now=now))
        ours = phases.filter(game__gm__email__in=GMS).select_related("game__gm").order_by("due_at")
        due = filter(None, (due_phase(phase.game) for phase in ours))
        return next((one.phase for one in due if light(one, now) is Light.CLEAR), None)
