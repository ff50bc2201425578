"""What a player is told about their orders: the receipt, the mail they see most often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from games.models import Phase, Seat
from games.queries import lookup
from games.queries.board import bordering, canal_keepers, step_of
from games.queries.current_orders import current_decisions
from games.services.orders import LineReceipt, OrderReceipt
from mailer.commands import misspelt
from mailer.commands.advice.fitting import ADVICE, advised_command, fitting
from mailer.commands.advice.newcomers import NEWCOMERS
from mailer.commands.calls import AMEND, CLEAR, SAME
from mailer.commands.other_phases import other_phases
from mailer.commands.parted import is_aside
from mailer.commands.texts.arrival import after_late, arrival, fits_open_phase, was_in_time
from mailer.commands.texts.in_short import says_in_short
from mailer.commands.texts.order_warnings import lost_leave, warnings
from mailer.commands.texts.pushed_out import beside, pushed_out, told
from mailer.commands.texts.sentences import current_text, leave_given, to_other_players
from mailer.commands.told_others import begins_letter
from mailer.identity.senders import Sender
from mailer.notices import sections
from mailer.reading.doubts import APOLOGY
from mailer.reading.kinds_of_line import asks, looks_like_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line
from mailer.text import counted, listed, slashed

HOW_TO_GET_HELP = "To see everything you can write, write HELP on a line of its own."
MOST_NAMED = 3
_MOST_QUESTIONS = 50
"""In how many lines we look for what else they may be, such as questions about the writer's own
units: each takes long."""
_ADVISED = "taken as a wish, not as an order."
_QUESTION = "taken as a question, not as an order."
_APOLOGY = "this alone changes nothing."
_OTHER_GAME = re.compile(r"\b(?:another|other|second|new|more)\s+games?\b", re.IGNORECASE)
_LISTED = re.compile(r"(\d{1,2} of \d{1,2}:) +(\S.*)")
_CONDITION = says(
    r"\W*(?:(?:but|and|or|only) )*(?:if|unless|in case|subject to|provided|providing that"
    "|assuming|on (?:the )?condition|(?:as|so) long as|otherwise|else|falls|wenn|sonst"
    r"|sinon)\b",
)
OR_IF = re.compile(r"(?:\w|^\s*[^\w\s])\W++or\s+(?:if|unless)\b", re.IGNORECASE)
_REST_IS_FINE = re.compile(
    r"\W*(?:(?:all\s+)?the\s+)?(?:rest|others?|other\s+orders|(?:everything|all)\s+else)\s+"
    r"(?:is|are|stays?|remains?)\s+(?:fine|ok|okay|good|right|unchanged|the\s+same|as\s+before)"
    r"(?:,?\s+thanks)?\W*",
    re.IGNORECASE,
)
_FOR_OTHERS = re.compile(r"\b(?:all|everything|everybody|everyone|rest|remaining|others?)\b", re.I)
_RETREAT = re.compile(r"\b(?:dislodged|retreats?)\b", re.IGNORECASE)
_AFTERWARDS = (
    "not followed. Retreats are ordered once the moves are decided; HELP PHASE says how to send "
    "them in advance."
)
_UNCONDITIONAL = (
    "not followed. All orders of a phase are carried out at once, so none can depend on what "
    "others do in it: write the one that you want."
)
_LEAVE_OUT = (
    "our mails list orders like this, so it is never read as one. To order it, leave out “{}” and "
    "write only “{}”."
)


def examples(seat: Seat, phase: Phase) -> list[str]:
    """How to write orders: examples that the power's own units can carry out in this phase."""
    shown = lookup.examples_in(phase, seat.power)
    lines = ["Orders in this phase look like this:", "", *sections.examples(shown), ""]
    return [*(lines if shown else []), HOW_TO_GET_HELP]


def verdict(receipt: OrderReceipt, phase: Phase, unread: Sequence[Line], *, due: str) -> str:
    """What became of the orders, for the subject: first of all what was not ordered.

    `unread` are the lines at the end of the mail that were taken for something else; `due` says
    until when the rest can be ordered, "" where nothing says so.
    """
    if receipt.late and was_in_time(receipt, phase):
        return "your mail was in time, but your orders did NOT count"
    if receipt.late:
        return "your orders came too late"
    until = f"; due {due}" if due else ""
    wrong, gone = len(_useless(receipt)), len(pushed_out(receipt))
    total, missing = len(receipt.current), len(receipt.missing)
    named, few = _named(receipt.missing), f"{missing} of {counted(total, _kind(receipt))}"
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
    """The same for a mail in which no order was found: whatever stood before it still stands."""
    current = current_decisions(phase, seat.power)
    total, ordered = len(current), sum(order is not None for _, order in current)
    none = "we found no orders in your mail"
    if not ordered:
        return f"NOT ordered, {none}"
    if ordered < total:
        return f"{none}, {ordered} of {total} ordered before it"
    return f"{none}, your earlier orders stand"


def _named(missing: Sequence[str]) -> str:
    """Which units have no order; "" if a subject has no room for them, or they have no names."""
    units = all(unit[:2] in ("A ", "F ") for unit in missing)
    return slashed(missing) if units and len(missing) <= MOST_NAMED else ""


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
    """The receipt of an order set that came in these lines, one paragraph or entry each: what was
    not used and why, then the orders as understood. How the phase stands is said above it, by its
    prospects."""
    read = {line.number for line in receipt.lines}
    unread = [f"- You wrote “{one.text}”: no order." for one in lines if one.number not in read]
    useless = [
        _line(line, closely=at < _MOST_QUESTIONS) for at, line in enumerate(_useless(receipt))
    ]
    understood = _understood([line for line in receipt.lines if line.is_used], phase)
    came = arrival(receipt, phase, sender)
    current = lookup.open_phase(seat.power.game) if receipt.late else None
    if fits := fits_open_phase(receipt, phase, current):
        useless = []  # why they did not fit the board of before would only mislead
    return [
        *([*came, *after_late(seat, phase, current, fits=fits), ""] if receipt.late else []),
        *(_not_used(useless, receipt, seat, phase) if useless else []),
        *_current(receipt, phase, lines),
        "",
        *(["Your lines as we read them:", "", *understood, ""] if understood else []),
        *([*unread, ""] if unread else []),
        *([] if receipt.late else came),
    ]


def _not_used(useless: Sequence[str], receipt: OrderReceipt, seat: Seat, phase: Phase) -> list[str]:
    """The lines that cannot be used, and how to write them."""
    hints = [*_press_hint(useless, seat), *_hint(receipt, seat, phase)]
    return ["NOT USED", "", *useless, "", *hints]


def with_talk_whole(receipt: OrderReceipt, lines: Sequence[Line]) -> OrderReceipt:
    """The receipt, with each of the lines that is said to people as one, though it has a comma:
    "Italy, you are welcome to Tyrolia."."""
    parts = Counter(line.number for line in receipt.lines)
    read = {line.number for line in receipt.lines if line.kind != "unreadable"}
    broken = [one for one in lines if parts[one.number] > 1 and one.number not in read]
    whole = {one.number: one.text for one in broken if misspelt.is_talk(one.text)}
    if not whole:
        return receipt
    kept = {line.number: line for line in reversed(receipt.lines)}
    return replace(
        receipt,
        lines=tuple(
            replace(line, text=whole.get(line.number, line.text))
            for line in receipt.lines
            if line.number not in whole or line is kept[line.number]
        ),
    )


def news_of(receipt: OrderReceipt) -> str:
    """What a receipt says first, before how the phase stands: what came to nothing. "" if all went
    well."""
    if receipt.duplicate:
        return ""
    if not receipt.counts:
        return "No line of your mail can be used."
    useless, gone = len(_useless(receipt)), pushed_out(receipt)
    said = [f"{counted(useless, 'line')} NOT used."] if useless else []
    return " ".join([*said, *([told(gone, receipt)] if gone else [])])


def lost(receipt: OrderReceipt, unread: Sequence[Line] = (), whole: Sequence[Line] = ()) -> int:
    """How many orders of a mail came to nothing, while its writer still lacks one or an earlier
    mail's stands; none where every decision has an order of its own in this very mail. `whole` are
    lines of which nothing counts, for what their parts alone do not say."""
    if receipt.amend:
        unread = [line for line in unread if not _leaves_rest(line.text)]
    is_whole = receipt.counts and not receipt.amend and not receipt.missing
    if receipt.late or (is_whole and not any(_is_for_others(line) for line in receipt.lines)):
        return 0
    tried = [
        line
        for at, line in enumerate(receipt.unused)
        if (at >= _MOST_QUESTIONS or not _is_besides(line) or _changes(line.text))
        and not (receipt.amend and _leaves_rest(line.text))
    ]
    changes = any(_changes(line.text) for line in whole[:_MOST_QUESTIONS])
    return len(tried) + like_orders(unread) or int(changes)


def _is_for_others(line: LineReceipt) -> bool:
    """Whether the line orders what is left ("Everything else holds"), and so perhaps a unit whose
    own order came to nothing."""
    return line.is_used and bool(_FOR_OTHERS.search(line.text))


def _leaves_rest(text: str) -> bool:
    """Whether a line says of the other orders what AMEND does with them anyway: "The rest is
    fine"."""
    return bool(_REST_IS_FINE.fullmatch(text))


def like_orders(lines: Sequence[Line | LineReceipt]) -> int:
    """How many of the lines are orders, or look like one that went wrong."""
    closely, rest = lines[:_MOST_QUESTIONS], lines[_MOST_QUESTIONS:]
    like = sum(misspelt.is_like_order(line.text) or _changes(line.text) for line in closely)
    return like + sum(looks_like_order(line.text) and not asks(line.text) for line in rest)


def _changes(text: str) -> bool:
    """Whether a line says in other words that earlier orders are to change."""
    return advised_command(text) in (
        AMEND.upper(),
        CLEAR.upper(),
        SAME.upper(),
    ) and not misspelt.is_question(text)


def questions(receipt: OrderReceipt, unread: Sequence[Line]) -> list[str]:
    """The lines of a mail in time that ask something to which we have no answer."""
    said = [line.text for line in receipt.unused if line.kind == "unreadable"]
    texts = [] if receipt.late else [*said, *(line.text for line in unread)]
    return [
        text
        for text in texts[:_MOST_QUESTIONS]
        if misspelt.is_question(text) and not is_aside(text)
    ]


def _useless(receipt: OrderReceipt) -> list[LineReceipt]:
    """The lines that came to nothing, without questions, whose answers stand beside the receipt,
    and without those that the reasons for others name: "LETTER TO Italy"."""
    whys = {line.problem for line in receipt.unused if line.kind == "ambiguous"}
    lines = [line for line in receipt.unused if not _is_answered(line)]
    return [
        line for line in lines if not any(why and begins_letter(line.text, why) for why in whys)
    ]


def _is_answered(line: LineReceipt) -> bool:
    """Whether the line only asks about the game or how to play, and we know what answers it."""
    asked = misspelt.is_question(line.text) and is_aside(line.text)
    return line.kind == "unreadable" and asked and not misspelt.begins_as_order(line.text)


def _is_besides(line: LineReceipt) -> bool:
    """Whether the line is not an order gone wrong, but a command gone wrong, or said to people."""
    return line.kind == "unreadable" and bool(_meant_as_command(line) or advised_command(line.text))


def _is_otherwise(line: LineReceipt, provinces: Collection[str]) -> bool:
    """Whether the line says in other words what counts, or something was done to it."""
    if line.note or not line.counts or line.order is None:
        return bool(line.note) or line.order != line.text
    return line.order != line.text and not says_in_short(line.text, line.order, provinces)


def _understood(lines: Sequence[LineReceipt], phase: Phase) -> list[str]:
    """The lines whose orders are said in other words, each once: "All hold" orders several."""
    provinces = bordering(phase.game.variant)
    otherwise = [line for line in lines if _is_otherwise(line, provinces)]
    groups = groupby(otherwise, lambda line: line if line.note else (line.number, line.text))
    return [_of_several([*group]) for _, group in groups]


def _of_several(lines: Sequence[LineReceipt]) -> str:
    first, *others = lines
    if not others:
        return _line(first)
    return f"- You wrote “{first.text}”: {listed([line.order or '' for line in lines])}."


def _line(line: LineReceipt, *, closely: bool = True) -> str:
    """One line of the mail and how it was understood. It never begins like an order. Only
    `closely` do we look for what else it may be."""
    wrote = f"- You wrote “{line.text}”:"
    if line.problem:
        why = _of_our_list(line.text) or _of_condition(line)
        if closely and not why:
            why = misspelt.said_of_question(line.text) or _meant_as_command(line)
        return f"{wrote} {why or line.problem}"
    note = f" {line.note}" if line.note else ""
    same = line.order == line.text
    if not line.counts:
        return f"{wrote} {'it' if same else f'{line.order}, which'} does not count.{note}"
    return f"{wrote} {'understood' if same else line.order}.{note}"


def _of_our_list(text: str) -> str:
    """How to order what stands in a list of ours, which is never read; empty for other lines."""
    match = _LISTED.fullmatch(text)
    return _LEAVE_OUT.format(match[1], match[2]) if match else ""


def _of_condition(line: LineReceipt) -> str:
    """That an order cannot depend on what others do meanwhile; empty for other lines."""
    said = _CONDITION.match(line.text) or OR_IF.search(line.text)
    if line.kind != "unreadable" or not said:
        return ""
    return _AFTERWARDS if _RETREAT.search(line.text) else _UNCONDITIONAL


def _meant_as_command(line: LineReceipt) -> str:
    """How the command is written that a line may be meant for, which is neither it nor an order;
    or that it reads like something said to people."""
    said = _of_command(line.text) if line.kind == "unreadable" else ""
    # In this order: whether a line begins as an order takes a hundred times as long.
    return said if said and not misspelt.begins_as_order(line.text) else ""


def _of_command(text: str) -> str:
    if advised_command(text):
        said = _QUESTION if "?" in text or misspelt.is_question(text) else _ADVISED
        newcomer = None if fitting(text, ADVICE) else fitting(text, NEWCOMERS)
        if newcomer and (newcomer.command != "JOIN" or _OTHER_GAME.search(text)):
            return f"{said} {newcomer.said}"
        return said  # the advice stands beside the receipt
    if APOLOGY.fullmatch(text.strip(" .!,;:…")):
        return _APOLOGY
    if usage := misspelt.usage_meant(text):
        return f"not understood. {usage}"
    if right := misspelt.command_meant(text):
        return f"not understood. If you meant the command, write: {right}"
    return misspelt.said_to_people(text)


def _press_hint(useless: Sequence[str], seat: Seat) -> list[str]:
    """How to reach a person, below a question without an answer, or the others, below a line that
    was meant for them, in a game with press."""
    if any(misspelt.NO_ANSWER in line for line in useless):
        return [misspelt.A_PERSON, ""]
    if not any(misspelt.TALK in line for line in useless):
        return []
    to_others = to_other_players(seat.power.game)
    return [to_others, ""] if to_others else []


def _hint(receipt: OrderReceipt, seat: Seat, phase: Phase) -> list[str]:
    """How orders are written, when no line could be read and one looks like nothing we know, and
    better ones can still be sent."""
    if (
        receipt.counts
        or receipt.late
        or not any(line.kind == "unreadable" for line in receipt.lines)
    ):
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
