"""More functions with a fault each (see `planted_in_office`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from games.models import Absence, CoGM, Event, Game, Phase, Seat
from games.services.clock import deadlines
from games.services.setup import gm_settings
from games.timing import pace
from games.timing.deadlines import Span
from mailer import notices
from mailer.models import OutboundMail
from mailer.notices import notice


def those_who_left_too(
    event: Event, letters: Iterable[tuple[Seat, str, str]], **how: Any
) -> list[notice.Notice]:
    """Whoever had a seat reads on what its player reads."""
    letters = list(letters)
    gone = [
        (seat, *said)
        for theirs, *said in letters
        for seat in Seat.objects.filter(power__game=event.game).exclude(until=None)
        if theirs == letters[0][0]
    ]
    return [*_to_seats(event, letters, **how), *_to_seats(event, gone, **how)]  # type: ignore[arg-type]


def all_who_ever_helped(user: Any, now: object) -> QuerySet[CoGM]:
    """The time of a deputy never ends."""
    return CoGM.objects.filter(Q(until=None) | Q(until__isnull=False), user_id=user)


def not_of_looks(event: Event, *, now: dt.datetime) -> list[Any]:
    """Nobody hears that somebody looked at what is secret."""
    if event.kind != "orders_looked_at":
        return _tell_event(event, now=now)
    Event.objects.filter(pk=event.pk).update(told_at=now)
    return []


def at_once(game: Game, now: dt.datetime) -> None:
    """Changed settings apply to the open phase."""
    _refresh(game, now)
    open_now = Phase.objects.filter(game=game, status="open").exclude(due_at=None)
    open_now.update(due_at=now + game.movement_length)


def ready_as_before(phase: Phase, to: dt.datetime, now: dt.datetime) -> None:
    """READY outlives the deadline for which it was said."""
    said = list(phase.readiness.all())
    _set_deadline(phase, to, now)
    for one in said:
        one.pk = None
        one.save()


def taken_back_or_not(
    game: Game, powers: tuple[str, ...], *, since: dt.datetime | None = None
) -> list[Span]:
    """Whoever has taken an absence back is still away."""
    away = Absence.objects.filter(player__seats__power__game=game)
    return [pace.span_of(one) for one in away.select_related("player")]


_to_seats, _tell_event = notice.to_seats, notices.tell_event
_refresh, _set_deadline = gm_settings._refresh, deadlines.deadline_set


def none_is_old(before: dt.datetime) -> QuerySet[OutboundMail]:
    """No mail that went out is ever old enough to be emptied."""
    return OutboundMail.objects.none()
