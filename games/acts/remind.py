"""Remind those who still owe orders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import Nothing
from games.acts.sentences import from_now, title_of
from games.events import OrdersMissing
from games.models import Game
from games.queries.access.anonymity import names_shown
from games.queries.access.staff_names import Actor
from games.queries.lookup import open_phase
from games.queries.reports.wording import listed
from games.services.clock.reminders import missing_remind, reminder_refused, seats_that_owe


class Remind(GameAct[Nothing]):
    name = "remind"
    title = "Remind the missing"
    help = "Mail everybody who still owes orders what they owe, and when it is due."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    undo = "A mail cannot be taken back."
    parameters = Nothing

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if nobody owes orders."""
        phase = open_phase(subject)
        return reminder_refused(phase, now) if phase else ""

    def forecast(self, subject: Game, given: Nothing, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        shown = names_shown(subject)
        seats = seats_that_owe(phase)
        named = [
            f"{seat.power.name} ({seat.player.name})" if shown else seat.power.name
            for seat in seats
        ]
        until = "the game waits for them"
        if phase.due_at and phase.overdue_at is None:
            until = f"the deadline is {from_now(phase.due_at, subject, now)}"
        return [
            f"A mail to {listed(named)}: what they owe for {title_of(phase)}, and that {until}.",
            "Nobody else gets a mail. Everybody can read in the log that you reminded them.",
        ]

    def do(self, subject: Game, given: Nothing, *, by: Actor, now: dt.datetime) -> Done:
        event = missing_remind(game=subject, by=by.name, now=now)
        powers = OrdersMissing.of(event).powers
        return Done(f"Reminded in {subject.name}: {listed(powers)}.")
