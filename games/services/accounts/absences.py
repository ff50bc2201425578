"""Players who are away for some days."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet

from games.errors import BadInput, NotFound
from games.models import Absence, Player
from games.queries.reports.wording import day_text, listed, span
from games.services.common import lock_player

MOST_DAYS = 21
"""The longest absence in days; somebody who is away for longer should find a substitute."""
MOST_DAYS_A_YEAR = 42
"""How many days of absences may begin within 365 days of each other."""
MOST_AHEAD = 3
"""How many absences a player may have announced at a time."""
A_YEAR = dt.timedelta(days=365)
FARTHEST = 10 * A_YEAR
"""A later day is taken for a slip of the pen."""


@transaction.atomic
def absence_declare(*, player: Player, first: dt.date, last: dt.date, now: dt.datetime) -> Absence:
    """Note that the player is away from `first` to `last`, both included, in their own zone.

    It counts for deadlines that are set from now on. The same days again change nothing. Raises
    BadInput if the days are past, too many, or overlap with another announced absence.
    """
    player = lock_player(player)
    today = now.astimezone(ZoneInfo(player.timezone)).date()
    if last < first:
        raise BadInput(f"An absence {span(first, last)} ends before it begins.")
    if last < today:
        raise BadInput(f"An absence {span(first, last)} is already over.")
    if first - today > FARTHEST:
        raise BadInput(
            f"An absence {span(first, last)} is farther away than any game lasts. Please check the "
            "year."
        )
    if _days(first, last) > MOST_DAYS:
        raise BadInput(
            f"An absence can last at most {MOST_DAYS} days. If you are away for longer, please "
            "ask the game master for a substitute."
        )
    ahead = player.absences.filter(withdrawn_at=None, last__gte=today)
    if noted := ahead.filter(first=first, last=last).first():
        return noted
    _check_others(ahead, first, last)
    _check_year(player, first, last)
    return Absence.objects.create(player=player, first=first, last=last, created_at=now)


@transaction.atomic
def absence_withdraw(*, player: Player, first: dt.date, now: dt.datetime) -> Absence:
    """Take back the announced absence that begins on `first`. Raises NotFound."""
    mine = player.absences.select_for_update().filter(first=first, withdrawn_at=None)
    absence = mine.first()
    if absence is None:
        raise NotFound(f"You have not announced an absence that begins on {day_text(first)}.")
    absence.withdrawn_at = now
    absence.save(update_fields=["withdrawn_at"])
    return absence


def absences_to_come(player: Player, today: dt.date) -> list[Absence]:
    """Return the announced absences that are not over, the earliest first."""
    return list(player.absences.filter(withdrawn_at=None, last__gte=today).order_by("first"))


def absence_to_withdraw(player: Player, today: dt.date) -> Absence:
    """Return the only announced absence that is not over. Raises NotFound if there is no such
    absence, BadInput if there are several."""
    ahead = absences_to_come(player, today)
    if not ahead:
        raise NotFound("You have announced no absence that is not over.")
    if len(ahead) > 1:
        each = listed([f"ABSENCE OFF {day_text(one.first)}" for one in ahead], "or")
        raise BadInput(f"You have announced {len(ahead)} absences. Please write {each}.")
    return ahead[0]


def _days(first: dt.date, last: dt.date) -> int:
    return (last - first).days + 1


def _check_others(ahead: QuerySet[Absence], first: dt.date, last: dt.date) -> None:
    overlap = ahead.filter(first__lte=last, last__gte=first).first()
    if overlap:
        days, first_day = span(overlap.first, overlap.last), day_text(overlap.first)
        raise BadInput(
            f"You have said already that you are away {days}. To change that, write ABSENCE OFF "
            f"{first_day} first, and then all the days that you are away."
        )
    if ahead.count() >= MOST_AHEAD:
        raise BadInput(
            f"You have already announced {MOST_AHEAD} absences, and cannot announce more."
        )


def _check_year(player: Player, first: dt.date, last: dt.date) -> None:
    near = player.absences.filter(
        withdrawn_at=None, first__gt=first - A_YEAR, first__lt=first + A_YEAR
    )
    days = sum(_days(one.first, one.last) for one in near) + _days(first, last)
    if days > MOST_DAYS_A_YEAR:
        raise BadInput(
            f"That makes {days} days of absence within a year; at most {MOST_DAYS_A_YEAR} are "
            "possible."
        )
