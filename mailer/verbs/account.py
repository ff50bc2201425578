"""What a player is told about his orders: the receipt, which is what he sees most of us."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from games import selectors
from games.board import step_of
from games.models import Game, Phase, Seat
from games.services.ahead import orders_kept
from games.services.orders import LineReceipt, OrderReceipt
from mailer import verbs
from mailer.identity import Sender
from mailer.notices.sections import slashed
from mailer.reading.quotes import Line
from mailer.verbs.advice import warnings
from mailer.verbs.base import Arrival
from mailer.verbs.seats import phase_title
from mailer.verbs.sentences import due, names, standing, zone_of
from mailer.wording import counted, listed, moment

Earlier = Mapping[str, str | None]
HOW_TO_GET_HELP = "To see everything you can write, write HELP on a line of its own."
MOST_NAMED = 3
EXAMPLES = {
    "M": (
        "Example of a move: A Paris - Burgundy",
        "Example of a move in short: A Par-Bur",
        "Example of a hold: A Paris Holds",
        "Example of a support: A Marseilles Supports A Paris - Burgundy",
        "Example of a convoy: F North Sea Convoys A London - Belgium",
    ),
    "R": ("Example of a retreat: A Vienna - Bohemia", "Example of another: Disband A Vienna"),
    "A": (
        "Example of a build: Build F St Petersburg(nc)",
        "Example of a disband: Disband A Paris",
        "Example of a build that is not wanted: Waive",
    ),
}


def verdict(receipt: OrderReceipt, unread: Sequence[Line] = ()) -> str:
    """What became of the orders, for the subject: first of all what was not ordered.

    `unread` are the lines at the end of the mail that were taken for something else.
    """
    if receipt.late:
        return "your orders came too late"
    if not receipt.counts:
        return "NOT ordered, your orders could not be followed"
    wrong = sum(line.problem is not None for line in receipt.lines)
    bad = [
        *([f"NOT ordered: {_briefly(receipt)}"] if receipt.missing else []),
        *([f"{counted(wrong, 'line')} not followed"] if wrong else []),
        *(["the end of your mail not read"] if unread else []),
    ]
    return ", ".join(bad if receipt.missing else ["your orders", *bad])


def _briefly(receipt: OrderReceipt) -> str:
    """Which units have no order, or how many, where a subject has no room for them."""
    units = all(unit[:2] in ("A ", "F ") for unit in receipt.missing)
    if units and len(receipt.missing) <= MOST_NAMED:
        return slashed(receipt.missing)
    return f"{len(receipt.missing)} of {len(receipt.current)}"


def account(
    receipt: OrderReceipt,
    lines: Sequence[Line],
    before: Earlier,
    seat: Seat,
    phase: Phase,
    sender: Sender,
    now: dt.datetime,
) -> list[str]:
    """The whole receipt of an order set that came in these lines, one paragraph or entry each."""
    read = {line.number for line in receipt.lines}
    return [
        *_arrival(receipt, before, sender),
        "",
        "How each line was understood:",
        "",
        *(_line(line) for line in receipt.lines),
        *(f'- You wrote "{one.text}": no order.' for one in lines if one.number not in read),
        *_hint(receipt, phase),
        "",
        *_standing(receipt, before, phase),
        "",
        *_what_next(receipt, seat, phase, sender, now),
    ]


def _arrival(receipt: OrderReceipt, before: Earlier, sender: Sender) -> list[str]:
    came = moment(receipt.received_at, zone_of(sender))
    if receipt.late:
        due = f" It was due {moment(receipt.due_at, zone_of(sender))}." if receipt.due_at else ""
        return [
            f"Your orders came too late for {receipt.phase_title}. Your mail reached us {came}."
            f"{due} They are kept but change nothing."
        ]
    if receipt.duplicate:
        return [f"We have this mail already; it came {came}. Nothing has changed."]
    if not receipt.counts:
        return [
            f"Your mail came {came}, but no order in it could be followed. Whatever you sent "
            "before still stands."
        ]
    if not _stands(receipt):
        how = "Orders of yours that came after them stand in their place."
    elif not any(before.values()):
        how = "They are the first that you have sent for this phase."
    elif receipt.amend:
        how = "They change your earlier orders for the units they name; the others stay."
    else:
        how = "They replace whatever you sent before for this phase."
    return [f"Your orders came {came}. {how}"]


def _stands(receipt: OrderReceipt) -> bool:
    """Whether any order of the set stands: mails that were held are read when newer ones are."""
    standing = {order for _, order in receipt.current}
    return any(line.counts and line.order in standing for line in receipt.lines)


def _line(line: LineReceipt) -> str:
    """One line of the mail and what it was taken for. It never begins as an order would."""
    wrote = f'- You wrote "{line.text}":'
    if line.problem:
        return f"{wrote} {_meant_as_command(line) or line.problem + _suggestion(line)}"
    note = f" {line.note}" if line.note else ""
    if not line.counts:
        return f"{wrote} {line.order}, which does not count.{note}"
    same = line.order == line.text
    return f"{wrote} {'understood' if same else line.order}.{note}"


def _meant_as_command(line: LineReceipt) -> str:
    """How the command is written whose word begins a line that is neither it nor an order."""
    first = line.text.split(maxsplit=1)[0].strip(".,:;!").lower()
    word = verbs.WORDS.get(first) if line.kind == "unreadable" else None
    is_prose = len(first) < 4 and first not in verbs.VERBS  # "No, I will not" is no REFUSE
    if word is None or is_prose or verbs.VERBS[word.verb].usage[0].islower():
        return ""
    usage = verbs.VERBS[word.verb].usage
    return f"not understood. The command is written: {usage} (HELP {first.upper()} explains it)."


def _suggestion(line: LineReceipt) -> str:
    """What may have been meant, unless the problem says it already."""
    new = [one for one in line.suggestions if one not in (line.problem or "")]
    return f" Did you mean {names(new, 'or')}?" if new else ""


def _hint(receipt: OrderReceipt, phase: Phase) -> list[str]:
    """How orders are written, when a line could not be read."""
    if not any(line.kind == "unreadable" for line in receipt.lines):
        return []
    examples = EXAMPLES[step_of(phase.name)]
    return ["", "Orders in this phase look like this:", "", *examples, "", HOW_TO_GET_HELP]


def _standing(receipt: OrderReceipt, before: Earlier, phase: Phase) -> list[str]:
    if not receipt.current:
        return [f"{receipt.power} has nothing to decide in {receipt.phase_title}."]
    notes = [] if receipt.late else warnings(receipt.current)
    counted_in = "was counted" if receipt.late else "stands now"
    return [
        f"What {counted_in} for {receipt.power} in {receipt.phase_title}:",
        "",
        *standing(receipt.current, step_of(phase.name), before, over=receipt.late),
        *(["", "Please note:", "", *(f"- {said}" for said in notes)] if notes else []),
    ]


def _what_next(
    receipt: OrderReceipt, seat: Seat, phase: Phase, sender: Sender, now: dt.datetime
) -> list[str]:
    if receipt.late:
        return _after_late(seat, phase)
    return [
        *_missing(receipt, phase),
        *due(receipt.due_at, zone_of(sender), phase.game.timezone, now, paused=_is_paused(phase)),
        *_early(receipt, phase),
        *(["", _how_to_change()] if receipt.current else []),
    ]


def _missing(receipt: OrderReceipt, phase: Phase) -> list[str]:
    """Which units have no order; builds and disbands say it themselves."""
    if not receipt.missing or step_of(phase.name) == "A":
        return []
    return [f"Still without an order: {slashed(receipt.missing)}."]


def _after_late(seat: Seat, phase: Phase) -> list[str]:
    current = selectors.open_phase(seat.power.game)
    if current is None:
        return [f"The game {seat.power.game.name} is over."]
    if current.pk == phase.pk:
        return ["The phase is about to be processed; its results come by mail."]
    return [
        f"Now it is {phase_title(current)}. To order for it, reply to this mail or to the newest "
        "mail about the game."
    ]


def _is_paused(phase: Phase) -> bool:
    return phase.game.status == Game.Status.PAUSED


def _early(receipt: OrderReceipt, phase: Phase) -> list[str]:
    if receipt.waiting_word == "WAIT":
        return ["You said WAIT, so it is not processed before. READY takes that back."]
    if receipt.all_in and not _is_paused(phase):
        return ["All orders are in, so the phase is processed right away."]
    return []


def _how_to_change() -> str:
    return (
        "To change something, reply with your orders again, or with AMEND on a line of its own "
        "and only what is new. Your latest set counts."
    )


def what_stands(seat: Seat, phase: Phase, sender: Sender, arrival: Arrival) -> list[str]:
    """The orders that stand for a power, what is missing, and the deadline."""
    current = selectors.standing_orders(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    lines = standing(current, step_of(phase.name)) or [f"{seat.power.name} has nothing to decide."]
    ask = [f"Still without an order: {slashed(missing)}."] if missing else []
    paused = _is_paused(phase)
    until = due(phase.due_at, zone_of(sender), phase.game.timezone, arrival.now, paused=paused)
    return [*lines, "", *ask, *until, *kept_ahead(seat)]


def kept_ahead(seat: Seat) -> list[str]:
    """For which later phases orders of the seat are kept; empty for none."""
    titles = [one.phase_title for one in orders_kept(seat)]
    if not titles:
        return []
    return [f"Orders of yours are kept for {listed(titles)}. PHASE alone shows them."]
