"""The orders that count, each power's under its seal: what a receipt signs and the log binds.

The seal hides a power's orders behind a salt. Until the phase is processed only its player knows
the salt, from the receipt. It is the salt of the set recorded last, since each set brings a new
one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games.models import OrderSet, Phase, Power
from games.proofs.digests import seal
from games.proofs.receipts import Statement
from games.queries.orders.current_orders import OrderBook, followed_orders, lines_by_power


@dataclass(frozen=True, slots=True)
class SealedOrders:
    """The orders that count for a power, as the judge reads them, and the salt of their seal.

    `received_at` is when the newest mail came that led to them.
    """

    phase: str
    power: str
    salt: str
    orders: tuple[str, ...]
    received_at: dt.datetime

    @property
    def seal(self) -> str:
        """The seal that binds a power to these orders without showing them."""
        return seal(salt=self.salt, phase=self.phase, power=self.power, orders=self.orders)


def sealed_orders(phase: Phase, sets: Collection[OrderSet]) -> dict[str, SealedOrders]:
    """Return the sealed orders of all powers, given the sets that count, the oldest first.

    A power whose newest set is from before there were seals has no seal.
    """
    recorded = sorted(sets, key=lambda one: one.pk)
    newest = {one.power.name: (one.salt, one.received_at) for one in recorded}
    return seal_all(phase, lines_by_power(sets), newest)


def seal_all(
    phase: Phase,
    lines: Mapping[str, Sequence[str]],
    newest: Mapping[str, tuple[str, dt.datetime]],
) -> dict[str, SealedOrders]:
    """Return the sealed orders of all powers. `newest` has, by power, the salt of the set recorded
    last, and when that set came."""
    return {
        power: SealedOrders(
            phase=phase.name,
            power=power,
            salt=salt,
            orders=followed_orders(phase, power, lines[power]),
            received_at=received_at,
        )
        for power, (salt, received_at) in newest.items()
        if salt and power in lines
    }


def statement_of(phase: Phase, power: Power, book: OrderBook | None = None) -> Statement | None:
    """Return what a receipt can say about the power's orders, None if it has sent none. `book` has
    them, if they were read."""
    book = book or OrderBook.of_power(phase, power.pk)
    lines = {power.name: book.lines(power)}
    newest = book.newest(power)
    said = {power.name: (newest.salt, newest.received_at)} if newest else {}
    sealed = seal_all(phase, lines, said).get(power.name)
    if sealed is None:
        return None
    return Statement(
        game=phase.game.name,
        phase=phase.name,
        power=power.name,
        received_at=sealed.received_at,
        salt=sealed.salt,
        orders=sealed.orders,
    )
