"""Write a note into a player's file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct
from games.models import Player
from games.queries.access.staff_names import Actor
from games.services.moderation.conduct import LONGEST, player_note


@dataclass(frozen=True, kw_only=True)
class Parameters:
    text: Annotated[str, Ask("Note", missing="Please write the note.", longest=LONGEST, rows=4)]


class Note(PlayerAct[Parameters]):
    name = "note"
    title = "Write a note"
    help = "Write in the player's file what other moderators should know. It stays there for good."
    undo = "A note cannot be taken back, but you can write another."
    parameters = Parameters

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            f"“{given.text}”",
            f"It goes into the file of {subject.name}, with your name. The player is not told.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player_note(player=subject, text=given.text, by=by.name, now=now)
        return Done(f"The note is in the file of {subject.name}.")
