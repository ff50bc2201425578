"""Tells the operators, who may not watch the server's log, of a mailbox that cannot be read.

The mail leaves by the relay, which may be fine while the mailbox refuses an old password. A monitor
at PING_URL raises the alarm in any case.
"""

from __future__ import annotations

import datetime as dt

from games.queries.reports.wording import local_moment
from mailer.inbound import store
from mailer.models import Mailbox
from mailer.outbound import operators

PATIENCE = dt.timedelta(minutes=15)
"""Shorter failures are just a mail server that restarts."""
LONGEST = 200
"""How many characters of the server's words the operators read."""
REFUSED = "The server refuses our login."
"""What they read if only the poller has seen its words."""


def tell(url: str, why: str, now: dt.datetime) -> None:
    """Tell the operators, once a day, of a mailbox that has been failing for PATIENCE."""
    failing = Mailbox.objects.filter(failing_since__lte=now - PATIENCE)
    row = failing.filter(url=store.mailbox_name(url)).first()
    if row is None or row.failing_since is None:
        return
    operators.tell(
        key=f"unreadable/{row.pk}/{row.failing_since:%Y%m%d%H%M}/{now:%Y%m%d}",
        kind="unreadable",
        subject="Our mailbox cannot be read",
        context={
            "mailbox": row,
            "since": local_moment(row.failing_since),
            "why": why[:LONGEST],
        },
        now=now,
    )
