"""The 176 test cases of the DATC 3.2.

Each file in `datc/` is one section. A case says where the units stand, what is ordered with the
word the DATC gives each order, and what must stand where afterwards; `note` says where the word of
3.2 contradicts 3.2's own rules. Every case goes through the library and through the door.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge import Outcome, Position, adjudicate, load_variant
from tests.rows import each_row

SECTIONS = sorted((Path(__file__).parent / "datc").glob("6?.json"))
CASES = [case for section in SECTIONS for case in json.loads(section.read_text("utf-8"))]
CAUSES = json.loads((Path(__file__).parent / "datc" / "causes.json").read_text("utf-8"))
ROOT = Path(__file__).parents[2]

Case = dict[str, Any]
Answer = dict[str, Any]


def identify(case: Case) -> str:
    return str(case["id"])


def test_all_176_cases_are_here_once_and_in_order():
    counts = zip("ABCDEFGHIJ", (12, 19, 9, 35, 15, 30, 20, 17, 7, 12), strict=True)
    expected = [f"6.{letter}.{number + 1}" for letter, count in counts for number in range(count)]
    assert [case["id"] for case in CASES] == expected
    assert len(expected) == 176


@each_row("case", CASES, ids=[case["id"] for case in CASES])
def test_the_library_answers_as_the_datc_says(case: Case):
    outcome = adjudicate(position_of(case), lines_of(case["orders"]))
    check_phase(case, answer_of(outcome))
    if "retreats" in case:
        retreated = adjudicate(retreat_position(case, outcome), lines_of(case["retreats"]))
        check_retreats(case, answer_of(retreated))


@each_row("case", [case for case in CASES if case["id"] in CAUSES], ids=identify)
def test_a_reason_names_what_the_datc_names_as_the_cause(case: Case):
    """`datc/causes.json` has what the DATC's prose gives as the cause; the sentence must say it."""
    outcome = adjudicate(position_of(case), lines_of(case["orders"]))
    results = list(outcome.results)
    if "retreats" in case:
        position = retreat_position(case, outcome)
        results += adjudicate(position, lines_of(case["retreats"])).results
    reasons: dict[str, str] = {}
    for result in results:
        if result.reason and result.order:
            reasons[result.order] = f"{reasons.get(result.order, '')} {result.reason}"
    for order, causes in CAUSES[case["id"]].items():
        for cause in causes:
            assert cause in reasons.get(order, ""), f"{order}: {reasons.get(order)}"


def test_most_of_the_cases_name_a_cause():
    assert set(CAUSES) <= {case["id"] for case in CASES}
    assert len(CAUSES) > 100
    assert {name[:3] for name in CAUSES} == {f"6.{letter}" for letter in "ABCDEFGHIJ"}


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    """What one run of the door says of every case, the retreats under the id with "R"."""
    moved = {answer["id"]: answer for answer in ask_the_door([question(case) for case in CASES])}
    retreats = [
        {
            "id": case["id"] + "R",
            **case.get("retreat_position", moved[case["id"]]["next"]),
            "orders": lines_of(case["retreats"]),
        }
        for case in CASES
        if "retreats" in case
    ]
    return moved | {answer["id"]: answer for answer in ask_the_door(retreats)}


@each_row("case", CASES, ids=[case["id"] for case in CASES])
def test_the_door_answers_as_the_datc_says(case: Case, answers: dict[str, Answer]):
    check_phase(case, answers[case["id"]])
    if "retreats" in case:
        check_retreats(case, answers[case["id"] + "R"])


def check_phase(case: Case, answer: Answer) -> None:
    """Each line's word, the automatic disbands, and the next position of the first phase."""
    assert written(answer) == expected(case["orders"])
    assert automatic_disbands(answer) == sets(case.get("automatic", {}))
    assert sets(answer["next"]["units"]) == sets(case["after"])
    leaving = [(entry["power"], entry["unit"]) for entry in answer["next"]["dislodged"]]
    assert sorted(leaving) == sorted(pairs(case.get("dislodged", {})))
    assert answer["winner"] is None


def check_retreats(case: Case, answer: Answer) -> None:
    """Each retreat's word and what stands on the board after the retreats."""
    assert written(answer) == expected(case["retreats"])
    assert sets(answer["next"]["units"]) == sets(case["after_retreats"])
    assert answer["next"]["dislodged"] == []


def position_of(case: Case) -> Position:
    return Position.from_state(load_variant("standard"), question(case))


def retreat_position(case: Case, outcome: Outcome) -> Position:
    """Where the moves led, but for the case (6.H.15) whose moves lead into no retreat phase."""
    if "retreat_position" in case:
        return Position.from_state(load_variant("standard"), case["retreat_position"])
    return outcome.next


def question(case: Case) -> dict[str, Any]:
    """The case as a line for the door."""
    asked = {name: case[name] for name in ("id", "phase", "units")}
    return asked | {"centers": case.get("centers", {}), "orders": lines_of(case["orders"])}


def lines_of(orders: Mapping[str, list[list[str]]]) -> dict[str, list[str]]:
    return {power: [text for text, _ in lines] for power, lines in orders.items()}


def answer_of(outcome: Outcome) -> Answer:
    """The library's outcome with the names the door uses."""
    entries = [
        {
            "power": result.power,
            "text": result.text,
            "order": result.order,
            "result": list(result.result),
            "automatic": result.automatic,
        }
        for result in outcome.results
    ]
    return {"orders": entries, "next": outcome.next.to_state(), "winner": outcome.winner}


def ask_the_door(questions: list[dict[str, Any]]) -> list[Answer]:
    """One process of ``python -m judge`` for all questions."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [sys.executable, "-m", "judge"],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(answer: Answer) -> list[tuple[str, str, str]]:
    """(power, line, words) of what was written, without what the judge added."""
    return [
        (entry["power"], entry["text"], ", ".join(entry["result"]))
        for entry in answer["orders"]
        if entry["text"] is not None
    ]


def expected(orders: Mapping[str, list[list[str]]]) -> list[tuple[str, str, str]]:
    return [(power, text, words) for power, lines in orders.items() for text, words in lines]


def automatic_disbands(answer: Answer) -> dict[str, set[str]]:
    """Per power the units the judge disbanded; each such disband succeeds."""
    disbands = [entry for entry in answer["orders"] if entry.get("automatic")]
    assert all(entry["result"] == ["succeeds"] for entry in disbands)
    gone: dict[str, set[str]] = {}
    for entry in disbands:
        gone.setdefault(entry["power"], set()).add(entry["order"].removeprefix("Disband "))
    return gone


def sets(lists: Mapping[str, list[str]]) -> dict[str, set[str]]:
    """Units per power, in any order, without the powers that have none."""
    return {power: set(units) for power, units in lists.items() if units}


def pairs(lists: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    return ((power, unit) for power, units in lists.items() for unit in units)
