"""The version of the running server, from pyproject.toml beside the rooms."""

from __future__ import annotations

import tomllib
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

VERSION: str = tomllib.loads(_PROJECT.read_text())["project"]["version"]
"""For example "0.2.0", or "0.2.0.dev0" on the way to it."""
