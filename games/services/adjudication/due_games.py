"""Which phases are due, and how to get one of their games to oneself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from games.models import CoGM, Game, Phase
from games.models.prepared import TIME, Given, Query
from games.queries.halts import is_halted
from games.queries.orders.waiting import early_at
from games.timing import deadlines
from games.timing.pace import early_delay

MOST_DUE = 200
"""How many phases past their deadline, and how many with all orders in, we look for at once."""
CLAIMED_AMONG = 10
"""Of this many due games, we take the first that nobody else is working on."""


def phases_due(*, now: dt.datetime) -> list[int]:
    """Return the ids of the games with a phase that is due, the longest overdue first; if there are
    very many, only the first of them."""
    found = {phase.pk: phase for rows in _candidates(now) for phase in rows[:MOST_DUE]}
    in_turn = sorted(found.values(), key=lambda one: (one.due_at or now, one.pk))
    return [phase.game_id for phase in in_turn if is_due(phase, now)]


def _candidates(now: dt.datetime) -> tuple[QuerySet[Phase], QuerySet[Phase]]:
    """The phases past their deadline, and those with all orders in; each by an index of its own,
    and cut off: since all phases that are over were due, the database guesses that all open ones
    are."""
    phases = Phase.objects.filter(
        Q(retry_at=None) | Q(retry_at__lte=now),
        status=Phase.Status.OPEN,
        game__status=Game.Status.ACTIVE,
    )
    rows = phases.select_related("game").only(*_TIMES)
    past = rows.annotate(closes_at=F("due_at") + F("game__transit_grace"))
    second_thoughts = F("all_in_at") + F("game__early_delay")
    settled = Q(overdue_at__isnull=False) | Q(game__early_delay=None) | Q(decided_at__lte=now)
    return (
        past.filter(due_at__lte=now, closes_at__lte=now, overdue_at=None).order_by("due_at", "id"),
        rows.annotate(decided_at=second_thoughts)
        .filter(settled, all_in_at__lte=now)
        .order_by("all_in_at", "id"),
    )


_TIMES = (
    *("game_id", "opened_at", "due_at", "all_in_at", "overdue_at", "retry_at"),
    *("game__transit_grace", "game__early_delay"),
)
"""The columns that say whether a phase is due, and no more: thousands may be at once."""


def phase_claim(games: Sequence[int], *, now: dt.datetime) -> Game | None:
    """Lock the first of these games that nobody else is working on and whose phase may still be
    due; none while the server stands still, so whoever was at work stops with the phase at hand.

    Returns it for `phase_process`, or None if others have them all; the lock holds until the
    transaction ends. So with one statement a worker skips what others are working on, or have done.
    It takes at most CLAIMED_AMONG games.
    """
    padded = [*games, *[games[0]] * (CLAIMED_AMONG - len(games))]
    return _CLAIM.first(now=now, **dict(zip(_KEYS, padded, strict=True)))


def game_claim(*, game_id: int, wait: bool) -> Game | None:
    """Lock a game as `phase_claim` does; None if it does not exist, or, unless we wait for it, if
    another worker has it or the server stands still."""
    return (_LOCKED if wait else _FREE).first(game=game_id)


def _claim() -> QuerySet[Game]:
    keys: Any = [Given(name) for name in _KEYS]
    rows = _rows(skip_locked=True).filter(~is_halted(), pk__in=keys, status=Game.Status.ACTIVE)
    near = _near(Given("now", TIME)).filter(game=OuterRef("pk"))
    order = Case(*(When(pk=key, then=place) for place, key in enumerate(keys)))
    # Asked for each game: if it were joined to the games, PostgreSQL would read every phase that is
    # due.
    return rows.filter(pk=Subquery(near.values("game")[:1])).order_by(order)[:1]


def _near(now: Given) -> QuerySet[Phase]:
    """The open phases that are due, or will be after their time for second thoughts."""
    near = Q(due_at__lte=now) | Q(all_in_at__lte=now)
    return Phase.objects.filter(near, status=Phase.Status.OPEN)


def _rows(*, skip_locked: bool) -> QuerySet[Game]:
    """Games locked, each with its GM and with whether it has others who help run it."""
    rows = Game.objects.select_for_update(skip_locked=skip_locked, of=("self",))
    helped = Exists(CoGM.objects.filter(game=OuterRef("pk")))
    return rows.select_related("gm").annotate(has_helpers=helped)


_KEYS = [f"game{place}" for place in range(CLAIMED_AMONG)]
_CLAIM = Query(_claim)
_LOCKED = Query(lambda: _rows(skip_locked=False).filter(pk=Given("game")))
_FREE = Query(lambda: _rows(skip_locked=True).filter(~is_halted(), pk=Given("game")))


def closing_time(phase: Phase, now: dt.datetime) -> dt.datetime:
    """Return the time up to which a mail counts in a phase that is processed now.

    It is the deadline with the game's grace or, before the deadline when all orders are in, the end
    of the time for second thoughts.
    """
    if phase.due_at is not None and phase.overdue_at is None:
        closes_at = phase.due_at + phase.game.transit_grace
        if closes_at <= now:
            return closes_at
    return min(early_at(phase) or now, now)


def is_due(phase: Phase, now: dt.datetime) -> bool:
    """Whether an open phase of a running game is over by now: at its deadline and the game's grace,
    or before it, when all orders are in and the time for second thoughts is up."""
    if phase.retry_at is not None and phase.retry_at > now:
        return False
    if phase.overdue_at is not None:
        return phase.all_in_at is not None
    return deadlines.is_over(
        phase.due_at,
        phase.all_in_at,
        now,
        grace=phase.game.transit_grace,
        early_delay=early_delay(phase),
    )
