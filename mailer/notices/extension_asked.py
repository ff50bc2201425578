"""A player needs more time and may not take it himself: the GM is asked, nobody else is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import ExtensionAsked
from games.models import Event
from mailer.notices import layout
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_all import said_by, subject_of


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM, the time he is asked for in the game's zone."""
    said = said_by(event, event.game.timezone)
    subject = subject_of(event, f"{ExtensionAsked.of(event).power} asks for more time")
    return to_gm(event, subject=subject, body=layout.render("extension_asked", **said))
