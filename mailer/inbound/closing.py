"""What carried out mails have yet to leave behind: their answers, which orders came in them, and
that they are done.

Nobody reads any of this before the transaction ends. So mails that are worked on together write it
together, which saves each a sixth of its time (0.8 ms of 4.8).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.models.stored import Insert
from mailer.models import InboundMail, OrderMail
from mailer.models.inbound import settle_all
from mailer.outbound import outbox

_INSERT = Insert(OrderMail)


@dataclass(slots=True)
class Closing:
    """The last rows of one mail or several, all of them locked and in one transaction."""

    answers: list[outbox.Mail] = field(default_factory=list)
    orders: list[OrderMail] = field(default_factory=list)
    done: list[InboundMail] = field(default_factory=list)
    more: bool = False
    """Whether more was done than taking orders, so that what was read before may no longer hold."""

    def add(self, other: Closing) -> None:
        """Take what is left to write for another mail."""
        self.answers.extend(other.answers)
        self.orders.extend(other.orders)
        self.done.extend(other.done)
        self.more |= other.more

    def write(self) -> None:
        """Queue the answers, tie the orders to their mails, and settle those mails."""
        outbox.enqueue_all(self.answers)
        _INSERT.all(self.orders)
        settle_all(self.done)
