"""Give a power's orders in its player's place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, phase_of
from games.acts.parameters import ROOM_FOR_WHY, Ask, lines
from games.acts.powers import which_power
from games.acts.sentences import reason_read, title_of, who_is_told
from games.models import Game, Phase
from games.queries.access.staff_names import Actor
from games.queries.lookup import open_phase
from games.queries.orders.current_orders import deciding, decisions, readings
from games.queries.reports.wording import listed
from games.services.ordering.gm_orders import orders_set


def _deciding(game: Game) -> Sequence[str]:
    """The powers that have something to decide."""
    phase = open_phase(game)
    return deciding(phase) if phase else ()


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(_deciding)]
    orders: Annotated[
        tuple[str, ...],
        Ask(
            "Orders",
            "One per line, as players write them. We have to understand all of them.",
            missing="Please write the orders, one per line.",
            rows=8,
            read=lines,
        ),
    ]
    amend: Annotated[
        bool,
        Ask(
            "The power's other orders still count",
            "For correcting one order. Otherwise these replace all that the power has sent.",
        ),
    ] = False
    why: Annotated[
        str,
        Ask(
            "Why",
            "One sentence; all players are told, but not which orders.",
            missing="Please say why: all players are told.",
            longest=ROOM_FOR_WHY,
        ),
    ]


class SetOrders(GameAct[Parameters]):
    name = "set_orders"
    title = "Set orders"
    help = "Give a power's orders in its player's place."
    group = Group.ORDERS
    undo = "The orders that these replace are gone, unless the power’s player sends them again."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase, power = phase_of(subject), given.power
        read = [str(one.order) for one in readings(phase, power, given.orders)]
        return [
            f"These orders of {power} stand for {title_of(phase)}: {listed(read)}.",
            _what_else(phase, given),
            f"The player of {power} is mailed what stands, and may send better orders until the "
            "deadline.",
            "All others are told that it was done and why, but not which orders.",
            who_is_told(subject, now),
            *reason_read(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        receipt = orders_set(
            game=subject,
            power=given.power,
            lines=given.orders,
            why=given.why,
            by=by.name,
            now=now,
            amend=given.amend,
        )
        lacking = f" Without an order: {listed(receipt.missing)}." if receipt.missing else ""
        if given.amend:  # the GM must not learn which units its player has ordered
            lacking = ""
        return Done(f"Orders of {receipt.power} are set in {receipt.phase_title}.{lacking}")


def _what_else(phase: Phase, given: Parameters) -> str:
    """Say what becomes of the power's other units."""
    if given.amend:
        return f"All else that {given.power} has ordered still counts."
    said = f"They replace whatever {given.power} has sent."
    made = decisions(phase, given.power, given.orders)
    bare = [what for what, order in made if order is None]
    return f"{said} Without an order: {listed(bare)}." if bare else said
