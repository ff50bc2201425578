"""SAME: the orders of the last movement phase once more."""

from __future__ import annotations

from games.errors import WrongState
from games.models import Phase, Power
from games.queries import board
from games.queries.current_orders import duty


def orders_again(phase: Phase, power: Power) -> tuple[str, ...]:
    """Return the orders that units still standing where they stood had in the last movement phase,
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
    # In fog what was confirmed is ordered again, for the judge may know that it was impossible.
    key, is_known = ("text", False) if phase.game.fog else ("order", True)
    orders = tuple(
        one[key]
        for one in last.outcome["results"]
        if one["power"] == power.name
        and one["text"] is not None
        and one["order"]
        and not (is_known and "illegal" in one["result"])
        and (one[key].startswith(starts) or one["order"].startswith(leave))
    )
    if not orders:
        raise WrongState(
            f"No unit of {power.name} that had an order in {board.phase_title(last.name)} is still "
            "where it was. Please write your orders out."
        )
    return orders
