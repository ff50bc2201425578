"""Ban a player from the server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.acts.base import Done
from games.acts.players.base import (
    PlayerAct,
    WhyToPlayer,
    how_it_reaches,
    places_lost,
    seats_that_open,
    still_runs,
    when_seats_open,
)
from games.models import Player
from games.queries.access.staff_names import Actor
from games.services.moderation.conduct import player_ban


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: WhyToPlayer


class Ban(PlayerAct[Parameters]):
    name = "ban"
    title = "Ban"
    help = "Bar the player from playing here, and open their seats to others."
    harsh = True
    undo = "“Let play again” ends it, but seats that were lost do not come back by themselves."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Once is enough."""
        return f"{subject.name} is already banned." if subject.banned_at else ""

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        seats = seats_that_open(subject)
        return [
            f"{subject.name} can no longer join a game or take over a seat, until the ban is "
            "lifted.",
            *(when_seats_open(seats) if seats else ["They have no seat to lose."]),
            *(
                ["The other players read that the moderators decided so, but not why."]
                if any(not seat.power.game.anonymous for seat in seats)
                else []
            ),
            *places_lost(subject),
            *still_runs(subject, now),
            how_it_reaches(subject),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player_ban(player=subject, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} is banned.")
