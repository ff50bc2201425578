"""What the documents promise: every example order is read, every setting and path exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from judge import Position, load_variant, read_orders

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = re.compile(r"^```orders (\w+) (\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
PLACE = re.compile(r"\]\((?!https?:)([^)#]*)#([^)]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

# Where the examples of later phases stand; those of S1901M stand at the start.
POSITIONS: dict[str, dict[str, Any]] = {
    "F1901M": {"units": {"England": ["F North Sea", "A Yorkshire"]}},
    "F1901R": {
        "units": {"Italy": ["A Vienna"]},
        "dislodged": [{"power": "Austria", "unit": "A Vienna", "retreats": ["Bohemia"]}],
    },
    "W1901A": {
        "units": {"Russia": ["A Warsaw", "F Sevastopol"]},
        "centers": {"Russia": ["Moscow", "St Petersburg", "Warsaw", "Sevastopol"]},
    },
}


def examples() -> list[tuple[str, str, str]]:
    return EXAMPLE.findall((ROOT / "docs" / "players.md").read_text())


@pytest.mark.parametrize(("phase", "power", "text"), examples())
def test_every_order_in_the_players_page_is_read_and_legal(
    phase: str, power: str, text: str
) -> None:
    variant = load_variant("standard")
    position = Position.start(variant)
    if phase in POSITIONS:
        position = Position.from_state(variant, {"phase": phase, **POSITIONS[phase]})
    assert str(position.phase) == phase
    readings = read_orders(position, power, text.splitlines())
    assert len(readings) >= len(text.splitlines())
    assert [reading.problem for reading in readings if reading.problem] == []
    assert all(reading.counts for reading in readings)


def test_the_players_page_has_examples_of_every_step() -> None:
    assert {phase[-1] for phase, _, _ in examples()} == {"M", "R", "A"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_between_the_documents_leads_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text()):
        assert (document.parent / target).exists(), f"{document.name} links to {target}"


def places(document: Path) -> set[str]:
    """What a link to each heading of a page ends in, as GitHub has it."""
    titles = HEADING.findall(document.read_text())
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_heading_leads_to_one(document: Path) -> None:
    for target, place in PLACE.findall(document.read_text()):
        page = document.parent / target if target else document
        assert place in places(page), f"{document.name} links to {target}#{place}"


def test_the_example_of_settings_lists_every_variable_that_is_read() -> None:
    source = (ROOT / "diplomacy_server" / "settings.py").read_text()
    read = set(re.findall(r'\b(?:env|read)\.\w+\(\s*"([A-Z_]+)"', source))
    listed = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert read == listed


def test_the_operators_page_explains_every_setting() -> None:
    page = (ROOT / "docs" / "operators.md").read_text()
    listed = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert [name for name in listed if f"`{name}`" not in page] == []
