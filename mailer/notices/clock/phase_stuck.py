"""Processing a phase has failed three times: we tell the GM and the operators.

Only the operators read what broke, and only as much as reveals no orders: the error's text may
quote some, so it stays in the admin.
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
    """The mails for the GM and for each operator."""
    title = phase_title(PhaseStuck.of(event).phase)
    subject = f"{title}: not processed, the game stands still"
    context = {"game": event.game, "title": title, "phase": event.phase}
    yield from to_gm(event, subject=subject, body=layout.render("phase_stuck_gm", **context))
    yield from to_operators(event, subject=subject, body=layout.render("phase_stuck", **context))
