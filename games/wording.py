"""How names stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def listed(items: Sequence[str], last: str = "and") -> str:
    """Write "Italy", "Italy and Turkey", "France, Italy and Turkey", or nothing."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
