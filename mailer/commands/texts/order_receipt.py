"""What a player is told about his orders: the receipt, which is what he sees most of us."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Mapping, Sequence

from games.board import step_of
from games.models import UNFINISHED, Game, Phase, Readiness, Seat
from games.queries import lookup
from games.queries.current_orders import early_at, unconfirmed
from games.services.ahead import orders_kept
from games.services.orders import LineReceipt, OrderReceipt
from mailer.commands import player
from mailer.commands.receipt import Outlook
from mailer.commands.seats import phase_title
from mailer.commands.texts.order_warnings import warnings
from mailer.commands.texts.sentences import decided, due, names, standing, zone_of
from mailer.inbound.senders import Sender
from mailer.notices.sections import guessed, slashed
from mailer.reading.quotes import Line
from mailer.text import counted, listed, moment, time_left

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
) -> list[str]:
    """The receipt of an order set that came in these lines, one paragraph or entry each; how the
    phase stands is said by its outlook."""
    read = {line.number for line in receipt.lines}
    return [
        *_arrival(receipt, before, phase, sender),
        "",
        "How each line was understood:",
        "",
        *(_line(line) for line in receipt.lines),
        *(f'- You wrote "{one.text}": no order.' for one in lines if one.number not in read),
        *_hint(receipt, phase),
        "",
        *_standing(receipt, before, phase),
        "",
        *(_after_late(seat, phase) if receipt.late else _missing(receipt, phase)),
    ]


def _seconds_late(receipt: OrderReceipt, phase: Phase) -> str:
    """By how little a mail came too late, where both times would read the same; else nothing."""
    closed_at = min(filter(None, (phase.due_at, phase.processed_at)), default=receipt.received_at)
    seconds = int((receipt.received_at - closed_at).total_seconds())
    return f", {counted(seconds, 'second')} too late" if 0 < seconds < 60 else ""


def _arrival(receipt: OrderReceipt, before: Earlier, phase: Phase, sender: Sender) -> list[str]:
    came = moment(receipt.received_at, zone_of(sender))
    if receipt.late:
        came += _seconds_late(receipt, phase)
        return [
            f"Your orders came too late for {receipt.phase_title}. Your mail reached us {came}. "
            f"{decided(phase, zone_of(sender))} They are kept but change nothing."
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
    word = player.WORDS.get(first) if line.kind == "unreadable" else None
    is_prose = len(first) < 4 and first not in player.VERBS  # "No, I will not" is no REFUSE
    if word is None or is_prose or player.VERBS[word.verb].usage[0].islower():
        return ""
    usage = player.VERBS[word.verb].usage
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


def _missing(receipt: OrderReceipt, phase: Phase) -> list[str]:
    """Which units have no order; builds and disbands say it themselves."""
    if not receipt.missing or step_of(phase.name) == "A":
        return []
    return [f"Still without an order: {slashed(receipt.missing)}."]


def _after_late(seat: Seat, phase: Phase) -> list[str]:
    current = lookup.open_phase(seat.power.game)
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


def outlook(
    seat: Seat, phase: Phase, sender: Sender, now: dt.datetime, *, ordered: bool = False
) -> Outlook:
    """When the phase is decided, as it stands after all commands of the mail, and what the power
    can still do; `ordered`: how to change its orders, too."""
    words = functools.partial(_prospects, seat, phase, sender, now, ordered=ordered)
    return Outlook(f"phase {phase.pk} of seat {seat.pk}", words)


def _prospects(
    seat: Seat, phase: Phase, sender: Sender, now: dt.datetime, *, ordered: bool
) -> list[str]:
    phase = Phase.objects.select_related("game").get(pk=phase.pk)
    zone, game = zone_of(sender), phase.game
    if phase.status not in UNFINISHED:
        return [decided(phase, zone)]
    until = due(phase.due_at, zone, game.timezone, now, paused=_is_paused(phase))
    change = ["", HOW_TO_CHANGE] if ordered and not _is_too_late(phase, now) else []
    return [*until, *_early(seat, phase, zone, now), *change]


def _is_too_late(phase: Phase, now: dt.datetime) -> bool:
    at = early_at(phase)
    return at is not None and at <= now and not _is_paused(phase)


def _early(seat: Seat, phase: Phase, zone: str, now: dt.datetime) -> list[str]:
    """Whether the phase is decided before its deadline, and on what that hangs."""
    title = phase_title(phase)
    if _is_paused(phase) or not (phase.game.process_early or phase.overdue_at):
        return []
    word = phase.readiness.filter(power=seat.power).first()
    if word and word.word == Readiness.Word.WAIT:
        return [f"You said WAIT, so {title} stays open until its deadline. READY takes that back."]
    if _is_too_late(phase, now):
        return [
            f"All orders are in, so {title} is decided right away, and nothing can be changed any "
            "more."
        ]
    if guesses := unconfirmed(phase, seat.power, word):
        return [guessed(guesses)]
    if at := early_at(phase):
        return [
            f"All orders are in, so {title} is decided {moment(at, zone)}, in "
            f"{time_left(at, now)}, unless somebody sends other orders or says WAIT. Until then "
            "you can change yours."
        ]
    return []


HOW_TO_CHANGE = (
    "To change something, reply with your orders again, or with AMEND on a line of its own and "
    "only what is new. Your latest set counts."
)


def what_stands(seat: Seat, phase: Phase) -> list[str]:
    """The orders that stand for a power, what is missing, and what is kept for later phases."""
    current = lookup.standing_orders(phase, seat.power)
    missing = [unit for unit, order in current if order is None]
    lines = standing(current, step_of(phase.name)) or [f"{seat.power.name} has nothing to decide."]
    ask = [f"Still without an order: {slashed(missing)}."] if missing else []
    return [*lines, "", *kept_ahead(seat), *ask]


def kept_ahead(seat: Seat) -> list[str]:
    """For which later phases orders of the seat are kept; empty for none."""
    titles = [one.phase_title for one in orders_kept(seat)]
    if not titles:
        return []
    return [f"Orders of yours are kept for {listed(titles)}. PHASE alone shows them."]
