"""The private servers of the benchmarks, durable as in production, and child processes on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers import Postgres

CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class DurablePostgres(Postgres):
    """A PostgreSQL that flushes every commit to the disk, as a real one does."""

    def command(self) -> list[str]:
        words = iter(super().command())
        kept = [word for word in words if word != "-c"]
        settings = [word for word in kept if "=" in word and word not in CARELESS]
        return [*(word for word in kept if "=" not in word), *_options(settings)]


def _options(settings: list[str]) -> list[str]:
    return [part for setting in settings for part in ("-c", setting)]


@contextmanager
def databases(name: str) -> Iterator[dict[str, str]]:
    """An empty database of each kind we run on: its name and its DATABASE_URL."""
    with DurablePostgres() as postgres, tempfile.TemporaryDirectory() as folder:
        yield {
            "PostgreSQL": postgres.create(name),
            "SQLite": f"sqlite:///{Path(folder) / 'benchmark.sqlite3'}",
        }


def measured(module: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """Run `python -m module` with these settings; return the JSON object in its last line."""
    quiet = {"DJANGO_SETTINGS_MODULE": "diplomacy_server.settings", "LOG_LEVEL": "ERROR"}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=os.environ | quiet | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
