"""Handing mails to a relay: in few round trips, and what it refuses is none of the next mail's
business."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from mailer.outbound.relay import Connection, connect
from tests.mailer import sink as faults
from tests.mailer.sink import Sink, running_sink

US, ANA, BEN = "judge@game.test", "ana@players.test", "ben@players.test"
MAIL = b"Subject: results\r\n\r\n.\r\nFrom here\r\n"


@pytest.fixture(params=[True, False], ids=["together", "one by one"])
def sink(request: pytest.FixtureRequest) -> Iterator[Sink]:
    with running_sink() as running:
        running.pipelining = request.param
        yield running


def connection_to(sink: Sink) -> Connection:
    return connect(urlsplit(sink.url))


def test_a_mail_takes_two_round_trips_or_four(sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    with connection_to(sink) as connection:
        connection.ehlo()
        send, sent = connection.send, []
        monkeypatch.setattr(connection, "send", lambda said: (sent.append(said), send(said)))
        connection.hand_over(US, ANA, MAIL)
    assert [recipient for recipient, _ in sink.taken] == [ANA]
    assert sink.taken[0][1].get_content() == ".\nFrom here\n"
    assert len(sent) - 1 == (2 if sink.pipelining else 4), "the last one says goodbye"


def _sender(sink: Sink) -> None:
    sink.senders_refused = faults.REJECT


def _recipient(sink: Sink) -> None:
    sink.unknown = {ANA}


def _recipient_late(sink: Sink) -> None:
    sink.unknown, sink.asks_anyway = {ANA}, True


def _before_text(sink: Sink) -> None:
    sink.not_before_text = [faults.TEMPFAIL]


def _after_text(sink: Sink) -> None:
    sink.faults = [faults.TEMPFAIL]


@pytest.mark.parametrize(
    ("refuses", "error"),
    [
        (_sender, smtplib.SMTPSenderRefused(554, b"5.7.1 We do not want this", US)),
        (_recipient, smtplib.SMTPRecipientsRefused({ANA: (550, b"5.1.1 No such user")})),
        (_recipient_late, smtplib.SMTPRecipientsRefused({ANA: (550, b"5.1.1 No such user")})),
        (_before_text, smtplib.SMTPDataError(451, b"4.3.0 Try again later")),
        (_after_text, smtplib.SMTPDataError(451, b"4.3.0 Try again later")),
    ],
)
def test_after_a_refusal_the_next_mail_goes_over_the_same_connection(
    sink: Sink, refuses: Callable[[Sink], None], error: smtplib.SMTPException
) -> None:
    refuses(sink)
    with connection_to(sink) as connection:
        with pytest.raises(type(error)) as refused:
            connection.hand_over(US, ANA, MAIL)
        assert refused.value.args == error.args
        sink.senders_refused = ""
        connection.hand_over(US, BEN, MAIL)
    assert [recipient for recipient, _ in sink.taken] == [BEN]
    assert sink.connections == 1


def test_what_would_be_a_command_more_is_not_said(sink: Sink) -> None:
    with connection_to(sink) as connection, pytest.raises(ValueError, match=r"newline|two"):
        connection.hand_over(US, f"{ANA}>\r\nrcpt to:<{BEN}", MAIL)
    assert sink.taken == []
