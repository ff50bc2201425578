"""Whether players could know what a phase asks of them: results that our relay did not take, or
took too late, tell nobody what to order."""

from __future__ import annotations

import enum

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q

from games.models import Event, Phase, Seat
from games.services.deadlines import latest_news
from mailer.models import OutboundMail

State = OutboundMail.State


class Told(enum.Enum):
    """What became of the mails with which a phase began."""

    IN_TIME = "most players had them in time"
    LATE = "most players had them too late, or hardly before the deadline"
    NOT_YET = "most of them are still with us: they cannot be sent, or not even be written"


def told(phase: Phase) -> Told:
    """Return what became of the mails that told its players of the phase.

    One player alone whom no mail reaches keeps nobody waiting, nor does one who wants none. Whoever
    came when the phase was nearly over has the time that substitutes have.
    """
    latest = latest_news(phase)
    if latest is None:
        return Told.IN_TIME
    seats = Seat.objects.filter(power__game=phase.game_id, until=None, since__lte=latest)
    mails = OutboundMail.objects.filter(opens=phase, player__in=seats.values("player")).order_by()
    rows = list(mails.annotate(held=_HELD).values_list("state", "held", "sent_at"))
    if not rows and _unwritten(phase):
        return Told.NOT_YET
    waiting = sum(state == State.QUEUED and held for state, held, _ in rows)
    late = sum(state == State.SENT and at is not None and at > latest for state, _, at in rows)
    if 2 * waiting > len(rows):
        return Told.NOT_YET
    return Told.LATE if 2 * (waiting + late) > len(rows) else Told.IN_TIME


def _unwritten(phase: Phase) -> bool:
    """Whether the mails about something in the game could not be written yet."""
    untold = Event.objects.filter(told_at=None, tell_attempts__gt=0)
    return untold.filter(game=phase.game_id, created_at__gte=phase.opened_at).exists()


_BEFORE_IT = OutboundMail.objects.filter(
    ~Q(last_error=""), state=State.QUEUED, recipient=OuterRef("recipient"), pk__lt=OuterRef("pk")
)
_HELD = ExpressionWrapper(
    ~Q(last_error="") | Q(not_before__gt=F("created_at")) | Exists(_BEFORE_IT), BooleanField()
)
"""Whether a mail was put off, waits for a turn of its domain, or for an earlier one to the same
recipient that was put off."""
