"""A phase could not be processed, three times: the GM and the operators are told.

Only the operators are told what broke, and only as far as that reveals no orders: the text of the
error may quote them, so it stays in the admin.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PhaseStuck
from games.models import Event
from games.queries.board import phase_title
from mailer.notices.notice import Notice, to_gm, to_operators
from mailer.outbound import layout


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM and for each operator."""
    title = phase_title(PhaseStuck.of(event).phase)
    subject = f"{title}: not processed, the game stands still"
    context = {"game": event.game, "title": title, "phase": event.phase}
    yield from to_gm(event, subject=subject, body=layout.render("phase_stuck_gm", **context))
    yield from to_operators(event, subject=subject, body=layout.render("phase_stuck", **context))
