"""How names and times stand in a sentence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

NOTHING = "–"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Write "Italy", "Italy and Turkey", "France, Italy and Turkey", or nothing."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def moment(at: dt.datetime | None) -> str:
    """Write a time in UTC for who runs games: "Tue 3 Mar 2026 20:00"; a dash for none."""
    return f"{at:%a} {at.day} {at:%b %Y %H:%M}" if at else NOTHING
