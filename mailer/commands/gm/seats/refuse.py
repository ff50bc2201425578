"""REFUSE: turn away somebody who asked to join, or a power that asked for more time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from django.contrib.auth.models import User

from games.acts import let_in, turn_down
from games.acts.turn_down import wishes_for_time
from games.errors import BadInput
from games.models import Game
from games.queries.reports.wording import listed
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand, GmAnswer
from mailer.commands.gm.lines.arguments import power_and_reason, power_of, powers_in
from mailer.commands.gm.seats.approve import Approve


class _MoreTime(ActCommand[turn_down.Parameters]):
    name = "refuse"
    usage = "REFUSE power because reason"
    summary = "leave the deadline where it is"
    help = ""
    act = turn_down.TurnDown()

    def read(self, call: Call, game: Game) -> turn_down.Parameters:
        asking = [one.power for one in wishes_for_time(game)]
        named, why = power_and_reason(game, call.argument)
        if not named and len(asking) == 1:
            return turn_down.Parameters(power=asking[0], why=why)
        power = power_of(game, named)
        if power not in asking:
            does = "do" if len(asking) > 1 else "does"
            raise BadInput(f"{power} does not ask for more time: {listed(asking)} {does}.")
        return turn_down.Parameters(power=power, why=why)


_MORE_TIME = _MoreTime()


class Refuse(Approve):
    name = "refuse"
    aliases = ("decline", "reject")
    usage = "REFUSE player, or REFUSE power because reason"
    summary = "turn away somebody who asked to join, or a power that asks for more time"
    help = (
        "We tell somebody who asked to join that they cannot, but not why, and they cannot ask "
        "again; INVITE and their address takes that back. We tell a power that asks for more time "
        "that the deadline stays, and why; while only one asks, you need not name it.\n"
        "Example: REFUSE Hugo\n"
        "Example: REFUSE France because we have waited twice"
    )
    answer = let_in.NO

    def foresee(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        if _is_about_time(call, game):
            return _MORE_TIME.foresee(call, game, user, now)
        return super().foresee(call, game, user, now)

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        if _is_about_time(call, game):
            return _MORE_TIME.run(call, game, user, now)
        return super().run(call, game, user, now)

    def each(self, call: Call, game: Game) -> Sequence[Call]:
        """One call for each power or name on the line."""
        if not _is_about_time(call, game):
            return super().each(call, game)
        named, why = power_and_reason(game, call.argument)
        powers = powers_in(game, named)
        because = f" because {why}" if why else ""
        return [replace(call, argument=f"{one}{because}") for one in powers] or [call]

    def names_in(self, call: Call, game: Game, user: User) -> list[str]:
        """The players named in a reason for a power, which everybody can read in the log."""
        return _MORE_TIME.names_in(call, game, user) if _is_about_time(call, game) else []

    def title(self, call: Call, game: Game) -> str:
        """The command and the name of the person it is about."""
        return "REFUSE" if _is_about_time(call, game) else super().title(call, game)


def _is_about_time(call: Call, game: Game) -> bool:
    """Whether the call names powers, or names nobody while a power asks for more time."""
    if game.status != Game.Status.ACTIVE:
        return False
    named, _ = power_and_reason(game, call.argument)
    if not named:
        return bool(wishes_for_time(game))
    with suppress(BadInput):
        return bool(powers_in(game, named) or power_of(game, named))
    return False
