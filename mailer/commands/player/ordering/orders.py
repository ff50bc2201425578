"""Orders: every line of a mail that is not a command. AMEND adds them to the earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from games.errors import BadInput
from games.models import Phase, Seat
from games.services.ordering.order_receipts import LineReceipt, OrderReceipt
from games.services.ordering.orders import orders_take
from mailer.commands.advice.fitting import is_advised
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import AMEND, ORDERS, Call, QuestionMark, Takes
from mailer.commands.lines.fair_share import fair_share
from mailer.commands.orders.changes import changed_orders
from mailer.commands.orders.denied import without_denials
from mailer.commands.orders.differences import of_difference
from mailer.commands.orders.dittos import with_holds_repeated
from mailer.commands.orders.for_other_games import below_other_games, introductions, of_this_game
from mailer.commands.orders.for_other_phases import below_heading, only_heads
from mailer.commands.orders.greeted import with_greeted
from mailer.commands.orders.in_doubt import Doubted, without_doubted
from mailer.commands.orders.keeping import with_builds_kept, without_rest
from mailer.commands.orders.one_build import require_builds
from mailer.commands.orders.repeated import with_repeated
from mailer.commands.orders.under_condition import decide_conditions, without_ready
from mailer.commands.orders.viewpoint import Viewpoint, asks_of_own, is_order
from mailer.commands.player.ordering.order_answers import (
    answer_to_nonsense,
    answer_to_orders,
    answer_with_current_orders,
)
from mailer.commands.player.ordering.wanted import Wanted
from mailer.commands.receipt import Receipt
from mailer.commands.seats import seat_and_phase
from mailer.commands.texts.order_lines import questions, with_talk_whole
from mailer.commands.texts.prospects import Ordering
from mailer.identity.senders import Sender
from mailer.reading import courtesies, doubts, phrases
from mailer.reading.quotes import Line

WAIT = "WAIT"
"""Our advice to a player who is not ready."""
NO_ORDER = "There is no order in your mail, so nothing has changed."
NONE_MET = (
    "None of your conditions holds on the board now, so there is nothing to order. "
    "Conditions about a later phase go below a line with its name, for example: PHASE F1902M"
)


class Orders(PlayerCommand):
    name = ORDERS
    aliases: ClassVar[tuple[str, ...]] = ("order", "moves")
    usage = "your orders, one per line"
    summary = "order your units; your latest set counts until the deadline"
    help = (
        "Write one order on a line, for example:\n"
        "Example: A Paris - Burgundy\n"
        "Example: A Marseilles Supports A Paris - Burgundy\n"
        "Example: F Brest Holds\n"
        "Example: F North Sea Convoys A London - Norway (the army needs its own order, too)\n"
        "Example: F Mid-Atlantic Ocean - Spain(sc) (names the coast, where there are two)\n"
        "Example: A Mar S A Par-Bur (short forms work, too)\n"
        "Example: A Vienna - Bohemia (as a retreat, too)\n"
        "Example: Disband A Vienna (when it must retreat, or you have too many units)\n"
        "Example: Build A Paris (when you may build; Waive gives up a build)\n"
        "Each new set replaces the one before, unless it has a line AMEND. One bad line never "
        "costs a good one. We read orders in German, French, Spanish, Italian, Dutch, Polish, "
        "Portuguese, Swedish, Russian and Turkish, too. The word ORDERS alone shows your orders "
        "as they stand."
    )
    takes = Takes.MAYBE
    asked = QuestionMark.SHOWN
    secured = True
    for_seat = True
    refused_first = True  # a savepoint for each took a twentieth of an order mail
    amends: ClassVar[bool] = False

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        ordering = Ordering(seat, phase, sender, arrival)
        if not call.lines:
            return answer_with_current_orders(ordering)
        first = fair_share(call.lines)
        said = [*call.greeted, *first]
        view = with_greeted(Viewpoint.of(phase, seat.power.name), said, seat.power.game)
        if all(courtesies.ACKNOWLEDGES.fullmatch(line.text) for line in first):
            shown = answer_with_current_orders(ordering)
            return replace(shown, text=f"{NO_ORDER}\n\n{shown.text}")
        wanted = _wanted(call, ordering, view, amends=self.amends)
        if not wanted.lines:
            return answer_to_nonsense(ordering, wanted.unread)
        receipt = _take(wanted, ordering)
        thinks_on = any(map(_thinks_on, said))
        answer = answer_to_orders(
            ordering,
            receipt,
            wanted,
            asked=any(asks_of_own(text, view) for text in questions(receipt, wanted.unread)),
            tentative=thinks_on or any(map(_is_provisional, said)),
        )
        not_ready = replace(answer.not_ready, tentative=thinks_on)
        return replace(answer, not_ready=not_ready, read=wanted.read or answer.read)


def _wanted(call: Call, ordering: Ordering, view: Viewpoint, *, amends: bool) -> Wanted:
    """Read the lines of a mail. Raises BadInput, with the reason, if it orders nothing."""
    seat, phase = ordering.seat, ordering.phase
    first = fair_share(call.lines)
    beyond, call = call.lines[len(first) :], replace(call, lines=tuple(first))
    changes = (
        changed_orders(call.lines, seat, phase, view, call.greeted)
        or of_difference(call.lines, seat, phase, view)
        or ()
    )
    plain = with_holds_repeated(without_denials(call.lines, seat, phase, view), view)
    call = replace(call, lines=tuple(changes or plain))
    kept = without_rest(call.lines, seat, phase, view)
    keeps, call = kept is not call.lines, replace(call, lines=tuple(kept) or call.lines)
    if not (amends or keeps or changes):
        require_builds(call.lines, seat, phase, view)
    elsewhere = _amended_elsewhere(call, seat)
    own, doubted = _split_wanted(call, elsewhere, seat, phase, view)
    lines, unread = view.split(own)
    amends = (amends or keeps) and len(elsewhere) <= len(call.amended[1:])
    if changes:
        amends = view.position.phase.step != "A"  # a winter's changes name all that stands
    return Wanted(
        lines=with_builds_kept(lines, seat, phase, view) if amends and lines else lines,
        unread=[*unread, *beyond],
        too_long=bool(beyond and not unread),
        doubted=doubted,
        amends=amends,
        read=frozenset(line.number for line in changes),
    )


def _take(wanted: Wanted, ordering: Ordering) -> OrderReceipt:
    """Store the orders; return how each line was understood."""
    phase, arrival = ordering.phase, ordering.arrival
    receipt = orders_take(
        seat=ordering.seat,
        phase=phase,
        lines=[(line.number, line.text) for line in wanted.lines],
        amend=wanted.amends,
        received_at=arrival.received_at,
        source=arrival.source,
        known_by=arrival.known_by,
        now=arrival.now,
    )
    if receipt.late:  # it may have waited while the phase was decided
        phase.refresh_from_db()
    return with_talk_whole(_with_doubted(receipt, wanted.doubted), wanted.lines)


def _split_wanted(
    call: Call, unamended: Sequence[Doubted], seat: Seat, phase: Phase, view: Viewpoint
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines that order something in this phase, and the orders that the rest of the mail keeps
    us from following.

    Raises BadInput, with the reason, if no line is left.
    """
    lines, ready = without_ready(call.lines)
    named, elsewhere = of_this_game(lines, seat, call.greeted)
    if not named and elsewhere:
        raise BadInput(elsewhere[0].why)
    ours, unrepeated = with_repeated(named, seat, phase, view)
    said = [one for one in ours if not only_heads(one.text, phase.name)] or ours
    below = [replace(one, text=below_heading(one.text, phase.name)) for one in said]
    chosen, under_condition = decide_conditions(below, view)
    if not chosen:
        raise BadInput(NONE_MET)
    if not view.readings([line.text for line in chosen]):
        raise BadInput(NO_ORDER)
    own, in_doubt = without_doubted(chosen, view, call.greeted)
    doubted = [*unamended, *ready, *elsewhere, *unrepeated, *under_condition, *in_doubt]
    if not own:
        raise BadInput(doubted[0].why)
    return own, doubted


def _is_provisional(line: Line) -> bool:
    return bool(doubts.PROVISIONAL.fullmatch(line.text[: phrases.LONGEST_RULED]))


def _thinks_on(line: Line) -> bool:
    text = line.text[: phrases.LONGEST_RULED]
    return bool(doubts.THINKS_ON.search(text)) or is_advised(WAIT, text)


def _amended_elsewhere(call: Call, seat: Seat) -> list[Doubted]:
    """The lines AMEND that stand below the name of another game."""
    lines = [*introductions(call.greeted), *call.lines]
    whys = below_other_games([line.number for line in call.amended], lines, seat)
    return [Doubted(one, whys[one.number]) for one in call.amended if one.number in whys]


def _with_doubted(receipt: OrderReceipt, doubted: Sequence[Doubted]) -> OrderReceipt:
    """The receipt, with the orders that the mail itself casts doubt on among those not used."""
    if not doubted:
        return receipt
    lines = [
        LineReceipt(one.line.number, one.line.text, None, one.why, "ambiguous", None, counts=False)
        for one in doubted
    ]
    return replace(receipt, lines=tuple(sorted([*lines, *receipt.lines], key=_number)))


def _number(line: LineReceipt) -> int:
    return line.number


class Amend(Orders):
    name = AMEND
    aliases = ()
    usage = "AMEND"
    summary = "keep your earlier orders, and change only what this mail names"
    help = (
        "Write AMEND on a line of its own among your orders: then your earlier orders stay, and "
        "only the units you name now get new ones. “The rest as before” says the same."
    )
    amends = True


def can_be_orders(call: Call, seat: Seat, phase: Phase | None) -> bool:
    """Whether at least one line of the call can be read as an order, possible or not."""
    if phase is None:
        return True
    texts = [line.text for line in fair_share(call.lines)]
    read = Viewpoint.of(phase, seat.power.name).readings(texts)
    return any(map(is_order, read))
