"""Answers behind buttons, with what the player has to decide already written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.queries.board import Duty
from games.queries.phases.next_phase import NextPhase
from mailer.outbound.buttons import Button

MOST = 14
"""How many choices we offer; with more, writing is faster than searching."""

_ADDS = "AMEND\n"
"""Stands above an order, and leaves orders to other units in force."""


def buttons(phase: NextPhase | None, missing: Sequence[str] | None = None) -> list[Button]:
    """Return a button for each choice, or one with all units to write orders for.

    `missing` is what is still to decide, if advance orders are in.
    """
    if phase is None or phase.duty is None or (missing is not None and not missing):
        return []
    choices = list(_choices(phase, phase.duty, missing))
    return choices if len(choices) <= MOST else []


def _choices(phase: NextPhase, duty: Duty, missing: Sequence[str] | None) -> Iterator[Button]:
    if duty.step == "M":
        units = missing or duty.units
        head = _ADDS if len(units) < len(duty.units) else ""
        yield Button("Write my orders", head + "".join(f"{unit} \n" for unit in units))
    elif duty.step == "R":
        yield from _retreats(duty, missing)
    else:
        head = _ADDS if duty.builds + duty.disbands > 1 else ""
        for order in phase.build_orders:
            yield Button(_new_unit(order), f"{head}{order}\n")
        for order in phase.disband_orders:
            yield Button(_spelt_disband(order), f"{head}{order}\n")


def _retreats(duty: Duty, missing: Sequence[str] | None) -> Iterator[Button]:
    head = _ADDS if len(duty.retreats) > 1 else ""
    for one in duty.retreats:
        if missing and one.unit not in missing:
            continue
        whose = f"From {one.unit[2:]}: " if head else ""
        for place in one.retreats:
            label = f"{whose}{'retreat' if whose else 'Retreat'} to {place}"
            yield Button(label, f"{head}{one.unit} - {place}\n")
        label = f"{whose}disband it" if whose else "Disband it"
        yield Button(label, f"{head}Disband {one.unit}\n")


def _new_unit(order: str) -> str:
    """Write `A new fleet, at St Petersburg(nc)` for `Build F St Petersburg(nc)`."""
    _, kind, place = order.split(" ", 2)
    return f"New {'army' if kind == 'A' else 'fleet'}, at {place}"


def _spelt_disband(order: str) -> str:
    """Write `Disband the army in Paris` for `Disband A Paris`."""
    _, kind, place = order.split(" ", 2)
    return f"Disband the {'army' if kind == 'A' else 'fleet'} in {place}"
