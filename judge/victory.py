"""Who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from judge.board import Province
from judge.variants import Variant


def winner(variant: Variant, centers: Mapping[Province, str]) -> str | None:
    """Return the power that owns enough centres to win, and more than any other."""
    counts = Counter(centers.values())
    most = max(counts.values(), default=0)
    if most < variant.victory_centers:
        return None
    leaders = [power for power, count in counts.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
