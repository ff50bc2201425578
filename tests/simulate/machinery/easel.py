"""Pictures that are quickly drawn: what a real one would show, in words, between a PNG's ends.

A real one takes most of a second, and would be most of the time of a simulation. These stand where
`atlas` draws; all that decides what may be drawn, for whom and when is our own code, whole.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection

from atlas import PhasePicture, Subject
from judge import Position
from tests.simulate.checks.evidence import Broken
from tests.simulate.machinery.post import Weather
from tests.simulate.machinery.process import Processes

SIGNATURE, END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
UNDRAWABLE = 12
"""One phase in so many cannot be drawn, now and whenever it is tried again."""
SLOW = 0.05
"""How often a picture takes half a minute."""
DRAWS = "outbox"
"""The only job that may take the time that a picture takes."""


class Refused(Exception):
    """The easel does not draw this phase."""


@dataclass
class Easel:
    """Stands in for the process that draws."""

    weather: Weather
    processes: Processes

    def draw(
        self, subject: Subject, subtitle: str = "", influence: Mapping[str, str] | None = None
    ) -> tuple[PhasePicture, ...]:
        """Return the pictures of a phase; a worker may die over them, or be slow."""
        turn = self.processes.turn
        if connection.in_atomic_block or (turn and turn.name not in (DRAWS, "round")):
            raise Broken(f"a picture is drawn while others wait, by {turn and turn.name}")
        self.processes.step()
        if self.weather.strikes(SLOW):
            self.processes.hold_up(30)
        name = str(subject.position.phase)
        if zlib.crc32(f"{subtitle}{name}".encode()) % UNDRAWABLE == 0:
            raise Refused(name)
        views: tuple[Literal["orders", "board"], ...] = ("orders", "board")
        return tuple(
            _drawn(subject, view, name) for view in views if subject.next or view == "board"
        )


def _drawn(subject: Subject, view: Literal["orders", "board"], name: str) -> PhasePicture:
    position = subject.next if view == "board" and subject.next else subject.position
    shown = {
        "phase": name,
        "view": view,
        "seen_by": subject.seen_by,
        "units": _units(position),
        "lines": [str(one.order) for one in subject.results] if view == "orders" else [],
    }
    return PhasePicture(
        view=view,
        png=SIGNATURE + json.dumps(shown).encode() + END,
        size=(600, 400),
        alt=f"{name}: {len(shown['units'])} units",
        caption="",
        file_name=f"{name}-{view}.png",
    )


def _units(position: Position) -> list[str]:
    return sorted(
        str(unit) for unit in [*position.units, *(one.unit for one in position.dislodged)]
    )


def shown_in(png: bytes) -> dict[str, Any]:
    """Return what a picture shows. Raises Broken when it is not whole."""
    if not png.startswith(SIGNATURE) or not png.endswith(END):
        raise Broken("half a picture went out")
    shown: dict[str, Any] = json.loads(png[len(SIGNATURE) : -len(END)])
    return shown
