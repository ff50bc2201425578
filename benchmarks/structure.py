"""How the code hangs together: `python -m benchmarks.structure` prints figures.

`python -m benchmarks.structure page` draws the pictures in docs/architecture.md again.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("judge", "atlas", "games", "mailer", "pages", "diplomacy_server")
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = re.compile(r"(<!-- imports (\w+): .*? -->\n)```mermaid\n.*?```\n", re.DOTALL)

Arrows = Mapping[str, set[str]]


def sources(room: str) -> Iterator[Path]:
    """Yield the modules of a room, migrations left out."""
    for path in sorted((ROOT / room).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def name_of(path: Path) -> str:
    """Return a module's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for room in ROOMS for path in sources(room)}
BY_FILE = {str(path): name for name, path in MODULES.items()}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules of ours that a module imports."""
    return frozenset(_imports_of(ast.parse(path.read_text("utf-8"))))


def _imports_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def arrows(part_of: Callable[[str], str]) -> Arrows:
    """Return which part imports which; `part_of` says to which part a module of this name
    belongs."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in MODULES.items():
        if part := part_of(name):
            found[part] |= {other for one in imported(path) if (other := part_of(one))} - {part}
    return found


def modules_run(do: Callable[[], object]) -> list[str]:
    """Return the modules of ours in which a function runs while we do this, in their order."""
    seen: dict[str, None] = {}

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and (name := BY_FILE.get(frame.f_code.co_filename)):
            seen.setdefault(name)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        do()
    finally:
        sys.setprofile(before)
    return list(seen)


def room_of(name: str) -> str:
    """Return the room of a module."""
    return name.partition(".")[0]


def part_of_room(room: str) -> Callable[[str], str]:
    """Return the function that names a module's package in a room: "services", "models"."""

    def part(name: str) -> str:
        first, _, rest = name.partition(".")
        package = rest.partition(".")[0]
        is_package = (ROOT / room / package / "__init__.py").is_file()
        return package if first == room and package and is_package else ""

    return part


def picture(of: str) -> str:
    """Return a picture of the imports in Mermaid's language: between the rooms, or inside one."""
    part_of = room_of if of == "rooms" else part_of_room(of)
    lines = [
        f"    {part} --> {other}"
        for part, others in sorted(arrows(part_of).items())
        for other in sorted(others)
    ]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def drawn(page: str) -> str:
    """Return the page with its pictures as the code has them now."""
    return PICTURE.sub(lambda found: found[1] + picture(found[2]), page)


def figures() -> Iterator[str]:
    """Yield the sizes of functions and modules, and what `mailer` takes from `games`."""
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [
        ((node.end_lineno or 0) - node.lineno + 1, name, node.name)
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]
    lengths = sorted(length for length, *_ in functions)
    longest, where, function = max(functions)
    yield f"functions: {len(lengths)}, median {median(lengths):.0f}, p90 {nth(lengths, 0.9)}"
    yield f"longest function: {longest} lines, {where}.{function}"
    modules = sorted(
        (len(path.read_text("utf-8").splitlines()), name) for name, path in MODULES.items()
    )
    filled = [length for length, _ in modules if length]
    yield f"modules: {len(filled)}, {sum(filled)} lines, median {median(filled):.0f}"
    yield f"longest module: {modules[-1][0]} lines, {modules[-1][1]}"
    taken = {
        (node.module, alias.name)
        for name, tree in trees.items()
        if name.startswith("mailer")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games")
        for alias in node.names
    }
    by_door = Counter(f"{module}.{name}".split(".")[1] for module, name in taken)
    doors = ", ".join(f"{door} {number}" for door, number in by_door.most_common())
    yield f"mailer takes from games: {len(taken)} names: {doors}"


def nth(values: Sequence[int], share: float) -> int:
    """Return the value below which that share of the sorted values lies."""
    return values[int(share * len(values))]


def main() -> None:
    if sys.argv[1:] == ["page"]:
        PAGE.write_text(drawn(PAGE.read_text("utf-8")), "utf-8")
    else:
        print("\n".join(figures()))


if __name__ == "__main__":
    main()
