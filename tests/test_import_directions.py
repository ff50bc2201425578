"""The doors between the rooms: diplomacy_server → mailer, pages → games → atlas → judge → library.

mailer and pages do not know each other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import judge
from tests.style import ROOMS

ROOT = Path(__file__).resolve().parent.parent

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
DOORS_TO_JUDGE = ("games/queries/board/", "games/settings/table.py")
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


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def found(paths: Iterable[Path], is_wrong: Callable[[str, Import], bool]) -> str:
    """Every import of these modules that is wrong, one per line; the empty text for none."""
    return "\n".join(
        f"{name_of(path)}:{one.line} imports {one.module} {one.function and f'in {one.function}'}"
        for path in paths
        for one in imports(path)
        if is_wrong(name_of(path), one)
    )


def is_under(module: str, packages: Iterable[str]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in packages)


def test_modules_import_only_through_the_doors() -> None:
    def is_wrong(name: str, one: Import) -> bool:
        room, target = name.partition("/")[0], one.module.partition(".")[0]
        allowed = DOORS[room] | {room} | ({"judge"} if name.startswith(OUTSIDERS) else set())
        if room == "games" and not name.startswith(DOORS_TO_JUDGE):
            allowed -= {"judge"}
        return target in ROOMS and target not in allowed

    assert not found(ALL, is_wrong)


def test_the_judge_imports_only_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"judge"}

    assert not found(modules("judge"), lambda _, one: one.module.partition(".")[0] not in allowed)


def test_the_atlas_draws_with_what_the_judge_offers_and_two_libraries() -> None:
    """Nothing of it is needed but values of the judge: no game, no clock, no system library."""
    assert not found(
        modules("atlas"), lambda name, one: not _the_atlas_may_import(name, one.module)
    )


def _the_atlas_may_import(name: str, module: str) -> bool:
    top, _, rest = module.partition(".")
    if top == "judge":
        return rest in judge.__all__
    if top in ("datetime", "time"):
        return False
    return top in sys.stdlib_module_names | DRAWING | {"atlas"} or name.startswith(BUILD)


def test_the_mailer_enters_games_by_its_doors() -> None:
    def is_wrong(name: str, one: Import) -> bool:
        doors = DOORS_OF_GAMES | (ADMIN if name.startswith("mailer/admin/") else set())
        return _is_inside_games(one.module, doors)

    assert not found(modules("mailer"), is_wrong)


def test_the_pages_read_games_and_change_nothing() -> None:
    """They are shown to everybody: what acts on a game is not for them."""
    assert not found(modules("pages"), lambda _, one: _is_inside_games(one.module, READ_BY_PAGES))


def _is_inside_games(module: str, doors: set[str]) -> bool:
    return module.startswith("games.") and not is_under(module.removeprefix("games."), doors)


def test_imports_stand_at_the_top() -> None:
    assert not found(ALL, lambda _, one: bool(one.function))


def test_nobody_listens_to_signals() -> None:
    signals = ("django.db.models.signals", "django.dispatch")

    assert not found(ALL, lambda _, one: is_under(one.module, signals))


def test_every_room_was_looked_at() -> None:
    assert {name_of(path).partition("/")[0] for path in ALL} == set(ROOMS)
