"""What every act about a player is: a name, questions, a forecast and a deed."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User

from games import log, roles
from games.admin.acting import Act
from games.models import Player
from games.services.conduct import LONGEST


class Questions(forms.Form):
    """What an act has to know."""

    required_css_class = "required"
    use_required_attribute = False

    def __init__(self, *args: Any, player: Player, now: dt.datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.now = player, now


class Reason(Questions):
    """Why it is done: the player is told."""

    why = forms.CharField(
        label="Why",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The player reads it, and it stays in the file for ever. Nobody else is told.",
    )


class PlayerAct(Act[Player]):
    """An act about a player, for the moderators."""

    questions: ClassVar[type[Questions]] = Reason
    stale = (
        "Somebody else has dealt with this player since this page was shown, so nothing was done. "
        "Please look again at what would happen now."
    )

    def form(self, subject: Player, now: dt.datetime, *typed: Any, **more: Any) -> Questions:
        return self.questions(*typed, player=subject, now=now, **more)

    def refusal(self, user: User, subject: Player) -> str:
        return roles.refusal_about(user, subject)

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        return True

    def unoffered(self, subject: Player) -> str:
        return f"There is nothing of the kind to do about {subject.name} now."

    def stamp(self, subject: Player) -> str:
        """His file and his running seats."""
        last = subject.conduct.order_by("-pk").values_list("pk", "settled_at").first()
        seats = subject.seats.filter(until=None).order_by("pk").values_list("pk", flat=True)
        entry = [last[0], last[1].isoformat() if last[1] else None] if last else None
        return log.digest([entry, list(seats), subject.merged_into_id])

    def held(self, subject: Player) -> Player:
        """The services lock what they change."""
        return subject


def told(player: Player) -> str:
    """Say where the player gets the mail."""
    if email := player.address:
        return f"{player.name} is told by mail, at {email}."
    return f"{player.name} has no confirmed address and cannot be told."
