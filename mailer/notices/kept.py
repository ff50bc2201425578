"""The part of a result mail about orders that were sent ahead for the phase that has opened."""

from __future__ import annotations

from games import selectors
from games.board import phase_title
from games.models import Phase, Seat


def used(seat: Seat, phase: Phase | None) -> list[str]:
    """What became of the player's orders for this phase; empty when he had sent none ahead."""
    if phase is None or not selectors.were_used(seat, phase):
        return []
    title, power = phase_title(phase.name), seat.power.name
    followed = [(unit, order) for unit, order in selectors.standing_orders(phase, seat.power)]
    left_out = selectors.not_followed(seat, phase)
    if not any(order for _, order in followed):
        head = f"Of the orders that you sent ahead for {title}, none counts now. Please order anew."
    else:
        head = (
            f"The orders that you sent ahead for {title} are in. Reply with others to replace them."
        )
    return [
        head,
        *(f"{power}: {order or f'{unit} has no order yet'}." for unit, order in followed),
        *(f'Not followed: "{text}". {why}' for text, why in left_out),
    ]
