"""What a phase brought to all, in one sentence: at the head of its mails and of its page."""

from __future__ import annotations

from collections.abc import Sequence

from games.queries.board import WAIVED, Step
from games.queries.orders.order_lines import OrderLine, unit_of
from games.queries.reports.wording import counted

WORKED = frozenset({"succeeds", "stands", "given", "available"})
"""What became of an order that worked, in the judge's words."""


def in_short(parts: Sequence[str]) -> str:
    """Make one sentence of its parts, which begin with small letters."""
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def brought_to_all(
    step: Step, lines: Sequence[OrderLine], *, dislodged: int, changed_hands: int
) -> list[str]:
    """Say in parts of a sentence what came of the orders of all powers: `18 of 22 orders worked`,
    and how many units were dislodged and centres changed hands."""
    if step == "R":
        safe, gone = safe_and_gone(lines)
        return [
            *([f"{counted(safe, 'unit')} retreated"] if safe else []),
            *_units_that_were(gone, "disbanded"),
        ]
    if step == "A":
        built, gone = built_and_gone(lines)
        said = [*_units_that_were(built, "built"), *_units_that_were(gone, "disbanded")]
        return said or ["nothing was built or disbanded"]
    given = orders_given(lines)
    return [
        _how_many(sum(map(has_worked, given)), len(given)) if given else "no order was given",
        *_units_that_were(dislodged, "dislodged"),
        *([f"{counted(changed_hands, 'centre')} changed hands"] if changed_hands else []),
    ]


def part_of(part: int, whole: int) -> str:
    """Write `both`, `all 3`, `none`, or the number."""
    if part == whole:
        return "both" if whole == 2 else f"all {whole}"
    return str(part) if part else "none"


def _how_many(worked: int, given: int) -> str:
    if worked < given:
        return f"{worked} of {counted(given, 'order')} worked"
    return "the one order worked" if given == 1 else f"{part_of(worked, given)} orders worked"


def _units_that_were(number: int, what: str) -> list[str]:
    """`2 units were built`; nothing for none."""
    return [f"{counted(number, 'unit')} {was_or_were(number)} {what}"] if number else []


def was_or_were(number: int) -> str:
    """Return the verb for so many."""
    return "was" if number == 1 else "were"


def has_worked(line: OrderLine) -> bool:
    """Say whether the order came about."""
    return bool(line.result) and set(line.result) <= WORKED


def orders_given(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the orders that somebody gave and that could be read; a refused one only if its unit
    has no other."""
    read = [line for line in lines if line.text is not None and line.order is not None]
    followed = [line for line in read if "illegal" not in line.result]
    units = {unit_of(line.order or "") for line in followed}
    refused = {unit_of(line.order or ""): line for line in read if "illegal" in line.result}
    return [*followed, *(line for unit, line in refused.items() if unit not in units)]


def safe_and_gone(lines: Sequence[OrderLine]) -> tuple[int, int]:
    """Return how many dislodged units found a new place, and how many are gone."""
    valid = [line for line in lines if line.order and "illegal" not in line.result]
    safe = sum(" - " in line.order and has_worked(line) for line in valid if line.order)
    return safe, len(valid) - safe


def built_and_gone(lines: Sequence[OrderLine]) -> tuple[int, int]:
    """Return how many units were built, and how many disbanded."""
    done = [
        line.order for line in lines if line.order and has_worked(line) and line.order != WAIVED
    ]
    built = sum(order.startswith("Build") for order in done)
    return built, len(done) - built
