"""What maps, calendars, mails and pages promise (looks.json), and what shows each promise."""

from __future__ import annotations

import ast
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROWS = json.loads(Path(__file__).with_name("looks.json").read_text())
COMMAND = "python -m "


@cache
def functions(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_promise_names_tests_or_commands_that_there_are(row: dict[str, Any]) -> None:
    assert row["shown"]
    for shown in row["shown"]:
        if shown.startswith(COMMAND):
            assert find_spec(shown.removeprefix(COMMAND).split()[0]), shown
        else:
            path, _, name = shown.partition("::")
            assert name in functions(path), shown


def test_every_promise_is_there_once() -> None:
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids))
    assert all(set(row) == {"id", "promise", "shown"} for row in ROWS)
