"""docs/first-change.md, carried out on a copy of the code as a newcomer would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "first-change.md").read_text()
BLOCK = re.compile(r"^```(python|sh)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns(".*", "var", "htmlcov")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The code in a folder of its own, where changing it harms nobody."""
    return Path(shutil.copytree(ROOT, tmp_path / "code", ignore=LEFT_OUT))


def environment(folder: Path) -> dict[str, str]:
    """What the reader's shell has: the tools of .venv, and no run of tests around it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    tools = Path(sys.executable).parent
    shared = folder.parent / "shared"  # the tests of the page migrate one database between them
    shared.mkdir()
    return env | {
        "TESTS_SHARED": str(shared),
        "PATH": f"{tools}:{env['PATH']}",
        "DATABASE_URL": f"sqlite:///{folder.parent}/reader.sqlite3",
        "VAR_DIR": str(folder.parent / "var"),
    }


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_reader_gets_where_the_page_leads(copy: Path) -> None:
    env = environment(copy)
    done = []
    for kind, word, text in BLOCK.findall(PAGE):
        if kind == "python":
            path = copy / word.removeprefix("file=")
            assert not path.exists(), f"{word}: somebody has made this change for good"
            path.write_text(text)
            continue
        for line in text.splitlines():
            ran = subprocess.run(
                line, shell=True, cwd=copy, env=env, capture_output=True, text=True, check=False
            )
            said = f"$ {line}\n{ran.stdout}{ran.stderr}"
            assert (ran.returncode != 0) == (word == "fails"), said
            done.append(line)
    assert len(done) >= 6


def test_every_block_of_code_is_carried_out() -> None:
    assert len(BLOCK.findall(PAGE)) == PAGE.count("\n```") // 2
