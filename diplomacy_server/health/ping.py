"""The dead man's ping: while all is well we call a monitor, which raises the alarm when the calls
stop.

That alarm travels by its own road, not by the mail, which may be what broke.
"""

from __future__ import annotations

import datetime as dt
import logging
import urllib.request

from django.conf import settings

from diplomacy_server.health import signs
from diplomacy_server.health.findings import fails, judge

logger = logging.getLogger(__name__)

SECONDS = 10.0


def ping(now: dt.datetime) -> bool:
    """Call PING_URL unless something fails; return whether we called and got an answer."""
    if not settings.PING_URL:
        return False
    failing = fails(judge(signs.take(now)))
    if failing:
        logger.error("No ping: %s", " ".join(finding.sentence for finding in failing))
        return False
    try:
        with urllib.request.urlopen(settings.PING_URL, timeout=SECONDS) as answer:
            answer.read(1024)
    except OSError as error:
        logger.warning("The ping was not taken: %s", error)
        return False
    return True
