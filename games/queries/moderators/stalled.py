"""Games that do not go on, and powers that nobody plays: what the moderators' queue is made of."""

from __future__ import annotations

import datetime as dt

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import UNFINISHED, Game, Phase, Power, Seat
from games.models.prepared import Given
from games.queries.halts import is_halted

UNPROCESSED = dt.timedelta(hours=6)
"""A phase whose deadline passed this long ago is not merely being processed; grace is shorter."""


def still(now: dt.datetime | Given) -> QuerySet[Phase]:
    """Return the open phases of games that wait for somebody, or for the server when they should
    not. One part for each reason, so that an index finds it. While somebody has made the whole
    server stand still, no phase should have been processed."""
    running = Phase.objects.filter(status__in=UNFINISHED).order_by()
    active = running.filter(game__status=Game.Status.ACTIVE)
    parts = (
        active.filter(overdue_at__isnull=False),
        active.filter(status=Phase.Status.STUCK),
        active.filter(~is_halted(), status=Phase.Status.OPEN, due_at__lte=now - UNPROCESSED),
    )
    paused = running.filter(game__status=Game.Status.PAUSED, game__resume_at=None)
    keys = paused.values_list("pk").union(*(part.values_list("pk") for part in parts))
    return Phase.objects.filter(pk__in=keys)


def abandoned_games() -> QuerySet[Game]:
    """Return the games that are paused without an end and that nobody plays any more."""
    playing = Seat.objects.filter(
        power__game=OuterRef("pk"),
        power__open_since=None,
        power__disorder_since=None,
        until=None,
    )
    paused = Game.objects.filter(status=Game.Status.PAUSED, resume_at=None)
    return paused.exclude(Exists(playing))


def lost_powers() -> QuerySet[Power]:
    """Return the powers in civil disorder, and those whose seats are open. Those of an abandoned
    game are no cases: the game itself is one."""
    lost = Power.objects.filter(Q(open_since__isnull=False) | Q(disorder_since__isnull=False))
    return lost.exclude(game__in=abandoned_games())
