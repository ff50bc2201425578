"""Give a game to another GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.acts.sentences import who_is_told
from games.models import Game
from games.queries.access.staff_names import Actor, staff_name
from games.services.setup.co_gms import game_hand_over

STAYS = "stays as a co-GM, whom the new GM can remove."
GOES = (
    "can no longer act on the game, gets no more of its GM's mails, and cannot take over a power "
    "in it."
)


def _heirs(game: Game, now: dt.datetime) -> Mapping[str, str]:
    rows = game.co_gms.filter(until=None, user__is_active=True).exclude(user=game.gm_id)
    rows = rows.select_related("user")
    return {str(row.pk): staff_name(row.user) for row in rows.order_by("pk")}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    who: Annotated[
        str, Ask("To whom", "A co-GM for good.", missing="Please say to whom.", choices=_heirs)
    ]
    stays: Annotated[bool, Ask("The present GM stays as a co-GM")] = False


class HandOver(GameAct[Parameters]):
    name = "hand_over"
    title = "Hand the game over"
    help = "A co-GM becomes the GM of the game."
    group = Group.GAME
    harsh = True
    when = frozenset(Status) - {Status.FINISHED}
    instead = ("add_co_gm",)
    undo = "Only the new GM, or an operator, can give the game back."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if there is nobody to hand the game to."""
        missing = (
            f"Only a co-GM for good can take over, and {subject.name} has none: add one first."
        )
        return "" if _heirs(subject, now) else missing

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        heir = _heirs(subject, now).get(given.who, "")
        said = [f"{heir} is the GM of {subject.name} from now on."]
        if subject.gm:
            said += [f"{staff_name(subject.gm)} {STAYS if given.stays else GOES}"]
        return [*said, who_is_told(subject, now)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        heir = game_hand_over(game=subject, key=given.who, stays=given.stays, by=by.name, now=now)
        return Done(f"{staff_name(heir)} is the GM of {subject.name} now.", gone=not given.stays)
