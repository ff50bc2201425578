"""Mails of no importance in the outbox, and what arrives of them."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from email.message import EmailMessage

from mailer.models import OutboundMail
from mailer.outbound import outbox, sending
from tests.mailer.sink import Sink

NOW = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)
PAUSE = sending.mail_pause(1)
State = OutboundMail.State
Priority = OutboundMail.Priority
number = itertools.count()


def queue(key: str = "", **values: object) -> OutboundMail:
    values = {
        "kind": "test",
        "recipient": "ana@players.test",
        "subject": "[marne] Spring 1901 movement: orders",
        "body": "All is well.\n",
        "now": NOW,
        "priority": Priority.NOTICE,
        **values,
    }
    return outbox.enqueue(key=key or f"test/{next(number)}", **values)


def text_of(mail: EmailMessage) -> str:
    """The text/plain part, complete by itself."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def arrived(sink: Sink) -> Counter[str]:
    """How often each mail was taken."""
    return Counter(str(mail["Message-ID"]) for _, mail in sink.taken)
