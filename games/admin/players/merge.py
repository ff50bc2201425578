"""Make two accounts of one person one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django import forms
from django.core.exceptions import ValidationError

from games.admin.acting import Done, Typed
from games.admin.players.base import PlayerAct, Reason, told
from games.models import Player
from games.selectors import player_by_address
from games.services.merging import players_merge


class Other(Reason):
    field_order = ["other", "why"]
    other = forms.CharField(
        label="Other account",
        max_length=254,
        help_text="The number or a confirmed mail address of the account that becomes a part of "
        "this one.",
    )

    def clean_other(self) -> Player:
        """Find the account; a name is not enough, for several may have it."""
        typed = self.cleaned_data["other"].strip().removeprefix("#")
        found = player_by_address(typed)
        if found is None and typed.isdecimal():
            found = Player.objects.filter(pk=typed).first()
        if found is None:
            raise ValidationError(f"There is no account {typed}.")
        return found


class Merge(PlayerAct):
    name = "merge"
    label = "Merge accounts"
    what = "Make another account of the same person a part of this one. It cannot be undone."
    questions = Other

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        """An account that is a part of another has nothing left to merge."""
        return subject.merged_into_id is None

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        other: Player = typed["other"]
        seats = other.seats.select_related("power__game").order_by("power__game__name")
        names = [f"{seat.power.name} in {seat.power.game.name}" for seat in seats]
        emails = other.addresses.order_by("email").values_list("email", flat=True)
        return [
            f"{other.name} (account {other.pk}) becomes a part of {player.name} (account "
            f"{player.pk}), under whose name all is shown from then on.",
            f"Seats that go along: {', '.join(names) or 'none'}.",
            f"Addresses that go along: {', '.join(emails) or 'none'}.",
            "So do absences, wishes for games, offers, and the file. A suspension or ban of either "
            "holds. The other account stays, empty, and points here.",
            told(player),
        ]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        other = typed["other"]
        players_merge(kept=player, other=other, why=typed["why"], by=by, now=now)
        return Done(f"{other.name} is a part of {player.name} now.")
