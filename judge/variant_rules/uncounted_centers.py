"""A centre that does not count for one power (Hong Kong for China in Colonial, DATC 7.A): if that
power owns it, it counts neither for builds nor for victory. For everybody else it is a centre like
any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.places import Province
from judge.variant_rules.base import VariantRule

if TYPE_CHECKING:
    from judge.position import Position


@dataclass(frozen=True)
class UncountedCenter(VariantRule):
    """One such centre."""

    center: Province
    power: str

    def counts(self, center: Province, power: str) -> bool:
        """Tell whether this is another centre, or another power's."""
        return power != self.power or center != self.center

    def adjustment_note(self, position: Position, power: str) -> str:
        """Say that the centre gives the power that owns it no build."""
        is_owned = power == self.power and position.centers.get(self.center) == power
        return f"{self.center} gives {power} no build." if is_owned else ""
