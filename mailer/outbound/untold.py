"""Whether players could know what a phase, or a muster, asks of them: mails that our relay did not
take, or took too late, tell nobody what to do."""

from __future__ import annotations

import datetime as dt
import enum
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from games.events import MusterBegun
from games.models import Event, Game, Phase, Seat
from games.queries.musters import silent_players
from games.services.deadlines import latest_news
from games.services.muster import latest_question
from mailer.models import OutboundMail

State = OutboundMail.State


class Told(enum.Enum):
    """What became of the mails with which a phase or a muster began."""

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
    mails = OutboundMail.objects.filter(opens=phase, player__in=seats.values("player"))
    return _said(mails, latest) or (Told.NOT_YET if _unwritten(phase) else Told.IN_TIME)


def told_of_muster(game: Game) -> Told:
    """Return the same of the mails that asked those who have not said that they are here."""
    latest, begun = latest_question(game), game.events.filter(kind=MusterBegun.kind)
    if latest is None:
        return Told.IN_TIME
    asked = OutboundMail.objects.filter(event=begun.order_by("number").last())
    return _said(asked.filter(player__in=silent_players(game)), latest) or Told.IN_TIME


def _said(mails: QuerySet[OutboundMail], latest: dt.datetime) -> Told | None:
    """None if there are no such mails."""
    found: Any = mails.order_by().annotate(held=_HELD)
    rows = list(found.values_list("state", "held", "sent_at"))
    waiting = sum(state == State.QUEUED and held for state, held, _ in rows)
    late = sum(state == State.SENT and at is not None and at > latest for state, _, at in rows)
    if 2 * waiting > len(rows):
        return Told.NOT_YET
    if 2 * (waiting + late) > len(rows):
        return Told.LATE
    return Told.IN_TIME if rows else None


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
