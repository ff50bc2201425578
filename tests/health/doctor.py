"""What the doctor says, taken apart for tests."""

from __future__ import annotations

import socket
from collections.abc import Iterator

from diplomacy_server.doctor.lines import Level, Line

WAIT = 20.0


def said(lines: Iterator[Line], level: Level | None = None) -> str:
    """What the lines say, those of one level if one is given."""
    return "\n".join(str(line) for line in lines if level in (None, line.level))


def levels(lines: Iterator[Line]) -> set[Level]:
    return {line.level for line in lines}


def dead_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
