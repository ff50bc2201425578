"""Mails that a worker tries: what breaks them, and what became of them."""

from __future__ import annotations

import datetime as dt

import pytest

from mailer.inbound import one_mail, processing, retries, setting_aside
from mailer.models import InboundMail, OutboundMail
from tests.cast import HOUR, NOW, OPENINGS
from tests.mailer.correspondence import eml, stored

State = InboundMail.State
SECOND = dt.timedelta(seconds=1)
MINUTE = dt.timedelta(minutes=1)
URL = "imap://judge:secret@mail.test/INBOX"
OPERATOR = "root@game.test"


def raiser(error: Exception) -> object:
    def run(*args: object, **named: object) -> None:
        raise error

    return run


def at_work(mail: InboundMail, since: dt.datetime) -> None:
    """A worker has taken this mail and was killed."""
    assert retries.claim(mail_id=mail.pk, now=since)


def state(mail: InboundMail) -> str:
    mail.refresh_from_db()
    return mail.state


def set_aside(raw: bytes, at: dt.datetime = NOW) -> InboundMail:
    """A mail that the program breaks on, whatever is in it."""
    mail = stored(raw, received_at=at)
    break_on(mail, at)
    return mail


def break_on(mail: InboundMail, at: dt.datetime) -> None:
    """Let the program break on a mail until it is set aside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_mail, "_work", raiser(RuntimeError("boom")))
        for hour in range(3):
            processing.process_mail(mail_id=mail.pk, now=at + hour * HOUR)
    assert state(mail) == State.QUARANTINED


def told(kind: str = setting_aside.KIND) -> list[str]:
    mails = OutboundMail.objects.filter(kind=kind).order_by("recipient")
    return list(mails.values_list("recipient", flat=True))


def orders(to: str, sender: str = "carla@players.test", headers: str = "") -> bytes:
    return eml("\n".join(OPENINGS["France"]), sender=sender, to=to, headers=headers)
