"""What follows a phase: centres change hands after fall, and idle phases are skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.once import keep
from judge.places import Province
from judge.position import Position
from judge.units import Dislodged, Unit
from judge.variant import Variant


def following(
    position: Position, units: tuple[Unit, ...], dislodged: tuple[Dislodged, ...] = ()
) -> tuple[Position, str | None]:
    """Return the position after the phase, with these units on the board, and the winner if any.

    The position returned is one in which somebody has something to order; a retreat or adjustment
    phase in which nobody has is skipped. Centres change hands at the end of a fall.
    """
    variant = position.variant
    phase = position.phase.following(variant.calendar, bool(dislodged))
    if phase.step != "A":
        return Position(variant.at(phase), phase, units, position.centers, dislodged), None
    centers = _captured(position.centers, units)
    after = Position(variant.at(phase), phase, units, centers)
    keep(after, "holdings", _recounted(position, centers))
    if position.phase.step == "M" and len(units) == len(position.units):
        # Nobody lost a unit, so none have to be counted again.
        keep(after, "unit_counts", position.unit_counts)
    won = winner(variant, after.counting)
    if won is None and not after.has_decisions():
        phase, holdings = phase.following(variant.calendar), after.holdings
        after = Position(variant.at(phase), phase, units, centers)
        keep(after, "holdings", holdings)
    return after, won


def _captured(centers: Mapping[Province, str], units: Iterable[Unit]) -> Mapping[Province, str]:
    """Return who owns what once each unit has taken the centre it stands in."""
    centers = dict(centers)
    for unit in units:
        if unit.takes:
            # Going from dictionary to dictionary hashes no province, which would take three times
            # as long.
            centers |= unit.takes
    return centers


def _recounted(position: Position, centers: Mapping[Province, str]) -> Mapping[str, int]:
    """Return how many centres each power owns now; `centers` has those of the position first, in
    the same order, then the new ones."""
    count = {**position.holdings}
    owners = iter(centers.values())
    for before, now in zip(position.centers.values(), owners, strict=False):
        if before != now:
            count[before] -= 1
            count[now] += 1
    for now in owners:
        count[now] += 1
    return count


def winner(variant: Variant, holdings: Mapping[str, int]) -> str | None:
    """Return the power that owns enough centres to win, and more than any other.

    `holdings` says how many of each power's centres count.
    """
    most = max(holdings.values(), default=0)
    if most < variant.victory_centers:
        return None
    leaders = [power for power, count in holdings.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
