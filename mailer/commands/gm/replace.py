"""REPLACE, VACATE, OFFER, DISORDER and EXCUSE: who plays, and what his silence costs."""

from __future__ import annotations

import re
from typing import ClassVar

from games import board, selectors
from games.attendance import misses
from games.errors import BadInput, WrongState
from games.models import Attendance, Game
from mailer.gm.base import Answers, Deed, power_of, split_reason
from mailer.script import Call, Takes

_BY = re.compile(r"(?P<power>.+?)\s+(?:by|with|to)\s+(?P<player>.+)", re.IGNORECASE)


class _AboutPower(Deed):
    """A grave act about one power: its name, and why."""

    grave = True
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        power, why = split_reason(call.argument)
        return {"power": power_of(game, power), "why": why}


class Replace(Deed):
    name = "replace"
    aliases: ClassVar[tuple[str, ...]] = ("substitute", "seat")
    usage = "REPLACE power BY player because reason"
    summary = "give a power to another player, whoever has it now"
    help = (
        "Name the player as he is registered, or write his address. Everybody is told the reason. "
        "Before the start it gives him a power that nobody has yet, and he alone is told. You are "
        "asked first whether to do it.\n"
        "Example: REPLACE France BY hugo@players.example because Carla has fallen ill"
    )
    act = "replace"
    grave = True
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        who, why = split_reason(call.argument)
        match = _BY.fullmatch(who)
        if match is None:
            raise BadInput(f"Who shall play it? Write: {self.usage}")
        return {"power": power_of(game, match["power"]), "player": match["player"], "why": why}


class Vacate(_AboutPower):
    name = "vacate"
    aliases = ("eject", "remove")
    usage = "VACATE power because reason"
    summary = "take a power from its player, and offer the seat to others"
    help = (
        "Everybody is told the reason. You are asked first whether to do it.\n"
        "Example: VACATE France because nothing has come for two weeks"
    )
    act = "vacate"


class Offer(Deed):
    name = "offer"
    usage = "OFFER power"
    summary = "offer an open seat to those on the standby list"
    help = "Who accepts first has it. Nobody else is told.\nExample: OFFER France"
    act = "offer"
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        return {"power": power_of(game, split_reason(call.argument)[0])}


class Disorder(_AboutPower):
    name = "disorder"
    aliases = ("cd", "abandon")
    usage = "DISORDER power because reason"
    summary = "let a power's units hold, and wait for it no longer"
    help = (
        "Its seat is open, and offered to those on the standby list. Its player is back as soon as "
        "he is heard of. You are asked first whether to do it.\n"
        "Example: DISORDER Italy because Emma has not been heard of"
    )
    act = "disorder"


class EndDisorder(_AboutPower):
    name = "enddisorder"
    aliases = ("revive",)
    usage = "ENDDISORDER power because reason"
    summary = "take a power's orders again, and wait for them"
    help = (
        "You are asked first whether to do it.\n"
        "Example: ENDDISORDER Italy because Emma is back from hospital"
    )
    act = "end_disorder"


class Excuse(Deed):
    name = "excuse"
    usage = "EXCUSE power [phase] because reason"
    summary = "let orders that did not come not count against their player"
    help = (
        "Without a phase it is the last one that the power missed. What happened on the board "
        "stays as it is.\n"
        "Example: EXCUSE Italy because her provider was down\n"
        "Example: EXCUSE Italy F1902M because her provider was down"
    )
    act = "excuse"
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        what, why = split_reason(call.argument)
        power, *phase = what.rsplit(maxsplit=1) if re.search(r"\d", what) else [what]
        return {"miss": _missed(game, power_of(game, power), phase).pk, "why": why}


def _missed(game: Game, power: str, phase: list[str]) -> Attendance:
    """The power's last miss, or that in the phase named. Raises WrongState without one."""
    name = board.phase_named(phase[0]) if phase else None
    rows = [row for row in misses(selectors.seats_of(game)) if row.seat.power.name == power]
    fits = [row for row in rows if name in (None, row.phase.name)]
    if not fits:
        when = f" in {board.phase_title(name)}" if name else ""
        raise WrongState(f"{power} has missed nothing{when} that could be excused.")
    return max(fits, key=lambda row: row.phase.number)
