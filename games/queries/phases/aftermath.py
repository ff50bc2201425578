"""What a processed phase left behind, for the code that tells people of it.

Code that has just processed the phase knows most of it, and hands it on with the event; code that
tells of it later reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.events import PhaseProcessed, VoteClosed
from games.models import Event, Phase, Seat
from games.queries.lookup import open_phase, seats_of
from games.queries.players.seats import power_names
from games.queries.reports.calendars import Changes, changes_of


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The phase that was processed, the one now open, and what their mails mention."""

    phase: Phase
    following: Phase | None
    """None if the game is over."""
    powers: Sequence[str]
    seats: Sequence[Seat]
    """The running tenures, by power, with their players' addresses."""
    changes: Mapping[int, Changes]
    """What changed the deadlines of both phases, by their keys."""
    begins: bool = False
    """Whether nobody has been told anything about the next phase."""
    expired: Sequence[str] = ()
    """What was proposed, and expired with the phase: a sentence for each."""
    has_advance_orders: bool = True
    """Whether there may have been orders ahead for it, or for an earlier phase."""
    has_observers: bool = True
    """Whether there may be observers."""


def _expired_proposals(event: Event) -> list[str]:
    """What was proposed until this phase was processed. It was logged right after the results."""
    at = Event.objects.filter(game=event.game_id, created_at=event.created_at)
    closed = map(VoteClosed.of, at.filter(kind=VoteClosed.kind, number__gt=event.number))
    return [f"Proposal {one.number}, {one.what}, {one.how}." for one in closed if one.is_expired]


def is_of_undone_phase(event: Event) -> bool:
    """Whether an event logged right after a phase's results, like the end of a proposal, belongs to
    a phase that has been undone since, so that nobody is told its results any more."""
    at = Event.objects.filter(game=event.game_id, created_at=event.created_at)
    results = at.filter(kind=PhaseProcessed.kind, number__lt=event.number)
    return results.filter(phase__status=Phase.Status.UNDONE).exists()


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
        expired=_expired_proposals(event),
        changes=changes_of([phase, *([following] if following else [])]),
    )
