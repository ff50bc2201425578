"""Every line that a test has the server log is read for secrets, as the server would write it."""

from __future__ import annotations

import logging
import re

from django.conf import settings

from diplomacy_server.discretion import JsonLines

TOKEN = re.compile(r"\+(?:bounce-)?[a-z2-7]{27}@", re.IGNORECASE)
PAGE = re.compile(
    r"/calendar/[\w-]{20,}\.ics|/admin/password/[\w-]+/[\w-]+|/unsubscribe/[\w:-]{20,}"
)
ORDER = re.compile(r"\b[AF] [A-Z][a-z]{2,} ?(?:-|S|C) ?[AF]? ?[A-Z][a-z]{2,}")
OURS = {"judge", "atlas", "games", "mailer", "pages", "diplomacy_server"}


class SecretScan(logging.Handler):
    """Reads what is logged, and keeps the lines that nobody but a player may read."""

    def __init__(self, written: logging.Formatter | None = None) -> None:
        super().__init__()
        self.setFormatter(written or JsonLines())
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Look at one line."""
        line = self.format(record)
        is_ours = record.name.partition(".")[0] in OURS
        if (
            settings.SECRET_KEY in line
            or TOKEN.search(line)
            or PAGE.search(line)
            or (is_ours and ORDER.search(line))
        ):
            self.found.append(f"{record.name}: {line}")

    def taken(self) -> list[str]:
        """The lines found since the last call."""
        found, self.found = self.found, []
        return found


SCAN = SecretScan()


def listen() -> None:
    """Have the scan hear everything from now on; configuring the logs takes it away again."""
    root = logging.getLogger()
    if SCAN not in root.handlers:
        root.addHandler(SCAN)
