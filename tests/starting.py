"""Runs `manage.py` as an operator would, with variables of its own."""

from __future__ import annotations

import os
from pathlib import Path

from tests.flows.server import forked

ROOT = Path(__file__).resolve().parent.parent


def started(command: list[str], tmp_path: Path, **environment: str) -> tuple[int, str]:
    """Run `manage.py` with these variables: its exit code and all it wrote."""
    env = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'none.sqlite3'}",
    }
    return forked(env | environment, *command)
