"""docs/judge.md: its sessions are run, its question is asked and answered as printed."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from judge import Position, adjudicate, load_variant, variant_files
from judge.jsonl import answer_line

PAGE = Path(__file__).parents[2] / "docs" / "judge.md"


def test_the_sessions_on_the_page_are_true():
    ran = doctest.testfile(str(PAGE), module_relative=False)
    assert ran.failed == 0
    assert ran.attempted > 10


def test_the_question_on_the_page_is_answered_as_printed():
    question, answer = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert answer_line(json.dumps(json.loads(question)).encode()) == json.loads(answer)


def test_the_variant_on_the_page_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shown = re.findall(r"`(\w+\.\w+)`:\n\n```\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    folder = tmp_path / "islands"
    folder.mkdir()
    for name, text in shown:
        (folder / name).write_text(text, "utf-8")
    monkeypatch.setattr(variant_files, "DATA", tmp_path)
    islands = load_variant("islands")
    assert len(shown) == 3
    orders = {"North": ["A Alp - Gam"], "South": ["F Beta - Middle Sea"]}
    after = adjudicate(Position.start(islands), orders).next
    assert [str(unit) for unit in after.units] == ["A Gamma", "F Middle Sea"]
