"""Offers in the receipt what a writer may have wanted with lines that are neither orders nor
commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.models import Seat
from games.queries import lookup
from games.queries.board import reads_as_order
from games.queries.players.seats import PLAYED, power_names
from games.services.clock.extensions import extension_like
from mailer.commands.base import Arrival
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.lines.fair_share import fair_share
from mailer.commands.lines.rewrapping import rejoin_wrapped
from mailer.commands.lines.spoken_to import names_of_others
from mailer.commands.player.account.absence import today_of
from mailer.commands.receipt import Enclosures, Receipt, Wish, with_outlooks
from mailer.commands.texts.not_understood import NOT_UNDERSTOOD, is_talk, not_understood
from mailer.commands.texts.sentences import to_other_players
from mailer.commands.texts.small_talk import small_talk
from mailer.commands.wishes.everyday_words import (
    MORE_TIME,
    YOUR_QUESTION,
    of_all,
    time_wished,
    wish_in,
    with_answers,
    with_length,
)
from mailer.commands.wishes.invitations import wish_to_join, yes_to_invitation
from mailer.commands.wishes.letters import NOT_SENT, Others, letter_to
from mailer.commands.wishes.votes import wish_to_vote
from mailer.identity.senders import PlayerAtLarge, SeatHolder, Sender, seat_meant
from mailer.inbound.carry_out import as_entries, how_it_stands, try_out
from mailer.letter import Letter, greetings
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.phrases import UNIT_AND_PLACE
from mailer.reading.quotes import Line

_NOT_DONE = "NOT done: "
_MAY_BE_VOTES = ("NOT done: YES", "NOT done: VOTE DRAW")
"""The news of a wish that may be a vote in other words, such as "OK, do it"."""


def with_wish(
    receipts: Sequence[Receipt],
    letter: Letter,
    calls: Sequence[Call],
    sender: SeatHolder | PlayerAtLarge,
    arrival: Arrival,
) -> list[Receipt]:
    """The receipts, with wishes that lines without order or command may express."""
    told = list(receipts)
    read = {number for one in told for number in one.read}
    unread = [line for line in _unread_lines(calls) if line.number not in read]
    idle = (i for i, one in enumerate(told) if one.idle and not one.done)
    at = next(idle, next((i for i, one in enumerate(told) if not (one.done and one.whole)), None))
    if at is None and calls and all(call.command in (ORDERS, AMEND) for call in calls):
        at = 0  # a letter to a power may stand above orders that are all in
    if at is None or told[at].wish or not (unread or greetings(letter)):
        return told
    wish = _wish_said(letter, unread, told[at], sender, arrival)
    if told[at].idle and wish and _is_done(wish, unread, calls, [*told[:at], *told[at + 1 :]]):
        return [*told[:at], *told[at + 1 :]]
    if told[at].idle and (wish is None or wish.about_play):
        lines, seat = _order_lines(calls), seat_meant(sender)
        others = to_other_players(seat.power.game) if seat and seat.until is None else ""
        wish = small_talk(lines, letter, seat, sender.player) or _unless_over(wish, seat)
        whole = rejoin_wrapped(lines)
        wish = wish or of_all(not_understood([*whole], others), whole)
    if wish and wish.script and (why_not := _why_not(wish, sender, arrival)):
        instead = f"{wish.known} {why_not}" if wish.known else wish.instead
        wish = replace(wish, script="", instead=instead)
    if wish:
        if len(told) == 1 and wish.news.startswith(NOT_SENT) and not told[at].whole:
            told[at] = _without_letter(told[at], wish)
        told[at] = _with(told[at], wish, calls, sender, arrival)
    return told


def _without_letter(receipt: Receipt, wish: Wish) -> Receipt:
    """The receipt of orders without the lines of a letter, which the wish speaks of."""
    if receipt.beside is None or not receipt.done:
        return receipt
    return with_outlooks([receipt.beside(wish.lines, wish.news)])[0]


def _unless_over(wish: Wish | None, seat: Seat | None) -> Wish | None:
    """The wish, unless it is for a finished game, in which people can only look at things."""
    over = seat is not None and seat.power.game.status not in PLAYED
    return None if wish and over and not wish.script else wish


def _is_done(
    wish: Wish, unread: Sequence[Line], calls: Sequence[Call], others: Sequence[Receipt]
) -> bool:
    """Whether the unread lines only say in words what a command of the same mail has done: “I
    propose a draw” above VOTE DRAW."""
    wanted = wish.news.removeprefix(_NOT_DONE).lower()
    commands = [call for call in calls if call.command not in (ORDERS, AMEND)]
    written = [f"{call.command} {call.argument}".lower() for call in commands]
    is_written = bool(wanted) and any(one.startswith(wanted) for one in written)
    is_all = {line.number for line in unread} <= wish.lines
    return is_written and is_all and all(one.done and one.whole for one in others)


def _wish_said(
    letter: Letter,
    unread: Sequence[Line],
    receipt: Receipt,
    sender: SeatHolder | PlayerAtLarge,
    arrival: Arrival,
) -> Wish | None:
    """The wish in the unread lines; below orders that are all in, only a letter to a power."""
    seat = seat_meant(sender)
    plays = seat is not None and seat.until is None
    powers = power_names(seat.power.game) if seat and plays else ()
    own = seat.power.name if seat else ""
    others = Others([power for power in powers if power != own], names_of_others(seat, powers))
    if receipt.done and receipt.whole:
        return letter_to(letter, unread, others)
    today = today_of(sender.player, arrival.received_at)
    if joins := yes_to_invitation(unread, arrival, sender) or wish_to_join(unread):
        return with_answers(joins, [line for line in unread if line.number not in joins.lines])
    wish = wish_in(letter, unread, others, plays=bool(powers), today=today)
    if wish is None or wish.news in _MAY_BE_VOTES:
        wish = wish_to_vote([*unread, *greetings(letter)], arrival, sender) or wish
    if wish is None or seat is None or MORE_TIME not in wish.instead:
        return wish
    game = seat.power.game
    length = extension_like(game, lookup.open_phase(game), time_wished(wish))
    return with_length(wish, length)


def _with(
    receipt: Receipt, wish: Wish, calls: Sequence[Call], sender: Sender, arrival: Arrival
) -> Receipt:
    """The receipt with the wish, which takes the place of a refusal if nothing else was tried."""
    receipt = replace(receipt, wish=wish, told=wish.lines)
    lines = _order_lines(calls)
    others = [line for line in lines if line.number not in wish.lines]
    tried = any(looks_like_order(line.text) for line in others) or any(
        UNIT_AND_PLACE.search(line.text) and not is_talk(line.text) for line in lines
    )
    if tried or not receipt.idle:
        return replace(receipt, idle=False)
    seat = seat_meant(sender)
    game = f"[{seat.power.game.name}] " if seat else ""
    return replace(
        receipt,
        title=_title(wish),
        text="\n".join([*how_it_stands(sender, arrival), *_besides([*rejoin_wrapped(others)])]),
        subject=f"{game}{wish.news}",
        refused="",
        enclosed=Enclosures(),
    )


def _title(wish: Wish) -> str:
    if wish.news.startswith(YOUR_QUESTION):
        return YOUR_QUESTION
    if wish.news.startswith(NOT_UNDERSTOOD) and not wish.script:
        return "Not understood"
    return "What you may have wanted"


def _besides(lines: Sequence[Line]) -> list[str]:
    if not lines:
        return []
    return [
        "",
        "We did nothing about the rest of your mail:",
        "",
        *as_entries([one.text for one in lines]),
    ]


def _why_not(wish: Wish, sender: Sender, arrival: Arrival) -> str:
    """Why the word YES could not do it, since not every game allows press; "" if it could."""
    tried = try_out(wish, sender, arrival)
    if tried is None:
        return "Please send it in a mail of its own, below a line that says to whom."
    return "" if tried.done else tried.text


def _order_lines(calls: Sequence[Call]) -> list[Line]:
    """The lines of a mail that are not commands."""
    return [line for call in calls if call.command in (ORDERS, AMEND) for line in call.lines]


def _unread_lines(calls: Sequence[Call]) -> list[Line]:
    """The lines of a mail that are neither a command nor an order on any map, as far as we read."""
    looked_at = fair_share(_order_lines(calls))
    return [line for line in looked_at if not reads_as_order(line.text)]
