"""What a mail wants done to its phase's orders: `orders` reads it, and `order_answers` answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mailer.commands.orders.in_doubt import Doubted
from mailer.reading.quotes import Line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a mail wants of the orders of its phase."""

    lines: Sequence[Line]
    unread: Sequence[Line]
    """Lines that are no order, and lines beyond the share of one mail."""
    too_long: bool
    """Whether we left out nothing but lines beyond that share."""
    doubted: Sequence[Doubted]
    amends: bool
    read: frozenset[int]
    """The numbers of lines that we read as a change of orders, if the lines say nothing else."""
