"""The parts of result and start mails: each returns lines, one paragraph or entry in each.

Every line about a power begins with its name ("France: A Paris - Burgundy: succeeds."), so that
people who listen to a screen reader always know whose it is, and a quoted line is never an order.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from django.conf import settings

from games.models import Game
from games.queries.access.audience import Audience, shows_board
from games.queries.board import Dislodgement, Duty, Reading, with_reason
from games.queries.orders.example_orders import Example
from games.queries.orders.order_lines import OrderLine, PowerOrders
from games.queries.phases.centers import Possessions
from games.queries.phases.next_phase import NextPhase
from games.queries.reports.phase_report import Capture, PhaseReport
from games.queries.reports.start_report import StartReport
from games.queries.reports.wording import counted, listed, local_moment, time_left
from mailer.text import GLUE, WIDTH, join_slashes, paused_until

MANY = 12
"""With more powers than this, a line for each would make the mail long."""
MISSED = {
    "M": "so your units held.",
    "R": "so your dislodged units were disbanded.",
    "A": "so nothing was built.",
}


def page(game: Game) -> str:
    """Return the address of the game's page, "" while not everybody may see its board."""
    shown = game.started_at is not None and shows_board(game, Audience.EVERYBODY)
    return f"{settings.SITE_URL}/games/{game.name}/" if shown else ""


def missed_sentence(report: PhaseReport) -> str:
    """Say what became of the reader's power if it sent nothing; otherwise ""."""
    if report.viewer not in report.missing:
        return ""
    mine = [line for one in report.orders if one.power == report.viewer for line in one.lines]
    chosen = report.step == "A" and any(line.automatic for line in mine)
    what = "so the rules chose what to disband." if chosen else MISSED[report.step]
    in_time = "" if report.early else " in time"
    return f"No orders came from you{in_time}, {what}"


def own_orders(report: PhaseReport) -> list[str]:
    """The reader's orders with what became of each; empty when there were none."""
    mine = next((one for one in report.orders if one.power == report.viewer), None)
    return _power_orders(mine, sent=report.viewer not in report.missing) if mine else []


def other_orders(report: PhaseReport) -> list[list[str]]:
    """Everybody else's orders, a group of lines for each power."""
    return [_power_orders(one) for one in report.orders if one.power != report.viewer]


def _power_orders(one: PowerOrders, *, sent: bool = True) -> list[str]:
    unbuilt = [f"{counted(one.unbuilt, 'build')} not used."] if one.unbuilt else []
    orders = [outcome(line, sent=sent) for line in one.lines]
    return [f"{one.power}: {said}" for said in [*orders, *unbuilt]]


def outcome(line: OrderLine, *, sent: bool = True) -> str:
    """One order and what became of it: `A Paris - Burgundy: fails. A Munich - Burgundy was …`

    Only its player reads whether a power `sent` anything: to others, bad orders and no orders look
    the same.
    """
    if line.order is None:
        return f"“{line.text}”: not understood. {line.reason or ''}".rstrip()
    words = ", ".join(line.result)
    none = "It had no valid order." if sent else "No order came for it."
    why = line.reason or (none if line.text is None else "")
    return f"{line.order}: {with_reason(words, why)}"


def dislodged_lines(units: Iterable[Dislodgement]) -> list[str]:
    """The units that were driven out, and where they can go."""
    return [f"{one.power}: {one.unit} was dislodged. " + _where_to(one) for one in units]


def _where_to(one: Dislodgement) -> str:
    if not one.is_told:
        return "You cannot see where it may go."
    if not one.retreats:
        return "It has nowhere to go and must disband."
    comma = "," if len(one.retreats) > 1 else ""
    return f"It may retreat to {listed(one.retreats, 'or')}{comma} or else disband."


def centers(report: PhaseReport) -> list[str]:
    """How many supply centres each power owns, what it may build or must disband, and which it won
    or lost, the largest power first; then the powers that are out of the game.

    Empty if nothing changed.
    """
    out = [f"{power}: eliminated, with no units or centres left." for power in report.eliminated]
    if not (report.captures or report.adjustments):
        return out
    tasks = {duty.power: _task(duty) for duty in report.adjustments}
    lines = [
        _balance(one, report.captures, tasks.get(one.power, ""))
        for one in by_strength(report.possessions)
    ]
    return [line for line in lines if line] + out


def _task(duty: Duty) -> str:
    return f", may build {duty.builds}" if duty.builds else f", must disband {duty.disbands}"


def _balance(one: Possessions, captures: Sequence[Capture], task: str) -> str:
    """Say it like `Austria: 5 centres (+1), may build 1. Gains Greece from Turkey.` Empty for a
    power that never has any."""
    won = [each for each in captures if each.after == one.power]
    lost = [each for each in captures if each.before == one.power]
    if not (one.centers or lost or task):
        return ""
    change = f" ({balance(one.power, captures):+d})" if won or lost else ""
    news = [f"Gains {_list_by_power(won, gain=True)}."] if won else []
    news += [f"Loses {_list_by_power(lost, gain=False)}."] if lost else []
    if one.in_part:  # nobody knows how many centres it has
        return f"{one.power}: {' '.join(news)}" if news else ""
    return " ".join([f"{one.power}: {_number(one.centers, 'centre')}{change}{task}.", *news])


def balance(power: str, captures: Iterable[Capture]) -> int:
    """How many centres the power won, minus those it lost."""
    return sum((one.after == power) - (one.before == power) for one in captures)


def _list_by_power(captures: Sequence[Capture], *, gain: bool) -> str:
    """Say it like `Belgium (it was free) and Paris from France` or `Greece and Kiel to Turkey; Rome
    to Italy`."""
    by_other: dict[str, list[str]] = {}
    for one in captures:
        by_other.setdefault((one.before if gain else one.after) or "", []).append(one.center)
    each = [_with_other(other, centers, gain=gain) for other, centers in by_other.items()]
    return listed(each) if len(each) == len(captures) else "; ".join(each)


def _with_other(other: str, centers: Sequence[str], *, gain: bool) -> str:
    if other:
        return f"{listed(centers)} {'from' if gain else 'to'} {other}"
    one, several = ("it was", "they were") if gain else ("it is now", "they are now")
    return f"{listed(centers)} ({one if len(centers) == 1 else several} free)"


def by_strength(possessions: Iterable[Possessions]) -> list[Possessions]:
    """The powers, the one with most centres first."""
    return sorted(possessions, key=lambda one: (-len(one.centers), one.power))


def board(possessions: Iterable[Possessions], *, first: Collection[str] = ()) -> list[list[str]]:
    """The centres and then the units of every power.

    The powers that the mail is about come first, then those with the most centres. Each has at
    least a line; if all fit into one, they share it.
    """
    in_turn = sorted(by_strength(possessions), key=lambda one: one.power not in first)
    short = [_in_one_line(one) for one in in_turn]
    if max(map(len, short), default=0) <= WIDTH:
        return [[line] for line in short]
    return [_in_two(one) for one in in_turn]


def _in_one_line(one: Possessions) -> str:
    if not one.centers and not one.units:
        return _nothing(one)
    sight = " in sight" if one.in_part else ""
    return f"{one.power}: {_has(one.centers, 'centre', sight)}, {_has(one.units, 'unit', sight)}"


def _nothing(one: Possessions) -> str:
    return f"{one.power}: nothing {'in sight' if one.in_part else 'left'}"


def _has(names: Sequence[str], thing: str, sight: str) -> str:
    listed = f" ({', '.join(names)})" if names else ""
    return f"{_number(names, thing)}{sight}{listed}"


def _in_two(one: Possessions) -> list[str]:
    if not one.centers and not one.units:
        return [_nothing(one)]
    sight = " in sight" if one.in_part else ""
    return [
        line
        for names, thing in ((one.centers, "centre"), (one.units, "unit"))
        for line in bracketed_lines(
            f"{one.power}: {_number(names, thing)}{sight}", names, more=f"{one.power}: and"
        )
    ]


def _number(items: Sequence[str], thing: str) -> str:
    return counted(len(items), thing) if items else f"no {thing}"


def bracketed_lines(head: str, names: Sequence[str], *, more: str) -> list[str]:
    """`France: 2 units (A Paris, F Brest)`, in as many lines as it takes; `more` begins the others.

    The judge ignores what is in brackets; between bare commas, "A Paris" would be an order to build
    it. No line is longer than a mail's, so none is ever broken.
    """
    lines: list[list[str]] = [[]]
    for name in names:
        start = head if len(lines) == 1 else more
        if lines[-1] and len(f"{start} ({', '.join([*lines[-1], name])})") > WIDTH:
            lines.append([])
        lines[-1].append(name)
    heads = [head, *[more] * (len(lines) - 1)]
    return [
        f"{start} ({', '.join(line)})" if line else start
        for start, line in zip(heads, lines, strict=True)
    ]


def guess_sentence(
    guesses: Sequence[Reading], *, overdue: bool = False, ready: bool = False
) -> str:
    """How a player confirms orders in which we guessed a name, and what depends on it.

    A player who is `ready` said so before they could know how we read their orders.
    """
    orders = join_slashes(str(one.order) for one in guesses)
    waits = (
        "The deadline has passed, and the game is waiting for your answer."
        if overdue
        else "We decide nothing before the deadline on a guess."
    )
    but, again = ("You said READY, but we", " again") if ready else ("We", "")
    return (
        f"{but} had to guess at a name to read this: {orders}. {waits} If that is what you "
        f"meant, answer READY{again}; if not, please send the order again."
    )


def pace(report: StartReport) -> str:
    """When phases are due, and what may change that."""
    return " ".join(report.timetable)


def differs(report: StartReport) -> list[str]:
    """How the game differs from most."""
    return [f"- {sentence}" for sentence in report.differs]


def examples(found: Iterable[Example]) -> list[str]:
    """How to write orders. Each line begins with what it shows, so that none of them is an
    order."""
    return [f"Example of {one.of}: {one.order}" for one in found]


def players(possessions: Iterable[Possessions]) -> list[str]:
    """Who plays what."""
    return [f"{one.power}: {one.player or 'nobody'}" for one in possessions]


def in_one_paragraph(pairs: Iterable[str]) -> str:
    """Join lines as in `Austria: Ana; England: Ben`, which never breaks within a pair."""
    return "; ".join(pair.replace(" ", GLUE) for pair in pairs)


def deadline(phase: NextPhase | None, timezone: str, now: dt.datetime) -> str:
    """`Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days.`"""
    if phase is None:
        return ""
    if phase.paused:
        return paused_until(phase.resume_at, timezone)
    if phase.due_at is None:
        return "There is no deadline."
    if phase.due_at <= now:
        return f"The deadline was {local_moment(phase.due_at, timezone)}."
    return f"Deadline: {local_moment(phase.due_at, timezone)}, in {time_left(phase.due_at, now)}."
