"""The part of a result mail about advance orders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Phase, Seat
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.orders.advance_orders import (
    AdvanceOutcome,
    LaterOrders,
    orders_opened,
    orders_passed,
)
from games.queries.orders.current_orders import current_decisions, unconfirmed_guesses
from games.queries.players.seats import is_alive
from mailer.notices.parts import sections

WORDS = {
    "READY": "We said READY for you, as you wrote: the game need not wait for you.",
    "WAIT": "We said WAIT for you, as you wrote: the phase stays open until its deadline.",
}
UNREADY = (
    "We did not say READY for you, because we could not follow all the orders that you sent with "
    "it: send orders for the rest, or READY."
)


@dataclass(frozen=True, slots=True)
class AdvanceOrders:
    """What became of a player's advance orders."""

    lines: Sequence[str] = ()
    """The same in words, one paragraph or entry in each."""
    missing: tuple[str, ...] | None = None
    """What they still have to decide ("A Paris", "Build 2"); None if no advance order counts in the
    open phase."""


NO_ADVANCE_ORDERS = AdvanceOrders()


def used_orders(phase: Phase | None) -> dict[Seat, AdvanceOrders]:
    """What became of each player's advance orders: those for the phase that is open now, and those
    for earlier phases that did not take place."""
    if phase is None:
        return {}
    return {
        seat: _advance_orders(seat, phase, opened) for seat, opened in orders_opened(phase).items()
    }


def unused_orders(seats: Sequence[Seat], since: dt.datetime) -> dict[Seat, list[str]]:
    """What became of each player's advance orders when the game ended."""
    passed = orders_passed(seats, since=since)
    return {seat: _lines_passed(kept) for seat, kept in passed.items()}


def _advance_orders(seat: Seat, phase: Phase, opened: AdvanceOutcome) -> AdvanceOrders:
    passed = _lines_passed(opened.passed, phase.name)
    if not opened.used:
        return AdvanceOrders(passed)
    if not is_alive(seat.power):
        gone = f"Nothing is left of {seat.power.name}, so nothing comes of the orders that you sent"
        return AdvanceOrders([f"{gone} ahead for {phase_title(phase.name)}.", *passed])
    followed = current_decisions(phase, seat.power)
    counts = opened.word == "READY" or any(order for _, order in followed)
    missing = tuple(what for what, order in followed if order is None)
    return AdvanceOrders(
        [*_lines_used(seat, phase, opened, followed), *passed],
        (() if opened.word == "READY" else missing) if counts else None,
    )


def _lines_used(
    seat: Seat, phase: Phase, opened: AdvanceOutcome, followed: Sequence[tuple[str, str | None]]
) -> list[str]:
    title, power = phase_title(phase.name), seat.power.name
    left_out = lookup.not_followed(seat, phase)
    if any(order for _, order in followed):
        head = [
            f"The orders that you sent ahead for {title} are in. "
            "To replace them, reply with others."
        ]
    elif left_out or not opened.word:
        head = [
            f"None of the orders that you sent ahead for {title} count now. Please send new ones."
        ]
    else:
        head = []
    return [
        *head,
        *(
            f"The condition “{one.said}” was {'met' if one.met else 'not met'}."
            for one in opened.answers
        ),
        *(f"{power}: {order or f'{unit} has no order yet'}." for unit, order in followed),
        *(f"Not followed: “{one['text']}”. {one['problem'] or ''}" for one in left_out),
        *([WORDS[opened.word]] if opened.word else ()),
        *([UNREADY] if opened.unready else ()),
        *_lines_guessed(seat, phase),
    ]


def _lines_guessed(seat: Seat, phase: Phase) -> list[str]:
    word = phase.readiness.filter(power=seat.power).first()
    guesses = unconfirmed_guesses(phase, seat.power, word) if phase.game.process_early else ()
    return [sections.guess_sentence(guesses)] if guesses else []


def _lines_passed(passed: Sequence[LaterOrders], now_open: str = "") -> list[str]:
    """Orders for a phase that was skipped because nobody had anything to decide, and orders for the
    open phase if the power began it in civil disorder."""
    return [
        f"{_why_passed(one, now_open)}, so nothing came of the orders you had sent for it: "
        + " / ".join(f"“{text}”" for _, text in one.lines)
        for one in passed
    ]


def _why_passed(kept: LaterOrders, now_open: str) -> str:
    if kept.phase == now_open:
        return f"When {kept.phase_title} began, your power was in civil disorder"
    return f"{kept.phase_title} did not take place"
