"""SETORDERS: orders in a player's place."""

from __future__ import annotations

import re
from dataclasses import replace

from django.contrib.auth.models import User

from games.acts import set_orders
from games.errors import BadInput
from games.models import Game
from games.queries.board import reads_as_order
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import power_of, split_reason

_BECAUSE = re.compile(r"\s*because\b(?:\s+of\b)?[\s:,]*", re.IGNORECASE)

_FOR = re.compile(r"(?:for|of)\s+", re.IGNORECASE)


class SetOrders(ActCommand[set_orders.Parameters]):
    name = "setorders"
    aliases = ("become",)
    usage = "SETORDERS power [AMEND] because reason"
    summary = "give a power's orders in its player's place"
    help = (
        "Write the orders on the lines below it; END closes them, and the reason can be the last "
        "line. They replace whatever the power has sent; with AMEND, its other orders still count. "
        "We tell everybody that you did this, and why, but not which orders. We ask you to "
        "confirm it first.\n"
        "Example: SETORDERS Italy because Emma's provider is down"
    )
    act = set_orders.SetOrders()
    grave = True
    takes = Takes.SOMETHING
    has_body = True

    def read(self, call: Call, game: Game) -> set_orders.Parameters:
        power, why = split_reason(call.argument)
        power = _FOR.sub("", power)
        if not call.lines and reads_as_order(why.partition(";")[0]):
            raise BadInput("Please write the orders on the lines below, and why after “because”.")
        if power.lower() == "master":
            raise BadInput("You need not become the game master: write the commands alone.")
        named, _, last = power.rpartition(" ")
        amend = last.upper() == "AMEND"
        orders = tuple(line.text for line in call.lines)
        if not why:
            orders, why = _reason_below(orders)
        return set_orders.Parameters(
            power=power_of(game, named if amend else power), orders=orders, amend=amend, why=why
        )

    def names_in(self, call: Call, game: Game, user: User) -> list[str]:
        below = _reason_below(tuple(line.text for line in call.lines))[1]
        return super().names_in(replace(call, argument=f"{call.argument} {below}"), game, user)


def _reason_below(lines: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The orders, and the reason below them, from the word `because` on."""
    for number, text in enumerate(lines):
        if begins := _BECAUSE.match(text):
            return lines[:number], " ".join([text[begins.end() :], *lines[number + 1 :]]).strip()
    return lines, ""
