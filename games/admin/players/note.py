"""Write a note into a player's file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django import forms

from games.admin.acting import Done, Typed
from games.admin.players.base import PlayerAct, Questions
from games.models import Player
from games.services.conduct import LONGEST, player_note


class Text(Questions):
    text = forms.CharField(
        label="Note", max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )


class Note(PlayerAct):
    name = "note"
    label = "Write a note"
    what = "Write into the player's file what other moderators shall know. It stays for ever."
    questions = Text

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        return [
            f"“{typed['text']}”",
            f"It stands in the file of {player.name}, with your name. The player is not told.",
        ]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        player_note(player=player, text=typed["text"], by=by, now=now)
        return Done(f"The note stands in the file of {player.name}.")
