"""The parts of result and start mails: each gives lines, one paragraph or entry in each.

Every line about a power begins with its name ("France: A Paris - Burgundy: succeeds."), for two
reasons: a listener to a screen reader always knows whose it is, and a quoted line is no order.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from games.board import Duty, Reading
from games.models import Game, Seat
from games.queries.phase_report import (
    Capture,
    NextPhase,
    OrderLine,
    PhaseReport,
    PowerOrders,
    Standing,
    StartReport,
)
from games.timing.durations import duration_text
from mailer.text import PAUSED, counted, moment, time_left

MISSED = {
    "M": "so your units held.",
    "R": "so your dislodged units were disbanded.",
    "A": "so nothing was built.",
}


def missed(report: PhaseReport) -> str:
    """What became of the reader's power when it sent nothing; empty when it did."""
    if report.viewer not in report.missing:
        return ""
    mine = [line for one in report.orders if one.power == report.viewer for line in one.lines]
    chosen = report.step == "A" and any(line.automatic for line in mine)
    what = "so the rules chose what to disband." if chosen else MISSED[report.step]
    return f"No orders came from you in time, {what}"


def orders(report: PhaseReport) -> list[list[str]]:
    """The orders, one group of lines for each power; the reader's own come first."""
    mine_first = sorted(report.orders, key=lambda one: one.power != report.viewer)
    return [_power_orders(one) for one in mine_first]


def _power_orders(one: PowerOrders) -> list[str]:
    return [f"{one.power}: {outcome(line)}" for line in one.lines]


def outcome(line: OrderLine) -> str:
    """One order with what became of it: `A Paris - Burgundy: fails. A Munich - Burgundy was …`"""
    if line.order is None:
        return f'"{line.text}": not understood. {line.reason or ""}'.rstrip()
    words = ", ".join(line.result)
    why = line.reason or ("It had no valid order." if line.text is None else "")
    return f"{line.order}: {words}. {why}".rstrip()


def dislodged(report: PhaseReport) -> list[str]:
    """The units that were driven out, and where they may go."""
    return [
        f"{one.power}: {one.unit} was dislodged. "
        + (
            f"It may retreat to {' or '.join(one.retreats)} or else disband."
            if one.retreats
            else ""
        )
        + ("" if one.retreats else "It has nowhere to go and must disband.")
        for one in report.dislodged
    ]


def centers(report: PhaseReport) -> list[str]:
    """Which supply centres changed hands, and who is out; empty when nothing changed."""
    by_power = sorted(report.captures, key=lambda one: (one.after or one.before, one.center))
    changes = [_capture(one) for one in by_power]
    return changes + [
        f"{power}: eliminated, without unit or centre." for power in report.eliminated
    ]


def _capture(one: Capture) -> str:
    if one.after is None:
        return f"{one.before}: loses {one.center}, which is free now."
    origin = f"from {one.before}" if one.before else "which was free"
    return f"{one.after}: gains {one.center}{' ' if one.before else ', '}{origin}."


def board(standings: Iterable[Standing]) -> list[list[str]]:
    """What every power has, the one with most centres first: its centres, then its units."""
    ranked = sorted(standings, key=lambda one: (-len(one.centers), one.power))
    return [_standing(one) for one in ranked]


def _standing(one: Standing) -> list[str]:
    if not one.centers and not one.units:
        return [f"{one.power} has nothing left."]
    return [
        f"{one.power} has {_counted(one.centers, 'centre')}.",
        f"{one.power} has {_counted(one.units, 'unit')}.",
    ]


def _counted(items: Sequence[str], thing: str) -> str:
    return f"{counted(len(items), thing)}: {slashed(items)}" if items else f"no {thing}"


def slashed(items: Iterable[str]) -> str:
    """`A Paris / F Brest`: between commas, "A Paris" would be an order to build it."""
    return " / ".join(items)


def guessed(guesses: Sequence[Reading]) -> str:
    """How a player confirms orders in which we had to guess at a name, and what hangs on it."""
    orders = slashed(str(one.order) for one in guesses)
    return (
        f"We had to guess at a name to read this: {orders}. Nothing is decided before the deadline "
        "on a guess of ours. If we read it rightly, answer READY; if not, please send the order "
        "again."
    )


def todo(report: PhaseReport, seat: Seat, game: Game, now: dt.datetime) -> list[str]:
    """What the player has to do now and by when; empty when the game is over."""
    if report.next is None:
        return []
    if seat.power.name in report.eliminated:
        return [
            f"{seat.power.name} is out of the game, so there is nothing left for you to decide, "
            "and nobody waits for you any more. Thank you for playing! You will go on getting the "
            "results until the end."
        ]
    lines = next_step(report.next, seat, game, now)
    return [*lines, OPEN_SEAT] if seat.power.open_since else lines


def pace(report: StartReport) -> str:
    """When phases are due, and what may change that."""
    return " ".join(report.timetable)


def players(standings: Iterable[Standing]) -> list[str]:
    """Who plays what."""
    return [f"{one.power}: {one.player or 'nobody'}" for one in standings]


def next_step(phase: NextPhase, seat: Seat, game: Game, now: dt.datetime) -> list[str]:
    """The open phase for one player: what he has to decide, by when, and how he answers."""
    if phase.out:
        return [f"Nothing. {seat.power.name} is out of the game."]
    when = deadline(phase, seat.player.timezone, now)
    if phase.duty is None:
        return [
            f"Nothing. {seat.power.name} has nothing to decide in {phase.title}. You will hear "
            "from us when it is over.",
            when,
        ]
    lines = [f"The phase {phase.title} is open.", *duty(phase.duty), when]
    if game.process_early and not phase.paused:
        lines.append(
            f"It is decided earlier when the orders of all powers are in{_delay(phase)}. Write "
            "WAIT on a line of its own if you want it to wait for the deadline."
        )
    return [*lines, HOW_TO_ANSWER]


def _delay(phase: NextPhase) -> str:
    """How long after the last order that is."""
    later = phase.early_delay
    return f", {duration_text(later)} after the last of them came" if later else ""


def nothing_missing(phase: NextPhase, seat: Seat, now: dt.datetime) -> list[str]:
    """The open phase for a player who has ordered all that he has to decide, or is ready."""
    return [
        f"Nothing. The phase {phase.title} is open, and nothing of {seat.power.name} is missing: "
        "your orders are in, or you are ready without. Until it is decided you can send better "
        "ones: reply to this mail.",
        deadline(phase, seat.player.timezone, now),
    ]


HOW_TO_ANSWER = (
    "Reply to this mail and write your orders at the top, one on a line. You get a receipt that "
    "says how each line was understood. Until the phase is decided you can send better orders; "
    "your latest set counts. HELP on a line of its own explains the rest."
)


OPEN_SEAT = (
    "Your seat is open: until somebody takes it over, it is yours. Your orders, or RETURN on a "
    "line of its own, keep it for you."
)


def duty(duty: Duty) -> list[str]:
    """What a power has to decide, in words."""
    if duty.step == "M":
        return [f"You have {counted(len(duty.units), 'unit')} to order: {slashed(duty.units)}."]
    if duty.step == "R":
        return [
            f"Your {one.unit} must retreat to {' or '.join(one.retreats)} or else disband."
            if one.retreats
            else f"Your {one.unit} has nowhere to go and must disband."
            for one in duty.retreats
        ]
    if duty.builds:
        return [f"You may build {counted(duty.builds, 'unit')}, in {' or '.join(duty.sites)}."]
    return [f"You must disband {counted(duty.disbands, 'unit')}."]


def deadline(phase: NextPhase | None, timezone: str, now: dt.datetime) -> str:
    """`Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days.`"""
    if phase is None:
        return ""
    if phase.paused:
        return PAUSED
    if phase.due_at is None:
        return "There is no deadline."
    if phase.due_at <= now:
        return f"The deadline was {moment(phase.due_at, timezone)}."
    return f"Deadline: {moment(phase.due_at, timezone)}, in {time_left(phase.due_at, now)}."


def ending(report: PhaseReport) -> list[str]:
    """How the game ended with this phase; empty while it goes on."""
    if not report.ending:
        return []
    how = f"{report.ending[0].upper()}{report.ending[1:]}."
    return [f"{how} A mail with the score and the whole story of the game follows."]
