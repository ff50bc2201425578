"""Answer what a player asked the moderators."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.acting import Done, Typed
from games.admin.players.base import PlayerAct, Questions, told
from games.models import Conduct, Player
from games.services.conduct import LONGEST, player_answer, request_settle


class Text(Questions):
    entry = forms.ChoiceField(label="Asked")
    text = forms.CharField(
        label="Answer",
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="It goes to the player by mail. Empty: nothing is sent, the question is settled.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = {str(one.pk): one for one in _open(self.player)}
        field = self.fields["entry"]
        assert isinstance(field, forms.ChoiceField), "one of what the player asked is chosen"
        field.choices = [(key, one.why[:80]) for key, one in self.entries.items()]

    def clean_entry(self) -> Conduct:
        """Return the row."""
        return self.entries[self.cleaned_data["entry"]]


class Answer(PlayerAct):
    name = "answer"
    label = "Answer"
    what = "Answer what the player asked the moderators, and take it off the desk."
    questions = Text

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        """There has to be a question."""
        return bool(_open(subject))

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        asked = f"{player.name} asked: “{typed['entry'].why}”"
        if not typed["text"]:
            return [asked, "It is taken off the desk. The player is not told."]
        return [asked, f"Your answer: “{typed['text']}”", told(player)]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        if not typed["text"]:
            request_settle(entry=typed["entry"], now=now)
            return Done("The question is settled.")
        player_answer(entry=typed["entry"], text=typed["text"], by=by, now=now)
        return Done(f"Your answer goes to {player.name}.")


def _open(player: Player) -> list[Conduct]:
    asked = player.conduct.filter(kind=Conduct.Kind.ASKED, settled_at=None)
    return list(asked.order_by("at", "pk"))
