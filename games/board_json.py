"""What a phase keeps of its board as JSON, in the words of the judge's JSON Lines
(`docs/judge.md`). It is stored as the judge wrote it, and the log has its digest.

These types stand beside the models because `games.verify` checks games without Django.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


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


class ResultJson(TypedDict):
    """What became of one order; the judge's `OrderResult` says what each part means.

    `ends` stands only where an army was ordered to go by rail; the first release did not have it.
    """

    power: str
    text: str | None
    order: str | None
    result: list[str]
    reason: str | None
    automatic: bool
    ends: NotRequired[str]


class OutcomeJson(TypedDict):
    """What an adjudicated phase came to: `Phase.outcome`. `winner` is None while nobody has won."""

    results: list[ResultJson]
    next: StateJson
    winner: str | None
