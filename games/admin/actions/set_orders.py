"""Give a power's orders in its player's place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django import forms

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, OfPower, phase_of, title_of, told
from games.models import Game
from games.selectors import open_phase
from games.services.gm_orders import orders_set
from games.standing import position, readings
from games.wording import listed


class Orders(OfPower):
    field_order = ["power", "orders", "why"]
    orders = forms.CharField(
        label="Orders",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="One on a line, as players write them. All lines have to be good ones.",
    )
    why = forms.CharField(
        label="Why",
        max_length=200,
        help_text="One sentence; all players are told, but not which orders.",
    )

    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Those that have something to decide."""
        phase = open_phase(game)
        return position(phase).powers_to_order() if phase else ()

    def clean_orders(self) -> list[str]:
        """Return the lines that are not empty."""
        return [line.strip() for line in self.cleaned_data["orders"].splitlines() if line.strip()]


class SetOrders(Action):
    name = "set_orders"
    label = "Set orders"
    what = "Give a power's orders in its player's place."
    group = Group.ORDERS
    questions = Orders
    for_power = True

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        phase, power = phase_of(game), typed["power"].name
        read = [str(one.order) for one in readings(phase, power, typed["orders"])]
        return [
            f"These orders of {power} stand for {title_of(phase)}: {listed(read)}.",
            f"They replace whatever {power} has sent. Its player is mailed what stands, and may "
            "send better orders until the deadline.",
            "All others are told that it was done and why, but not which orders.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        receipt = orders_set(
            game=game,
            power=typed["power"].name,
            lines=typed["orders"],
            why=typed["why"],
            by=by,
            now=now,
        )
        lacking = f" Without an order: {listed(receipt.missing)}." if receipt.missing else ""
        return Done(f"Orders of {receipt.power} are set in {receipt.phase_title}.{lacking}")
