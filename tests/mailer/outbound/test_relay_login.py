"""The relay wants TLS, a name and a password: what is sent then, and what the operator reads."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword
from pytest_django import Settings

from diplomacy_server.doctor import mail
from mailer.models import OutboundMail
from mailer.outbound import outbox, sending
from tests.cast import NOW
from tests.mailer.sink import Sink, running_sink
from tests.servers.certificates import server_side

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.on_one,
    # aiosmtpd's own, about what it knows of a login
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]
FIRST_PAUSE = dt.timedelta(seconds=15)
State = OutboundMail.State


def lets_judge_in(
    server: Any, session: Any, envelope: Any, mechanism: str, login: Any
) -> AuthResult:
    """Whether this is the server's name and password."""
    right = LoginPassword(b"judge@game.test", b"open:sesame/1")
    return AuthResult(success=login == right, handled=False)


@contextmanager
def relay(folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[Sink]:
    """A relay that takes mail over TLS from whom it knows; its certificate is one we trust."""
    pem = folder / "relay.pem"
    wanted: dict[str, Any] = {
        "tls_context": server_side(pem),
        "authenticator": lets_judge_in,
        "auth_required": True,
    }
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    with running_sink(**wanted | options) as running:
        yield running


def url_of(sink: Sink, scheme: str = "smtp+tls", password: str = "open:sesame/1") -> str:
    quoted = password.replace(":", "%3A").replace("/", "%2F")
    return f"{scheme}://judge%40game.test:{quoted}@127.0.0.1:{sink.port}"


def queue(recipient: str = "ana@players.test") -> OutboundMail:
    return outbox.enqueue(
        key=f"test/{recipient}",
        kind="test",
        recipient=recipient,
        subject="[marne] Spring 1901 movement: orders",
        body="All is well.\n",
        now=NOW,
        priority=OutboundMail.Priority.NOTICE,
    )


def doctors_words() -> str:
    return "\n".join(map(str, mail.look_at_relay()))


def test_mails_leave_over_starttls_with_a_password_of_any_signs(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with relay(tmp_path, monkeypatch) as sink:
        settings.EMAIL_URL = url_of(sink)
        queue()
        queue("ben@players.test")
        assert sending.drain(now=NOW) == 2
        assert {to for to, _ in sink.taken} == {"ana@players.test", "ben@players.test"}
        assert sink.encrypted
        assert "lets us in" in doctors_words()


def test_mails_leave_over_a_connection_that_is_encrypted_from_the_beginning(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypted = server_side(tmp_path / "smtps.pem")
    options = {"ssl_context": encrypted, "tls_context": None, "auth_require_tls": False}
    with relay(tmp_path, monkeypatch, **options) as sink:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "smtps.pem"))
        settings.EMAIL_URL = url_of(sink, "smtps")
        queue()
        assert sending.drain(now=NOW) == 1
        assert sink.encrypted


def wrong_password(sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_URL = url_of(sink, password="open:sesame/2")


def unknown_certificate(sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")


def plain_server(sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is, `options` of the case say."""


WITHOUT_TLS = {"tls_context": None, "auth_require_tls": False}
FAULTS = [
    pytest.param(
        wrong_password,
        {},
        "127.0.0.1 refuses our login: 535 5.7.8 Authentication credentials invalid",
        "It refuses our login: 535 5.7.8 Authentication credentials invalid.",
        id="a wrong password",
    ),
    pytest.param(
        unknown_certificate,
        {},
        "No connection to 127.0.0.1: [SSL: CERTIFICATE_VERIFY_FAILED]",
        "127.0.0.1 shows a certificate that we cannot trust: self-signed certificate.\n",
        id="a certificate of nobody's",
    ),
    pytest.param(
        plain_server,
        WITHOUT_TLS,
        "No connection to 127.0.0.1: STARTTLS extension not supported by server.",
        "127.0.0.1 cannot do what EMAIL_URL wants: STARTTLS extension not supported by server.",
        id="no STARTTLS",
    ),
    pytest.param(
        plain_server,
        {"auth_exclude_mechanism": ["PLAIN", "LOGIN"]},
        "No connection to 127.0.0.1: No suitable authentication method found.",
        "127.0.0.1 does not answer: No suitable authentication method found.",
        id="no login that we know",
    ),
]


@pytest.mark.parametrize(("fault", "options", "kept", "told"), FAULTS)
def test_a_relay_that_does_not_let_us_in_gets_no_mail_and_none_is_lost(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Any,
    options: dict[str, Any],
    kept: str,
    told: str,
) -> None:
    mail = queue()
    with relay(tmp_path, monkeypatch, **options) as sink:
        settings.EMAIL_URL = url_of(sink)
        fault(sink, settings, monkeypatch)
        with caplog.at_level(logging.WARNING, logger="mailer"):
            assert sending.drain(now=NOW) == 0
        assert told in doctors_words()
        assert sink.taken == []
    mail.refresh_from_db()
    assert (mail.state, mail.not_before) == (State.QUEUED, NOW + FIRST_PAUSE)
    assert mail.last_error.startswith(kept)
    assert kept in caplog.text
    assert "sesame" not in caplog.text + mail.last_error

    with relay(tmp_path, monkeypatch) as sink:  # the operator has mended it
        settings.EMAIL_URL = url_of(sink)
        assert sending.drain(now=NOW + FIRST_PAUSE) == 1
        assert len(sink.taken) == 1


def test_no_password_goes_to_a_server_that_hides_its_starttls(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody between us and the relay could do, to read along."""
    logins: list[object] = []

    def listening(*login: Any) -> AuthResult:
        logins.append(login)
        return AuthResult(success=True)

    options = {**WITHOUT_TLS, "authenticator": listening}
    with relay(tmp_path, monkeypatch, **options) as sink:
        settings.EMAIL_URL = url_of(sink)
        queue()
        assert sending.drain(now=NOW) == 0
    assert logins == []
