"""Decides what becomes of a mail: dropped as a program's, held for its owner's word, or carried
out.

RFC 3834 forbids us to answer automatic mails, and nobody wants a vacation program's words passed on
as press. But people's mails have the marks of programs, too: providers, company servers and scripts
add them. So we never silently drop a mail that says something to us if it came to a reply address
of ours or proves its sender. With a mere hint we read it like any other; with a mark that only
programs use, we ask its owner. Whoever wrote it, we also ask before anything that takes more proof
than the mail brings, and before anything that cannot be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from games.errors import GameError
from games.models import Seat
from games.queries import lookup
from games.services.cleaned import can_be_written_to
from mailer.commands.base import MOST_COMMANDS, Arrival
from mailer.commands.calls import AMEND, ORDERS, Call, Takes
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player import COMMANDS
from mailer.commands.player.consent.confirm import says_yes
from mailer.commands.player.gm import Gm
from mailer.commands.player.messages.answer import Answer
from mailer.commands.player.messages.moderator import Moderator
from mailer.identity import senders
from mailer.identity.claims import running_seats
from mailer.identity.senders import Proof, Registered, Sender
from mailer.inbound.carry_out import can_be_done
from mailer.inbound.requests import meant_calls
from mailer.letter import Letter, Line
from mailer.outbound import addresses
from mailer.outbound.tokens import ForHeldMail, ForModerators
from mailer.reading.machine import Kind

NO_ANSWER_OF_OURS = (
    "it was not a reply to a mail of ours, so anybody could have sent it in your name"
)
GRAVE = "it cannot easily be undone"

Reads = Callable[[Sequence[Line]], bool]
"""Whether any of the lines can be read as an order."""


def why_dropped(
    letter: Letter, calls: Sequence[Call], sender: Sender, reads: Reads | None = None
) -> str:
    """Why we do nothing with a mail and do not answer it; "" if we work on it.

    Without `reads`, the sender's seats decide what is an order.
    """
    if isinstance(sender, senders.Stranger) and not can_be_written_to(sender.email):
        return "We cannot write to the address that it names."
    mark = letter.mark
    if mark is None:
        return ""
    why = f"A program wrote it: {mark.reason}."
    if mark.is_report or not (mark.kind is Kind.SUBJECT or _is_known(letter, sender)):
        return why
    orders = reads or (lambda lines: _are_orders(lines, sender))
    return "" if any(_says_something(call, mark.kind, orders) for call in calls) else why


def why_doubted(letter: Letter, calls: Sequence[Call], sender: Sender) -> str:
    """Why nothing in a mail is done before its owner confirms it, whatever it asks for: it may be
    somebody else's, or a program's. "" if it need not wait.

    A yes to our question must not have even a hint of a program.
    """
    match sender:
        case senders.Suspect() | senders.SuspectGm():
            return sender.why
        case senders.Answering(question=ForModerators()):
            return _why_by_a_program(letter, calls)
        case (
            senders.Newcomer()
            | senders.FurtherAddress()
            | senders.Answering()
            | senders.AnsweringGm()
        ) if letter.mark:
            return f"a program may have written it: {letter.mark.reason}"
        case _:
            return _why_by_a_program(letter, calls)


def _why_by_a_program(letter: Letter, calls: Sequence[Call]) -> str:
    """Why a marked mail that was not dropped waits; "" if it need not.

    Press also waits if there is only a hint: any text is press, even a vacation program's.
    """
    mark = letter.mark
    if mark is None:
        return ""
    is_press = any(call.command == Answer.name for call in calls)
    if mark.kind is Kind.AUTOMATIC or (mark.kind is Kind.HINT and is_press):
        return f"it looks as if a program wrote it: {mark.reason}"
    return ""


def _is_known(letter: Letter, sender: Sender) -> bool:
    return sender.proof is not Proof.NONE or addresses.find(letter.recipients) is not None


def _says_something(call: Call, kind: Kind, are_orders: Reads) -> bool:
    """Whether a call is a command, or one of its lines can be read as an order."""
    if call.command == Answer.name or _is_whole_answer(call):
        return kind is Kind.HINT
    if call.command == Gm.name:
        return any(one.command not in (ORDERS, AMEND) for one in call.calls)
    return call.command not in (ORDERS, AMEND) or not call.lines or are_orders(call.lines)


def _is_whole_answer(call: Call) -> bool:
    """Whether the call is a whole answer to the moderators, without the word MODERATOR."""
    return call.command == Moderator.name and not call.number


def for_moderators(calls: Sequence[Call]) -> Call | None:
    """The answer to the moderators in a mail that is dropped as a program's; None if it has none.

    It may be a person's own, and they may decide by it; if not, they learn that the player is away.
    Nobody else reads it, and nobody answers it.
    """
    return next((call for call in calls if _is_whole_answer(call) and call.lines), None)


def _are_orders(lines: Sequence[Line], sender: Sender) -> bool:
    """Whether one of the lines is an order of somebody who plays what its sender plays."""
    return any(_is_order_of(lines, seat) for seat in _seats(sender))


def _seats(sender: Sender) -> list[Seat]:
    if isinstance(sender, senders.SeatHolder):
        return [sender.seat]
    owner = sender.owner if isinstance(sender, senders.Suspect) else sender.player
    return running_seats(owner) if owner else []


def _is_order_of(lines: Sequence[Line], seat: Seat) -> bool:
    phase = lookup.open_phase(seat.power.game)
    return phase is not None and Viewpoint.of(phase, seat.power.name).has_order(lines)


def why_held(sender: Sender, calls: Sequence[Call]) -> str:
    """Why these calls wait until their owner has confirmed them; "" if they need not."""
    match sender:
        case senders.Suspect() | senders.SuspectGm():
            return sender.why
        case senders.PlayerAtLarge() | senders.SeatHolder():
            return _question_before(sender, calls, sender.doubt or NO_ANSWER_OF_OURS)
        case senders.Answering(question=ForHeldMail()):
            return ""
        case senders.Newcomer() | senders.Answering():
            return _question_before(sender, calls, "")
        case (
            senders.Stranger()
            | senders.FurtherAddress()
            | senders.GameMaster()
            | senders.AnsweringGm()
        ):
            return ""
        case _:
            assert_never(sender)


def _question_before(sender: Registered, calls: Sequence[Call], unproved: str) -> str:
    """Why we ask a player before these calls; `unproved` says why we are not sure of them."""
    if are_grave(calls):
        return "" if sender.proof is Proof.CONFIRMED else GRAVE
    return unproved if _needs_proof(sender, calls) else ""


def without_refused(calls: Sequence[Call], sender: Sender, arrival: Arrival) -> list[Call]:
    """The calls, without grave ones that cannot be done: we need no question to say so."""
    return [
        call
        for number, call in enumerate(calls)
        if not are_grave([call])
        or number >= MOST_COMMANDS  # trying it takes as long as doing it
        or can_be_done(call, sender, arrival)
    ]


def are_grave(calls: Sequence[Call]) -> bool:
    """Whether one of them cannot simply be undone, so that we need the word CONFIRM."""
    return any(COMMANDS[call.command].grave for call in calls)


def seat_at_stake(calls: Sequence[Call], sender: Sender) -> Seat | None:
    """The seat that the first grave call gives up; None if we cannot tell."""
    grave = next((call for call in calls if COMMANDS[call.command].grave), None)
    try:
        return COMMANDS[grave.command].seat_at_stake(grave, sender) if grave else None
    except GameError:
        return None


def is_a_yes(calls: Sequence[Call], asked_about: Sequence[Call]) -> bool:
    """Whether a reply says yes to a question about these calls: with the word, or by repeating a
    call that cannot be undone."""
    grave = {call.command for call in asked_about if COMMANDS[call.command].grave}
    return says_yes(calls) or not grave.isdisjoint(call.command for call in calls)


def are_for_a_seat(calls: Sequence[Call]) -> bool:
    """Whether one of them is for the power that its sender plays."""
    return any(COMMANDS[call.command].for_seat for call in calls)


def _needs_proof(sender: Registered, calls: Sequence[Call]) -> bool:
    """Whether the mail asks for something that only its owner may do, with nothing to show but its
    From line."""
    if sender.proof is not Proof.NONE:
        return False
    return any(_is_secured(call, sender) for call in meant_calls(calls, sender))


def _is_secured(call: Call, sender: Registered) -> bool:
    """Whether carrying it out takes proof. Without a seat, a call for a seat fails anyway."""
    command = COMMANDS[call.command]
    if command.takes is Takes.SOMETHING and not call.argument:
        return False  # we only explain it
    return command.secured and (isinstance(sender, senders.SeatHolder) or not command.for_seat)
