"""Let a player write no press for some time, or write it again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, WhyToPlayer, how_it_reaches, instead_of
from games.models import Player
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import local_moment
from games.services.moderation.conduct import player_mute, player_unmute
from games.timing.durations import read_duration


@dataclass(frozen=True, kw_only=True)
class Parameters:
    length: Annotated[
        dt.timedelta, Ask("For how long", "Like 7d.", proposed="7d", read=read_duration)
    ]
    why: WhyToPlayer


class Mute(PlayerAct[Parameters]):
    name = "mute"
    title = "Mute"
    help = "Keep the player from writing press for a time. Orders and mails to the GM are taken."
    undo = "“Let write again” ends it."
    parameters = Parameters

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        earlier = subject.muted_until
        return [
            f"{subject.name} cannot write press, except to the GM, until "
            f"{local_moment(now + given.length)}. We take their orders as before.",
            *(instead_of(earlier) if earlier and earlier > now else ()),
            "If they think that is wrong, they reply to the mail: it comes to the queue.",
            how_it_reaches(subject),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        until = now + given.length
        player_mute(player=subject, until=until, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} is muted until {local_moment(until)}.")


@dataclass(frozen=True, kw_only=True)
class Why:
    why: WhyToPlayer


class Unmute(PlayerAct[Why]):
    name = "unmute"
    title = "Let write again"
    help = "Let the player write press again."
    undo = "“Mute” brings it back."
    parameters = Why

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if they are not muted."""
        muted = subject.muted_until and subject.muted_until > now
        return "" if muted else f"{subject.name} is not muted."

    def forecast(self, subject: Player, given: Why, now: dt.datetime) -> Sequence[str]:
        return [f"{subject.name} can write press again.", how_it_reaches(subject)]

    def do(self, subject: Player, given: Why, *, by: Actor, now: dt.datetime) -> Done:
        player_unmute(player=subject, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} can write press again.")
