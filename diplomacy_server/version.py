"""The version of the server that runs, as pyproject.toml beside the rooms has it."""

from __future__ import annotations

import tomllib
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

VERSION: str = tomllib.loads(_PROJECT.read_text())["project"]["version"]
"""For example "0.2.0", or "0.2.0.dev0" on the way there."""
