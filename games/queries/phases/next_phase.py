"""The open phase, and what its reader has to decide in it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from games.models import Game, Phase, Power
from games.queries import board
from games.queries.endings.ending import alive
from games.queries.orders import current_orders
from games.timing.durations import duration_text
from games.timing.pace import early_delay


@dataclass(frozen=True, slots=True)
class NextPhase:
    """The open phase."""

    name: str
    title: str
    step: board.Step
    due_at: dt.datetime | None
    second_thoughts: str
    """How long it stays open once all orders are in: "30 minutes", or "" for not at all."""
    paused: bool
    """Whether the game is paused: then the deadline means nothing."""
    duty: board.Duty | None
    """What the viewer has to decide in it; None without a viewer or a decision."""
    out: bool
    """Whether nothing is left of the viewer's power."""
    build_orders: tuple[str, ...] = ()
    """Every build that the viewer can order."""
    disband_orders: tuple[str, ...] = ()
    """Every disband that the viewer can order, if units have to go."""
    resume_at: dt.datetime | None = None
    """When a paused game goes on, if that is known."""
    unplaced: int = 0  # the builds beside those for which no place is free
    notes: tuple[str, ...] = ()
    """The rules of the variant that let the viewer have more or fewer units than centres."""


def next_phase(phase: Phase, viewer: Power | None) -> NextPhase:
    """Describe an open phase to the viewer; None for somebody who plays no power."""
    delay = early_delay(phase)
    paused = phase.game.status == Game.Status.PAUSED
    public = NextPhase(
        name=phase.name,
        title=board.phase_title(phase.name),
        step=board.step_of(phase.name),
        due_at=phase.due_at,
        second_thoughts=duration_text(delay) if delay else "",
        paused=paused,
        resume_at=phase.game.resume_at if paused else None,  # else one statement more to read it
        duty=None,
        out=False,
    )
    return with_duty(public, phase, viewer) if viewer else public


def with_duty(public: NextPhase, phase: Phase, viewer: Power) -> NextPhase:
    """Add what the viewer has to decide to what everybody reads about a phase."""
    place = current_orders.position(phase)
    duty = board.duty_of(place, viewer.name)
    units = place.units_of(viewer.name) if duty.disbands else ()
    return replace(
        public,
        duty=duty if duty.size else None,
        unplaced=board.builds_without_place(place, viewer.name) if duty.step == "A" else 0,
        notes=board.adjustment_notes(place, viewer.name) if duty.step == "A" else (),
        out=viewer.name not in alive(phase.position),
        build_orders=board.build_orders(place, viewer.name) if duty.builds else (),
        disband_orders=tuple(sorted(f"Disband {unit}" for unit in units)),
    )
