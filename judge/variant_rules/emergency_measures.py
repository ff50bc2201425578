"""Emergency measures (Russia in 1900): while a power owns some of its home centres but not all, it
may have one unit more than it has centres, and may build in one more province of its own.

The designer's rule as vDiplomacy and Playdiplomacy tell it; the province need not be a centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.places import Province
from judge.variant_rules.base import VariantRule

if TYPE_CHECKING:
    from judge.position import Position


@dataclass(frozen=True)
class EmergencyMeasures(VariantRule):
    """The measures of one power."""

    power: str
    site: Province

    def further_units(self, position: Position, power: str) -> int:
        """Allow the power one more unit while the measures are in force."""
        return int(power == self.power and self._hold(position))

    def further_sites(self, position: Position, power: str) -> tuple[Province, ...]:
        """Return the extra province in which the power may build while the measures are in
        force."""
        return (self.site,) if power == self.power and self._hold(position) else ()

    def adjustment_note(self, position: Position, power: str) -> str:
        """Say that the measures are in force."""
        if not self.further_units(position, power):
            return ""
        return f"By its emergency measures {power} may have one unit more than it has centres."

    def _hold(self, position: Position) -> bool:
        home = position.variant.home_centers(self.power)
        kept = [center for center in home if position.centers.get(center) == self.power]
        return 0 < len(kept) < len(home)
