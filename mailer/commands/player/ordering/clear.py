"""CLEAR: takes back everything ordered for this phase, or for a later one."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.errors import WrongState
from games.models import OrderSet, Phase, Seat
from games.queries.board import phase_named, phase_title
from games.queries.orders.current_orders import OrderBook
from games.queries.reports.wording import listed
from games.services.ordering.advance_orders import orders_drop
from games.services.ordering.orders import ClearOutcome, orders_clear
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import CLEAR, Call, Takes
from mailer.commands.receipt import OrderProof, Receipt
from mailer.commands.seats import NOTHING_TO_ORDER, require_not_over, seat_and_phase, seat_of
from mailer.commands.texts.arrival import REPLACED
from mailer.commands.texts.prospects import outlook, what_stands
from mailer.commands.texts.sentences import after_late, when_decided, zone_of
from mailer.identity.senders import Sender
from mailer.models import OrderMail

_BEFORE = (
    "We have this mail already, and took back what stood when it first came. To take back what "
    "came after it, write CLEAR in a new mail."
)


class _Said(NamedTuple):
    title: str
    text: str


_DONE = _Said("Your orders are taken back", "Your orders are taken back.")
_NOTHING = _Said(
    "You had no orders to take back",
    "You had no orders for this phase, so there was nothing to take back.",
)


class Clear(PlayerCommand):
    name = CLEAR
    usage = "CLEAR"
    summary = "take back all your orders for this phase"
    help = (
        "Takes back all your orders for this phase, as if you had sent none. Orders "
        "below it in the same mail are new ones and count.\n"
        "Example: CLEAR F1902M (drop what you sent for that later phase by PHASE)\n"
        "Example: CLEAR AHEAD (drop what you sent for all later phases)"
    )
    takes = Takes.MAYBE
    argument = re.compile(r"|ahead[.!]*|[sfw][a-z]*\s*\d.*", re.IGNORECASE)
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if call.argument:
            return _drop(call.argument, sender, arrival)
        seat, phase = seat_and_phase(sender)
        done = orders_clear(
            seat=seat,
            phase=phase,
            line=call.number,
            received_at=arrival.received_at,
            source=arrival.source,
            known_by=arrival.known_by,
            now=arrival.now,
        )
        _note_mail(seat, phase, arrival)
        title = f"[{seat.power.game.name}] {phase_title(phase.name)}"
        if done in (ClearOutcome.TOO_LATE, ClearOutcome.BEFORE):
            return _not_done(done, seat, phase, sender, title)
        said = _DONE if done is ClearOutcome.DONE or call.lines else _NOTHING
        late = _late_orders_sentence(seat, phase, arrival)
        return Receipt(
            title=said.title,
            text="\n".join([f"{said.text}{_above(call)}{late}", "", *what_stands(seat, phase)]),
            outlook=outlook(seat, phase, sender, arrival.now),
            subject=f"{title}: {said.title[0].lower()}{said.title[1:]}",
            proves=OrderProof(phase, seat.power),
        )


def _not_done(done: ClearOutcome, seat: Seat, phase: Phase, sender: Sender, title: str) -> Receipt:
    if done is ClearOutcome.BEFORE:
        return Receipt(
            title="Nothing is taken back",
            text="\n".join([_BEFORE, "", *what_stands(seat, phase)]),
            done=False,
            subject=f"{title}: nothing is taken back",
            proves=OrderProof(phase, seat.power),
        )
    return Receipt(
        title="Too late",
        text=f"Your mail came too late. {when_decided(phase, zone_of(sender))} "
        f"Nothing has changed.{after_late(phase.game)}",
        done=False,
        subject=f"{title}: too late",
    )


def _above(call: Call) -> str:
    above = listed([f"“{line.text}”" for line in call.lines])
    return f" So are those above CLEAR in this mail: {above}." if above else ""


def _late_orders_sentence(seat: Seat, phase: Phase, arrival: Arrival) -> str:
    """That orders which came too late may count; only a mail read after the deadline can have any
    after it."""
    if phase.due_at is None or arrival.now <= phase.due_at:
        return ""
    book = OrderBook.of_power(phase, seat.power_id)
    return REPLACED if book.is_replaced(seat.power, arrival.received_at) else ""


def _note_mail(seat: Seat, phase: Phase, arrival: Arrival) -> None:
    """Tie the empty set to its mail; a repeated mail has no set of its own."""
    untied = OrderSet.objects.filter(
        phase=phase, power=seat.power, source=arrival.source[:255], lines=[], mail=None
    )
    if order_set := untied.first():
        OrderMail.objects.create(order_set=order_set, mail_id=arrival.mail_id)


def _drop(argument: str, sender: Sender, arrival: Arrival) -> Receipt:
    """Drop the orders kept for later phases."""
    seat = seat_of(sender)
    require_not_over(seat.power.game, NOTHING_TO_ORDER)
    name = None if argument.lower().startswith("ahead") else phase_named(argument)
    dropped = orders_drop(
        seat=seat,
        phase_name=name,
        received_at=arrival.received_at,
        source=arrival.source,
        now=arrival.now,
    )
    if not dropped:
        which = phase_title(name) if name else "a later phase"
        raise WrongState(
            f"We are keeping no orders of yours for {which}. PHASE alone shows what is kept. "
            "CLEAR alone takes back your orders for the phase that is open."
        )
    titles = listed([one.phase_title for one in dropped])
    return Receipt(
        title="Your orders ahead are dropped",
        text=f"Nothing is kept for {titles} now. Your other orders are as they were.",
    )
