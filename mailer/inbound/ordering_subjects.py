"""Orders in the subject of a mail that also has a text: we do not follow them."""

from __future__ import annotations

from collections.abc import Sequence

from games.queries.board import reads_as_order
from games.queries.lookup import open_phase
from mailer.commands.calls import Call
from mailer.commands.orders.changes import is_change
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player.ordering.hold import Hold
from mailer.commands.receipt import NotReady, Receipt
from mailer.identity.senders import SeatHolder, Sender
from mailer.letter import Letter
from mailer.models import OutboundMail
from mailer.reading.kinds_of_line import looks_like_order

ORDERS_IN_SUBJECT = (
    "The subject of your mail reads like an order. It is not followed, because your mail says more "
    "than that: please write your orders in the mail itself, one per line."
)


def subject_not_followed(letter: Letter, meant: Sequence[Call], sender: Sender) -> list[Receipt]:
    """Say that we did not read the orders in the subject, if the text has none ("see subject"), or
    others, and the subject is new; not if it is that of our mail which this one answers."""
    subject = letter.subject.rpartition(":")[2]
    orders = reads_as_order(letter.subject) or reads_as_order(subject) or is_change(letter.subject)
    if not meant or not orders:
        return []
    lines = [line.text for call in meant for line in call.lines]
    has_orders = any(call.command == Hold.name for call in meant) or any(map(_may_order, lines))
    if has_orders and not _orders_more(letter.subject, lines, sender):
        return []
    if _is_ours(letter):
        return []
    refused = "NOT ordered: the subject is not read"
    not_ready = NotReady(lost=1)
    return [
        Receipt("Your subject", ORDERS_IN_SUBJECT, done=False, refused=refused, not_ready=not_ready)
    ]


def _orders_more(subject: str, lines: Sequence[str], sender: Sender) -> bool:
    """Whether a subject, which answers no older mail, has an order that the lines do not have."""
    if not isinstance(sender, SeatHolder):
        return False
    if not reads_as_order(subject):
        return is_change(subject) and subject not in lines
    phase = sender.phase or open_phase(sender.seat.power.game)
    if phase is None:
        return False
    view = Viewpoint.of(phase, sender.seat.power.name)
    above, below = ({str(one.order) for one in view.readings(said)} for said in ([subject], lines))
    return not above <= below


def _may_order(text: str) -> bool:
    return reads_as_order(text) or looks_like_order(text)


def _is_ours(letter: Letter) -> bool:
    """Whether the mail answers one of ours with this subject: "Passed on to Russia" might be a move
    to Prussia."""
    answered = OutboundMail.objects.filter(message_id__in=letter.references).exclude(subject="")
    return any(letter.subject.endswith(one) for one in answered.values_list("subject", flat=True))
