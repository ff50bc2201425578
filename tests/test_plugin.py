"""The counting of tests per server, seen from outside: a run of pytest on a small file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

TESTS = """
    import pytest
    from django.contrib.auth.models import User

    @pytest.mark.django_db
    def test_with_a_database():
        assert User.objects.count() == 0

    @pytest.mark.only_on("PostgreSQL")
    def test_for_postgresql_only(db):
        pass

    def test_without_a_server():
        pass

    @pytest.fixture
    def redis_server():
        return "stands in for the fixture: only its name is counted"

    @pytest.mark.parametrize("number", range(3))
    def test_with_redis(redis_server, number):
        pass
"""


def run(folder: Path, *options: str, tests: str = TESTS) -> tuple[int, list[str]]:
    """Exit code and last lines of a run on SQLite."""
    (folder / "test_sample.py").write_text(textwrap.dedent(tests))
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/sample.sqlite3"}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS"):
        env.pop(name, None)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider"),
            *("--no-migrations", *options, str(folder / "test_sample.py")),
        ],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.strip().splitlines()


def test_the_last_line_says_how_many_tests_ran_against_which_server(tmp_path: Path) -> None:
    code, lines = run(tmp_path)

    assert code == 0, lines
    assert lines[-1] == "tests per server: SQLite 1, Redis 3"
    assert lines[-2].startswith("5 passed, 1 deselected")


def test_a_run_in_two_processes_counts_the_same(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "-n", "2")

    assert code == 0, lines
    assert lines[-1] == "tests per server: SQLite 1, Redis 3"


def test_a_run_without_a_needed_server_fails_and_names_it(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "--need-servers", "Redis,Dovecot")

    assert code == 1
    assert lines[-2] == "tests per server: SQLite 1, Dovecot 0, Redis 3"
    assert lines[-1] == "FAILED: no test ran against Dovecot"


def test_only_the_tests_with_a_database_can_be_run(tmp_path: Path) -> None:
    report = tmp_path / "counts.json"

    code, lines = run(tmp_path, "--only-database", "--server-counts", str(report))

    assert code == 0, lines
    counts = json.loads(report.read_text())
    assert counts["servers"] == {"SQLite": 1}
    assert counts["outcomes"]["passed"] == 1


@pytest.mark.parametrize("trouble", ["raise RuntimeError", "pytest.skip('never silently')"])
def test_a_server_that_does_not_start_is_never_passed_over(tmp_path: Path, trouble: str) -> None:
    tests = f"""
        import pytest

        @pytest.fixture
        def redis_server():
            {trouble}

        def test_with_redis(redis_server):
            pass
    """

    code, lines = run(tmp_path, "--need-servers", "Redis", tests=tests)

    assert code == 1
    assert lines[-1] == "FAILED: no test ran against Redis"
