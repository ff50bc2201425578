"""The counting of tests per server, seen from outside: a run of pytest on a small file."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import plugin
from tests.forked import Parent, Worker
from tests.migrated import first_alone
from tests.second_database import noted
from tests.second_run import Second

ROOT = Path(__file__).resolve().parent.parent

NOT_OF_THIS_RUN = ("PYTEST_ADDOPTS", "TESTS_SHARED")

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


def run(folder: Path, *options: str, tests: str = TESTS, **more: str) -> tuple[int, list[str]]:
    """Exit code and last lines of a run on SQLite."""
    (folder / "test_sample.py").write_text(textwrap.dedent(tests))
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/sample.sqlite3"}
    for name in NOT_OF_THIS_RUN:
        env.pop(name, None)
    env |= more
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


TROUBLE = """
    @pytest.fixture
    def dovecot():
        raise RuntimeError

    @pytest.fixture
    def smtp():
        pytest.skip("never silently")

    def test_with_dovecot(dovecot):
        pass

    def test_with_smtp(smtp):
        pass
"""

DYING = """
    @pytest.fixture(scope="session")
    def unending():
        yield
        raise RuntimeError("it does not stop")

    def test_before(unending):
        import logging
        assert not any(one.stream.closed for one in logging.getLogger().handlers[:1])

    def test_that_kills_its_process():
        import os
        os._exit(3)

    def test_after(unending, tmp_path):
        print("what it says")
        assert tmp_path is None
"""


def test_a_run_in_two_processes_counts_together_and_fails_without_a_needed_server(
    tmp_path: Path,
) -> None:
    """A server that does not start is never passed over. A test whose process dies fails, what
    comes after it is run, and so is the end of each."""
    report = tmp_path / "counts.json"
    options = ["--processes", "2", f"--server-counts={report}"]
    options += ["--need-servers", "Redis,Dovecot,SMTP"]

    code, lines = run(tmp_path, *options, tests=TESTS + TROUBLE + DYING)

    assert code == 1
    assert lines[-2] == "tests per server: SQLite 1, Dovecot 0, SMTP 0, Redis 3"
    assert lines[-1] == "FAILED: no test ran against Dovecot, SMTP"
    counts = json.loads(report.read_text())
    assert counts["servers"] == {"SQLite": 1, "Redis": 3}
    assert counts["outcomes"]["passed"] == 6
    assert counts["outcomes"]["skipped"] == 1
    assert "what it says" in lines
    died, after, end = [line for line in lines if line.startswith("FAILED ")][:3]
    assert died.endswith("::test_that_kills_its_process - its process died (exit code 3)")
    assert "::test_after - " in after
    assert end.startswith("FAILED the end of process ")
    assert end.endswith(" - RuntimeError('it does not stop')")


ON_BOTH = """
    import pytest
    from django.contrib.auth.models import Group, User

    @pytest.mark.django_db
    class TestAsks:
        def test_for_a_user(self):
            assert not User.objects.filter(username__in=["ana", "ben"]).exists()

        def test_for_the_same_with_other_values(self):
            assert not User.objects.filter(username__in=["carla"]).exists()

        def test_for_a_group(self):
            assert Group.objects.count() == 0

        @pytest.mark.on_both
        def test_for_letter_case(self):
            assert Group.objects.count() == 0

    @pytest.mark.django_db(transaction=True)
    def test_that_commits():
        assert Group.objects.count() == 0

    @pytest.mark.on_one
    @pytest.mark.django_db(transaction=True)
    def test_that_commits_for_somebody_else_to_see():
        assert Group.objects.count() == 0

    @pytest.mark.only_on("PostgreSQL")
    def test_for_the_other_database(db):
        pass

    def test_without_a_database():
        pass

    @pytest.fixture
    def redis_server():
        return "stands in for the fixture: only its name is counted"

    @pytest.mark.parametrize("number", range(3))
    def test_with_redis(redis_server, number):
        pass
"""


def test_a_run_notes_what_each_test_sends_and_goes_on_to_the_second_database(
    tmp_path: Path,
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    options = ["--processes", "2", "--second-database", "differs"]

    code, lines = run(tmp_path, *options, tests=ON_BOTH, TESTS_SHARED=str(shared))

    # On the second ran those that always do, and one of the two that send the same, but not the one
    # whose statement those send that always run.
    assert code == 0, lines
    assert lines[-1] == "tests per server: SQLite 9, Redis 3", lines
    assert lines[-2].startswith("13 passed, 1 deselected")
    assert any(line.endswith(" statements, sent by 6 tests: 3 run on SQLite") for line in lines)
    tests = {name.rpartition("::")[2]: test for name, test in noted(shared / "statements").items()}
    assert "test_without_a_database" not in tests
    always = {name for name, test in tests.items() if test.always}
    assert always == {"test_for_letter_case", "test_that_commits"}
    asks = tests["test_for_a_user"]
    assert len(asks.shapes) == 1
    assert tests["test_for_the_same_with_other_values"].shapes == asks.shapes
    assert tests["test_for_a_group"].shapes.isdisjoint(asks.shapes)


def test_a_second_database_without_processes_is_refused() -> None:
    options = {"--second-database": "all", "--processes": 0}
    with pytest.raises(pytest.UsageError, match="needs --processes"):
        plugin.pytest_configure(SimpleNamespace(getoption=options.get))  # type: ignore[arg-type]


def test_no_test_is_left_out_on_the_database_that_it_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands, and whether it uses one or not."""
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere")

    def item(name: str, *fixtures: str, only: str = "") -> Any:
        marks = {"only_on": SimpleNamespace(args=(only,))} if only else {}
        return SimpleNamespace(nodeid=name, fixturenames=fixtures, get_closest_marker=marks.get)

    items = [
        item("tests/judge/test_a.py::test_without"),
        item("tests/judge/test_a.py::test_with", "db"),
        item("tests/judge/test_a.py::test_for_sqlite", only="SQLite"),
        item("tests/games/test_b.py::test_without"),
        item("tests/games/test_b.py::test_for_sqlite", only="SQLite"),
        item("tests/games/test_b.py::test_for_postgresql", "db", only="PostgreSQL"),
    ]
    second = Second(items, tmp_path, every=True)
    assert [number for number, _ in second.on_the_first()] == [1, 3, 5]
    assert [number for number, _ in second.at_once()] == [1, 2, 4, 0]


def test_a_process_that_is_killed_between_two_tests_fails_the_run() -> None:
    """What its tests have sent is not noted."""
    reports: list[Any] = []
    hook = SimpleNamespace(pytest_runtest_logreport=lambda report: reports.append(report))
    session: Any = SimpleNamespace(items=[], config=SimpleNamespace(hook=hook))
    parent = Parent(session, 1, None)
    for code in (0, -9):
        process = SimpleNamespace(join=lambda: None, exitcode=code)
        pipe = SimpleNamespace(close=lambda: None)
        worker = Worker(7, pipe, process, on_second=False)  # type: ignore[arg-type]
        parent.workers.append(worker)
        parent._is_gone(worker)
    [report] = reports
    assert (report.nodeid, report.outcome) == ("the end of process 7", "failed")


def test_the_first_process_of_a_run_is_alone_and_the_others_come_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTS_SHARED", str(tmp_path))

    def others_wait() -> bool:
        with (tmp_path / "work.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    waited = []
    for _ in range(2):
        with first_alone("work"):
            waited.append(others_wait())
    assert waited == [True, False]


def test_who_comes_after_a_first_that_failed_is_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTS_SHARED", str(tmp_path))
    with pytest.raises(ZeroDivisionError), first_alone("work"):
        _ = 1 / 0
    assert not (tmp_path / "work.done").exists()
