"""What the documents promise: every example order is read, every setting and path exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from games.acts import GAME_ACTS, PLAYER_ACTS
from games.services.accounts import absences, profile
from games.services.endings import proposals
from games.services.messages import diaries
from games.services.moderation import conduct
from games.services.seating import invitations, observers
from games.services.setup import co_gms, making
from games.settings.presets import PRESETS
from judge import Position, load_variant, read_orders
from mailer.commands import player
from mailer.commands.own_settings import addresses as own_addresses
from mailer.commands.player.ordering import whatif

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


OPERATORS = (ROOT / "docs" / "operators.md").read_text()
WITH_COMMANDS = ("diplomacy_server", "games", "mailer", "pages")
DEFAULT = re.compile(r"^#([A-Z_]+)=(\d+)$", re.MULTILINE)


def row_of(first: str) -> str:
    """The row of a table on the operators' page that begins with this cell."""
    return next(line for line in OPERATORS.splitlines() if line.startswith(f"| {first} |"))


def test_the_operators_page_names_every_command_that_an_operator_can_type() -> None:
    ours = [name for name, room in get_commands().items() if room.split(".")[0] in WITH_COMMANDS]
    left_out = [name for name in ours if name.startswith("demo_") or name.endswith("_manual")]
    assert [one for one in ours if one not in left_out and f"`{one}`" not in OPERATORS] == []
    assert len(ours) > 20


def test_the_players_page_names_every_command_that_a_player_may_look_for() -> None:
    page = (ROOT / "docs" / "players.md").read_text()
    named = set(re.findall(r"\b[A-Z]{2,}\b", page))
    # Not written as words, or others on the page say the same: YES, VOTE CONCEDE TO, END.
    elsewhere = {"answer", "legacy", "confirm", "concede", "signoff"}
    assert {name for name in player.COMMANDS if name.upper() not in named} <= elsewhere


def test_the_players_page_names_every_way_to_play_a_game_of_their_own() -> None:
    page = (ROOT / "docs" / "players.md").read_text()
    assert [name for name in PRESETS if f"`{name}`" not in page] == []


@pytest.mark.parametrize(
    ("name", "value"), DEFAULT.findall((ROOT / ".env.example").read_text()), ids=str
)
def test_a_default_is_the_same_in_the_code_the_example_and_the_page(name: str, value: str) -> None:
    source = (ROOT / "diplomacy_server" / "settings.py").read_text()
    [read] = re.findall(rf'"{name}", (?:default=|[\d_]+ if DEMO else )?([\w.]+)', source)
    assert float({"True": 1, "False": 0}.get(read, read)) == float(value)
    [row] = [line for line in OPERATORS.splitlines() if re.match(rf"\|[^|]*`{name}`", line)]
    assert re.search(rf"\b{value}\b", row.split("|")[-2])


@pytest.mark.parametrize(("page", "acts"), [("gms.md", GAME_ACTS), ("moderators.md", PLAYER_ACTS)])
def test_the_page_of_those_who_act_has_every_act_by_its_name(page: str, acts: Any) -> None:
    text = (ROOT / "docs" / page).read_text()
    assert [act.title for act in acts.values() if act.title not in text] == []


def test_the_operators_page_has_the_limits_of_the_code() -> None:
    player_row, gm_row = row_of("what one player asks for"), row_of("what one GM adds to a game")
    for said in (
        f"{whatif.MOST_A_DAY} times `WHATIF` a day, of {whatif.MOST_LINES} orders",
        f"{making.A_WEEK} games made in a week, {making.WAITING} of them waiting",
        f"{profile.MOST_ADDRESSES} addresses, {own_addresses.MOST_ASKED} asked at in a day",
        f"{conduct.MOST_A_DAY} letters a day to the moderators, {proposals.MOST_A_DAY} proposals",
        f"{observers.MOST_GAMES} games observed; {diaries.MOST} notes",
        f"absences of {absences.MOST_DAYS} days, {absences.MOST_DAYS_A_YEAR} in a year",
    ):
        assert said in player_row
    assert f"{invitations.MOST} addresses invited or kept out, {co_gms.MOST} co-GMs" in gm_row
