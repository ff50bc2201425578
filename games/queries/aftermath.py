"""What a processed phase left behind, as those who tell of it need it.

Whoever has just processed the phase knows most of it, and hands it on with the event; who tells of
it later reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.models import Event, Phase, Seat
from games.queries.calendars import Changes, changes_of
from games.queries.lookup import open_phase, seats_of
from games.queries.seats import power_names


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The phase that was processed, the one that is open now, and what their mails tell of."""

    phase: Phase
    following: Phase | None
    """None: the game is over."""
    powers: Sequence[str]
    seats: Sequence[Seat]
    """The running tenures, by power, with their players' addresses."""
    changes: Mapping[int, Changes]
    """By the keys of both phases, what changed their deadlines."""
    begins: bool = False
    """Whether nobody has been told anything of the following phase."""
    has_advance_orders: bool = True
    """Whether there may have been orders ahead for it, or for a phase before it."""
    has_observers: bool = True
    """Whether there may be observers."""


def keep(event: Event, aftermath: Aftermath) -> None:
    """Hand on with the event what its processing knows."""
    event.left = aftermath


def aftermath_of(event: Event) -> Aftermath:
    """Return what the phase of this event left behind."""
    if isinstance(event.left, Aftermath):
        return event.left
    assert event.phase_id is not None, "the event is about the phase that was processed"
    phase = Phase.objects.select_related("game").get(pk=event.phase_id)
    following = open_phase(event.game)
    return Aftermath(
        phase=phase,
        following=following,
        powers=power_names(event.game),
        seats=seats_of(event.game),
        changes=changes_of([phase, *([following] if following else [])]),
    )
