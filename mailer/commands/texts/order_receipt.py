"""The receipt for a player's orders: the mail that they see most often."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Phase, Seat
from games.queries import lookup
from games.queries.board import canal_keepers, step_of
from games.queries.orders.current_orders import current_decisions
from games.queries.reports.wording import counted
from games.services.ordering.order_receipts import OrderReceipt
from mailer.commands.orders.for_other_phases import other_phases
from mailer.commands.texts import not_understood
from mailer.commands.texts.arrival import after_late, arrival, fits_open_phase, was_in_time
from mailer.commands.texts.order_lines import (
    MOST_QUESTIONS,
    line_said,
    lines_understood,
    useless_lines,
)
from mailer.commands.texts.order_warnings import left_out_in_brackets, lost_leave, warnings
from mailer.commands.texts.pushed_out import beside, no_longer_count, pushed_out
from mailer.commands.texts.sentences import current_text, leave_given, to_other_players
from mailer.identity.senders import Sender
from mailer.notices.parts import sections
from mailer.reading.quotes import Line
from mailer.text import join_slashes

HOW_TO_GET_HELP = "To see everything you can write, write HELP on a line of its own."
MOST_NAMED = 3
MOST_USELESS = 100
"""How many failed lines we show with their reasons; nobody reads more."""


def examples(seat: Seat, phase: Phase) -> list[str]:
    """How to write orders: examples that the power's own units can carry out in this phase."""
    shown = lookup.examples_in(phase, seat.power)
    lines = ["Orders in this phase look like this:", "", *sections.examples(shown), ""]
    return [*(lines if shown else []), HOW_TO_GET_HELP]


def verdict(
    receipt: OrderReceipt, phase: Phase, unread: Sequence[Line], *, due: str, besides: str = ""
) -> str:
    """The outcome of the orders, for the subject: orders still missing come first.

    `unread` are the lines at the end of the mail that we took for something else; `due` says until
    when the rest can be ordered, "" if nothing says so; `besides` what else we did not do.
    """
    if receipt.late and was_in_time(receipt, phase):
        return "your mail was in time, but your orders did NOT count"
    if receipt.late:
        return "your orders came too late"
    until = f"; due {due}" if due else ""
    wrong, gone = len(useless_lines(receipt)), len(pushed_out(receipt))
    total, missing = len(receipt.current), len(receipt.missing)
    named, few = _units_named(receipt.missing), f"{missing} of {counted(total, _kind(receipt))}"
    unused = [f"{counted(wrong, 'line')} NOT used"] if wrong else []
    if not total:
        return ", ".join(["nothing to order", *unused])
    if not (receipt.counts or receipt.duplicate):
        if missing == total:
            return f"NOT ordered, your orders could not be followed{until}"
        if not missing:
            return f"{', '.join([*unused, 'your earlier orders stand'])}{until}"
    said = [
        *([f"NOT ordered: {named or few}"] if missing else []),
        *([besides] if besides else []),
        *unused,
        *(["the end of your mail NOT read"] if unread else []),
        *([f"{counted(gone, 'earlier order')} dropped"] if gone else []),
        *([ordered_of(total, missing)] if named or not missing else []),
    ]
    return f"{', '.join(said)}{until}"


def ordered_of(total: int, missing: int) -> str:
    """How many decisions are made: `all 3 ordered`, `2 of 3 ordered`; `all` means at least two."""
    done = f"{total - missing} of" if missing or total == 1 else "all"
    return f"{done} {total} ordered"


def unread_verdict(seat: Seat, phase: Phase) -> str:
    """The outcome of a mail without a single order: whatever stood before it still stands."""
    current = current_decisions(phase, seat.power)
    total, ordered = len(current), sum(order is not None for _, order in current)
    none = "we found no orders in your mail"
    if not ordered:
        return f"NOT ordered, {none}"
    if ordered < total:
        return f"{none}, {ordered} of {total} ordered before it"
    return f"{none}, your earlier orders stand"


def _units_named(missing: Sequence[str]) -> str:
    """The units without orders; "" if a subject has no room for them, or they have no names."""
    units = all(unit[:2] in ("A ", "F ") for unit in missing)
    return join_slashes(missing) if units and len(missing) <= MOST_NAMED else ""


def _kind(receipt: OrderReceipt) -> str:
    """What is to be decided: units, builds or disbands."""
    first = receipt.current[0][0].split()[0].lower() if receipt.current else ""
    return first if first in ("build", "disband") else "unit"


def account(
    receipt: OrderReceipt,
    lines: Sequence[Line],
    seat: Seat,
    phase: Phase,
    sender: Sender,
) -> list[str]:
    """The receipt of an order set that came in these lines, one paragraph or entry each: what we
    did not use and why, then the orders as we understood them.

    How the phase stands is said above it, by its prospects.
    """
    read = {line.number for line in receipt.lines}
    unread = [f"- You wrote “{one.text}”: no order." for one in lines if one.number not in read]
    # "Build F Bre and A Par" is refused twice for one reason, and said once.
    useless = [
        *dict.fromkeys(
            line_said(line, closely=at < MOST_QUESTIONS)
            for at, line in enumerate(useless_lines(receipt))
        )
    ]
    if len(useless) > MOST_USELESS:
        more = counted(len(useless) - MOST_USELESS, "more line")
        useless = [*useless[:MOST_USELESS], f"- and {more}."]
    understood = lines_understood([line for line in receipt.lines if line.is_used], phase)
    came = arrival(receipt, phase, sender)
    current = lookup.open_phase(seat.power.game) if receipt.late else None
    if fits := fits_open_phase(receipt, phase, current):
        useless = []  # why they did not fit the earlier board would only mislead
    return [
        *([*came, *after_late(seat, phase, current, fits=fits), ""] if receipt.late else []),
        *(_unused_lines(useless, receipt, seat, phase) if useless else []),
        *_current(receipt, phase, lines),
        "",
        *(["Your lines as we read them:", "", *understood, ""] if understood else []),
        *([*unread, ""] if unread else []),
        *([] if receipt.late else came),
    ]


def _unused_lines(
    useless: Sequence[str], receipt: OrderReceipt, seat: Seat, phase: Phase
) -> list[str]:
    """The lines that we cannot use, and how to write them."""
    hints = [*_press_hint(useless, seat), *_hint(receipt, seat, phase)]
    return ["NOT USED", "", *useless, "", *hints]


def news_of(receipt: OrderReceipt) -> str:
    """What a receipt says before how the phase stands: what came to nothing. "" if all went
    well."""
    if receipt.duplicate:
        return ""
    if not receipt.counts:
        return "We could not use any line of your mail."
    useless, gone = len(useless_lines(receipt)), pushed_out(receipt)
    said = [f"{counted(useless, 'line')} NOT used."] if useless else []
    return " ".join([*said, *([no_longer_count(gone, receipt)] if gone else [])])


def _press_hint(useless: Sequence[str], seat: Seat) -> list[str]:
    """How to reach a person, below a question we cannot answer, or the other players, below a line
    meant for them, in a game with press."""
    if any(not_understood.NO_ANSWER in line for line in useless):
        return [not_understood.A_PERSON, ""]
    if not any(not_understood.TALK in line for line in useless):
        return []
    to_others = to_other_players(seat.power.game)
    return [to_others, ""] if to_others else []


def _hint(receipt: OrderReceipt, seat: Seat, phase: Phase) -> list[str]:
    """How to write orders, if no line could be read, one of them looks like nothing we know, and
    better ones can still come."""
    if (
        receipt.counts
        or receipt.late
        or not any(line.kind == "unreadable" for line in receipt.lines)
    ):
        return []
    return [*examples(seat, phase), ""]


def _current(receipt: OrderReceipt, phase: Phase, lines: Sequence[Line]) -> list[str]:
    if not receipt.current:  # for mails in time that stands at the top already
        said = f"{receipt.power} had nothing to decide in {receipt.phase_title}."
        return [said] if receipt.late else []
    other = other_phases([line.text for line in lines], phase.name)
    canals = canal_keepers(phase.game.variant)
    lost = lost_leave(receipt.leave, receipt.current, canals)
    texts = [line.text for line in lines]
    unsaid = left_out_in_brackets(texts, receipt.missing, phase.game.variant)
    notes = [] if receipt.late else [*other, *unsaid, *warnings(receipt.current), *lost]
    earlier = tuple((what, order) for what, order in receipt.before if what in canals)
    counted_in = "were counted" if receipt.late else "stand now"
    return [
        f"These orders {counted_in} for {receipt.power} in {receipt.phase_title}:",
        "",
        *current_text(
            receipt.current,
            step_of(phase.name),
            beside(receipt.before, receipt.current),
            over=receipt.late,
        ),
        *leave_given(receipt.leave, earlier),
        *(["", "Please note:", "", *(f"- {said}" for said in notes)] if notes else []),
    ]
