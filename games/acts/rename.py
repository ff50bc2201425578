"""Give a game that has not started another name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.acts.sentences import who_is_told
from games.models import Game, Invitation
from games.queries.access.staff_names import Actor
from games.queries.players.places import wishes_to_join
from games.services.setup.unstarted import game_rename


@dataclass(frozen=True, kw_only=True)
class Parameters:
    to: Annotated[
        str,
        Ask(
            "New name",
            "Players write it in mails. Letters, digits, - and _ only.",
            missing="Please say the new name.",
            longest=40,
        ),
    ]


class Rename(GameAct[Parameters]):
    name = "rename"
    title = "Rename"
    help = "Give the game another name, while it is looking for players."
    group = Group.GAME
    when = frozenset({Status.FORMING})
    undo = "“Rename” gives the old name back, as long as no other game has it."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        asking = [player for player, _ in wishes_to_join(subject)]
        invites = subject.invitations.filter(kind=Invitation.Kind.INVITED).exists()
        code = "If you gave its code to somebody, tell them the new name: the code stays."
        return [
            f"The game {subject.name} is called {given.to.strip()} from now on. Nobody can find "
            "it under its old name.",
            who_is_told(subject, now, *asking),
            # Not who: an invitation must not give away whose addresses are registered.
            *(
                ["We also tell everybody you invited, if they are registered here."]
                if invites
                else []
            ),
            *([code] if subject.entry == Game.Entry.INVITED else []),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        before = subject.name
        game = game_rename(game=subject, to=given.to, by=by.name, now=now)
        return Done(f"The game {before} is called {game.name} now.")
