"""How far a deadline that a game master put off can be taken back, if they mistyped it.

A deadline is a promise, so it becomes no earlier for anybody's convenience. Still, a slip of the
pen has to be mended: otherwise a game would wait for a year, or its GM would end the phase by hand,
at a time that nobody was told.
"""

from __future__ import annotations

import datetime as dt

from games.events import DeadlineCorrected, DeadlineMoved, facts_of, rows_saying
from games.models import Event, Phase
from games.queries.board import step_of
from games.queries.orders.current_orders import deciding, is_readable
from games.queries.reports.wording import local_moment
from games.timing.deadlines import back_at_the_earliest
from games.timing.durations import duration_text
from games.timing.pace import absences_of, notice_time, pace_of

MINUTE = dt.timedelta(minutes=1)
LATELY = dt.timedelta(hours=1)
"""Within this time a second delay may be the first one, sent again."""
_CHANGES = (DeadlineMoved.kind, DeadlineCorrected.kind)


def correctable_to(
    phase: Phase, now: dt.datetime, wished: dt.datetime | None = None
) -> dt.datetime | None:
    """Return the earliest time, from the one `wished`, to which the phase's deadline can be taken
    back. None if no game master or moderator put it off, if something else has moved it since, if
    too little time is left to take anything back, or if the board cannot be read.

    What a player's own extension, a pause or a new player has added is theirs and stays.
    """
    if phase.due_at is None or phase.overdue_at is not None:
        return None
    changes = list(phase.events.filter(kind__in=_CHANGES).order_by("pk"))
    moved = last_move(phase)
    facts = DeadlineMoved.of(moved) if moved else None
    if moved is None or facts is None or not facts.correctable:
        return None
    if _deadline_announced(changes[-1]) != phase.due_at:
        return None
    step = step_of(phase.name)
    if not is_readable(phase):  # nobody knows who decides, and whose absences count
        return None
    away = absences_of(phase.game, deciding(phase), since=moved.created_at)
    known = now + notice_time(phase, step)
    earliest = back_at_the_earliest(pace_of(phase.game), wished, facts.before, known, absences=away)
    return earliest if earliest < phase.due_at else None


def moved_lately(phase: Phase, now: dt.datetime) -> str:
    """Say that the deadline has just been put off: the same wish may have come twice, or from two
    people. Return "" if it has not, or if that was taken back since."""
    moved = last_move(phase)
    if moved is None or moved.created_at <= now - LATELY:
        return ""
    ago = max(now - moved.created_at, MINUTE)
    facts, zone = DeadlineMoved.of(moved), phase.game.timezone
    if facts.to != phase.due_at:
        return ""
    since = local_moment(facts.before, zone) if facts.before else "the one before"
    return (
        f"Only {duration_text(ago - ago % MINUTE)} ago {facts.by} put it off from {since} to "
        f"{local_moment(facts.to, zone)}, and both delays count."
    )


def last_move(phase: Phase) -> Event | None:
    """Return the event that says how the phase's deadline was last put off."""
    return rows_saying(phase.events.all(), DeadlineMoved).order_by("pk").last()


def _deadline_announced(change: Event) -> dt.datetime | None:
    facts = facts_of(change)
    return facts.to if isinstance(facts, DeadlineMoved | DeadlineCorrected) else None


def was_corrected(phase: Phase) -> bool:
    """Say whether the phase's deadline is earlier than its players were once told."""
    events = rows_saying(phase.events.all(), DeadlineCorrected)
    told = [DeadlineCorrected.of(event).before for event in events]
    return phase.due_at is not None and any(phase.due_at < before for before in told)
