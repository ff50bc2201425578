"""Offer an open seat to those on the standby list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, OfPower
from games.durations import duration_text
from games.models import Game, Standby
from games.services.standby import OFFER_LASTS, seat_offer


class Open(OfPower):
    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Those whose seats are open."""
        found = game.powers.exclude(open_since=None)
        return list(found.values_list("name", flat=True))


class Offer(Action):
    name = "offer"
    label = "Offer a seat"
    what = "Offer an open seat to those on the standby list who have not declined it."
    group = Group.SEATS
    questions = Open
    for_power = True

    def offered(self, subject: Game, now: dt.datetime) -> bool:
        """There has to be an open seat."""
        return super().offered(subject, now) and subject.powers.exclude(open_since=None).exists()

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        waiting = Standby.objects.filter(until=None).count()
        return [
            f"{typed['power'].name} is offered to those whom it fits: "
            f"{waiting} {'player is' if waiting == 1 else 'players are'} on the standby list.",
            f"They are mailed and have {duration_text(OFFER_LASTS)}. Who accepts first has it.",
            "Nobody else is told.",
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        event = seat_offer(game=game, power=typed["power"], by=by, now=now)
        number = event.payload["offers"]
        whom = "1 player" if number == 1 else f"{number} players"
        return Done(f"{typed['power'].name} is offered to {whom}.")
