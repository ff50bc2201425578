"""Migrated databases by the copy: migrating takes seconds, copying takes none.

The first process of a run migrates; every other one, and every server that a test starts, gets a
copy. A run begins again, so that what is copied is always what today's migrations make.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "migrated"


def shared() -> Path:
    """The folder that the processes of this run share (tests/plugin.py makes it)."""
    return Path(os.environ["TESTS_SHARED"])


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Keep the other processes of this run from the same place."""
    with (shared() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def first_alone(name: str) -> Iterator[None]:
    """Have the first process of this run do something before all others, which then may at once."""
    done = shared() / f"{name}.done"
    with one_at_a_time(name):
        if not done.exists():
            yield
            done.touch()
            return
    yield


@contextmanager
def making_test_database() -> Iterator[None]:
    """Within this the test database of this process is made: migrated, or copied if one was.

    A server that is not the tests' own is left as it was found: nothing is kept there.
    """
    if connection.vendor == "sqlite":
        _copy_the_file(connection)
        yield
    elif "TESTS_OWN_POSTGRES" in os.environ:
        with one_at_a_time("postgresql"):
            yield from _migrated_or_copied(connection)
    else:
        yield


def _copy_the_file(to: BaseDatabaseWrapper) -> None:
    """Have Django make the test database of this process from the file that servers get, too."""
    to.settings_dict["TEST"]["MIGRATE"] = False
    create = to.creation._create_test_db  # type: ignore[attr-defined]

    def create_and_copy(*args: object, **kwargs: object) -> object:
        name = create(*args, **kwargs)
        sqlite_file(Path(name))
        return name

    to.creation._create_test_db = create_and_copy  # type: ignore[attr-defined]


def _migrated_or_copied(here: BaseDatabaseWrapper) -> Iterator[None]:
    # It goes with its server; to drop it would have all that was written flushed to the disk.
    here.creation._destroy_test_db = lambda *of: None  # type: ignore[attr-defined]
    marker = shared() / "postgresql.migrated"
    if marker.exists():
        here.settings_dict["TEST"] |= {"MIGRATE": False, "TEMPLATE": TEMPLATE}
        yield
        return
    yield
    name = here.settings_dict["NAME"]
    here.close()  # neither database is copied while somebody is connected
    with psycopg.connect(server_of(here), autocommit=True) as server:
        server.execute(f'create database {TEMPLATE} template "{name}"')
    marker.touch()


def server_of(database: BaseDatabaseWrapper) -> str:
    """Where psycopg finds the server of this database: its own database `postgres`."""
    of = database.settings_dict
    parts = {"host": of["HOST"], "port": of["PORT"], "user": of["USER"], "password": of["PASSWORD"]}
    told = " ".join(f"{key}={value}" for key, value in parts.items() if value)
    return f"{told} dbname=postgres"


def sqlite_file(to: Path) -> Path:
    """Copy a migrated SQLite database there, for a server of a test; return `to`."""
    kept = shared() / "server.sqlite3"
    with one_at_a_time("server"):
        if not kept.exists():
            _migrate(kept)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(kept, to)
    return to


def _migrate(path: Path) -> None:
    unfinished = path.with_suffix(".unfinished")
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v", "0"],
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "DATABASE_URL": f"sqlite:///{unfinished}",
            "VAR_DIR": str(path.parent / "var"),
        },
        check=True,
    )
    unfinished.rename(path)
