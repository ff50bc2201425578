"""A phase is due but waits, because mail cannot be read: players, GM and operators are told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices import layout
from mailer.notices.notice import Notice, to_operators
from mailer.notices.to_all import said_by, subject_of, to_all

NEWS = "it waits, our mailbox is out of reach"


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody; the operators read what they have to do."""
    yield from to_all(event, "phase_held", NEWS, now)
    body = layout.render("phase_held_operators", **said_by(event, "UTC"))
    yield from to_operators(event, subject=subject_of(event, NEWS), body=body)
