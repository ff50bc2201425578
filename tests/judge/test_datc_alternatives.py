"""What the DATC says its cases bring under other rules than the ones it prefers.

`datc/alternatives.json` has one entry per statement of DATC 3.2 (or 2.x where `source` says so):
the case, the rules it is true for (a preset, or single issues on top of the preferences), and the
word of each order; null where the source leaves the word open. An entry with `units` has a position
of its own, the cases of 2.x having stood on other positions. With `no_answer` the source says that
the rulebook has none: the judge then falls back on the Szykman rule and has to say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge import Outcome, Position, Rulebook, adjudicate, load_variant
from tests.judge.test_datc import CASES, answer_of, automatic_disbands, lines_of, pairs, sets
from tests.rows import each_row

Statement = dict[str, Any]

STATEMENTS = json.loads((Path(__file__).parent / "datc" / "alternatives.json").read_text("utf-8"))
CASE_BY_ID = {case["id"]: case for case in CASES}


def name_of(rules: str | dict[str, str]) -> str:
    if isinstance(rules, str):
        return rules
    return ",".join(f"{issue}={choice}" for issue, choice in rules.items())


def each() -> Iterator[Any]:
    for number, statement in enumerate(STATEMENTS):
        for rules in statement["rules"]:
            name = f"{statement['case']}-{name_of(rules)}-{number}"
            yield pytest.param(statement, rules, id=name.replace("/", "or"))


@each_row(("statement", "rules"), list(each()))
def test_another_rule_brings_what_the_datc_says(statement: Statement, rules: str | dict[str, str]):
    book = Rulebook.from_json(rules)
    orders = statement["orders"]
    outcome = adjudicate(position_of(statement), lines_of(orders), book)
    assert words(outcome, orders) == expected(orders)
    answer = answer_of(outcome)
    assert sets(answer["next"]["units"]) == sets(statement["after"])
    leaving = [(entry["power"], entry["unit"]) for entry in answer["next"]["dislodged"]]
    assert sorted(leaving) == sorted(pairs(statement.get("dislodged", {})))
    assert automatic_disbands(answer) == sets(statement.get("automatic", {}))
    silent = any("give no answer" in (result.reason or "") for result in outcome.results)
    assert silent == statement.get("no_answer", False)
    retreats = statement.get("retreats", {})
    assert words(adjudicate(outcome.next, lines_of(retreats), book), retreats) == expected(retreats)


def test_every_rule_that_is_named_has_its_statement():
    """Each preset, and each choice of the issues that chapter 6 decides cases by, is here."""
    named = {name_of(rules) for statement in STATEMENTS for rules in statement["rules"]}
    assert {"DATC", "1971", "1982", "2000", "2023", "2025EE", "DPTG"} <= named
    for choice in ("1971", "1982", "2000", "AllHold", "DPTG"):
        assert f"4.A.2={choice}" in named
    for choice in ("1971", "1982", "2000", "2000fallback", "DPTG"):
        assert f"4.A.3={choice}" in named


def position_of(statement: Statement) -> Position:
    stands = statement if "units" in statement else CASE_BY_ID[statement["case"]]
    state = {name: stands.get(name, {}) for name in ("phase", "units", "centers")}
    return Position.from_state(load_variant("standard"), state)


Words = list[tuple[str | None, str | None]]
Lines = dict[str, list[list[str | None]]]


def words(outcome: Outcome, orders: Lines) -> Words:
    """Each written line with its words, None where the statement leaves them open."""
    left_open = {(power, text) for power in orders for text, word in orders[power] if word is None}
    written = [result for result in outcome.results if result.text is not None]
    return [
        (line.text, None if (line.power, line.text) in left_open else ", ".join(line.result))
        for line in written
    ]


def expected(orders: Lines) -> Words:
    return [(text, word) for lines in orders.values() for text, word in lines]
