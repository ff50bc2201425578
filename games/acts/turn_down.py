"""Turn down a power that asks for more time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import ROOM_FOR_WHY, Ask
from games.acts.sentences import from_now, title_of
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.lookup import open_phase
from games.queries.orders.wishes import unanswered_wishes
from games.queries.reports.next_step import Wish
from games.queries.reports.wording import local_moment
from games.services.clock.extensions import extension_refuse


def wishes_for_time(game: Game) -> Sequence[Wish]:
    """Return who has asked for more time in the open phase and had no answer."""
    phase = open_phase(game)
    return unanswered_wishes([phase]).get(phase.pk, ()) if phase else ()


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {
        one.power: f"{one.power}: until {local_moment(one.to, game.timezone)}"
        for one in wishes_for_time(game)
    }


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, Ask("Power", missing="Please say which power.", choices=_choices)]
    why: Annotated[
        str,
        Ask(
            "Why",
            "Only the power's player gets a mail; everybody can read it in the log.",
            missing="Please say why: the player is told, and it stands in the log.",
            longest=ROOM_FOR_WHY,
        ),
    ]


class TurnDown(GameAct[Parameters]):
    name = "turn_down"
    title = "Turn down more time"
    help = "Tell a power that asks for more time that the deadline stays where it is."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    undo = "A mail cannot be taken back, but the deadline can still be extended."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if nobody waits for an answer."""
        asked = wishes_for_time(subject)
        return "" if asked else f"Nobody in {subject.name} is waiting for more time."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        until = f", {from_now(phase.due_at, subject, now)}" if phase.due_at else ""
        return [
            f"The deadline of {title_of(phase)} stays where it is{until}.",
            f"Told by mail: {given.power} alone, with your reason. Everybody can read it in the "
            "log.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        extension_refuse(game=subject, power=given.power, why=given.why, by=by.name, now=now)
        return Done(f"{given.power} is told that the deadline in {subject.name} stays.")
