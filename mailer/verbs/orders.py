"""Orders: every line of a mail that is no command. AMEND adds them to the earlier ones."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import ClassVar

from games import selectors
from games.board import Reading, step_of
from games.models import OrderSet, Phase, Seat
from games.services.orders import LineReceipt, OrderReceipt, orders_submit
from games.standing import readings
from mailer.identity import Sender
from mailer.models import OrderMail
from mailer.reading.quotes import Line
from mailer.script import AMEND, ORDERS, Call, Takes
from mailer.verbs.base import Arrival, Receipt, Verb
from mailer.verbs.seats import phase_title, seat_and_phase
from mailer.verbs.sentences import deadline, names, standing, zone_of
from mailer.wording import counted, listed, moment

NONSENSE = 5
EXAMPLES = {
    "M": 'a move like "A Paris - Burgundy", a hold like "A Paris Holds", a support like '
    '"A Marseilles Supports A Paris - Burgundy", or a convoy like "F North Sea Convoys '
    'A London - Belgium"',
    "R": 'a retreat like "A Vienna - Bohemia", or "Disband A Vienna"',
    "A": '"Build A Paris", "Build F St Petersburg(nc)", "Disband A Paris", or "Waive"',
}


class Orders(Verb):
    name = ORDERS
    aliases: ClassVar[tuple[str, ...]] = ("order", "moves")
    usage = "your orders, one on a line"
    summary = "order your units; your latest set counts until the deadline"
    help = (
        "Write one order on a line, for example:\n"
        "Example: A Paris - Burgundy\n"
        "Example: A Marseilles Supports A Paris - Burgundy\n"
        "Example: F Brest Holds\n"
        "Short forms do, too: A Par-Bur, A Mar S A Par-Bur, F Bre H.\n"
        "Each new set replaces the one before, unless it has a line AMEND. One bad line never "
        "costs a good one. The word ORDERS alone shows what stands for you."
    )
    takes = Takes.MAYBE
    secured = True
    for_seat = True
    amends: ClassVar[bool] = False

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        if not call.lines:
            return _standing_receipt(seat, phase, sender, arrival)
        lines, unread = _until_nonsense(call.lines, seat, phase)
        if not lines:
            return Receipt(title="Orders", text=_nonsense(unread, phase), done=False)
        receipt = orders_submit(
            seat=seat,
            phase=phase,
            lines=[(line.number, line.text) for line in lines],
            amend=self.amends,
            received_at=arrival.received_at,
            source=arrival.source,
            now=arrival.now,
        )
        note_mail(seat, phase, arrival)
        title = f"{receipt.power}, {receipt.phase_title}"
        return Receipt(
            title=f"Your orders for {title}",
            text="\n".join(
                [
                    *_account(receipt, seat, phase, sender, arrival.now),
                    *(["", _nonsense(unread, phase)] if unread else []),
                ]
            ),
            done=receipt.counts,
            subject=f"[{receipt.game}] {receipt.phase_title}: {_verdict(receipt)}",
        )


class Amend(Orders):
    name = AMEND
    aliases = ()
    usage = "AMEND"
    summary = "keep your earlier orders, and change only what this mail names"
    help = (
        "Write AMEND on a line of its own among your orders: then your earlier orders stay, and "
        "only the units you name now get new ones."
    )
    amends = True


def _until_nonsense(
    lines: Sequence[Line], seat: Seat, phase: Phase
) -> tuple[Sequence[Line], Sequence[Line]]:
    """The lines up to five in a row that are no orders, and the lines from there on.

    Whoever wrote five such lines writes about something else, or our program took a quoted mail
    for his own words: what follows may be anybody's orders.
    """
    texts = [line.text for line in lines]
    readable = {one.line for one in readings(phase, seat.power.name, texts) if _is_order(one)}
    for start in range(len(lines) - NONSENSE + 1):
        if readable.isdisjoint(range(start, start + NONSENSE)):
            return lines[:start], lines[start:]
    return lines, ()


def _nonsense(lines: Sequence[Line], phase: Phase) -> str:
    return "\n".join(
        [
            f'From the line "{lines[0].text}" on your mail was not read, because '
            f"{counted(NONSENSE, 'line')} in a row were no orders. If orders stood below, please "
            "send them alone.",
            "",
            f"Orders in this phase are {EXAMPLES[step_of(phase.name)]}.",
            "",
            "HELP on a line of its own shows everything you can write.",
        ]
    )


def _is_order(reading: Reading) -> bool:
    """Whether a line can be read as an order, be it possible or not."""
    return reading.problem is None or reading.problem.kind != "unreadable"


def can_be_orders(call: Call, seat: Seat, phase: Phase | None) -> bool:
    """Whether at least one line of the call can be read as an order, possible or not."""
    if phase is None:
        return True
    read = readings(phase, seat.power.name, [line.text for line in call.lines])
    return any(map(_is_order, read))


def _verdict(receipt: OrderReceipt) -> str:
    if receipt.late:
        return "your orders came too late"
    wrong = sum(line.problem is not None for line in receipt.lines)
    if not receipt.counts:
        return "your orders could not be followed"
    if wrong:
        return f"your orders, {counted(wrong, 'line')} not understood"
    return "your orders"


def _account(
    receipt: OrderReceipt, seat: Seat, phase: Phase, sender: Sender, now: dt.datetime
) -> list[str]:
    """The whole receipt of an order set, one paragraph or entry per line."""
    return [
        *_arrival(receipt, sender),
        "",
        "How each line was understood:",
        "",
        *(_line(line) for line in receipt.lines),
        *_hint(receipt, phase),
        "",
        *_standing(receipt, phase),
        "",
        *_what_next(receipt, seat, phase, sender, now),
    ]


def _arrival(receipt: OrderReceipt, sender: Sender) -> list[str]:
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
    how = (
        "They change your earlier orders for the units they name; the others stay."
        if receipt.amend
        else "They replace whatever you sent before for this phase."
    )
    return [f"Your orders came {came}. {how}"]


def _line(line: LineReceipt) -> str:
    """One line of the mail and what it was taken for. It never begins as an order would."""
    wrote = f'- You wrote "{line.text}":'
    if line.problem:
        return f"{wrote} {line.problem}{_suggestion(line)}"
    note = f" {line.note}" if line.note else ""
    if not line.counts:
        return f"{wrote} {line.order}, which does not count.{note}"
    same = line.order == line.text
    return f"{wrote} {'understood' if same else line.order}.{note}"


def _suggestion(line: LineReceipt) -> str:
    """What may have been meant, unless the problem says it already."""
    new = [one for one in line.suggestions if one not in (line.problem or "")]
    return f" Did you mean {names(new, 'or')}?" if new else ""


def _hint(receipt: OrderReceipt, phase: Phase) -> list[str]:
    """How orders are written, when a line could not be read."""
    if not any(line.kind == "unreadable" for line in receipt.lines):
        return []
    return ["", f"Orders in this phase are {EXAMPLES[step_of(phase.name)]}."]


def _standing(receipt: OrderReceipt, phase: Phase) -> list[str]:
    if not receipt.current:
        return [f"{receipt.power} has nothing to decide in {receipt.phase_title}."]
    counted_in = "was counted" if receipt.late else "stands now"
    return [
        f"What {counted_in} for {receipt.power} in {receipt.phase_title}:",
        "",
        *standing(receipt.current, step_of(phase.name)),
    ]


def _what_next(
    receipt: OrderReceipt, seat: Seat, phase: Phase, sender: Sender, now: dt.datetime
) -> list[str]:
    if receipt.late:
        return _after_late(seat, phase)
    return [deadline(receipt.due_at, zone_of(sender), now), *_early(receipt), "", _how_to_change()]


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


def _early(receipt: OrderReceipt) -> list[str]:
    if receipt.waiting_word == "WAIT":
        return ["You said WAIT, so it is not processed before. READY takes that back."]
    if receipt.all_in:
        return ["All orders are in, so the phase is processed right away."]
    return []


def _how_to_change() -> str:
    return (
        "To change something, reply with your orders again, or with AMEND on a line of its own "
        "and only what is new. Your latest set counts."
    )


def _standing_receipt(seat: Seat, phase: Phase, sender: Sender, arrival: Arrival) -> Receipt:
    power, title = seat.power.name, phase_title(phase)
    return Receipt(
        title=f"What stands for {power}, {title}",
        text="\n".join(what_stands(seat, phase, sender, arrival)),
        subject=f"[{seat.power.game.name}] {title}: what stands for {power}",
    )


def what_stands(seat: Seat, phase: Phase, sender: Sender, arrival: Arrival) -> list[str]:
    """The orders that stand for a power, what is missing, and the deadline."""
    current = selectors.standing_orders(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    lines = standing(current, step_of(phase.name)) or [f"{seat.power.name} has nothing to decide."]
    ask = [f"Still without an order: {listed(missing)}."] if missing else []
    return [*lines, "", *ask, deadline(phase.due_at, zone_of(sender), arrival.now)]


def note_mail(seat: Seat, phase: Phase, arrival: Arrival) -> None:
    """Ties a set to the mail it came in; a repeated mail brings no set of its own."""
    order_set = OrderSet.objects.filter(
        phase=phase, power=seat.power, source=arrival.source[:255], mail=None
    ).first()
    if order_set:
        OrderMail.objects.create(order_set=order_set, mail_id=arrival.mail_id)
