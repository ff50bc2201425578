"""Who asked for more time, and who has been reminded: for many open phases at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import OuterRef, QuerySet
from django.db.models.functions import Coalesce

from games.events import ExtensionAsked, OrdersMissing
from games.models import Event, Phase
from games.queries.reports.next_step import Wish

REMIND_AGAIN = dt.timedelta(hours=1)
"""For this long after somebody has reminded the players, nobody can do it again."""


def unanswered_wishes(phases: Iterable[Phase]) -> dict[int, tuple[Wish, ...]]:
    """Return who has asked for more time and had no answer, by the phase's key, in one query."""
    open_phases = {phase.pk: phase for phase in phases}
    found: dict[int, list[Wish]] = {}
    for event in Event.objects.filter(kind=ExtensionAsked.kind, phase__in=list(open_phases)):
        phase = open_phases[event.phase_id or 0]
        if event.created_at >= (phase.extended_at or phase.opened_at):
            asked = ExtensionAsked.of(event)
            found.setdefault(phase.pk, []).append(Wish(asked.power, asked.to, asked.why))
    return {pk: tuple(wishes) for pk, wishes in found.items()}


def wishes() -> QuerySet[Event]:
    """Return the events of `unanswered_wishes` of one phase, for a subquery on phases."""
    since = Coalesce(OuterRef("extended_at"), OuterRef("opened_at"))
    return Event.objects.filter(
        kind=ExtensionAsked.kind, phase=OuterRef("pk"), created_at__gte=since
    )


def reminded_lately(phases: Iterable[Phase], now: dt.datetime) -> set[int]:
    """Return the keys of the phases in which somebody has reminded the missing just now."""
    lately = Event.objects.filter(
        kind=OrdersMissing.kind, phase__in=list(phases), created_at__gt=now - REMIND_AGAIN
    )
    return {event.phase_id for event in lately if event.phase_id and OrdersMissing.of(event).by}
