"""The named rules by their names in `variant.json`, and how each is made from its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.board import Board
from judge.variant_rules.base import VariantRule
from judge.variant_rules.canal import Canal
from judge.variant_rules.difficult_borders import WeakBorders
from judge.variant_rules.emergency_measures import EmergencyMeasures
from judge.variant_rules.ice import Ice
from judge.variant_rules.railway import Railway
from judge.variant_rules.uncounted_centers import UncountedCenter

FIELDS = ("railways", "canals", "uncounted_centers", "emergency_measures")
"""The fields of a `variant.json` that switch a rule on, each a list with what the rule needs."""

BORDER_MARKS: dict[str, tuple[float, str]] = {"difficult": (1, "difficult"), "half": (0.5, "long")}
"""Per mark of a border: what a move over it loses, and the word for the border in sentences."""


def slots_of(facts: Mapping[str, Any]) -> int:
    """Return how many decisions the rules of a `variant.json` add to those of the provinces."""
    legs = sum(len(line["stops"]) - 1 for line in _entries(facts, "railways"))
    return legs + len(_entries(facts, "canals"))


def rules_of(facts: Mapping[str, Any], board: Board) -> tuple[VariantRule, ...]:
    """Return the rules that a `variant.json` and its board switch on."""
    return tuple(_rules(facts, board))


def _rules(facts: Mapping[str, Any], board: Board) -> Iterator[VariantRule]:
    slot = len(board.provinces)
    for line in _entries(facts, "railways"):
        railway = Railway.of_facts(line, board, slot)
        slot += len(railway.stops) - 1
        yield railway
    for one in _entries(facts, "canals"):
        yield Canal.of_facts(one, board, slot)
        slot += 1
    for one in _entries(facts, "uncounted_centers"):
        yield UncountedCenter(board.province(one["center"]), one["power"])
    for one in _entries(facts, "emergency_measures"):
        yield EmergencyMeasures(one["power"], board.province(one["site"]))
    for mark, (loss, what) in BORDER_MARKS.items():
        if mark in board.marked:
            yield WeakBorders(mark, loss, what)
    if any(province.ice for province in board.provinces):
        yield Ice()


def _entries(facts: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = facts.get(name, ())
    return found
