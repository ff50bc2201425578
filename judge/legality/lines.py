"""A power's lines as the judge sees them: the order in each, and whether it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge.legality.refusal import Illegal
from judge.orders import Order


@dataclass(slots=True)
class Line:
    """One order as a power wrote it, and why it does not count, if so.

    `text` is None for an order that was given as a value. Never changed: phases share their lines.
    Not a tuple: looking up its attributes, as we do for every line, takes a quarter of the time
    this way.
    """

    power: str
    text: str | None
    order: Order | None
    illegal: Illegal | None = None

    @property
    def counts(self) -> bool:
        """The line counts."""
        return self.order is not None and self.illegal is None


class Sheet(NamedTuple):
    """What one power wrote, from top to bottom."""

    power: str
    lines: Sequence[Line]


def lines_of(sheets: Iterable[Sheet]) -> list[Line]:
    """Return the lines of all sheets, one sheet after the other."""
    return [line for sheet in sheets for line in sheet.lines]
