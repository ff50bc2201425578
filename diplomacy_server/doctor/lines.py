"""What the doctor says: one line for each thing, with advice if something is wrong."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from django.conf import settings

from diplomacy_server.environment import parts_of

BESIDE_MAKE_RUN = (
    "Does `make run` listen on other ports? Give this command its WEB_PORT, SMTP_PORT and "
    "IMAP_PORT."
)


class Level(enum.Enum):
    """How good or bad it is."""

    OK = "ok"
    LOOK = "look"
    """It works, but could be better."""
    MEND = "MEND"
    """It does not work until somebody mends it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One finding about one thing."""

    level: Level
    about: str
    says: str
    advice: str = ""
    """What to do; empty if all is well."""

    def __str__(self) -> str:
        line = f"{self.level.value:<5} {self.about:<9} {self.says}"
        return f"{line}\n{'':<16}{self.advice}" if self.advice else line


class Teller:
    """Makes the lines about one thing."""

    def __init__(self, about: str) -> None:
        self.about = about

    def ok(self, says: str) -> Line:
        """All is well."""
        return Line(Level.OK, self.about, says)

    def look(self, says: str, advice: str) -> Line:
        """It works, but could be better."""
        return Line(Level.LOOK, self.about, says, advice)

    def mend(self, says: str, advice: str) -> Line:
        """Something does not work."""
        return Line(Level.MEND, self.about, says, advice)


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line; its name if it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def on_other_ports(url: str) -> str:
    """Return further advice for when nothing answers at an address of `make run`, which may have
    been started on other ports than this command believes; "" for any other address."""
    at, ports = parts_of(url), ("WEB_PORT", "SMTP_PORT", "IMAP_PORT")
    is_ours = at.hostname == "127.0.0.1" and at.port in [getattr(settings, one) for one in ports]
    return f" {BESIDE_MAKE_RUN}" if is_ours else ""
