"""Builds and disbands that a later mail changes: which stay, and which no longer have room.

They have no names, only numbers: with AMEND the new ones come first, and the last of the earlier
ones drop out.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.queries.orders.current_orders import Decisions
from games.queries.reports.wording import counted, listed
from games.services.ordering.order_receipts import OrderReceipt

_ONLY = {
    "Build": "{power} may build only {units}",
    "Disband": "{power} must disband only {units}",
}


def beside(before: Decisions, current: Decisions) -> Mapping[str, str | None]:
    """The earlier order that each decision replaces: an order that stays is paired with itself, a
    new one with the order of the same province."""
    if not _is_numbered(current):
        return dict(before)
    left = sorted((order for _, order in before), key=lambda order: order is None)
    found = dict[str, str | None]()
    for is_same in (_is_equal, _is_of_one_place, _is_any):
        for what, order in current:
            match = next((one for one in left if is_same(one, order)), None)
            if what not in found and match is not None:
                found[what] = match
                left.remove(match)
    return found


def pushed_out(receipt: OrderReceipt) -> list[str]:
    """The earlier orders that an amendment leaves no room for, though it does not name them.

    A waived build only makes room.
    """
    if receipt.late or not (receipt.amend and receipt.counts and _is_numbered(receipt.current)):
        return []
    left = [order for _, order in receipt.current]
    gone = []
    for _, order in receipt.before:
        if order in left:
            left.remove(order)
        elif _place(order) and not any(_is_of_one_place(order, one) for _, one in receipt.current):
            gone.append(str(order))
    return gone


def no_longer_count(gone: list[str], receipt: OrderReceipt) -> str:
    """Say that these orders no longer count, and why."""
    what = receipt.current[0][0].split()[0]
    only = _ONLY[what].format(power=receipt.power, units=counted(len(receipt.current), "unit"))
    return f"{listed(gone)} no longer {'counts' if len(gone) == 1 else 'count'}: {only}."


def _is_numbered(decisions: Decisions) -> bool:
    """Whether the decisions are builds or disbands, not units."""
    return bool(decisions) and decisions[0][0].startswith(tuple(_ONLY))


def _is_equal(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


def _is_of_one_place(one: str | None, other: str | None) -> bool:
    return _place(one) != "" and _place(one) == _place(other)


def _is_any(one: str | None, other: str | None) -> bool:
    return True


def _place(order: str | None) -> str:
    """ "Brest" for "Build F Brest"; "" for a waived build and for none."""
    return (order or "").partition(" ")[2][2:].partition("(")[0]
