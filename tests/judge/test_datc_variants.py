"""The cases of DATC 2.x, chapters 7 to 10: Colonial, ice, coasts that convoy, difficult borders.

`datc/variants7.json` and so on have one entry per statement: the case, the variant with its map as
edited, the rules it is true for, each order with its word (null where the source leaves it open)
and, for a ride by rail, where the train ends; then what stands where. 7.E are the examples of the
errata. Every case goes through the library and through the door. Chapters 11 and 12 need only data:
`test_variants.py` has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge import Outcome, Position, Rulebook, adjudicate, load_variant, read_orders
from tests.judge.table import play, stand, units, words
from tests.judge.test_datc import ask_the_door, pairs, sets
from tests.rows import each_row

Case = dict[str, Any]
Rules = str | dict[str, str]

FILES = [Path(__file__).parent / "datc" / f"variants{chapter}.json" for chapter in (7, 8, 9, 10)]
CASES: list[Case] = [case for file in FILES for case in json.loads(file.read_text("utf-8"))]


def each() -> Iterator[Any]:
    for case in CASES:
        for rules in case.get("rules", ["DATC"]):
            name = rules if isinstance(rules, str) else "".join(rules.values())
            yield pytest.param(case, rules, id=f"{case['id']}-{name}")


def test_every_case_is_here():
    ids = {case["id"] for case in CASES}
    wanted = [
        *[f"7.B.{number}" for number in range(1, 35)],
        *[f"7.C.{number}" for number in range(1, 15)],
        *["7.D.1", "7.D.2"],
        *[f"7.E.{number}" for number in range(1, 7)],
        *[f"8.{letter}" for letter in "ABCDE"],
        *[f"9.{letter}" for letter in "ABCDEFG"],
        *[f"10.{letter}" for letter in "ABCDEFGHIJKLMNO"],
    ]
    assert ids == set(wanted)


@each_row(("case", "rules"), list(each()))
def test_the_library_answers_as_the_datc_says(case: Case, rules: Rules):
    outcome = adjudicate(position_of(case), lines_of(case["orders"]), Rulebook.from_json(rules))
    check(case, answer_of(outcome), "orders", "after")
    if "retreats" in case:
        retreated = adjudicate(outcome.next, lines_of(case["retreats"]))
        check(case, answer_of(retreated), "retreats", "after_retreats")
    for result in outcome.results:
        worked = result.result[-1] in ("succeeds", "given", "available", "stands")
        assert worked or result.reason, f"{result.order} needs a reason"


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    """What one run of the door says of every case."""
    params = [param.values for param in each()]
    questions = [question(case, rules) for case, rules in params]
    return {answer["id"]: answer for answer in ask_the_door(questions)}


@each_row(("case", "rules"), list(each()))
def test_the_door_answers_as_the_datc_says(
    case: Case, rules: Rules, answers: dict[str, dict[str, Any]]
):
    check(case, answers[question(case, rules)["id"]], "orders", "after")


@each_row(("case", "rules"), list(each()))
def test_what_the_judge_prints_reads_back(case: Case, rules: Rules):
    """Canonical text of every order is read as the same order, legal or not."""
    position = position_of(case)
    for power, lines in lines_of(case["orders"]).items():
        for reading in read_orders(position, power, lines, Rulebook.from_json(rules)):
            [again] = read_orders(position, power, [str(reading.order)])
            assert (again.order, again.problem) == (reading.order, reading.problem)


def test_nobody_retreats_to_the_ice():
    [case] = [case for case in CASES if case["id"] == "8.D"]
    outcome = adjudicate(position_of(case), lines_of(case["orders"]))
    [dislodged] = outcome.next.dislodged
    assert dislodged.retreats
    assert case["no_retreat"] not in map(str, dislodged.retreats)
    spring = {**question(case, "DATC"), "phase": "S1901M"}
    position = Position.from_state(load_variant("loeb9"), spring)
    [dislodged] = adjudicate(position, lines_of(case["orders"])).next.dislodged
    assert case["no_retreat"] in map(str, dislodged.retreats)


def test_8e_whoever_wanted_to_go_over_the_ice_reads_that_it_is_frozen():
    """Not only the fleet in it: the army and the other fleet of the convoy, too."""
    [case] = [case for case in CASES if case["id"] == "8.E"]
    outcome = adjudicate(position_of(case), lines_of(case["orders"]))
    reasons = [one.reason or "" for one in outcome.results if one.text]
    assert len(reasons) == 3
    assert all(reason.startswith("Arctic Ocean is frozen in fall") for reason in reasons)
    other = {"England": ["A Liverpool - Brest", "A Liverpool - Norwegian Sea"]}
    for one in adjudicate(position_of(case), other).results:
        assert "frozen" not in (one.reason or "")


ICY_FLEETS = ["F North Atlantic Ocean", "F Arctic Ocean"]


@each_row(
    ("own", "order", "frozen"),
    [
        (["A St Petersburg"], "A St Petersburg Supports A Liverpool - Siberia", True),
        (["A Liverpool"], "A Liverpool - Barents Sea", False),
        (["F Liverpool"], "F Liverpool - Siberia", False),
        (["A Liverpool"], "A Liverpool - Brest", False),
        (["A Liverpool"], "A Liverpool - Portugal", False),
    ],
)
def test_only_who_would_get_there_without_the_ice_reads_of_it(
    own: list[str], order: str, frozen: bool
):
    others = [] if own[0].endswith("Liverpool") else ["A Liverpool"]
    position = stand({"England": [*own, *others, *ICY_FLEETS]}, phase="F1901M", variant="loeb9")
    [reading] = read_orders(position, "England", [order])
    assert str(reading.order) == order
    assert reading.problem is not None
    assert ("frozen in fall" in reading.problem.sentence) == frozen


def test_a_convoy_that_needs_no_ice_is_none_of_its_business():
    units = ["A Edinburgh", "F North Sea", "F Arctic Ocean"]
    position = stand({"England": units}, phase="F1901M", variant="loeb9")
    [reading] = read_orders(position, "England", ["A Edinburgh - Norway"])
    assert reading.problem is None


def test_a_retreat_to_the_ice_is_refused_with_the_reason():
    leaving = {"power": "Norway", "unit": "F Norwegian Sea", "retreats": ["Barents Sea"]}
    state = {"England": ["F Norwegian Sea"]}
    position = stand(state, phase="F1901R", variant="loeb9", dislodged=[leaving])
    [reading] = read_orders(position, "Norway", ["F Norwegian Sea - Arctic Ocean"])
    assert reading.problem is not None
    assert "frozen in fall" in reading.problem.sentence


@each_row(
    ("case", "order", "reason"),
    [
        (
            "7.B.33",
            "A Moscow - TSR - Omsk",
            "Only one army a turn may use the Trans-Siberian Railroad, and "
            "A Vladivostok - TSR - Krasnoyarsk was ordered, too.",
        ),
        (
            "7.C.1",
            "F Mediterranean Sea - Red Sea",
            "Turkey, with A Egypt, did not let it through the Suez Canal.",
        ),
        (
            "7.C.5",
            "F Mediterranean Sea - Red Sea",
            "Russia ordered two fleets through the Suez Canal and only one may go. It has to say "
            "which: “SC F Mediterranean Sea - Red Sea”.",
        ),
        (
            "10.C",
            "A Cordoba - North Africa",
            "Beaten by A Tunis - North Africa. Without support a move over this difficult border "
            "yields to every other.",
        ),
    ],
)
def test_a_reason_says_what_to_write_and_who_decided(case: str, order: str, reason: str):
    [found] = [one for one in CASES if one["id"] == case]
    outcome = adjudicate(position_of(found), lines_of(found["orders"]))
    assert [one.reason for one in outcome.results if one.text == order] == [reason]


def winter(power: str, *, centers: list[str], stands: list[str]) -> Position:
    return stand({power: stands}, phase="W1871A", centers={power: centers}, variant="colonial")


def test_7a1_hong_kong_gives_china_no_build():
    position = winter("China", centers=["Peking", "Hong Kong"], stands=["A Hong Kong"])
    assert position.adjustment("China") == 0
    outcome = play(position, {"China": ["Build A Peking"]})
    assert words(outcome) == {"Build A Peking": "illegal"}


def test_7a1_china_disbands_a_unit_that_only_hong_kong_would_feed():
    position = winter("China", centers=["Hong Kong"], stands=["A Hong Kong"])
    assert position.adjustment("China") == -1


def test_7a2_hong_kong_gives_everybody_else_a_build():
    position = winter("France", centers=["Annam", "Hong Kong"], stands=["A Hong Kong"])
    assert position.adjustment("France") == 1
    outcome = play(position, {"France": ["Build A Annam"]})
    assert units(outcome.next) == ["France: A Annam", "France: A Hong Kong"]


@pytest.mark.parametrize(("others", "winner"), [(29, None), (30, "China")])
def test_7a3_hong_kong_does_not_count_for_chinas_victory(others: int, winner: str | None):
    variant = load_variant("colonial")
    names = [center.name for center in variant.board.centers if center.name != "Hong Kong"]
    centers = {"China": [*names[:others], "Hong Kong"]}
    inland = next(p for p in variant.board.provinces if p.kind == "land" and not p.center)
    stands = {"China": [f"A {inland}"]}
    position = stand(stands, phase="F1871M", centers=centers, variant="colonial")
    assert play(position, {}).winner == winner


def question(case: Case, rules: Rules) -> dict[str, Any]:
    """The case as a line for the door."""
    asked = {name: case[name] for name in ("variant", "phase", "units")}
    asked |= {"edits": case.get("edits", {}), "centers": case.get("centers", {}), "rules": rules}
    name = f"{case['id']} {case['title']} {rules}"
    return asked | {"id": name, "orders": lines_of(case["orders"])}


def position_of(case: Case) -> Position:
    variant = load_variant(case["variant"]).edited(case.get("edits", {}))
    return Position.from_state(variant, question(case, "DATC"))


def lines_of(orders: dict[str, list[list[str]]]) -> dict[str, list[str]]:
    return {power: [entry[0] for entry in entries] for power, entries in orders.items()}


def answer_of(outcome: Outcome) -> dict[str, Any]:
    """The library's outcome with the names the door uses."""
    fields = ("power", "text", "result", "ends")
    entries = [{name: getattr(one, name) for name in fields} for one in outcome.results]
    return {"orders": entries, "next": outcome.next.to_state()}


def check(case: Case, answer: dict[str, Any], orders: str, after: str) -> None:
    """Each line's word, where its train ends, and what stands on the board afterwards."""
    written = [entry for entry in answer["orders"] if entry["text"] is not None]
    wanted = [(power, *entry) for power, entries in case[orders].items() for entry in entries]
    assert len(written) == len(wanted)
    for entry, (power, text, word, *ends) in zip(written, wanted, strict=True):
        assert (entry["power"], entry["text"]) == (power, text)
        assert word in (None, ", ".join(entry["result"])), text
        assert [entry["ends"]] == ends if ends else entry.get("ends") is None, text
    assert sets(answer["next"]["units"]) == sets(case[after])
    if orders == "orders":
        leaving = [(entry["power"], entry["unit"]) for entry in answer["next"]["dislodged"]]
        assert sorted(leaving) == sorted(pairs(case.get("dislodged", {})))
