"""Give a power to another player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django import forms
from django.core.exceptions import ValidationError

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    OfPower,
    Reason,
    from_now,
    phase_of,
    title_of,
    told,
)
from games.models import Game, Player
from games.seats import running_seat
from games.selectors import player_by_address
from games.services.seats import seat_replace


class Substitute(OfPower, Reason):
    field_order = ["power", "player", "why"]
    player = forms.CharField(
        label="New player",
        max_length=254,
        help_text="The name or the mail address of somebody who has registered.",
    )

    def clean_player(self) -> Player:
        """Find the player; a name that several have is not enough."""
        typed = self.cleaned_data["player"].strip()
        found = player_by_address(typed)
        named = [found] if found else list(Player.objects.filter(name__iexact=typed)[:2])
        if not named:
            raise ValidationError(f"Nobody is registered as {typed}.")
        if len(named) > 1:
            raise ValidationError(f"Several players are called {typed}: write the mail address.")
        return named[0]


class Replace(Action):
    name = "replace"
    label = "Seat a player"
    what = "Give a power to another player, whoever has it now."
    group = Group.SEATS
    questions = Substitute
    for_power = True

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        power, player, phase = typed["power"], typed["player"], phase_of(game)
        seat = running_seat(power)
        earliest = now + game.takeover_time
        said = [f"{player.name} plays {power.name} from now on, and gets a mail with its position."]
        if seat:
            said += [
                f"{seat.player.name} plays it no longer: what he writes for {power.name} after "
                "that is not taken."
            ]
        said += [f"What was ordered for {power.name} in {title_of(phase)} counts no longer."]
        if phase.due_at and phase.due_at < earliest:
            said += [
                f"The deadline of {title_of(phase)} moves to {from_now(earliest, now)} at the "
                "earliest, so that there is time to look around."
            ]
        return [*said, told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        power, player = typed["power"], typed["player"]
        seat_replace(game=game, power=power, player=player, why=typed["why"], by=by, now=now)
        return Done(f"{player.name} plays {power.name} in {game.name} now.")
