"""End a suspension or a ban."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.acts.base import Done
from games.acts.players.base import PlayerAct, WhyToPlayer, how_it_reaches
from games.bans import why_barred
from games.models import Player
from games.queries.access.staff_names import Actor
from games.services.moderation.conduct import player_lift


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: WhyToPlayer


class Lift(PlayerAct[Parameters]):
    name = "lift"
    title = "Let play again"
    help = "End the player's suspension or ban."
    undo = "“Suspend” or “Ban” keeps them out again."
    parameters = Parameters
    for_the_erased = True

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if there is nothing to end."""
        held = why_barred(subject, now=now)
        return "" if held else f"{subject.name} is neither suspended nor banned."

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            f"{subject.name} can join games and take over seats again. Lost seats do not come "
            "back by themselves: Seat a player, on the game's page, gives one back.",
            how_it_reaches(subject),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player_lift(player=subject, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} may play again.")
