"""SAME: the orders of the last movement phase once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.board_json import ResultJson
from games.errors import WrongState
from games.models import Phase, Power
from games.queries import board
from games.queries.orders.current_orders import duty


def orders_again(phase: Phase, power: Power) -> tuple[str, ...]:
    """Return the last movement phase's orders for those units that still stand where they stood,
    and the leave that such a unit gave fleets to pass a canal.

    Raises WrongState when this is no movement phase, when none was played before, or when no unit
    of the power that had an order is still where it was.
    """
    title = board.phase_title(phase.name)
    if board.step_of(phase.name) != "M":
        raise WrongState(f"{title} has other orders than the phase before. Please write them out.")
    before = phase.game.phases.filter(status=Phase.Status.PROCESSED, name__endswith="M")
    last = before.order_by("-number").first()
    if last is None or last.outcome is None:
        raise WrongState(f"Nothing was ordered before {title} that could be ordered again.")
    units = duty(phase, power.name).units
    starts = tuple(f"{unit} " for unit in units)
    canals = board.canal_keepers(phase.game.variant)
    held = {unit[2:] for unit in units}
    leave = tuple(f"{canal} " for canal, keeper in canals.items() if keeper in held)
    results = [one for one in last.outcome["results"] if one["power"] == power.name]
    orders = tuple(
        said
        for said, order in _repeatable(results, fog=phase.game.fog)
        if said.startswith(starts) or order.startswith(leave)
    )
    if not orders:
        raise WrongState(
            f"No unit of {power.name} that had an order in {board.phase_title(last.name)} is still "
            "where it was. Please write your orders out."
        )
    return orders


def _repeatable(results: Sequence[ResultJson], *, fog: bool) -> Iterator[tuple[str, str]]:
    """Yield what to say again for each order that was given, and the order as the judge read it.

    In fog that is what the receipt confirmed, because the judge may know that it was impossible.
    """
    for one in results:
        text, order = one["text"], one["order"]
        if text is None or not order:
            continue
        if fog:
            yield text, order
        elif "illegal" not in one["result"]:
            yield order, order
