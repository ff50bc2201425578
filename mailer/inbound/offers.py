"""What may have been wanted in lines that are no order and no command, offered in the receipts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.models import Seat
from games.queries import lookup
from games.queries.seats import power_names
from mailer.commands.calls import AMEND, ORDERS, Call, greetings, read_lines
from mailer.commands.player import WORDS, Arrival, Receipt
from mailer.commands.player.absence import today_of
from mailer.commands.receipt import Wish
from mailer.commands.texts.prospects import status
from mailer.commands.wishes import unread_lines, wish_in
from mailer.identity.senders import PlayerAtLarge, SeatHolder, Sender, seat_meant
from mailer.inbound.carrying_out import can_be_done, listed
from mailer.letter import Letter
from mailer.reading.phrases import UNIT_AND_PLACE
from mailer.reading.quotes import Line, looks_like_order


def with_wish(
    receipts: Sequence[Receipt],
    letter: Letter,
    calls: Sequence[Call],
    sender: SeatHolder | PlayerAtLarge,
    arrival: Arrival,
) -> list[Receipt]:
    """The receipts, with what may have been wanted in lines that are no order and no command."""
    told = list(receipts)
    at = next((i for i, one in enumerate(told) if not (one.done and one.whole)), None)
    unread = unread_lines(calls)
    if at is None or told[at].wish or not (unread or greetings(letter)):
        return told
    seat = seat_meant(sender)
    plays = seat is not None and seat.until is None
    wish = wish_in(
        letter,
        unread,
        powers=power_names(seat.power.game) if seat and plays else (),
        own=seat.power.name if seat else "",
        today=today_of(sender.player, arrival.now),
    )
    if wish and wish.script and not _would_do(wish, sender, arrival):
        wish = replace(wish, script="")
    if wish:
        told[at] = _with(told[at], wish, calls, sender)
    return told


def _with(receipt: Receipt, wish: Wish, calls: Sequence[Call], sender: Sender) -> Receipt:
    """The receipt with the wish: in the place of a refusal, if nothing else was tried."""
    receipt = replace(receipt, wish=wish, told=wish.lines)
    lines = [line for call in calls if call.verb in (ORDERS, AMEND) for line in call.lines]
    others = [line for line in lines if line.number not in wish.lines]
    tried = any(looks_like_order(line.text) for line in others) or any(
        UNIT_AND_PLACE.search(line.text) for line in lines
    )
    if tried or not receipt.idle:
        return replace(receipt, idle=False)
    seat = seat_meant(sender)
    game = f"[{seat.power.game.name}] " if seat else ""
    return replace(
        receipt,
        title="What you may have wanted",
        text="\n".join([*_how_it_stands(seat), *_besides(others)]),
        subject=f"{game}{wish.news}",
        refused="",
        buttons=(),
    )


def _how_it_stands(seat: Seat | None) -> list[str]:
    """That a letter changed none of the orders, and how many units have one."""
    phase = lookup.open_phase(seat.power.game) if seat and seat.until is None else None
    return ["Your orders have not changed.", *status(seat, phase)] if seat and phase else []


def _besides(lines: Sequence[Line]) -> list[str]:
    if not lines:
        return []
    return [
        "",
        "We did nothing about the rest of your mail:",
        "",
        *listed([one.text for one in lines]),
    ]


def _would_do(wish: Wish, sender: Sender, arrival: Arrival) -> bool:
    """Whether the word YES could do it: press is not allowed in every game."""
    lines = [Line(at, text) for at, text in enumerate(wish.script.splitlines(), start=1)]
    calls = read_lines(lines, (), WORDS)
    return len(calls) == 1 and can_be_done(calls[0], sender, arrival)
