"""Somebody looked at what is secret until the deadline: every player and the GM are told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.to_all import to_all


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody: who, at what and of whom, why. What was seen is no part of the event."""
    return to_all(event, "orders_looked_at", "somebody looked at what is secret", now)
