"""Carries out, or only tries, one call for its sender, and writes its receipt."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

from django.db import transaction

from games.errors import BadInput, GameError, GameOver, fault
from games.queries import lookup
from games.queries.board import JudgeError
from games.queries.parsing.game_names import game_by_name
from games.queries.reports.wording import counted
from games.services.ordering.readiness import PhaseMail
from mailer.commands.base import Arrival
from mailer.commands.calls import AMEND, HELP, ORDERS, Call, Takes
from mailer.commands.gm.mail import game_meant
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.clock.ready import withheld
from mailer.commands.player.consent.confirm import NOTHING, Confirm
from mailer.commands.player.gm import Gm
from mailer.commands.player.ordering.hold import Hold
from mailer.commands.player.ordering.same import Same
from mailer.commands.player.views.help import explanation
from mailer.commands.receipt import NotReady, Receipt, Wish
from mailer.commands.script import read_lines
from mailer.commands.seats import in_full, seat_and_phase
from mailer.commands.texts.not_understood import MOST_QUOTED
from mailer.commands.texts.order_lines import like_orders
from mailer.commands.texts.prospects import status
from mailer.commands.texts.sentences import BOARD_UNREADABLE, NO_CONDITION
from mailer.commands.wishes.everyday_words import corrected_command
from mailer.identity.senders import Sender, Stranger, about_another, seat_meant
from mailer.outbound import operators
from mailer.reading import courtesies
from mailer.reading.quotes import Line

logger = logging.getLogger(__name__)

BOARD_KIND = "board_unreadable"
MOST_SHOWN = 5
ASK_TOMORROW = "Whoever runs this server knows; please try again tomorrow."
_BEGINS_CONDITION = ("if", "only", "unless", "provided", "assuming", "when")
"""Stands where a name is wanted, and begins a condition: “VOTE DRAW if Germany agrees”."""
_ORDERS = (Hold.name, Same.name)
"""Commands that give orders; if refused, they leave units without the orders their player
wanted."""


def can_be_done(call: Call, sender: Sender, arrival: Arrival) -> bool:
    """Whether the call could be carried out."""
    return _try_call(call, sender, arrival).done


def _try_call(call: Call, sender: Sender, arrival: Arrival, line: str = "") -> Receipt:
    """The receipt that the call would bring; everything it did is undone."""
    with transaction.atomic():
        receipt = carry_out(call, sender, arrival, line)
        transaction.set_rollback(True)
    return receipt


def without_politeness(calls: Sequence[Call], sender: Sender, arrival: Arrival) -> Sequence[Call]:
    """The calls without mere politeness among others: an OK above orders where nothing waits for a
    yes, and remarks such as “Sorry for the trouble!”."""
    asking = [one for one in calls if not _is_remark(one)] or calls
    ordered = any(one.command in (ORDERS, AMEND, *_ORDERS) for one in asking)
    return [one for one in asking if not (ordered and _is_idle_ok(one, sender, arrival))]


def _is_remark(call: Call) -> bool:
    lines = call.lines if call.command == ORDERS else ()
    return bool(lines) and all(courtesies.HARMLESS.fullmatch(line.text) for line in lines)


def _is_idle_ok(call: Call, sender: Sender, arrival: Arrival) -> bool:
    is_ok = call.command == Confirm.name and call.word.lower() in ("ok", "okay")
    return is_ok and _try_call(call, sender, arrival).text == NOTHING


def carry_out(call: Call, sender: Sender, arrival: Arrival, line: str) -> Receipt:
    """Carry out one call, written as `line` ("" if we must not quote it); if it fails, undo it and
    say so."""
    command = COMMANDS[call.command]
    if command.takes is Takes.SOMETHING and not call.argument:
        word = call.written
        return Receipt(word, explanation(command), done=False, refused=f"NOT done: {word}")
    try:
        with nullcontext() if command.refused_first else transaction.atomic():
            receipt = command.run(call, sender, arrival)
            if receipt.fault:
                _tell_operators(call, sender, arrival, receipt.fault)
            wrote = _wrote(line) if line and receipt.quotes and _is_known(sender) else ""
            return replace(receipt, text=f"{wrote}{receipt.text}")
    except GameOver as error:
        return _refusal(call, sender, arrival, line, in_full(error, sender.player))
    except GameError as error:
        is_condition = error.wrote.casefold() in _BEGINS_CONDITION
        why = BadInput(NO_CONDITION) if is_condition else error
        return _refusal(call, sender, arrival, line, why)
    except JudgeError as error:
        if not command.only_shows:  # orders must not be lost: we set their mail aside
            raise
        _tell_operators(call, sender, arrival, fault(error))
        text = f"{BOARD_UNREADABLE} {ASK_TOMORROW}"
        return Receipt(call.written, text, done=False, refused=f"NOT done: {call.written}")


def _tell_operators(call: Call, sender: Sender, arrival: Arrival, wrong: str) -> None:
    """Tell the operators, once a day, of a board that a command needs but that we cannot read."""
    logger.error("The board that mail #%s asks for cannot be read: %s", arrival.mail_id, wrong)
    game = _game_meant(call, sender, arrival.now)
    operators.tell(
        key=f"{BOARD_KIND}/{arrival.now:%Y%m%d}",
        kind=BOARD_KIND,
        subject="The board of a game cannot be read",
        context={"mail_id": arrival.mail_id, "fault": wrong, "game": game},
        now=arrival.now,
    )


def _game_meant(call: Call, sender: Sender, now: dt.datetime) -> str:
    """The name of the game that a call is about; "" if neither the call nor its mail names one."""
    if sender.gm and call.command == Gm.name:
        return game_meant(call, sender.gm, now).name
    for word in call.argument.split():
        with suppress(GameError):
            return game_by_name(word).name
    seat, about = seat_meant(sender), about_another(sender)
    game = seat.power.game if seat else about
    return game.name if game else ""


def _is_known(sender: Sender) -> bool:
    """Whether we know that the writer is the reader of our answer.

    A stranger's From line may be forged, and the person it names must not read the writer's words.
    """
    return not isinstance(sender, Stranger)


def _refusal(call: Call, sender: Sender, arrival: Arrival, line: str, error: GameError) -> Receipt:
    """The receipt of a call that could not be carried out: why, and what its writer may have
    meant."""
    known = _is_known(sender)
    orders = [call] if call.command in (ORDERS, AMEND) and call.lines else []
    wrote = _wrote(line) if line and known and not orders else ""
    said = f"{wrote}{error}" if known else _sentence_without_name(error)
    lost = len(call.lines) if orders else int(call.command in _ORDERS)
    waits = _withheld(call, sender, arrival, lost) if lost else []
    stands = ["", *how_it_stands(sender, arrival)] if orders and known and not waits else []
    grave = COMMANDS[call.command].grave
    meant = None if grave or not known else corrected_command(call, line, error)
    return Receipt(
        title=call.written,
        text="\n".join([said, *([""] if orders else []), *first_lines(orders), *waits, *stands]),
        done=False,
        refused="NOT done: your orders" if orders else f"NOT done: {_in_short(call, known=known)}",
        wish=_if_possible(meant, sender, arrival) if meant else None,
        idle=bool(orders),
        not_ready=NotReady(lost),
    )


def _in_short(call: Call, *, known: bool) -> str:
    """The call for a subject, since a mail may have several HELPs, one of them without a topic.

    A subject repeats words, but no link, and nothing to a stranger.
    """
    topic = f"{call.written} {call.argument}"
    is_short = len(topic) <= MOST_QUOTED and topic.replace(" ", "").isalpha()
    return topic if known and is_short and call.command == HELP else call.written


def not_done_here(call: Call, why: str) -> Receipt:
    """The receipt of a command for another game, and of the lines that go with it."""
    return Receipt(
        title=call.written,
        text="\n".join(
            [f"{_wrote(call.written)}{why}", *first_lines([call] if call.lines else [])]
        ),
        done=False,
        refused=f"NOT done: {call.written}",
        not_ready=NotReady(len(call.lines)),
    )


def _withheld(call: Call, sender: Sender, arrival: Arrival, lost: int) -> list[str]:
    """Keep the phase open for a sender whose orders we refused; return what to say about that."""
    orders = call.command in _ORDERS or like_orders(call.lines) > 0
    try:
        seat, phase = seat_and_phase(sender)
        sent = PhaseMail(seat, phase, arrival.received_at, arrival.now)
        kept = withheld(sent, lost, orders=orders, status=False)
    except GameError:  # nothing of theirs is open
        return []
    return [line for one in kept for line in ("", one)]


def _sentence_without_name(error: GameError) -> str:
    """An error's sentence, without the name that the writer used."""
    return str(error).replace(error.wrote, "…") if error.wrote else str(error)


def _if_possible(meant: Wish, sender: Sender, arrival: Arrival) -> Wish:
    """The wish, without an offer that could not be done either: YES would only reveal a second
    slip."""
    tried = try_out(meant, sender, arrival)
    if tried is None or tried.done or tried.wish:
        return meant
    line = meant.script.partition("\n")[0]
    return replace(meant, script="", instead=f"“{line}” cannot be done, either: {tried.text}")


def try_out(wish: Wish, sender: Sender, arrival: Arrival) -> Receipt | None:
    """The receipt that the word YES would bring, from a trial that is undone; None unless it is one
    command."""
    lines = [Line(at, text) for at, text in enumerate(wish.script.splitlines(), start=1)]
    calls = read_lines(lines, (), WORDS)
    if len(calls) != 1:
        return None
    tried = _try_call(calls[0], sender, arrival, lines[0].text)
    return replace(tried, text=tried.text.removeprefix(_wrote(lines[0].text)))


def _wrote(line: str) -> str:
    return f"You wrote “{line}”: "


def first_lines(calls: Sequence[Call]) -> list[str]:
    """The first lines of these calls, one entry each, and how many more there are."""
    texts = [line.text for call in calls for line in call.lines]
    return as_entries([*texts, *(call.written for call in calls if not call.lines)])


def as_entries(texts: Sequence[str]) -> list[str]:
    """The first texts, one entry each, and how many more there are."""
    first = [f"- You wrote “{text}”" for text in texts[:MOST_SHOWN]]
    more = len(texts) - len(first)
    return [*first, f"- and {counted(more, 'more line')}"] if more else first


def how_it_stands(sender: Sender, arrival: Arrival) -> list[str]:
    """How many units have an order from earlier mails, which this one left unchanged, and when the
    phase is decided."""
    seat = seat_meant(sender)
    phase = lookup.open_phase(seat.power.game) if seat and seat.until is None else None
    return status(seat, phase, sender, arrival.now) if seat and phase else []
