"""Orders: every line of a mail that is not a command. AMEND adds them to the earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from games.errors import BadInput
from games.models import Phase, Seat
from games.services.orders import LineReceipt, OrderReceipt, orders_take
from games.services.readiness import Sent
from mailer.commands.advice.fitting import is_advised
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import AMEND, ORDERS, Asked, Call, Takes
from mailer.commands.orders.changes import changed, with_builds_kept, without_rest
from mailer.commands.orders.for_other_games import below_other_games, introductions, of_this_game
from mailer.commands.orders.for_other_phases import below_heading, only_heads, other_phases
from mailer.commands.orders.in_doubt import Doubted, settled
from mailer.commands.orders.repeated import with_repeated
from mailer.commands.orders.told_to_others import with_greeted
from mailer.commands.orders.under_condition import decided, without_ready
from mailer.commands.orders.viewpoint import NONSENSE, Viewpoint, asks_of_own, is_order
from mailer.commands.player.ready import asked_since, for_this_phase, provisional, withheld
from mailer.commands.receipt import Proved, Receipt
from mailer.commands.seats import phase_title, seat_and_phase
from mailer.commands.texts.order_lines import like_orders, lost, questions, with_talk_whole
from mailer.commands.texts.order_receipt import account, examples, news_of, unread_verdict, verdict
from mailer.commands.texts.prospects import due_in_subject, order_outlook, outlook, what_stands
from mailer.commands.texts.pushed_out import pushed_out
from mailer.commands.texts.sentences import zone_of
from mailer.identity.senders import Sender
from mailer.models import OrderMail
from mailer.outbound.buttons import Button
from mailer.reading import courtesies, doubts, phrases
from mailer.reading.quotes import Line
from mailer.text import counted

WAIT = "WAIT"
"""What is advised to somebody who is not ready."""
NO_ORDER = "There is no order in your mail, so nothing has changed."
NONE_MET = (
    "None of your conditions is met as the board is now, so there is nothing to order. Conditions "
    "about a later phase stand below a line with its name, for example: PHASE F1902M"
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
        "Example: Build A Paris (when you may build; Waive leaves a build out)\n"
        "Each new set replaces the one before, unless it has a line AMEND. One bad line never "
        "costs a good one. Orders in German, French, Spanish, Italian, Dutch, Polish, Portuguese, "
        "Swedish and Russian are read, too. The word ORDERS alone shows what stands for you."
    )
    takes = Takes.MAYBE
    asked = Asked.SHOWN
    secured = True
    for_seat = True
    refused_first = True  # a savepoint for each took a twentieth of an order mail
    amends: ClassVar[bool] = False

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        if not call.lines:
            return _current_receipt(seat, phase, sender, arrival)
        said = [*call.greeted, *call.lines]
        view = with_greeted(Viewpoint.of(phase, seat.power.name), said, seat.power.game)
        if all(courtesies.ACKNOWLEDGES.fullmatch(line.text) for line in call.lines):
            shown = _current_receipt(seat, phase, sender, arrival)
            return replace(shown, text=f"{NO_ORDER}\n\n{shown.text}")
        changes = changed(call.lines, seat, phase, view, call.greeted) or ()
        call = replace(call, lines=tuple(changes or call.lines))
        kept = without_rest(call.lines, seat, phase, view)
        keeps, call = kept is not call.lines, replace(call, lines=tuple(kept) or call.lines)
        elsewhere = _amended_elsewhere(call, seat)
        own, doubted = _wanted(call, elsewhere, seat, phase, view)
        lines, unread = view.split(own)
        if not lines:
            return _unread_receipt(unread, seat, phase, sender, arrival)
        amends = (self.amends or keeps) and len(elsewhere) <= len(call.amended[1:])
        if changes:
            amends = view.position.phase.step != "A"  # a winter's changes name all that stands
        lines = with_builds_kept(lines, seat, phase, view) if amends else lines
        receipt = orders_take(
            seat=seat,
            phase=phase,
            lines=[(line.number, line.text) for line in lines],
            amend=amends,
            received_at=arrival.received_at,
            source=arrival.source,
            now=arrival.now,
        )
        receipt = with_talk_whole(_with_doubted(receipt, doubted), lines)
        asked = any(asks_of_own(text, view) for text in questions(receipt, unread))
        thinks_on = any(map(_thinks_on, said))
        tentative = thinks_on or any(map(_is_provisional, said))
        taken = _taken(
            receipt, lines, unread, seat, phase, sender, arrival, asked=asked, tentative=tentative
        )
        taken = replace(taken, tentative=thinks_on)
        return replace(taken, read=frozenset(line.number for line in changes)) if changes else taken


def _wanted(
    call: Call, unamended: Sequence[Doubted], seat: Seat, phase: Phase, view: Viewpoint
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines that order something in this phase, and the orders that are not followed because of
    what else the mail says. Raises BadInput, with the reason, if no line is left."""
    lines, ready = without_ready(call.lines)
    named, elsewhere = of_this_game(lines, seat, call.greeted)
    if not named and elsewhere:
        raise BadInput(elsewhere[0].why)
    ours, unrepeated = with_repeated(named, seat, phase, view)
    said = [one for one in ours if not only_heads(one.text, phase.name)] or ours
    below = [Line(one.number, below_heading(one.text, phase.name)) for one in said]
    chosen, under_condition = decided(below, view)
    if not chosen:
        raise BadInput(NONE_MET)
    if not view.readings([line.text for line in chosen]):
        raise BadInput(NO_ORDER)
    own, in_doubt = settled(chosen, view, call.greeted)
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


def _taken(
    receipt: OrderReceipt,
    lines: Sequence[Line],
    unread: Sequence[Line],
    seat: Seat,
    phase: Phase,
    sender: Sender,
    arrival: Arrival,
    *,
    asked: bool,
    tentative: bool,
) -> Receipt:
    """What is answered to orders that were taken; `unread` are the lines behind them."""
    told = account(receipt, lines, seat, phase, sender)
    if unread:
        told += ["", _nonsense(unread, seat, phase)]
    whole = [] if receipt.counts else lines  # a wish to change orders may be in two parts
    not_followed = lost(receipt, unread, whole)
    named = other_phases([one.text for one in lines], phase.name)
    elsewhen = bool(receipt.counts and named and not receipt.late)
    sent = Sent(seat, phase, arrival.received_at, arrival.now, receipt.seen)
    unused: Sequence[Line | LineReceipt] = [*receipt.unused, *unread, *whole]
    kept = _kept_open(sent, not_followed, unused, elsewhen=elsewhen, asked=asked)
    kept = kept or (provisional(sent) if receipt.counts and tentative else ())
    told += [line for said in kept if said for line in ("", said)]
    receipt = replace(receipt, seen=None) if kept or elsewhen else receipt
    due = due_in_subject(phase, zone_of(sender), arrival.now)
    news = verdict(receipt, phase, unread, due=due)
    taken = Receipt(
        title=f"Your orders for {receipt.power}, {receipt.phase_title}",
        text="\n".join(told),
        came_in=OrderMail(order_set_id=receipt.kept, mail_id=arrival.mail_id)
        if receipt.kept
        else None,
        done=receipt.counts,
        idle=not (receipt.counts or receipt.duplicate),
        lost=not_followed,
        asked=asked,
        elsewhen=elsewhen,
        whole=not (unread or receipt.missing or receipt.unused or pushed_out(receipt)),
        subject=f"[{receipt.game}] {receipt.phase_title}: {news}",
        routine=True,
    )
    return taken if receipt.late else _in_time(taken, receipt, seat, phase, sender, arrival)


def _kept_open(
    sent: Sent,
    not_followed: int,
    unused: Sequence[Line | LineReceipt],
    *,
    elsewhen: bool,
    asked: bool,
) -> Sequence[str]:
    """Make sure that the phase is not decided early if the mail leaves something open; what is said
    of that. `unused` are the lines of which so many are not followed."""
    if not_followed:
        return withheld(sent, not_followed, orders=like_orders(unused) > 0, status=True)
    if elsewhen:
        return for_this_phase(sent)
    return asked_since(sent) if asked else ()


def _in_time(
    taken: Receipt,
    receipt: OrderReceipt,
    seat: Seat,
    phase: Phase,
    sender: Sender,
    arrival: Arrival,
) -> Receipt:
    """What else the receipt of orders in time says: how the power stands now."""
    seen = receipt.seen if arrival.alone else None
    return replace(
        taken,
        buttons=_buttons(receipt),
        proves=Proved(phase, seat.power, seen.book if seen else None),
        outlook=order_outlook(
            seat,
            phase,
            sender,
            arrival.now,
            news=news_of(receipt),
            nothing_new=taken.idle,
            seen=seen,
        ),
    )


def _with_doubted(receipt: OrderReceipt, doubted: Sequence[Doubted]) -> OrderReceipt:
    """The receipt, with the orders that the mail itself puts in doubt among those not used."""
    if not doubted:
        return receipt
    lines = [
        LineReceipt(one.line.number, one.line.text, None, one.why, "ambiguous", None, counts=False)
        for one in doubted
    ]
    return replace(receipt, lines=tuple(sorted([*lines, *receipt.lines], key=_number)))


def _number(line: LineReceipt) -> int:
    return line.number


def _buttons(receipt: OrderReceipt) -> list[Button]:
    """The current orders, to be changed and sent again."""
    orders = [order or f"{what} " for what, order in receipt.current if order or what[1:2] == " "]
    return [Button("Change my orders", "\n".join([*orders, ""]))] if orders else []


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


def _unread_receipt(
    unread: Sequence[Line], seat: Seat, phase: Phase, sender: Sender, arrival: Arrival
) -> Receipt:
    title, until = phase_title(phase), due_in_subject(phase, zone_of(sender), arrival.now)
    stands = ["", f"These orders stand for {seat.power.name} in {title}:", ""]
    return Receipt(
        title="Your orders were not read",
        text="\n".join([_nonsense(unread, seat, phase), *stands, *what_stands(seat, phase)]),
        done=False,
        lost=like_orders(unread),
        subject=f"[{seat.power.game.name}] {title}: {unread_verdict(seat, phase)}"
        + (f"; due {until}" if until else ""),
        idle=True,
        outlook=order_outlook(
            seat,
            phase,
            sender,
            arrival.now,
            news="We found no orders in your mail, so nothing has changed.",
            nothing_new=True,
        ),
    )


def _nonsense(lines: Sequence[Line], seat: Seat, phase: Phase) -> str:
    return "\n".join(
        [
            f"We stopped reading your mail at the line “{lines[0].text}”, because "
            f"{counted(NONSENSE, 'line')} in a row were not orders. If there were orders below, "
            "please send them alone.",
            "",
            *examples(seat, phase),
        ]
    )


def can_be_orders(call: Call, seat: Seat, phase: Phase | None) -> bool:
    """Whether at least one line of the call can be read as an order, possible or not."""
    if phase is None:
        return True
    read = Viewpoint.of(phase, seat.power.name).readings([line.text for line in call.lines])
    return any(map(is_order, read))


def _current_receipt(seat: Seat, phase: Phase, sender: Sender, arrival: Arrival) -> Receipt:
    power, title = seat.power.name, phase_title(phase)
    return Receipt(
        title=f"Your current orders for {power}, {title}",
        text="\n".join(what_stands(seat, phase)),
        subject=f"[{seat.power.game.name}] {title}: what stands for {power}",
        routine=True,
        outlook=outlook(seat, phase, sender, arrival.now),
        proves=Proved(phase, seat.power),
    )
