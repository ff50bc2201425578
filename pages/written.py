"""Orders that somebody chose on a page: what they can choose, and the lines for the mail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Phase
from games.queries import board

MOST = 200
"""How many choices we read from an address: more than a power has on any map."""


@dataclass(frozen=True, slots=True)
class Field:
    """A decision on the page, and what was chosen; "" for nothing yet."""

    choice: board.OrderChoice
    chosen: str


@dataclass(frozen=True, slots=True)
class WrittenOrders:
    """The decisions of a power, the orders chosen for them, and what was wrong with other
    choices."""

    fields: tuple[Field, ...]
    orders: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def undecided(self) -> list[str]:
        """The decisions for which nothing is chosen."""
        return [one.choice.of for one in self.fields if not one.chosen]


def written_orders(phase: Phase, power: str, asked: Sequence[str]) -> WrittenOrders:
    """Return what a power can order in a phase, with those of the asked orders that it can give."""
    position = board.position_of(phase.game.variant, phase.position)
    rules = board.rulebook_of(phase.game.rules)
    left = [one for one in asked[:MOST] if one]
    fields = []
    for choice in board.order_choices(position, power, rules):
        chosen = next((one for one in left if one in choice.orders), "")
        if chosen:
            left.remove(chosen)
        fields.append(Field(choice, chosen))
    chosen_orders = [one.chosen for one in fields if one.chosen]
    read = board.read_orders(position, power, chosen_orders, rules)
    refused = {one.line: _refusal(one) for one in read if one.problem or not one.counts}
    orders = [one for at, one in enumerate(chosen_orders) if at not in refused]
    faults = [*([_unknown(len(left))] if left else []), *refused.values()]
    return WrittenOrders(tuple(fields), tuple(orders), tuple(faults))


def _refusal(one: board.Reading) -> str:
    why = one.problem.sentence if one.problem else one.note or ""
    return f"“{one.text}” is left out. {why}".strip()


def _unknown(number: int) -> str:
    if number == 1:
        return "One choice is not possible here, so it is left out."
    return f"{number} choices are not possible here, so they are left out."
