"""What may have been wanted in lines that are no order and no command, offered in the receipts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.services.games import power_names
from mailer.commands.calls import Call, greetings, read_lines
from mailer.commands.player import WORDS, Arrival, Receipt
from mailer.commands.player.absence import today_of
from mailer.commands.receipt import Wish
from mailer.commands.wishes import unread_lines, wish_in
from mailer.inbound.carrying_out import can_be_done
from mailer.inbound.senders import PlayerAtLarge, SeatHolder, Sender, seat_meant
from mailer.letter import Letter
from mailer.reading.quotes import Line


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
    told[at] = replace(told[at], wish=wish)
    return told


def _would_do(wish: Wish, sender: Sender, arrival: Arrival) -> bool:
    """Whether the word YES could do it: press is not allowed in every game."""
    lines = [Line(at, text) for at, text in enumerate(wish.script.splitlines(), start=1)]
    calls = read_lines(lines, (), WORDS)
    return len(calls) == 1 and can_be_done(calls[0], sender, arrival)
