"""A phase is overdue because mail cannot be read: we tell players, GM and operators.

If it is a single mail, the operators know already: we told them at once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PhaseHeld
from games.models import Event
from mailer.notices.audiences import players_and_gm
from mailer.notices.news import News, said_by
from mailer.notices.notice import Notice, to_operators
from mailer.outbound import layout

NEWS = News("{title}: it waits, our mailbox is out of reach")
NEWS_OF_A_MAIL = News(
    "{title}: it waits for a mail that we could not read",
    template="phase_held_by_mail",
)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for everybody; the operators' says what to do."""
    if PhaseHeld.of(event).mail:
        yield from players_and_gm(event, NEWS_OF_A_MAIL, now)
        return
    yield from players_and_gm(event, NEWS, now)
    body = layout.render("phase_held_operators", **said_by(event, "UTC"))
    yield from to_operators(event, subject=NEWS.subject(event), body=body)
