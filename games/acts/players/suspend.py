"""Suspend a player: no new seats for some time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import (
    PlayerAct,
    WhyToPlayer,
    how_it_reaches,
    instead_of,
    places_lost,
    still_runs,
)
from games.models import Player
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import local_moment
from games.services.moderation.conduct import player_suspend
from games.timing.durations import read_duration


@dataclass(frozen=True, kw_only=True)
class Parameters:
    length: Annotated[
        dt.timedelta,
        Ask("For how long", "Like 30d.", proposed="30d", read=read_duration),
    ]
    why: WhyToPlayer


class Suspend(PlayerAct[Parameters]):
    name = "suspend"
    title = "Suspend"
    help = "Keep the player from taking seats for some time. Games they play in go on."
    undo = "“Let play again” ends it, but places that were lost do not come back by themselves."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Somebody who is banned need not be suspended."""
        return f"{subject.name} is already banned." if subject.banned_at else ""

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        earlier = subject.suspended_until
        return [
            f"{subject.name} cannot join a game or take over a seat, and is offered none, until "
            f"{local_moment(now + given.length)}.",
            *(instead_of(earlier) if earlier and earlier > now else ()),
            *places_lost(subject),
            "Seats in games that are being played stay.",
            *still_runs(subject, now),
            how_it_reaches(subject),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        until = now + given.length
        player_suspend(player=subject, until=until, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} is suspended until {local_moment(until)}.")
