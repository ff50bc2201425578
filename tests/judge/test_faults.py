"""Faults of the judge itself: they cost a sentence or a line, and never the lines behind it."""

from __future__ import annotations

import io
import json

import pytest

from judge import adjudicate, adjustments, jsonl
from judge.jsonl import serve
from judge.movement import report
from judge.movement.reasons import Reasons
from tests.judge.table import play, stand

STANDOFF = {"Austria": ["A Vienna"], "Italy": ["A Venice"]}
ORDERS = {"Austria": ["A Vienna - Tyrolia"], "Italy": ["A Venice - Tyrolia"]}
QUESTION = {"id": "first", "phase": "S1901M", "units": STANDOFF, "orders": ORDERS}
NEXT = {"id": "second", "phase": "S1901M", "units": STANDOFF, "orders": {}}


def broken(*_: object) -> str:
    raise RuntimeError("no words")


def served(*questions: dict) -> tuple[int, list[dict]]:
    lines = [json.dumps(question).encode() for question in questions]
    sink = io.BytesIO()
    status = serve(lines, sink)
    return status, [json.loads(line) for line in sink.getvalue().splitlines()]


def test_a_reason_is_looked_for_once_more_where_none_is_seen(monkeypatch, caplog):
    monkeypatch.setattr(report, "reasons_at_sight", broken)
    outcome = play(stand(STANDOFF), ORDERS)
    assert outcome["A Venice"].reason == "Bounced with A Vienna - Tyrolia."
    assert "no words" in caplog.text


def test_a_result_stands_without_its_sentence(monkeypatch, caplog):
    monkeypatch.setattr(report, "reasons_at_sight", broken)
    monkeypatch.setattr(Reasons, "of", broken)
    outcome = play(stand(STANDOFF), ORDERS)
    assert [one.result for one in outcome.results] == [("fails",), ("fails",)]
    assert [one.reason for one in outcome.results] == [None, None]
    assert "no words" in caplog.text


def test_a_disband_stands_without_its_sentence(monkeypatch, caplog):
    monkeypatch.setattr(adjustments, "why_removed", broken)
    outcome = adjudicate(stand({"Austria": ["A Vienna"]}, phase="W1901A"), {})
    [disband] = outcome.results
    assert disband.result == ("succeeds",)
    assert disband.reason == (
        "Disbanded by the rules of civil disorder, because too few disbands were ordered."
    )
    assert "no words" in caplog.text


def test_the_door_answers_without_the_sentence(monkeypatch, caplog):
    monkeypatch.setattr(report, "reasons_at_sight", broken)
    monkeypatch.setattr(Reasons, "of", broken)
    status, [first, second] = served(QUESTION, NEXT)
    assert status == 0
    assert [(one["result"], one["reason"]) for one in first["orders"]] == [(["fails"], None)] * 2
    assert second["id"] == "second"
    assert "no words" in caplog.text


@pytest.mark.parametrize("broken_part", ["adjudicate", "outcome_text"])
def test_the_door_answers_the_lines_after_a_fault(broken_part: str, monkeypatch, caplog):
    monkeypatch.setattr(jsonl, broken_part, broken)
    status, [first, second] = served(QUESTION, NEXT)
    assert status == 1
    assert (first["id"], second["id"]) == ("first", "second")
    assert first["error"] == (
        "Line 1: The judge itself failed (RuntimeError: no words). Please report this line."
    )
    assert "no words" in caplog.text
