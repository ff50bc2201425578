"""Who has won."""

from __future__ import annotations

from collections.abc import Mapping

from judge.variants import Variant


def winner(variant: Variant, holdings: Mapping[str, int]) -> str | None:
    """Return the power that owns enough centres to win, and more than any other.

    `holdings` has for each power how many it owns.
    """
    most = max(holdings.values(), default=0)
    if most < variant.victory_centers:
        return None
    leaders = [power for power, count in holdings.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
