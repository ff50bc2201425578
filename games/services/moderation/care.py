"""What moderators tell each other about a case in their queue: "I am on it", or "later"."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db import transaction

from games.errors import BadInput
from games.models import Care
from games.queries.moderators.cases import KEY, keys_now

RESTS = {1: "tomorrow", 3: "in 3 days", 7: "in a week"}
"""For how many days a case may rest, and when it is back."""


@transaction.atomic
def case_take(*, case: str, user: User, now: dt.datetime) -> Care:
    """Say that this moderator is on the case, in place of anybody else; it no longer rests."""
    return _save(case, by=user, taken_at=now, rests_until=None)


@transaction.atomic
def case_leave(*, case: str) -> Care:
    """Say that nobody is on the case any more."""
    return _save(case, by=None, taken_at=None)


@transaction.atomic
def case_rest(*, case: str, days: int, now: dt.datetime) -> Care:
    """Let the case rest for this many days; with 0, it needs somebody at once. Raises BadInput."""
    if days and days not in RESTS:
        raise BadInput("A case can rest for a day, three days or a week.")
    return _save(case, rests_until=now + dt.timedelta(days=days) if days else None)


def cares_forget(*, now: dt.datetime) -> int:
    """Forget what was noted on cases that are dealt with; return on how many.

    The next case of the same power, game or player is a new one: it does not rest, and nobody is on
    it.
    """
    if not Care.objects.exists():
        return 0
    return Care.objects.exclude(case__in=keys_now(now)).delete()[0]


def _save(case: str, **said: object) -> Care:
    if not KEY.fullmatch(case):
        raise BadInput("There is no such case.")
    care, _ = Care.objects.update_or_create(case=case, defaults=said)
    return care
