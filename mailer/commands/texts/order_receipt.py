"""What a player is told about their orders: the receipt, the mail they see most often."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from games.models import UNFINISHED, Game, Phase, Seat
from games.queries import lookup
from games.queries.advance_orders import Kept, orders_kept
from games.queries.board import canal_keepers, step_of
from games.queries.current_orders import current_decisions, current_leave, followed_orders
from games.services.order_receipts import LineReceipt, OrderReceipt
from mailer.commands import misspelt
from mailer.commands.advice import advised_command
from mailer.commands.seats import phase_title
from mailer.commands.texts.order_warnings import lost_leave, other_phases, warnings
from mailer.commands.texts.prospects import still_without
from mailer.commands.texts.sentences import current_text, decided, is_over, leave_given, zone_of
from mailer.identity.senders import Sender
from mailer.notices import sections
from mailer.notices.sections import slashed
from mailer.reading.quotes import Line
from mailer.text import brief, counted, listed, moment

HOW_TO_GET_HELP = "To see everything you can write, write HELP on a line of its own."
MOST_NAMED = 3
_LISTED = re.compile(r"(\d{1,2} of \d{1,2}:) +(\S.*)")
_LEAVE_OUT = (
    "our mails list orders like this, so it is never read as one. To order it, leave out “{}” and "
    "write only “{}”."
)


_USED_LATE = (
    "Your mail reached us in time for {phase}, {came}, but we could use it only after the phase "
    "had been decided. That happens when a mailbox is slow to show a mail, or when a mail waits "
    "for your YES. {decided} Your orders are kept but change nothing. To ask whether the phase can "
    "be played again, write {ask} on a line of its own, and your text below it."
)


def examples(seat: Seat, phase: Phase) -> list[str]:
    """How to write orders: examples that the power's own units can carry out in this phase."""
    shown = lookup.examples_in(phase, seat.power)
    lines = ["Orders in this phase look like this:", "", *sections.examples(shown), ""]
    return [*(lines if shown else []), HOW_TO_GET_HELP]


def verdict(
    receipt: OrderReceipt, phase: Phase, unread: Sequence[Line] = (), *, due: str = ""
) -> str:
    """What became of the orders, for the subject: first of all what was not ordered.

    `unread` are the lines at the end of the mail that were taken for something else; `due` says
    until when the rest can be ordered.
    """
    if receipt.late and _was_in_time(receipt, phase):
        return "your mail was in time, but your orders did NOT count"
    if receipt.late:
        return "your orders came too late"
    until = f"; due {due}" if due else ""
    wrong = len(unused(receipt))
    total, missing = len(receipt.current), len(receipt.missing)
    if not total:
        return f"nothing to order, {counted(wrong, 'line')} NOT used"
    if not (receipt.counts or receipt.duplicate):
        if missing == total:
            return f"NOT ordered, your orders could not be followed{until}"
        if not missing:
            return f"{counted(wrong, 'line')} NOT used, your earlier orders stand{until}"
    return ", ".join(
        [
            *([f"NOT ordered: {_briefly(receipt)}"] if missing else []),
            *([f"{counted(wrong, 'line')} NOT used"] if wrong else []),
            *(["the end of your mail NOT read"] if unread else []),
            f"{ordered_of(total, missing)}{until}",
        ]
    )


def ordered_of(total: int, missing: int) -> str:
    """How many decisions are made: `all 3 ordered`, `2 of 3 ordered`; `all` means at least two."""
    done = f"{total - missing} of" if missing or total == 1 else "all"
    return f"{done} {total} ordered"


def unread_verdict(seat: Seat, phase: Phase) -> str:
    """The same for a mail in which no order was found: whatever stood before it still stands."""
    current = current_decisions(phase, seat.power)
    total, ordered = len(current), sum(order is not None for _, order in current)
    none = "we found no orders in your mail"
    if not ordered:
        return f"NOT ordered, {none}"
    if ordered < total:
        return f"{none}, {ordered} of {total} ordered before it"
    return f"{none}, your earlier orders stand"


def _briefly(receipt: OrderReceipt) -> str:
    """Which units have no order, or only how many, if a subject has no room for them."""
    units = all(unit[:2] in ("A ", "F ") for unit in receipt.missing)
    if units and len(receipt.missing) <= MOST_NAMED:
        return slashed(receipt.missing)
    return f"{len(receipt.missing)} of {len(receipt.current)}"


def due_in_subject(phase: Phase, timezone: str, now: dt.datetime) -> str:
    """When the phase is due, as a subject says it; "" if that is uncertain, or past."""
    moves = phase.game.status == Game.Status.PAUSED or phase.status not in UNFINISHED
    return "" if moves or not phase.due_at or phase.due_at <= now else brief(phase.due_at, timezone)


def account(
    receipt: OrderReceipt,
    lines: Sequence[Line],
    seat: Seat,
    phase: Phase,
    sender: Sender,
) -> list[str]:
    """The receipt of an order set that came in these lines, one paragraph or entry each: what was
    not used and why, then the orders as understood. How the phase stands is said above it, by its
    prospects."""
    read = {line.number for line in receipt.lines}
    unread = [f"- You wrote “{one.text}”: no order." for one in lines if one.number not in read]
    useless = [_line(line) for line in unused(receipt)]
    understood = [_line(line) for line in receipt.lines if _is_used(line) and _is_otherwise(line)]
    arrival = _arrival(receipt, phase, sender)
    current = lookup.open_phase(seat.power.game) if receipt.late else None
    if fits := _fits(receipt, phase, current):
        useless = []  # why they did not fit the board of before would only mislead
    return [
        *([*arrival, *_after_late(seat, phase, current, fits=fits), ""] if receipt.late else []),
        *(
            [
                "NOT USED",
                "",
                *useless,
                "",
                *_press_hint(useless, seat),
                *_hint(receipt, seat, phase),
            ]
            if useless
            else []
        ),
        *_current(receipt, phase, lines),
        "",
        *(["Your lines as we read them:", "", *understood, ""] if understood else []),
        *([*unread, ""] if unread else []),
        *([] if receipt.late else arrival),
    ]


def news_of(receipt: OrderReceipt) -> str:
    """What a receipt says first, before how the phase stands: what came to nothing. "" if all went
    well."""
    if receipt.duplicate:
        return ""
    if not receipt.counts:
        return "No line of your mail can be used."
    useless = len(unused(receipt))
    return f"{counted(useless, 'line')} NOT used." if useless else ""


def unused(receipt: OrderReceipt) -> list[LineReceipt]:
    """The lines that came to nothing: those with a problem, and orders for a unit that has one."""
    return [line for line in receipt.lines if not _is_used(line)]


def lost(receipt: OrderReceipt, unread: Sequence[Line] = ()) -> int:
    """How many orders of a mail came to nothing, while its writer still lacks one or an earlier
    mail's stands; none where every decision has an order of this very mail."""
    if receipt.late or (receipt.counts and not receipt.amend and not receipt.missing):
        return 0
    tried = [line.text for line in unused(receipt) if not _is_besides(line)]
    return len(tried) + like_orders(unread)


def like_orders(lines: Sequence[Line | LineReceipt]) -> int:
    """How many of the lines are orders, or look like one that went wrong."""
    return sum(misspelt.is_like_order(line.text) for line in lines)


def _is_besides(line: LineReceipt) -> bool:
    """Whether the line is not an order gone wrong, but a command gone wrong, or said to people."""
    return line.kind == "unreadable" and bool(_meant_as_command(line) or advised_command(line.text))


def _is_used(line: LineReceipt) -> bool:
    """Whether the line is an order that counts, or counted until a later mail."""
    return line.problem is None and line.counts


def _is_otherwise(line: LineReceipt) -> bool:
    """Whether the line says in other words what counts, or something was done to it."""
    return bool(line.note) or line.order != line.text


def _seconds_late(receipt: OrderReceipt, phase: Phase) -> str:
    """By how little a mail came too late, where both times would read the same; else nothing."""
    closed_at = min(filter(None, (phase.due_at, phase.processed_at)), default=receipt.received_at)
    seconds = int((receipt.received_at - closed_at).total_seconds())
    return f", {counted(seconds, 'second')} too late" if 0 < seconds < 60 else ""


def _was_in_time(receipt: OrderReceipt, phase: Phase) -> bool:
    """Whether a mail came before its phase was decided, but could be used only after that."""
    if phase.processed_at is None or receipt.received_at >= phase.processed_at:
        return False
    last = phase.due_at + phase.game.transit_grace if phase.due_at else phase.processed_at
    return receipt.received_at <= last


def _arrival(receipt: OrderReceipt, phase: Phase, sender: Sender) -> list[str]:
    came = moment(receipt.received_at, zone_of(sender))
    if receipt.late and _was_in_time(receipt, phase):
        return [
            _USED_LATE.format(
                phase=receipt.phase_title,
                came=came,
                decided=decided(phase, zone_of(sender)),
                ask="PRESS TO GM" if phase.game.gm_id else "MODERATOR",
            )
        ]
    if receipt.late:
        came += _seconds_late(receipt, phase)
        unless = " unless the deadline moves or the game waits for missing orders"
        return [
            f"Your orders came too late for {receipt.phase_title}. Your mail reached us {came}. "
            f"{decided(phase, zone_of(sender))} "
            f"They are kept but change nothing{unless if phase.status in UNFINISHED else ''}."
        ]
    if receipt.duplicate:
        return [f"We have this mail already; it came {came}. Nothing has changed."]
    if not receipt.counts:
        return [f"Your mail came {came}. Whatever you sent before still stands."]
    if not _stands(receipt):
        how = "Orders of yours that came after them stand in their place."
    elif not any(order for _, order in receipt.before):
        how = "They are the first that you have sent for this phase."
    elif receipt.amend:
        how = "They change your earlier orders for the units they name; the others stay."
    else:
        how = "They replace whatever you sent before for this phase."
    return [f"Your orders came {came}. {how}"]


def _stands(receipt: OrderReceipt) -> bool:
    """Whether any order of the set stands: mails that were held are read when newer ones are."""
    current = {order for _, order in (*receipt.current, *receipt.leave)}
    return any(line.counts and line.order in current for line in receipt.lines)


def _line(line: LineReceipt) -> str:
    """One line of the mail and how it was understood. It never begins like an order."""
    wrote = f"- You wrote “{line.text}”:"
    if line.problem:
        return f"{wrote} {_of_our_list(line.text) or _meant_as_command(line) or line.problem}"
    note = f" {line.note}" if line.note else ""
    if not line.counts:
        return f"{wrote} {line.order}, which does not count.{note}"
    same = line.order == line.text
    return f"{wrote} {'understood' if same else line.order}.{note}"


def _of_our_list(text: str) -> str:
    """How to order what stands in a list of ours, which is never read; empty for other lines."""
    match = _LISTED.fullmatch(text)
    return _LEAVE_OUT.format(match[1], match[2]) if match else ""


def _meant_as_command(line: LineReceipt) -> str:
    """How the command is written that a line may be meant for, which is neither it nor an order;
    or that it reads like something said to people."""
    if line.kind != "unreadable" or misspelt.begins_as_order(line.text):
        return ""
    if advised_command(line.text):
        return ""  # the advice stands beside the receipt
    if usage := misspelt.usage_meant(line.text):
        return f"not understood. {usage}"
    if right := misspelt.command_meant(line.text):
        return f"not understood. If you meant the command, write: {right}"
    return misspelt.TALK if misspelt.is_talk(line.text) else ""


def _press_hint(useless: Sequence[str], seat: Seat) -> list[str]:
    """How to write to the others, below a line that was meant for them, in a game with press."""
    if not any(misspelt.TALK in line for line in useless):
        return []
    mode = seat.power.game.press_mode
    if mode == Game.PressMode.NONE:
        return []
    heading = "BROADCAST" if mode == Game.PressMode.PUBLIC else "PRESS TO and a power"
    return [f"To write to other players, put {heading} on a line, and your text below it.", ""]


def _hint(receipt: OrderReceipt, seat: Seat, phase: Phase) -> list[str]:
    """How orders are written, when no line could be read and one looks like nothing we know."""
    if receipt.counts or not any(line.kind == "unreadable" for line in receipt.lines):
        return []
    return [*examples(seat, phase), ""]


def _current(receipt: OrderReceipt, phase: Phase, lines: Sequence[Line]) -> list[str]:
    if not receipt.current:  # in time that stands at the top already
        said = f"{receipt.power} had nothing to decide in {receipt.phase_title}."
        return [said] if receipt.late else []
    other = other_phases([line.text for line in lines], phase.name)
    canals = canal_keepers(phase.game.variant)
    lost = lost_leave(receipt.leave, receipt.current, canals)
    notes = [] if receipt.late else [*other, *warnings(receipt.current), *lost]
    earlier = tuple((what, order) for what, order in receipt.before if what in canals)
    counted_in = "was counted" if receipt.late else "stands now"
    return [
        f"What {counted_in} for {receipt.power} in {receipt.phase_title}:",
        "",
        *current_text(
            receipt.current, step_of(phase.name), dict(receipt.before), over=receipt.late
        ),
        *leave_given(receipt.leave, earlier),
        *(["", "Please note:", "", *(f"- {said}" for said in notes)] if notes else []),
    ]


def _fits(receipt: OrderReceipt, phase: Phase, current: Phase | None) -> bool:
    """Whether orders that came too late, and none of which could be followed, are for the phase
    that is open now: their player answered an old mail."""
    if current is None or current.pk == phase.pk or any(map(_is_used, receipt.lines)):
        return False
    texts = [line.text for line in receipt.lines]
    return bool(followed_orders(current, receipt.power, texts))


def _after_late(seat: Seat, phase: Phase, current: Phase | None, *, fits: bool) -> list[str]:
    if current is None:
        return [is_over(seat.power.game)]
    if current.pk == phase.pk:
        if phase.game.when_missing == Game.WhenMissing.HOLD:
            return ["The phase is about to be processed; its results come by mail."]
        return ["Our next mail says whether the game waits, or the phase has been processed."]
    if fits:
        return [
            f"You answered a mail of that phase, but what you wrote fits {phase_title(current)}, "
            "which is open now. Send it once more, in a reply to this mail, and it counts."
        ]
    return [
        f"Now it is {phase_title(current)}. To order for it, reply to this mail or to the newest "
        "mail about the game."
    ]


def what_stands(seat: Seat, phase: Phase) -> list[str]:
    """The orders that stand for a power, what is missing, and what is kept for later phases."""
    current = current_decisions(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    lines = current_text(current, step_of(phase.name)) or [
        f"{seat.power.name} has nothing to decide."
    ]
    lines += leave_given(current_leave(phase, seat.power))
    ask = [still_without(missing)] if missing else []
    return [*lines, "", *kept_for_later(seat), *ask]


def kept_for_later(seat: Seat) -> list[str]:
    """For which later phases orders of the seat are kept; empty for none."""
    return kept_text(orders_kept(seat))


def kept_text(kept: Sequence[Kept]) -> list[str]:
    """The same for code that knows what is kept."""
    if not kept:
        return []
    titles = [one.phase_title for one in kept]
    return [f"Orders of yours are kept for {listed(titles)}. PHASE alone shows them."]
