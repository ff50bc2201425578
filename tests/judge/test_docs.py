"""docs/judge.md: its sessions are run, its question is asked and answered as printed."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

from judge.jsonl import answer_line

PAGE = Path(__file__).parents[2] / "docs" / "judge.md"


def test_the_sessions_on_the_page_are_true():
    ran = doctest.testfile(str(PAGE), module_relative=False)
    assert ran.failed == 0
    assert ran.attempted > 10


def test_the_question_on_the_page_is_answered_as_printed():
    question, answer = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert answer_line(json.dumps(json.loads(question)).encode()) == json.loads(answer)
