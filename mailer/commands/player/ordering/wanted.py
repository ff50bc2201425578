"""What a mail wants of its phase's orders: `orders` reads it, and `order_answers` answers it."""

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
    """What is no order, and what is beyond the share of one mail."""
    too_long: bool
    """Whether nothing but that share was left out."""
    doubted: Sequence[Doubted]
    amends: bool
    read: frozenset[int]
    """The numbers of the lines that were read as a change of orders, if that was all they say."""
