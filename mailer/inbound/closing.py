"""What carried out mails have yet to leave behind: their answers, which orders came in them, and
that they are done.

Nobody reads any of it before the transaction ends. So mails that are worked on together write them
together, which spares each a sixth of its time (0.8 ms of 4.8).
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
    """The last rows of one mail, or of several; all of them are locked, and in one transaction."""

    answers: list[outbox.Mail] = field(default_factory=list)
    orders: list[OrderMail] = field(default_factory=list)
    done: list[InboundMail] = field(default_factory=list)
    more: bool = False
    """Whether more was done than to take orders: what was read before may hold no longer."""

    def add(self, other: Closing) -> None:
        """Take what is left to write of another mail, too."""
        self.answers.extend(other.answers)
        self.orders.extend(other.orders)
        self.done.extend(other.done)
        self.more |= other.more

    def write(self) -> None:
        """Queue the answers, tie the orders to the mails they came in, and settle those."""
        outbox.enqueue_all(self.answers)
        _INSERT.all(self.orders)
        settle_all(self.done)
