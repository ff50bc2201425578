"""Who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from judge.board import Province
from judge.variants import Variant


def winner(variant: Variant, centers: Mapping[Province, str]) -> str | None:
    """Return the power that owns enough centres to win, and more than any other."""
    ranking = Counter(centers.values()).most_common(2)
    if not ranking or ranking[0][1] < variant.victory_centers:
        return None
    if len(ranking) == 2 and ranking[0][1] == ranking[1][1]:
        return None
    return ranking[0][0]
