"""Which players knew what a phase asks of them: the services are told by whoever sends our mail."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db.models import Q

from games.events import OrdersOverdue, rows_saying
from games.models import Phase, Seat

Unaware = Callable[[Phase, Collection[int]], Collection[int]]
"""Which of these players, by their keys, could not know of the phase in time."""


def not_while_it_waited(phase: Phase, players: Collection[int]) -> Collection[int]:
    """The answer for callers who cannot know more: everybody while the phase waits for its mails
    and, while it waits for orders, those who could not know of it at the deadline."""
    if phase.overdue_at is None:
        return players if waits_for_mails(phase) else ()
    overdue = rows_saying(phase.events.all(), OrdersOverdue).order_by("number").last()
    unaware = OrdersOverdue.of(overdue).unaware if overdue else ()
    seats = Seat.objects.filter(power__game=phase.game_id, power__name__in=unaware)
    held_then = seats.filter(Q(until=None) | Q(until__gt=phase.overdue_at))
    return set(held_then.filter(since__lte=phase.overdue_at).values_list("player", flat=True))


def waits_for_mails(phase: Phase) -> bool:
    """Say whether a phase that is due was last left alone because its mails could not be sent
    (`look_again`), and not because it broke. A phase that waits for orders no longer waits for
    mails."""
    if phase.retry_at is None or phase.due_at is None or phase.overdue_at:
        return False
    return phase.due_at < phase.retry_at and not (phase.attempts or phase.error)


def powers_aware(phase: Phase, powers: Collection[str], unaware: Unaware) -> list[str]:
    """Return those of the powers whose players could know of the phase, or that have none."""
    seats = Seat.objects.filter(power__game=phase.game_id, power__name__in=powers, until=None)
    played = dict(seats.values_list("power__name", "player"))
    without_news = unaware(phase, set(played.values()))
    return [power for power in powers if played.get(power) not in without_news]
