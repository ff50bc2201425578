"""The two tables of docs/identity.md: who is believed, of players and of game masters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

SERVER = "mx.game.test"
DOCUMENT = Path(__file__).parents[2] / "docs" / "identity.md"
PLAYERS, GAME_MASTERS = 0, 2


def rows(whose: int) -> list[list[str]]:
    """The rows of the table for PLAYERS or for GAME_MASTERS, without its head."""
    text = DOCUMENT.read_text("utf-8").partition("## Game masters")[whose]
    table = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def cells(whose: int, requests: Iterable[str]) -> list[tuple[str, ...]]:
    """Address, sender and what the domain says, with each request and what is to become of it."""
    names = list(requests)
    return [
        (*row[:3], request, expected)
        for row in rows(whose)
        for request, expected in zip(names, row[3:], strict=True)
    ]


def results(said: str, domain: str = "players.test") -> str:
    """The header that our mail server adds when it says "passed" or "failed"; else none."""
    found = {"passed": "pass", "failed": "fail"}.get(said.partition(",")[0])
    header = f"Authentication-Results: {SERVER}; dmarc={found} header.from={domain}\r\n"
    return header if found else ""
