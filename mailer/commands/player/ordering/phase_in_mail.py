"""PHASE in a mail that has other orders and commands as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries import lookup
from games.queries.board import phase_named
from mailer.commands import player
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.player.clock.ready import Ready, Wait
from mailer.commands.player.ordering.hold import Hold
from mailer.commands.player.ordering.phase import LaterPhase
from mailer.commands.player.ordering.same import Same
from mailer.commands.script import read_lines
from mailer.reading.quotes import Line

_ORDERING = (ORDERS, AMEND, Hold.name, Same.name)
_PLAIN = (*_ORDERING, Ready.name, Wait.name)


def apart(call: Call) -> list[Call]:
    """Split PHASE from the commands below it, which are like any others of the mail; leave any
    other call unchanged.

    With orders among them PHASE stays whole: nobody knows which phase they are for, so we ask.
    """
    if call.command != LaterPhase.name or call.argument:
        return [call]
    below = read_lines(call.lines, (), player.WORDS)
    if any(one.lines for one in below):
        return [call]
    return [replace(call, lines=()), *below]


def among_orders(calls: Sequence[Call], seat: Seat, phase: Phase | None) -> list[Call]:
    """The calls of a mail, with the lines below PHASE and the open phase read as if PHASE were not
    there.

    Otherwise PHASE would take the place of the mail's other orders, though all are for one phase,
    and we would not carry out a CLEAR or STATUS among its lines.
    """
    open_now = phase or lookup.open_phase(seat.power.game)
    blocks = [call for call in calls if open_now and _is_for(call, open_now.name)]
    orders = [call for call in calls if call.command in _ORDERING and not _only_shows(call)]
    if not blocks or not (orders or any(map(_has_commands, blocks))):
        return list(calls)
    greeted = tuple(dict.fromkeys(line for one in orders for line in one.greeted))
    lines = [line for one in (*orders, *blocks) for line in _lines_written_in(one)]
    read = read_lines(sorted(lines, key=attrgetter("number")), greeted, player.WORDS)
    others = [one for one in calls if one not in (*orders, *blocks)]
    return sorted([*others, *read], key=attrgetter("number"))


def _is_for(call: Call, phase: str) -> bool:
    """Whether it is PHASE with this phase, and has lines below it."""
    try:
        return bool(
            call.command == LaterPhase.name and call.lines and phase_named(call.argument) == phase
        )
    except BadInput:
        return False


def _only_shows(call: Call) -> bool:
    """Whether it is ORDERS without orders, a question about the current ones."""
    return call.command == ORDERS and not call.lines


def _has_commands(block: Call) -> bool:
    """Whether the lines are more than orders, with or without conditions, and what goes with
    them."""
    return any(one.command not in _PLAIN for one in read_lines(block.lines, (), player.WORDS))


def _lines_written_in(call: Call) -> list[Line]:
    """The lines of a call in a form that we would read the same way again."""
    if call.command in (Hold.name, Same.name):
        return [Line(call.number, f"{call.command} {call.argument}".strip())]
    amends = [Line(line.number, AMEND) for line in call.amended]
    return [*amends, *call.lines]
