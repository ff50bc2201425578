"""PHASE: orders for a later phase, kept until it opens."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Sequence

from games.errors import BadInput, WrongState
from games.models import Phase, Seat
from games.queries import lookup
from games.queries.board import phase_named
from games.queries.orders.advance_orders import LaterOrders, lines_now, orders_kept
from games.queries.parsing.conditional_orders import require_few, word_of
from games.queries.reports.wording import counted, local_moment
from games.services.ordering.advance_orders import AdvanceReceipt, orders_keep
from mailer.commands import player
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import AMEND, CLEAR, Call, Takes
from mailer.commands.lines.which_command import command_of
from mailer.commands.orders.in_doubt import Doubted, without_doubted
from mailer.commands.orders.under_condition import decidable
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player.clock.ready import Ready, Wait
from mailer.commands.player.ordering.hold import Hold
from mailer.commands.player.ordering.orders import NONE_MET, Amend, Orders
from mailer.commands.player.ordering.same import Same
from mailer.commands.receipt import Receipt
from mailer.commands.seats import NOTHING_TO_ORDER, require_not_over, seat_of
from mailer.commands.texts.sentences import zone_of
from mailer.identity.senders import Sender, speaking_for
from mailer.reading.quotes import Line

FITTING = (Ready.name, Wait.name, Hold.name, Same.name)
"""The commands that may come among orders for a later phase."""


_CLEARED = "To drop the orders that you sent for that phase, write {} on a line above PHASE."
FOREIGN = (
    "This is for the phase that is open. Write the word END above it, so that it does not belong "
    "to the later phase."
)
_UNREADY = (
    "It is not kept, because not all of the orders beside it are: send them all again with READY."
)
WHICH_PHASE = "For which phase are these orders? Write it after the word, for example: PHASE F1902M"


class LaterPhase(PlayerCommand):
    name = "phase"
    usage = "PHASE F1902M"
    summary = "order for a later phase, if you like under conditions"
    help = (
        "Write PHASE and a later phase (S spring, F fall, W winter; the year; M movement, R "
        "retreats, A adjustments), and your orders for it on the lines below. The word END closes "
        "them; orders below it are for the open phase again. We use them when that phase opens, "
        "and its mail tells you what became of them. Orders for the same phase replace them, "
        "CLEAR F1902M drops them, PHASE alone shows them.\n"
        "Example: PHASE F1902M\n"
        "Example: PHASE Winter 1902\n"
        "Orders can depend on a condition: write a line like IF I HOLD Burgundy AND NOT Germany "
        "HOLDS Munich, the orders below it, perhaps ELSE IF NOBODY OWNS Belgium or ELSE with other "
        "orders, and ENDIF at the end. A retreat can go below IF A Vienna IS DISLODGED. We check "
        "conditions against the board as the phase opens. READY or WAIT among the orders counts "
        "from then on. HOLD ALL is for all the units that you then have. SAME gives each unit that "
        "has stayed in its place the order it had in the movement phase before. AMEND keeps what "
        "you had sent for that phase and changes only what you name."
    )
    takes = Takes.MAYBE
    # Sentences begin with "phase", too, where a line was broken: so it takes one word, a season and
    # a year, or what names a phase in a way that makes us ask ("next fall"). If that were no
    # command, the orders below it would be taken for the open phase.
    argument = re.compile(
        r"\w*[.!:]*|[sfw][a-z]*[\s,]*\d{1,4}(bc)?[a-z]?\b.*"
        r"|((the|in|for|after|next|coming|following)\s+)*"
        r"(next|coming|following|spring|fall|autumn|winter|retreats?|builds?|adjustments?)\b.*",
        re.IGNORECASE,
    )
    has_body = True
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat = seat_of(sender)
        phase = _open_phase(seat)
        if not (call.argument or call.lines):
            return _show(seat)
        name = _name_of_phase(call)
        if name == phase.name:
            return _order_now(call, seat, phase, sender, arrival)
        below = _sort_lines(call.lines, name, Viewpoint.of(phase, seat.power.name).at_later(name))
        receipt = _keep(below, name, seat, arrival)
        title, unread = receipt.kept.phase_title, _unread(receipt, below)
        return Receipt(
            title=f"Your orders for {title} are kept",
            text="\n".join(_receipt_lines(receipt, unread, zone_of(sender), arrival.received_at)),
            subject=f"[{seat.power.game.name}] {title}: {_news(len(unread))}",
            whole=not unread,
            routine=True,
        )


def _open_phase(seat: Seat) -> Phase:
    game = seat.power.game
    require_not_over(game, NOTHING_TO_ORDER)
    if phase := lookup.open_phase(game):
        return phase
    raise WrongState(f"The game {game.name} is not being played now.")


def _name_of_phase(call: Call) -> str:
    """The phase that the lines are for, such as F1902M."""
    if not call.argument:
        raise BadInput(WHICH_PHASE)
    name = phase_named(call.argument)
    if not call.lines:
        raise BadInput(f"Write PHASE {name}, and your orders for it on the lines below.")
    return name


@dataclasses.dataclass(frozen=True, slots=True)
class _Below:
    """The lines below PHASE: those to keep, and by reason those that do nothing."""

    lines: list[tuple[int, str]]
    amend: bool
    foreign: list[str]
    """Commands for the phase that is open."""
    unready: list[str]
    """READY, if an order beside it is in doubt."""
    doubted: list[Doubted]


def _sort_lines(lines: Sequence[Line], name: str, view: Viewpoint) -> _Below:
    require_few(lines)
    above, undecided = decidable(lines, view)
    own, in_doubt = without_doubted(above, view)
    doubted = [*undecided, *in_doubt]
    if doubted and not own:
        raise BadInput("\n".join(["None of these orders is kept:", "", *_doubt_lines(doubted)]))
    numbered, amend = _without_amend(own)
    unready = [text for _, text in numbered if doubted and word_of(text) == "READY"]
    foreign = [text for _, text in numbered if _is_foreign(text)]
    kept = [line for line in numbered if line[1] not in (*unready, *foreign)]
    if not kept:
        raise BadInput(
            f"{foreign[0] if foreign else 'AMEND'} cannot be kept for a later phase by itself. "
            f"Write your orders below the line PHASE {name}, one per line."
        )
    return _Below(kept, amend, foreign, unready, doubted)


def _keep(below: _Below, name: str, seat: Seat, arrival: Arrival) -> AdvanceReceipt:
    try:
        return orders_keep(
            seat=seat,
            phase_name=name,
            lines=below.lines,
            amend=below.amend,
            received_at=arrival.received_at,
            source=arrival.source,
            now=arrival.now,
        )
    except BadInput as error:
        raise BadInput("\n".join([str(error), "", *_doubt_lines(below.doubted)])) from error


def _unread(receipt: AdvanceReceipt, below: _Below) -> list[str]:
    """The lines that will do nothing, each with the reason."""
    wrong = [(one.text, one.why) for one in receipt.unread]
    wrong += [(text, _why_foreign(text, receipt.kept.phase)) for text in below.foreign]
    wrong += [(text, _UNREADY) for text in below.unready]
    return [*(f"- You wrote “{text}”: {why}" for text, why in wrong), *_doubt_lines(below.doubted)]


def _why_foreign(text: str, phase: str) -> str:
    """What to write instead of a command that stands among orders for a later phase."""
    is_clear = command_of(text, player.WORDS) == CLEAR
    return _CLEARED.format(f"CLEAR {phase}") if is_clear else FOREIGN


def _news(unread: int) -> str:
    wrong = f"{counted(unread, 'line')} NOT used, " if unread else ""
    return f"{wrong}your {'other ' if unread else ''}orders are kept"


def _without_amend(lines: Sequence[Line]) -> tuple[list[tuple[int, str]], bool]:
    """The lines with their numbers, and whether one of the lines said AMEND."""
    kept = [line for line in lines if not _is_amend(line)]
    return [(line.number, line.text) for line in kept], len(kept) < len(lines)


def _is_amend(line: Line) -> bool:
    return line.text.strip(" .:!").lower() == AMEND


def _order_now(call: Call, seat: Seat, phase: Phase, sender: Sender, arrival: Arrival) -> Receipt:
    """Take the orders now: the phase is already open, so we check the conditions at once."""
    lines, amend = _without_amend(call.lines)
    try:
        chosen, word = lines_now(seat=seat, phase=phase, lines=lines)
    except BadInput:  # the orders that hang on no condition count all the same
        words = [one for _, text in lines if (one := word_of(text))]
        chosen = tuple(line for line in lines if not word_of(line[1]))
        word = words[-1] if words else None
    if not chosen and not word:
        raise BadInput(NONE_MET)
    sender = speaking_for(sender, seat, phase)
    receipts = []
    if chosen:
        body = tuple(Line(number, text) for number, text in chosen)
        orders = Amend() if amend else Orders()
        receipts.append(orders.run(dataclasses.replace(call, lines=body), sender, arrival))
    if word:
        said = Ready() if word == "READY" else Wait()
        below = dataclasses.replace(arrival, so_far=(*arrival.so_far, *receipts))
        receipts.append(said.run(dataclasses.replace(call, lines=()), sender, below))
    text = "\n\n".join(receipt.text for receipt in receipts)
    return dataclasses.replace(receipts[0], text=text)


def _is_foreign(text: str) -> bool:
    """Whether it is a command for the open phase among orders for a later one."""
    return command_of(text, player.WORDS) not in (None, *FITTING)


def _doubt_lines(doubted: Sequence[Doubted]) -> list[str]:
    return [f"- You wrote “{one.line.text}”: {one.why}" for one in doubted]


def _receipt_lines(
    receipt: AdvanceReceipt, unread: Sequence[str], zone: str, received_at: dt.datetime
) -> list[str]:
    kept = receipt.kept
    instead = ", in place of what you had sent for it before" if receipt.replaced else ""
    added = (
        " What you had sent for it before stays, below the new lines: for each unit the first "
        "order that can be followed counts."
        if receipt.amended
        else ""
    )
    asked = (
        " We check your conditions then, against the board as it opens."
        if receipt.conditional
        else ""
    )
    return [
        f"Your orders came {local_moment(received_at, zone)} and are kept for {kept.phase_title}"
        f"{instead}. We check and use them when it opens.{added}{asked}",
        "",
        *_lines(kept),
        *(["", "Nothing will come of these lines:", ""] if unread else []),
        *unread,
        "",
        f"To change them, write PHASE {kept.phase} and all of them again; to drop them, write "
        f"CLEAR {kept.phase}. Your orders for the phase that is open are as they were.",
    ]


def _show(seat: Seat) -> Receipt:
    """List the orders kept for each later phase."""
    kept = orders_kept(seat)
    parts = [line for one in kept for line in (f"{one.phase_title}:", "", *_lines(one), "")]
    return Receipt(
        title="Your orders for later phases",
        text="\n".join(parts).strip() or "You have sent no orders for a later phase.",
    )


def _lines(kept: LaterOrders) -> list[str]:
    """The lines as written, in a form that cannot be read as orders when somebody quotes it."""
    total = len(kept.lines)
    return [f"{at} of {total}: {text}" for at, (_, text) in enumerate(kept.lines, start=1)]
