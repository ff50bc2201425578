"""Whether players could know what a phase asks of them: results that our relay did not take, or
took too late, tell nobody what to order."""

from __future__ import annotations

import enum

from games.models import Phase, Seat
from games.services.deadlines import latest_news
from mailer.models import OutboundMail

State = OutboundMail.State


class Told(enum.Enum):
    """What became of the mails with which a phase began."""

    IN_TIME = "most players had them in time"
    LATE = "most players had them too late, or hardly before the deadline"
    NOT_YET = "most of them are still with us: the relay does not take them"


def told(phase: Phase) -> Told:
    """Return what became of the mails that told its players of the phase.

    One player alone whom no mail reaches keeps nobody waiting, nor does one who wants none.
    """
    latest = latest_news(phase)
    if latest is None:
        return Told.IN_TIME
    players = Seat.objects.filter(power__game=phase.game_id, until=None).values("player")
    mails = OutboundMail.objects.filter(opens=phase, player__in=players).order_by()
    rows = list(mails.values_list("state", "last_error", "sent_at"))
    waiting = sum(state == State.QUEUED and error != "" for state, error, _ in rows)
    late = sum(state == State.SENT and at is not None and at > latest for state, _, at in rows)
    if 2 * waiting > len(rows):
        return Told.NOT_YET
    return Told.LATE if 2 * (waiting + late) > len(rows) else Told.IN_TIME
