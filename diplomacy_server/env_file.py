"""Reads `.env`, the file with the settings, and finds the lines in it that set nothing.

A misspelt name sets nothing, and neither does a line with blanks around its =. The server would run
with the default, while whoever wrote the line believes otherwise.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from environ import Env

LINE = re.compile(r"(?:export )?([A-Za-z_0-9]+)=")
"""How `environ` recognises a setting; it ignores every other line."""
OF_CONTAINERS = {"POSTGRES_PASSWORD", "DIPLOMACY_SITE", "FORWARDED_ALLOW_IPS"}
"""Names in `.env` that are for deploy/compose.yaml and web.py, and are not our settings."""


class AskedEnv(Env):  # type: ignore[misc]
    """The environment; it remembers every name that we ask for, and these are all the settings
    there are."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """Return a value, and remember its name."""
        self.asked.add(var)
        return super().get_value(var, *args, **kwargs)


def load(path: Path) -> None:
    """Read the file's settings into the environment, which wins over the file."""
    # `environ` would print a line that it cannot read, and with it perhaps a password.
    logging.getLogger("environ.environ").setLevel(logging.ERROR)
    try:
        Env.read_env(path)
    except UnicodeDecodeError:
        return  # `env_file_is_understood` says so


def env_file_is_understood() -> Iterator[CheckMessage]:
    """Report every line that looks like a setting and sets nothing."""
    path = settings.BASE_DIR / ".env"
    try:
        lines = path.read_text(encoding="utf8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError):
        yield Error(
            f"{path} cannot be read: none of its settings holds.",
            hint="Give it to the user that runs the server (chown), and save it as UTF-8.",
            id="diplomacy.E020",
        )
        return
    for number, line in enumerate(lines, start=1):
        if line and not line.startswith("#"):
            yield from _findings(f"Line {number} of {path}", line, settings.SETTING_NAMES)


def _findings(where: str, line: str, known: Collection[str]) -> Iterator[CheckMessage]:
    match = LINE.match(line)
    if match is None:
        yield Error(
            f"{where} is not a setting, so it does nothing.",
            hint="Write NAME=value, with no blanks before the name or around the =; "
            "a remark has a line of its own that begins with #.",
            id="diplomacy.E020",
        )
    elif match[1] not in {*known, *OF_CONTAINERS}:
        near = get_close_matches(match[1].upper(), known, n=1)
        yield Warning(
            f"{where} sets {match[1]}, which is not a setting, so it does nothing.",
            hint=f"Did you mean {near[0]}?" if near else ".env.example lists every setting.",
            id="diplomacy.W008",
        )
