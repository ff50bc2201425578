"""What a phase keeps of its board as JSON, in the words of the judge's JSON Lines
(`docs/judge.md`). It is stored as the judge wrote it, and the log has its digest.

These types stand beside the models because `games.verify` checks games without Django.
"""

from __future__ import annotations

from typing import TypedDict


class DislodgedJson(TypedDict):
    """A unit that was driven out: `unit` is "A Vienna", `retreats` where it may go, which is empty
    for a reader who may not know."""

    power: str
    unit: str
    retreats: list[str]


class StateJson(TypedDict):
    """A position: `Phase.position`, and `next` of an outcome.

    `phase` is its name, "S1901M"; `units` ("A Paris") and `centers` ("Paris") are full names by
    power, without a power that has none. The oldest rows have all four keys, too.
    """

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    dislodged: list[DislodgedJson]
