"""One call carried out for its sender, or only tried, with its receipt; and what its writer may
have wanted instead."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

from django.db import transaction

from games.errors import GameError, fault
from games.queries import lookup
from games.queries.board import JudgeError, reads_as_order
from games.queries.seats import power_names
from games.services.extensions import extension_like
from games.services.readiness import Sent
from mailer.commands.asked_to_vote import wish_to_vote
from mailer.commands.base import Arrival
from mailer.commands.broken_lines import unwrapped
from mailer.commands.calls import AMEND, ORDERS, Call, Takes
from mailer.commands.invited import wish_to_join, yes_to_invitation
from mailer.commands.misspelt import is_talk, not_understood
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.absence import today_of
from mailer.commands.player.help import explanation
from mailer.commands.player.hold import Hold
from mailer.commands.player.ready import withheld
from mailer.commands.player.same import Same
from mailer.commands.receipt import Receipt, Wish
from mailer.commands.script import read_lines
from mailer.commands.seats import seat_and_phase
from mailer.commands.small_talk import small_talk
from mailer.commands.spoken_to import names_of_others
from mailer.commands.texts.order_receipt import like_orders
from mailer.commands.texts.prospects import status
from mailer.commands.texts.sentences import BOARD_UNREADABLE, to_other_players
from mailer.commands.wishes import (
    MORE_TIME,
    YOUR_QUESTION,
    corrected,
    letter_in,
    of_all,
    wish_in,
    with_answers,
    with_length,
)
from mailer.identity.senders import (
    PlayerAtLarge,
    SeatHolder,
    Sender,
    Stranger,
    about_another,
    seat_meant,
)
from mailer.letter import Letter, greetings
from mailer.outbound import operators
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.phrases import UNIT_AND_PLACE
from mailer.reading.quotes import Line
from mailer.text import counted

logger = logging.getLogger(__name__)

BOARD_KIND = "board_unreadable"
MOST_LOOKED_AT = 200
"""In how many lines of a mail we look for what else may have been wanted: each takes long."""
MOST_SHOWN = 5
_MAY_BE_VOTES = ("NOT done: YES", "NOT done: VOTE DRAW")
"""The news of a wish that may be a vote in other words, such as "OK, do it"."""
_ORDERS = (Hold.name, Same.name)
"""Commands that order; if refused, they leave units without what their player wanted."""


def can_be_done(call: Call, sender: Sender, arrival: Arrival) -> bool:
    """Whether it could be carried out."""
    return _tried(call, sender, arrival).done


def _tried(call: Call, sender: Sender, arrival: Arrival, line: str = "") -> Receipt:
    """What carrying it out would be answered; all that it did is undone."""
    with transaction.atomic():
        receipt = carried_out(call, sender, arrival, line)
        transaction.set_rollback(True)
    return receipt


def carried_out(call: Call, sender: Sender, arrival: Arrival, line: str) -> Receipt:
    """Carries out one call, written as `line` ("" if that is not to be quoted); what cannot be
    done is undone and said."""
    command = COMMANDS[call.command]
    if command.takes is Takes.SOMETHING and not call.argument:
        word = call.written
        return Receipt(word, explanation(command), done=False, refused=f"NOT done: {word}")
    try:
        with nullcontext() if command.refused_first else transaction.atomic():
            receipt = command.run(call, sender, arrival)
            wrote = _wrote(line) if line and receipt.quotes and _is_known(sender) else ""
            return replace(receipt, text=f"{wrote}{receipt.text}")
    except GameError as error:
        return _refused(call, sender, arrival, line, error)
    except JudgeError as error:
        if not command.only_shows:  # orders must not be lost: their mail is set aside
            raise
        return _unreadable(call, sender, arrival, error)


def _unreadable(call: Call, sender: Sender, arrival: Arrival, error: JudgeError) -> Receipt:
    """The receipt of a command that would show a board which cannot be read: the operators hear of
    it, once a day."""
    logger.exception("The board that mail #%s asks for cannot be read", arrival.mail_id)
    game = _game_meant(call, sender)
    operators.tell(
        key=f"{BOARD_KIND}/{arrival.now:%Y%m%d}",
        kind=BOARD_KIND,
        subject="The board of a game cannot be read",
        template=BOARD_KIND,
        context={"mail_id": arrival.mail_id, "fault": fault(error), "game": game},
        now=arrival.now,
    )
    text = f"{BOARD_UNREADABLE} Whoever runs this server knows; please try again tomorrow."
    return Receipt(call.written, text, done=False, refused=f"NOT done: {call.written}")


def _game_meant(call: Call, sender: Sender) -> str:
    """The name of the game that a call is about; "" if neither it nor its mail names one."""
    for word in call.argument.split():
        with suppress(GameError):
            return lookup.game_by_name(word).name
    seat, about = seat_meant(sender), about_another(sender)
    game = seat.power.game if seat else about
    return game.name if game else ""


def _is_known(sender: Sender) -> bool:
    """Whether the writer is the one who reads our answer. A stranger's From line may be forged, and
    whoever it names must not read the writer's words."""
    return not isinstance(sender, Stranger)


def _refused(call: Call, sender: Sender, arrival: Arrival, line: str, error: GameError) -> Receipt:
    """The receipt of a call that could not be carried out: why, and what may have been meant."""
    known = _is_known(sender)
    orders = [call] if call.command in (ORDERS, AMEND) and call.lines else []
    wrote = _wrote(line) if line and known and not orders else ""
    said = f"{wrote}{error}" if known else _unquoted(error)
    lost = len(call.lines) if orders else int(call.command in _ORDERS)
    waits = _withheld(call, sender, arrival, lost) if lost else []
    stands = ["", *_how_it_stands(sender, arrival)] if orders and known and not waits else []
    grave = COMMANDS[call.command].grave
    meant = None if grave or not known else corrected(call, line, error)
    return Receipt(
        title=call.written,
        text="\n".join([said, *([""] if orders else []), *shown(orders), *waits, *stands]),
        done=False,
        refused="NOT done: your orders" if orders else f"NOT done: {call.written}",
        wish=_if_possible(meant, sender, arrival) if meant else None,
        idle=bool(orders),
        lost=lost,
    )


def not_done_here(call: Call, why: str) -> Receipt:
    """The receipt of a command that is for another game, and of the lines that it goes with."""
    return Receipt(
        title=call.written,
        text="\n".join([f"{_wrote(call.written)}{why}", *shown([call] if call.lines else [])]),
        done=False,
        refused=f"NOT done: {call.written}",
        lost=len(call.lines),
    )


def _withheld(call: Call, sender: Sender, arrival: Arrival, lost: int) -> list[str]:
    """What becomes of an open phase whose orders were refused: who sent them wants them."""
    orders = call.command in _ORDERS or like_orders(call.lines) > 0
    try:
        seat, phase = seat_and_phase(sender)
        sent = Sent(seat, phase, arrival.received_at, arrival.now)
        kept = withheld(sent, lost, orders=orders, status=False)
    except GameError:  # nothing of theirs is open
        return []
    return [line for one in kept for line in ("", one)]


def _unquoted(error: GameError) -> str:
    """What we say about an error, without the name that was written."""
    return str(error).replace(error.wrote, "…") if error.wrote else str(error)


def _if_possible(meant: Wish, sender: Sender, arrival: Arrival) -> Wish:
    """What was meant, offered unless that cannot be done either; YES also tells of a second
    slip."""
    tried = try_out(meant, sender, arrival)
    if tried is None or tried.done or tried.wish:
        return meant
    line = meant.script.partition("\n")[0]
    return replace(meant, script="", instead=f"“{line}” cannot be done, either: {tried.text}")


def try_out(wish: Wish, sender: Sender, arrival: Arrival) -> Receipt | None:
    """What the word YES would be answered, undone again; None unless it is one command."""
    lines = [Line(at, text) for at, text in enumerate(wish.script.splitlines(), start=1)]
    calls = read_lines(lines, (), WORDS)
    if len(calls) != 1:
        return None
    tried = _tried(calls[0], sender, arrival, lines[0].text)
    return replace(tried, text=tried.text.removeprefix(_wrote(lines[0].text)))


def _wrote(line: str) -> str:
    return f"You wrote “{line}”: "


def shown(calls: Sequence[Call]) -> list[str]:
    """The first lines of these calls, one entry each, and how many more there are."""
    texts = [line.text for call in calls for line in call.lines]
    return as_entries([*texts, *(call.written for call in calls if not call.lines)])


def as_entries(texts: Sequence[str]) -> list[str]:
    """The first texts, one entry each, and how many more there are."""
    first = [f"- You wrote “{text}”" for text in texts[:MOST_SHOWN]]
    more = len(texts) - len(first)
    return [*first, f"- and {counted(more, 'more line')}"] if more else first


def with_wish(
    receipts: Sequence[Receipt],
    letter: Letter,
    calls: Sequence[Call],
    sender: SeatHolder | PlayerAtLarge,
    arrival: Arrival,
) -> list[Receipt]:
    """The receipts, with what may have been wanted in lines that are neither orders nor
    commands."""
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
    if told[at].idle and (wish is None or wish.about_play):
        lines, seat = _order_lines(calls), seat_meant(sender)
        others = to_other_players(seat.power.game) if seat and seat.until is None else ""
        wish = small_talk(lines, letter, seat, sender.player) or wish
        whole = unwrapped(lines)
        wish = wish or of_all(not_understood([*whole], others), whole)
    if wish and wish.script and (why_not := _why_not(wish, sender, arrival)):
        instead = f"{wish.known} {why_not}" if wish.known else wish.instead
        wish = replace(wish, script="", instead=instead)
    if wish:
        told[at] = _with(told[at], wish, calls, sender, arrival)
    return told


def _wish_said(
    letter: Letter,
    unread: Sequence[Line],
    receipt: Receipt,
    sender: SeatHolder | PlayerAtLarge,
    arrival: Arrival,
) -> Wish | None:
    """What the unread lines may want; below orders that are all in, only a letter to a power."""
    seat = seat_meant(sender)
    plays = seat is not None and seat.until is None
    powers = power_names(seat.power.game) if seat and plays else ()
    own = seat.power.name if seat else ""
    if receipt.done and receipt.whole:
        return letter_in(
            letter, unread, powers=powers, own=own, names=names_of_others(seat, powers)
        )
    today = today_of(sender.player, arrival.received_at)
    if joins := yes_to_invitation(unread, arrival, sender) or wish_to_join(unread):
        return with_answers(joins, [line for line in unread if line.number not in joins.lines])
    names = names_of_others(seat, powers)
    wish = wish_in(letter, unread, powers=powers, own=own, today=today, names=names)
    if wish is None or wish.news in _MAY_BE_VOTES:
        wish = wish_to_vote([*unread, *greetings(letter)], arrival, sender) or wish
    if wish is None or seat is None or MORE_TIME not in wish.instead:
        return wish
    game = seat.power.game
    return with_length(wish, extension_like(game, lookup.open_phase(game)))


def _with(
    receipt: Receipt, wish: Wish, calls: Sequence[Call], sender: Sender, arrival: Arrival
) -> Receipt:
    """The receipt with the wish, in place of a refusal if nothing else was tried."""
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
        title=YOUR_QUESTION if wish.news.startswith(YOUR_QUESTION) else "What you may have wanted",
        text="\n".join([*_how_it_stands(sender, arrival), *_besides([*unwrapped(others)])]),
        subject=f"{game}{wish.news}",
        refused="",
        buttons=(),
    )


def _how_it_stands(sender: Sender, arrival: Arrival) -> list[str]:
    """How many units have an order, from earlier mails: this one changed none of them; and when
    the phase is decided."""
    seat = seat_meant(sender)
    phase = lookup.open_phase(seat.power.game) if seat and seat.until is None else None
    return status(seat, phase, sender, arrival.now) if seat and phase else []


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
    """Why the word YES could not do it, since press is not allowed in every game; "" if it
    could."""
    tried = try_out(wish, sender, arrival)
    if tried is None:
        return "Please send it in a mail of its own, below a line that says to whom."
    return "" if tried.done else tried.text


def _order_lines(calls: Sequence[Call]) -> list[Line]:
    """The lines of a mail that are no command."""
    return [line for call in calls if call.command in (ORDERS, AMEND) for line in call.lines]


def _unread_lines(calls: Sequence[Call]) -> list[Line]:
    """The first lines of a mail that are neither a command nor an order on any map."""
    looked_at = _order_lines(calls)[:MOST_LOOKED_AT]
    return [line for line in looked_at if not reads_as_order(line.text)]
