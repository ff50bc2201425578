"""What is kept of a mail besides its bytes: when it came."""

from __future__ import annotations

import datetime as dt

import pytest

from mailer.inbound import store
from mailer.inbound.place import Place
from mailer.models import InboundMail
from tests.cast import DAY, HOUR, NOW
from tests.mailer.correspondence import eml, stored
from tests.rows import each_row

pytestmark = pytest.mark.django_db

MINUTE = dt.timedelta(minutes=1)


@each_row(
    ("dated", "received_at"),
    [
        (NOW - HOUR, NOW - HOUR),
        (NOW, NOW),
        (NOW + MINUTE, NOW + MINUTE),
        (NOW + HOUR, NOW),
        (NOW + 400 * DAY, NOW),
    ],
)
def test_mail_from_the_future_came_when_it_was_read(
    dated: dt.datetime, received_at: dt.datetime
) -> None:
    """A clock that is wrong makes nobody late, and no orders newer than all that follow."""
    assert store.store(
        place=Place(store.mailbox_for("imap://judge:secret@mail.test/INBOX"), 1, 1),
        raw=eml("READY", sender="ana@players.test"),
        received_at=dated,
        now=NOW,
    )
    assert InboundMail.objects.get().received_at == received_at


def test_a_mail_whose_header_breaks_the_library_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No such header is known; in 60 000 that were put together by chance there was none."""

    def broken(message: object) -> None:
        raise IndexError("string index out of range")

    monkeypatch.setattr(store, "strict_sender", broken)
    mail = stored(eml("A Par - Bur", sender="carla@players.test"))
    assert (mail.sender, mail.state) == ("", InboundMail.State.NEW)
    assert b"A Par - Bur" in bytes(mail.raw)
