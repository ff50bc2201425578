"""docs/first-change.md, carried out on a copy of the code as a newcomer would.

The steps are those of the page, but not their order: first all tests that it shows run without the
changes and fail, then all changes are made, and then everything that must pass runs at once. Each
process costs seconds, and the order of independent changes proves nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.migrated import sqlite_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "first-change.md").read_text()
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns(".*", "var", "htmlcov")
PYTEST = "python -m pytest "
MANAGE = "python manage.py "
MIGRATE = "migrate -v 0"
"""The page's own migrations upon those that were there: from nothing it would take as long as all
else here."""
CALLS = """
import sys, django
from django.core.management import call_command
django.setup()
for line in sys.argv[1:]:
    words, _, target = line.partition(" > ")
    with open(target or "/dev/stdout", "w") as out:
        call_command(*words.split(), stdout=out)
"""
"""Does in one process what the page's lines with manage.py do in one each."""


@dataclass(frozen=True)
class Block:
    """A block of the page: what it holds, and the file it is about or how it ends."""

    kind: str
    word: str
    text: str

    @property
    def path(self) -> str:
        return self.word.removeprefix("file=")

    @property
    def fails(self) -> bool:
        return self.word == "fails"

    @property
    def is_test(self) -> bool:
        return self.kind == "python" and self.path.startswith("tests/")


BLOCKS = [Block(*found) for found in BLOCK.findall(PAGE)]


def lines(*, fails: bool, command: str) -> list[str]:
    """What follows the command on the page, in blocks that fail or that do not."""
    shells = [one for one in BLOCKS if one.kind == "sh" and one.fails == fails]
    said = [line for one in shells for line in one.text.splitlines()]
    return [line.removeprefix(command) for line in said if line.startswith(command)]


def hunks(diff: str) -> Iterator[tuple[str, str]]:
    """What each hunk of a diff finds, and what it puts there."""
    for hunk in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        rows = [row if row.strip() else f" {row}" for row in hunk.splitlines(keepends=True)]
        yield (
            "".join(row[1:] for row in rows if row[0] in " -"),
            "".join(row[1:] for row in rows if row[0] in " +"),
        )


def make(block: Block, folder: Path) -> None:
    """Make the change that a block shows."""
    path = folder / block.path
    if block.kind != "diff":
        assert not path.exists(), f"{block.path}: somebody has made this change for good"
        path.write_text(block.text)
        return
    text = path.read_text()
    for before, after in hunks(block.text):
        assert text.count(before) == 1, f"{block.path} has not once:\n{before}"
        text = text.replace(before, after)
    path.write_text(text)


@dataclass(frozen=True)
class Reader:
    """Somebody with a copy of the code, where changing it harms nobody."""

    folder: Path
    shared: Path
    """Holds a database that is migrated as far as the code was when it was copied, from which each
    of their runs of tests takes its own."""

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What their shell has: the tools of .venv, and no run of tests around it."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        tools = Path(sys.executable).parent
        env |= {
            "TESTS_SHARED": str(self.shared),
            "PATH": f"{tools}:{env['PATH']}",
            "DATABASE_URL": f"sqlite:///{self.shared}/server.sqlite3",
            "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
            "VAR_DIR": str(self.folder.parent / "var"),
        }
        return subprocess.run(
            words, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def succeed(self, *words: str) -> None:
        ran = self.run(*words)
        assert ran.returncode == 0, f"$ {' '.join(words)}\n{ran.stdout}{ran.stderr}"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    sqlite_file(tmp_path / "shared" / "server.sqlite3")
    code = Path(shutil.copytree(ROOT, tmp_path / "code", ignore=LEFT_OUT))
    shutil.copy(ROOT / ".env.example", code)
    return Reader(code, tmp_path / "shared")


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_reader_gets_where_the_page_leads(reader: Reader) -> None:
    for block in BLOCKS:
        if block.is_test:
            make(block, reader.folder)
    failing = lines(fails=True, command=PYTEST)
    before = reader.run(*PYTEST.split(), "-p", "no:cacheprovider", "--no-migrations", *failing)
    assert before.returncode == 1, before.stdout
    assert " passed" not in before.stdout

    for block in BLOCKS:
        if block.kind != "sh" and not block.is_test:
            make(block, reader.folder)
    reader.succeed("python", "-c", CALLS, *lines(fails=False, command=MANAGE), MIGRATE)
    passing = " ".join(lines(fails=False, command=PYTEST)).split()
    reader.succeed(*PYTEST.split(), "-p", "no:cacheprovider", *dict.fromkeys(passing))
    for line in lines(fails=False, command="ruff "):
        reader.succeed("ruff", *line.split())


def test_every_line_of_the_page_is_carried_out() -> None:
    assert len(BLOCKS) == PAGE.count("\n```") // 2
    known = (PYTEST, MANAGE, "ruff ")
    for block in BLOCKS:
        if block.kind == "sh":
            assert all(line.startswith(known) for line in block.text.splitlines()), block.text


def test_each_test_of_the_page_fails_before_the_change_and_passes_after_it() -> None:
    shown = {block.path for block in BLOCKS if block.is_test}
    assert shown == set(lines(fails=True, command=PYTEST))
    assert shown <= set(" ".join(lines(fails=False, command=PYTEST)).split())
    assert len(shown) == 4
