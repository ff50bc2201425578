"""A phase is due but waits, because mail cannot be read: players, GM and operators are told.

When it is a single mail that cannot be read, the operators know: they had word at once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PhaseHeld
from games.models import Event
from mailer.notices import layout
from mailer.notices.notice import Notice, to_operators
from mailer.notices.to_all import said_by, subject_of, to_all

NEWS = "it waits, our mailbox is out of reach"
NEWS_OF_A_MAIL = "it waits for a mail that we could not read"


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody; the operators read what they have to do."""
    if PhaseHeld.of(event).mail:
        yield from to_all(event, "phase_held_by_mail", NEWS_OF_A_MAIL, now)
        return
    yield from to_all(event, "phase_held", NEWS, now)
    body = layout.render("phase_held_operators", **said_by(event, "UTC"))
    yield from to_operators(event, subject=subject_of(event, NEWS), body=body)
