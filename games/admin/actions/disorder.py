"""Declare a power in civil disorder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, OfPower, Reason, phase_of, title_of, told
from games.models import Game
from games.seats import running_seat
from games.services.disorder import disorder_declare


class Ordered(OfPower, Reason):
    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Those that are not in civil disorder yet."""
        return list(game.powers.filter(disorder_since=None).values_list("name", flat=True))


class Disorder(Action):
    name = "disorder"
    label = "Declare civil disorder"
    what = "Let a power's units hold and wait for it no longer, until somebody plays it."
    group = Group.SEATS
    questions = Ordered
    for_power = True

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        power = typed["power"]
        seat = running_seat(power)
        said = [
            f"{power.name} is in civil disorder: its units hold and may be supported, dislodged "
            "ones are disbanded, nothing is built.",
            f"What was sent for it in {title_of(phase_of(game))} counts no longer, and nobody "
            "waits for it, neither for its orders nor for its vote.",
            "Its seat is open, and offered to those on the standby list whom it fits.",
        ]
        if seat:
            said += [
                f"{seat.player.name} is told first: he is back as soon as he is heard of, as long "
                "as nobody else has taken the seat."
            ]
        return [*said, told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        power = typed["power"]
        disorder_declare(game=game, power=power, why=typed["why"], by=by, now=now)
        return Done(f"{power.name} in {game.name} is in civil disorder.")
