"""Who asked for more time, and who has been reminded: for many open phases at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from games.events import ExtensionAsked, ExtensionRefused, OrdersMissing
from games.models import Event, Phase
from games.queries.reports.next_step import Wish

_ASKED_OR_REFUSED = (ExtensionAsked.kind, ExtensionRefused.kind)
REMIND_AGAIN = dt.timedelta(hours=1)
"""For this long after somebody has reminded the players, nobody can do it again."""


def unanswered_wishes(phases: Iterable[Phase]) -> dict[int, tuple[Wish, ...]]:
    """Return who has asked for more time and had no answer, by the phase's key, in one query."""
    open_phases = {phase.pk: phase for phase in phases}
    found: dict[int, dict[str, Wish]] = {}
    events = Event.objects.filter(kind__in=_ASKED_OR_REFUSED, phase__in=list(open_phases))
    for event in events.order_by("game", "number"):
        phase = open_phases[event.phase_id or 0]
        wishes = found.setdefault(phase.pk, {})
        if event.kind == ExtensionRefused.kind:
            wishes.pop(ExtensionRefused.of(event).power, None)
        elif event.created_at >= (phase.extended_at or phase.opened_at):
            asked = ExtensionAsked.of(event)
            wishes[asked.power] = Wish(asked.power, asked.to, asked.why)
    return {pk: tuple(wishes.values()) for pk, wishes in found.items() if wishes}


def wishes() -> QuerySet[Event]:
    """Return the events of `unanswered_wishes` of one phase, for a subquery on phases."""
    since = Coalesce(OuterRef("extended_at"), OuterRef("opened_at"))
    refused = Event.objects.filter(
        kind=ExtensionRefused.kind,
        phase=OuterRef("phase"),
        payload__power=OuterRef("payload__power"),
        number__gt=OuterRef("number"),
    )
    asked = Event.objects.filter(
        kind=ExtensionAsked.kind, phase=OuterRef("pk"), created_at__gte=since
    )
    return asked.filter(~Exists(refused))


def reminded_lately(phases: Iterable[Phase], now: dt.datetime) -> set[int]:
    """Return the keys of the phases in which somebody has reminded the missing just now."""
    lately = Event.objects.filter(
        kind=OrdersMissing.kind, phase__in=list(phases), created_at__gt=now - REMIND_AGAIN
    )
    return {event.phase_id for event in lately if event.phase_id and OrdersMissing.of(event).by}
