"""Write to a player as a moderator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, To, how_it_reaches, read_by_all
from games.acts.players.ready_texts import ReadyText, text_of
from games.models import Player
from games.queries.access.staff_names import Actor
from games.services.moderation.conduct import LONGEST, player_write


@dataclass(frozen=True, kw_only=True)
class Parameters:
    only_to: To = ""
    ready: ReadyText = ""
    text: Annotated[
        str, Ask("Text", "It goes to the player by mail, with your name.", longest=LONGEST, rows=6)
    ] = ""


class WriteToPlayer(PlayerAct[Parameters]):
    name = "write"
    title = "Write to the player"
    help = "Send the player a mail in your own name. The answer comes back to the moderators."
    undo = "A mail cannot be taken back."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        return "" if subject.address else f"{subject.name} has no confirmed address to write to."

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        if not (given.ready or given.text):
            return []
        return [
            f"“{text_of(given.ready, given.text)}”",
            how_it_reaches(subject, only_to=given.only_to),
            *read_by_all(subject, given.only_to),
            "A reply to your mail goes to all moderators by mail, and waits in the admin for an "
            "answer. The player's file keeps both.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        text = text_of(given.ready, given.text)
        player_write(player=subject, text=text, by=by.name, now=now, only_to=given.only_to)
        return Done(f"Your text goes to {subject.name}.")
