"""What a player must do in the open phase and by when, and how they answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.models import Game, Seat
from games.queries.board import Dislodgement, Duty
from games.queries.orders.current_orders import Decisions
from games.queries.phases.next_phase import NextPhase
from games.queries.reports.phase_report import PhaseReport
from games.queries.reports.wording import counted, listed
from mailer.notices.parts import sections
from mailer.text import brief

OVER = "Nothing: the game is over, so there is no deadline."
STORY = "Another mail follows, with the score and the whole story of the game."
THANKS = "Thank you for playing! You will go on getting the results until the end."
THANKS_IN_FOG = "Thank you for playing! You will not see the board again until the game is over."
IN_SHORT = "Reply to this mail with your orders at the top, one per line."
HOW_TO_ANSWER = (
    f"{IN_SHORT} A receipt tells you how we read each line. Until the phase is decided you can "
    "send better orders; your latest set counts. HELP on a line of its own explains the rest."
)
SPEAK_AGAIN = (
    "If you do not need more time, reply with READY on a line of its own: the phase is decided "
    "early once everybody has said so, or sent orders again, since the deadline moved."
)
OPEN_SEAT = (
    "Your seat is open, but it is yours until somebody takes it over. To keep it, send your "
    "orders, or write RETURN on a line of its own."
)


def after_phase(
    report: PhaseReport, seat: Seat, now: dt.datetime, *, missing: Sequence[str] | None
) -> list[str]:
    """What to do when a phase is over: first the duty, then the deadline, then what helps.

    `missing` is what is left to decide if advance orders count in the open phase; otherwise None.
    """
    if report.next is None:
        return [OVER, STORY]
    when = sections.deadline(report.next, seat.player.timezone, now)
    power = seat.power.name
    if power in report.eliminated:
        thanks = THANKS_IN_FOG if report.in_part else THANKS
        return [f"Nothing: {power} is out of the game, and nobody waits for you.", when, thanks]
    lines = must_do(report.next, seat, now, missing=missing)
    is_offered = seat.power.open_since and not report.next.out
    return [*lines, "", OPEN_SEAT] if is_offered else lines


def next_step(
    phase: NextPhase,
    seat: Seat,
    game: Game,
    now: dt.datetime,
    *,
    missing: Sequence[str] | None = None,
    stays_open: bool = False,
    told: bool = False,
) -> list[str]:
    """The open phase for one player: what they have to decide, by when, and how they answer.

    `missing` is what is left if they have sent part of it. `stays_open` says that the phase lasts
    until its deadline because a power has lost its player, `told` that they have read how to answer
    in this phase.
    """
    how = how_to_answer(phase, game, now, stays_open=stays_open, told=told)
    how = [line for one in how for line in ("", one)]
    return [*must_do(phase, seat, now, missing=missing), *how]


def must_do(
    phase: NextPhase, seat: Seat, now: dt.datetime, *, missing: Sequence[str] | None = None
) -> list[str]:
    """What they have to decide and by when: a line for each thing, the most important first."""
    when = sections.deadline(phase, seat.player.timezone, now)
    power = seat.power.name
    if phase.out:
        return [f"Nothing: {power} is out of the game.", when]
    if phase.duty is None:
        later = "You will hear from us when it is over."
        why = _why_uneven(phase, power)
        return [f"Nothing: {power} has nothing to decide in {phase.title}.{why}", when, later]
    if missing is not None and not missing:
        return [f"Nothing: what you sent ahead for {phase.title} is in.", when]
    task = summary(phase.duty) if missing is None else _what_is_left(phase.duty, len(missing))
    lost = _why_uneven(phase, power)
    return [f"{phase.title}: {task}.{lost}", when, *_details(phase.duty, missing or ())]


def _why_uneven(phase: NextPhase, power: str) -> str:
    """Why a power may have more or fewer units than centres; "" if there is no reason."""
    said = list(phase.notes)
    if phase.unplaced:
        more = counted(phase.unplaced, "more unit")
        them = "it" if phase.unplaced == 1 else "them"
        said.append(f"{power} has centres for {more}, but no free place to build {them}.")
    return "".join(f" {sentence}" for sentence in said)


def left_of(current: Decisions) -> Sequence[str] | None:
    """What is left to decide when part of it is in; None when all or nothing is."""
    left = [decision for decision, order in current if order is None]
    return left if 0 < len(left) < len(current) else None


def how_to_answer(
    phase: NextPhase, game: Game, now: dt.datetime, *, stays_open: bool = False, told: bool = False
) -> list[str]:
    """How to send orders, and when the phase may end early; nothing if there is nothing to
    decide. A phase whose deadline has passed cannot end before it."""
    if phase.out or phase.duty is None:
        return []
    is_late = phase.due_at is not None and phase.due_at <= now
    is_early = game.process_early and not (phase.paused or stays_open or is_late)
    early = [_early(phase)] if is_early else []
    return [*early, IN_SHORT if told else HOW_TO_ANSWER]


def _early(phase: NextPhase) -> str:
    later = phase.second_thoughts
    delay = f", {later} after the last of them came" if later else ""
    return (
        f"The phase is decided earlier once all orders are in{delay}. WAIT on a line of its own "
        "keeps it open until the deadline."
    )


def nothing_missing(
    phase: NextPhase, seat: Seat, now: dt.datetime, *, ordered: bool, again: bool
) -> list[str]:
    """The open phase for a player who has `ordered` everything, or is ready without orders.

    `again` if they have sent nothing since the deadline was moved.
    """
    done = f"your orders for {phase.title} are in" if ordered else f"you are ready in {phase.title}"
    return [
        f"Nothing: {done}.",
        sections.deadline(phase, seat.player.timezone, now),
        "Until the phase is decided you can send better orders: reply to this mail.",
        *([SPEAK_AGAIN] if again else []),
    ]


def summary(duty: Duty) -> str:
    """What a power has to decide, in one phrase."""
    if duty.step == "M":
        return f"you have {counted(len(duty.units), 'unit')} to order"
    if duty.step == "R":
        return f"you have {counted(len(duty.units), 'dislodged unit')} to retreat or disband"
    if duty.builds:
        return f"you may build {counted(duty.builds, 'unit')}"
    return f"you must disband {counted(duty.disbands, 'unit')}"


def _what_is_left(duty: Duty, missing: int) -> str:
    """What is left of it, if advance orders are in."""
    if duty.step == "A":
        what = "build" if duty.builds else "disband"
        return f"{missing} of your {counted(duty.size, what)} still to decide"
    has_or_have = "has" if missing == 1 else "have"
    return f"{missing} of your {counted(duty.size, 'unit')} still {has_or_have} no order"


def _details(duty: Duty, missing: Sequence[str]) -> list[str]:
    if duty.step == "M":
        if missing:
            return sections.bracketed_lines("Without an order", missing, more="and")
        return sections.bracketed_lines("Your units", duty.units, more="and")
    if duty.step == "R":
        left = [one for one in duty.retreats if not missing or one.unit in missing]
        return [_retreat(one) for one in left]
    return (
        sections.bracketed_lines("Places for new units", duty.sites, more="and")
        if duty.builds
        else []
    )


def _retreat(one: Dislodgement) -> str:
    if one.retreats:
        comma = "," if len(one.retreats) > 1 else ""
        places = listed(one.retreats, "or")
        return f"Your {one.unit} must retreat to {places}{comma} or else disband."
    return f"Your {one.unit} has nowhere to go and must disband."


# --- In a subject ----------------------------------------------------------------------------


def in_subject(
    report: PhaseReport, timezone: str, now: dt.datetime, *, missing: Sequence[str] | None = None
) -> str:
    """The duty and its deadline, as short as possible: `retreat F Brest by Tue 24 Nov 20:00
    CET`."""
    if report.next is None:
        return "the game is over"
    if report.viewer in report.eliminated or report.next.out:
        return "you are out of the game"
    return next_in_subject(report.next, timezone, now, missing=missing)


def next_in_subject(
    phase: NextPhase, timezone: str, now: dt.datetime, *, missing: Sequence[str] | None = None
) -> str:
    """The same for a phase that is open, for a power that is not out.

    `missing` are the units without an order, if there are advance orders for others. A deadline
    that has passed is not named.
    """
    if phase.duty is None:
        return f"nothing to do{_until(phase, timezone, now, 'until')}"
    if missing is not None and not missing:
        return f"your orders are in{_until(phase, timezone, now, 'for')}"
    return f"{_in_short(phase.duty, missing)}{_until(phase, timezone, now, 'by')}"


def _until(phase: NextPhase, timezone: str, now: dt.datetime, word: str) -> str:
    if phase.paused:
        return ", the game is paused"
    is_to_come = phase.due_at is not None and phase.due_at > now
    return f" {word} {brief(phase.due_at, timezone)}" if phase.due_at and is_to_come else ""


def _in_short(duty: Duty, missing: Sequence[str] | None) -> str:
    left = duty.size if missing is None else len(missing)
    some = f"{left} of {duty.size}" if left < duty.size else f"{left}"
    if duty.step == "M":
        return f"order {some} unit{'' if duty.size == 1 else 's'}"
    if duty.step == "R":
        units = duty.units if missing is None else missing
        return f"retreat {units[0] if len(units) == 1 else f'{some} units'}"
    return f"{'build' if duty.builds else 'disband'} {some}"
