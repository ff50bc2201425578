"""Give a power to another player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django import forms
from django.core.exceptions import ValidationError

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    OfPower,
    Reason,
    Status,
    from_now,
    phase_of,
    title_of,
    told,
)
from games.models import Game, Player, Power
from games.seats import PLAYED, running_seat
from games.selectors import player_by_address
from games.services.games import power_names
from games.services.joining import seat_give
from games.services.seats import seat_replace


class Substitute(OfPower, Reason):
    field_order = ["power", "player", "why"]
    player = forms.CharField(
        label="New player",
        max_length=254,
        help_text="The name or the mail address of somebody who has registered.",
    )

    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Any; before the start those that nobody has."""
        every = power_names(game)
        return every if game.started_at else [name for name in every if name not in players]

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
    what = "Give a power to another player, whoever has it now; before the start, one nobody has."
    group = Group.SEATS
    when = PLAYED | {Status.FORMING}
    questions = Substitute
    for_power = True

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        power, player = typed["power"], typed["player"]
        if not game.started_at:
            return _before_the_start(game, power, player)
        phase = phase_of(game)
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
        give, when = (seat_replace, "now") if game.started_at else (seat_give, "when it starts")
        give(game=game, power=power, player=player, why=typed["why"], by=by, now=now)
        return Done(f"{player.name} plays {power.name} in {game.name} {when}.")


def _before_the_start(game: Game, power: Power, player: Player) -> list[str]:
    begins = "is mustered" if game.muster else "starts"
    return [
        f"{player.name} plays {power.name} when {game.name} starts. The powers that nobody has "
        "then are given out by the preference lists.",
        f"If that takes the last seat, the game {begins} at once.",
        f"{player.name} is told by mail, and can give the seat back until the start. All can read "
        "in the log that you gave a power to somebody, and why.",
    ]
