"""The doors between the rooms: diplomacy_server → mailer, pages → games → atlas → judge → library.

mailer and pages do not know each other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import judge

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("judge", "atlas", "games", "mailer", "pages", "diplomacy_server")

# What a room may import of the others.
DOORS = {
    "judge": set(),
    "atlas": {"judge"},
    "games": {"atlas", "judge"},
    "mailer": {"games", "atlas"},
    "pages": {"games", "atlas"},
    "diplomacy_server": {"games", "mailer", "pages"},
}
# What draws at run time; the build command of the drawings may use more.
DRAWING = {"PIL", "aggdraw"}
BUILD = "atlas/build/"
# In games the judge is spoken to in one place, which everything else asks; besides it, the setting
# of the variant offers what variants there are.
DOORS_TO_JUDGE = {"games/queries/board.py", "games/settings/table.py"}
# The scripted players of the demo are outsiders with a map in their heads: the library's users.
OUTSIDERS = "diplomacy_server/demo/"
# How a game works inside is no business of the mailer: it works by services and acts, and reads by
# queries.
DOORS_OF_GAMES = {"models", "services", "queries", "acts", "events", "errors", "settings"}
# The public pages only read.
READ_BY_PAGES = DOORS_OF_GAMES - {"services", "acts"}
# One admin for the operator: its pages look alike.
ADMIN = {"admin"}


def modules(room: str) -> list[Path]:
    return sorted(path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


@dataclass(frozen=True)
class Import:
    """One absolute module name that is imported, its line, and the function it is inside of."""

    module: str
    line: int
    function: str = ""


@cache
def imports(path: Path) -> list[Import]:
    """What the module imports; each is read once for all that is asked of it."""
    return list(_imports(ast.parse(path.read_text()), ""))


def _imports(node: ast.AST, function: str) -> Iterator[Import]:
    """Walk through statements: no expression imports anything."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, function) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            module = f"{'.' * child.level}{child.module or ''}"
            # `from games import log` imports the module games.log as much as games.
            names = [f".{alias.name}" for alias in child.names] if module in ROOMS else [""]
            yield from (Import(module + name, child.lineno, function) for name in names)
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _imports(child, child.name)
        elif not isinstance(child, ast.expr):
            yield from _imports(child, function)


ALL = [path for room in ROOMS for path in modules(room)]


def case_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", ALL, ids=case_name)
def test_a_module_imports_only_through_the_doors(path: Path) -> None:
    name = case_name(path)
    room = name.partition("/")[0]
    allowed = DOORS[room] | {room} | ({"judge"} if name.startswith(OUTSIDERS) else set())

    wrong = [
        f"{name}:{one.line} imports {one.module}"
        for one in imports(path)
        if (target := one.module.partition(".")[0]) in ROOMS and target not in allowed
    ]
    if room == "games" and name not in DOORS_TO_JUDGE:
        wrong += _imports_of("judge", path)

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", modules("judge"), ids=case_name)
def test_the_judge_imports_only_the_standard_library(path: Path) -> None:
    foreign = [
        f"{case_name(path)}:{one.line} imports {one.module}"
        for one in imports(path)
        if (top := one.module.partition(".")[0]) not in sys.stdlib_module_names and top != "judge"
    ]

    assert not foreign, "\n".join(foreign)


@pytest.mark.parametrize("path", modules("atlas"), ids=case_name)
def test_the_atlas_draws_with_what_the_judge_offers_and_two_libraries(path: Path) -> None:
    """Nothing of it is needed but values of the judge: no game, no clock, no system library."""
    wrong = [
        f"{case_name(path)}:{one.line} imports {one.module}"
        for one in imports(path)
        if not _the_atlas_may_import(case_name(path), one.module)
    ]

    assert not wrong, "\n".join(wrong)


def _the_atlas_may_import(name: str, module: str) -> bool:
    top, _, rest = module.partition(".")
    if top == "judge":
        return rest in judge.__all__
    if top in ("datetime", "time"):
        return False
    return top in sys.stdlib_module_names | DRAWING | {"atlas"} or name.startswith(BUILD)


@pytest.mark.parametrize("path", modules("mailer"), ids=case_name)
def test_the_mailer_enters_games_by_its_doors(path: Path) -> None:
    doors = DOORS_OF_GAMES
    if path.name.startswith("admin"):
        doors = doors | ADMIN
    inside = [
        f"{case_name(path)}:{one.line} imports {one.module}"
        for one in imports(path)
        if one.module.startswith("games.")
        and not _is_open(one.module.removeprefix("games."), doors)
    ]

    assert not inside, "\n".join(inside)


@pytest.mark.parametrize("path", modules("pages"), ids=case_name)
def test_the_pages_read_games_and_change_nothing(path: Path) -> None:
    """They are shown to everybody: what acts on a game is not for them."""
    inside = [
        f"{case_name(path)}:{one.line} imports {one.module}"
        for one in imports(path)
        if one.module.startswith("games.")
        and not _is_open(one.module.removeprefix("games."), READ_BY_PAGES)
    ]

    assert not inside, "\n".join(inside)


def _is_open(module: str, doors: set[str]) -> bool:
    return any(module == door or module.startswith(f"{door}.") for door in doors)


@pytest.mark.parametrize("path", ALL, ids=case_name)
def test_imports_stand_at_the_top(path: Path) -> None:
    hidden = [
        f"{case_name(path)}:{one.line} imports {one.module} inside {one.function}"
        for one in imports(path)
        if one.function
    ]

    assert not hidden, "\n".join(hidden)


@pytest.mark.parametrize("path", ALL, ids=case_name)
def test_nobody_listens_to_signals(path: Path) -> None:
    heard = _imports_of("django.db.models.signals", path) + _imports_of("django.dispatch", path)

    assert not heard, "\n".join(heard)


def _imports_of(wanted: str, path: Path) -> list[str]:
    return [
        f"{case_name(path)}:{one.line} imports {one.module}"
        for one in imports(path)
        if one.module == wanted or one.module.startswith(f"{wanted}.")
    ]


def test_every_room_was_looked_at() -> None:
    assert {case_name(path).partition("/")[0] for path in ALL} == set(ROOMS)
