"""Acts, as an operator does them in a shell."""

from __future__ import annotations

from typing import TypeVar

from django.utils import timezone

from games.acts import Act, Done
from games.acts.base import Subject
from games.errors import WrongState

P = TypeVar("P")


def perform(act: Act[Subject, P], subject: Subject, given: P) -> Done:
    """Do an act on a game or about a player, read again. Raises GameError."""
    now = timezone.now()
    expected = act.stamp_with(subject, given)
    if why_not := act.why_not(subject, now):
        raise WrongState(why_not)
    return act.perform(subject, given, by=None, now=now, expected=expected)


def foresee(act: Act[Subject, P], subject: Subject, given: P) -> list[str]:
    """Say what an act would do. Raises GameError."""
    now = timezone.now()
    if why_not := act.why_not(subject, now):
        raise WrongState(why_not)
    return act.foresee(subject, given, by=None, now=now)
