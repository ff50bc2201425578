"""What follows a phase: centres change hands after fall, and idle phases are skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from judge.board import Province
from judge.position import Dislodged, Position
from judge.units import Unit
from judge.victory import winner


def following(
    position: Position, units: Iterable[Unit], dislodged: tuple[Dislodged, ...] = ()
) -> tuple[Position, str | None]:
    """Return the position after the phase, with these units on the board, and the winner if any.

    The position returned is one in which somebody has something to order; a retreat or adjustment
    phase without that is skipped. Centres change hands when a fall is over.
    """
    phase = position.phase.following()
    if phase.step == "R" and not dislodged:
        phase = phase.following()
    after = Position(position.variant, phase, tuple(units), position.centers, dislodged)
    if phase.step != "A":
        return after, None
    after = replace(after, centers=_captured(after))
    won = winner(after.variant, after.centers)
    if won is None and not after.powers_to_order():
        after = replace(after, phase=phase.following())
    return after, won


def _captured(position: Position) -> Mapping[Province, str]:
    """Return who owns what once each unit has taken the centre it stands in."""
    centers = dict(position.centers)
    for unit in position.units:
        province = unit.location.province
        if province.center:
            centers[province] = unit.power
    return centers
