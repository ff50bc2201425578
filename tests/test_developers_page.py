"""The pages for developers name what is there: a path that moved is found here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import judge

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "developers.md").read_text()
NAMED = sorted(set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:toml|txt|md))`", PAGE)))


WALKS = (ROOT / "docs" / "architecture.md").read_text()
DRAWN = sorted(set(re.findall(r"\b((?:judge|games|mailer)/[\w/]+(?:\.py|/))", WALKS)))


@pytest.mark.parametrize("name", DRAWN)
def test_a_stop_of_the_walks_exists(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("name", ["read_orders", "adjudicate"])
def test_the_judge_is_asked_by_its_face(name: str) -> None:
    assert f"judge.{name}" in WALKS
    assert hasattr(judge, name)


def test_both_walks_are_drawn() -> None:
    assert WALKS.count("flowchart TD\n    mailbox") == WALKS.count("flowchart TD\n    clock") == 1
    assert len(DRAWN) > 20


@pytest.mark.parametrize("name", NAMED)
def test_a_path_on_the_page_exists(name: str) -> None:
    assert (ROOT / name).exists()


def test_every_folder_of_tests_is_on_the_page() -> None:
    folders = [path for path in (ROOT / "tests").iterdir() if (path / "__init__.py").is_file()]

    missing = [path.name for path in folders if f"`tests/{path.name}/`" not in PAGE]

    assert missing == []
    assert len(NAMED) > 20
