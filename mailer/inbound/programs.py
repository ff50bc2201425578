"""What becomes of a mail that bears the mark of a program.

RFC 3834 forbids answering what was submitted automatically, and nobody wants a vacation program's
words passed on as press. But marks also stand on mails of people: providers, company servers and
scripts write them. So a mail that says something to us is never dropped in silence when it came to
a reply address of ours or proves its sender. Behind a hint it is read like any other; behind a mark
that only programs use its owner is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.models import Seat
from games.queries import lookup
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.player.answer import Answer
from mailer.commands.player.gm import Gm
from mailer.commands.viewpoint import Viewpoint
from mailer.identity.identify import running_seats
from mailer.identity.senders import (
    Answering,
    AnsweringGm,
    FurtherAddress,
    Newcomer,
    Proof,
    SeatHolder,
    Sender,
    Suspect,
    SuspectGm,
)
from mailer.letter import Letter, Line
from mailer.outbound import addresses
from mailer.outbound.tokens import ForModerators
from mailer.reading.machine import Kind

Reads = Callable[[Sequence[Line]], bool]


def why_dropped(
    letter: Letter, calls: Sequence[Call], sender: Sender, reads: Reads | None = None
) -> str:
    """Why nothing is done with a mail and nobody answers it; empty when it is worked on.

    `reads` says whether one of some lines is an order; without it the sender's seats decide.
    """
    mark = letter.mark
    if mark is None:
        return ""
    why = f"A program wrote it: {mark.reason}."
    if mark.is_report or not (mark.kind is Kind.SUBJECT or _is_known(letter, sender)):
        return why
    orders = reads or (lambda lines: _are_orders(lines, sender))
    return "" if any(_says_something(call, mark.kind, orders) for call in calls) else why


def why_held(letter: Letter, sender: Sender, calls: Sequence[Call]) -> str:
    """Why nothing in a mail is done before its owner's word, whatever it asks for: it may not be
    theirs, or a program's. Empty if it need not wait.

    A yes to a question of ours must not bear even a hint of a program.
    """
    match sender:
        case Suspect() | SuspectGm():
            return sender.why
        case Answering(question=ForModerators()):
            return _why_a_program_s(letter, calls)
        case Newcomer() | FurtherAddress() | Answering() | AnsweringGm() if letter.mark:
            return f"a program may have written it: {letter.mark.reason}"
        case _:
            return _why_a_program_s(letter, calls)


def _why_a_program_s(letter: Letter, calls: Sequence[Call]) -> str:
    """Why a mail with a mark that was not dropped waits; empty if it need not.

    Press waits behind a hint, too: any text is press, and so would a vacation program's be.
    """
    mark = letter.mark
    if mark is None:
        return ""
    is_press = any(call.verb == Answer.name for call in calls)
    if mark.kind is Kind.AUTOMATIC or (mark.kind is Kind.HINT and is_press):
        return f"it looks as if a program wrote it: {mark.reason}"
    return ""


def _is_known(letter: Letter, sender: Sender) -> bool:
    return sender.proof is not Proof.NONE or addresses.find(letter.recipients) is not None


def _says_something(call: Call, kind: Kind, are_orders: Reads) -> bool:
    """Whether a call is a command, or one of its lines can be read as an order."""
    if call.verb == Answer.name:
        return kind is Kind.HINT
    if call.verb == Gm.name:
        return any(one.verb not in (ORDERS, AMEND) for one in call.calls)
    return call.verb not in (ORDERS, AMEND) or not call.lines or are_orders(call.lines)


def _are_orders(lines: Sequence[Line], sender: Sender) -> bool:
    """Whether one of the lines is an order of somebody who plays what its sender plays."""
    return any(_is_order_of(lines, seat) for seat in _seats(sender))


def _seats(sender: Sender) -> list[Seat]:
    if isinstance(sender, SeatHolder):
        return [sender.seat]
    owner = sender.owner if isinstance(sender, Suspect) else sender.player
    return running_seats(owner) if owner else []


def _is_order_of(lines: Sequence[Line], seat: Seat) -> bool:
    phase = lookup.open_phase(seat.power.game)
    return phase is not None and Viewpoint.of(phase, seat.power.name).has_order(lines)
