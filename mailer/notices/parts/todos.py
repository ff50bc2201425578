"""A player's duties in a phase and their orders so far, as notices say it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from games.models import Event, Phase, Seat
from games.queries.orders.current_orders import current_decisions
from games.queries.orders.waiting import waits_for_player
from games.queries.phases.next_phase import next_phase
from games.queries.phases.sheet import Sheet, sheet_of
from mailer.notices.parts import duties, ready_answers
from mailer.outbound.buttons import Button


class Todo(NamedTuple):
    """What a player has to decide, line by line, with ready answers."""

    lines: Sequence[str] = ()
    answers: Sequence[Button] = ()


def todo(phase: Phase | None, seat: Seat, now: dt.datetime) -> Todo:
    """Return what the player has to decide in the open phase, or that nothing is missing.

    The news is about themselves, so they may be new, or back: it has everything they need.
    """
    return todos(phase, [seat], now, told=False)[seat]


def todos(
    phase: Phase | None, seats: Sequence[Seat], now: dt.datetime, *, told: bool = True
) -> dict[Seat, Todo]:
    """Return `todo` for many seats of a game, reading the phase's orders only once; the players are
    `told` in this phase already how to answer."""
    if phase is None or not seats:
        return dict.fromkeys(seats, Todo())
    sheet, waits = sheet_of(phase), waits_for_player(phase)
    return {seat: _todo(sheet, seat, now, waits=waits, told=told) for seat in seats}


def _todo(sheet: Sheet, seat: Seat, now: dt.datetime, *, waits: bool, told: bool) -> Todo:
    """`waits` says that the phase stays open until its deadline because a power has no player."""
    power, game = seat.power.name, sheet.phase.game
    step = next_phase(sheet.phase, seat.power)
    if step.duty and power not in sheet.not_in:
        again = not step.paused and power in sheet.unheard
        ordered = all(order for _, order in sheet.decisions(power))
        return Todo(duties.nothing_missing(step, seat, now, ordered=ordered, again=again))
    left = duties.left_of(sheet.decisions(power)) if step.duty else None
    stays_open = bool(step.duty) and waits
    lines = duties.next_step(step, seat, game, now, missing=left, stays_open=stays_open, told=told)
    return Todo(lines, ready_answers.buttons(step, left))


def current_orders(event: Event, seat: Seat, phase: Phase | None) -> list[str]:
    """Return the power's current orders, a line each; none if the event's phase is over, since the
    results tell."""
    if phase is None or phase.pk != event.phase_id:
        return []
    orders = current_decisions(phase, seat.power)
    if not any(order for _, order in orders):
        return []
    return [f"{seat.power.name}: {order or f'{unit} has no order'}." for unit, order in orders]
