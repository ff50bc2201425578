"""When and why a phase was decided, for anybody who asks later."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from games.events import PhaseProcessed
from games.models import Phase

How = Literal["deadline", "all in", "forced", "waited", "undone", "closed", "open"]
"""At its deadline; before it, because all orders were in; because somebody said so; after it, when
the missing orders had come; or not at all: undone by a rollback, or left open when the game
ended."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a phase ended. `by` and `why` are those of the person who had it processed."""

    how: How
    at: dt.datetime | None = None
    by: str = ""
    why: str = ""


def decision_of(phase: Phase) -> Decision:
    """Return when and why the phase was decided; "open" if it is not decided yet."""
    if phase.status == Phase.Status.UNDONE:
        return Decision("undone")
    if phase.status == Phase.Status.CLOSED:
        return Decision("closed")
    if phase.processed_at is None:
        return Decision("open")
    event = phase.events.filter(kind=PhaseProcessed.kind).order_by("number").last()
    facts = PhaseProcessed.of(event) if event else None
    if facts and facts.by:
        return Decision("forced", phase.processed_at, facts.by, facts.why)
    if phase.overdue_at is not None:
        return Decision("waited", phase.processed_at)
    early = phase.due_at is None or phase.processed_at < phase.due_at
    return Decision("all in" if early else "deadline", phase.processed_at)
