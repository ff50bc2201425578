"""Our own look at DKIM: mails really signed, keys from a real name server, nothing left open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from games.models import OrderSet
from mailer.inbound import dkim_check
from mailer.models import InboundMail
from tests.cast import HOUR, NOW, Cast, address_of
from tests.examples import times
from tests.mailer.correspondence import JUDGE, eml, receive, to_seat
from tests.mailer.signing import COVERED, Domain, Nameserver, nameserver
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
PLAYERS = Domain("players.test")
EVIL = Domain("evil.test")
SHORT = Domain("short.players.test", bits=768)
ORDERS = "A Paris - Burgundy\nA Marseilles - Spain\nF Brest - Mid-Atlantic Ocean"


@pytest.fixture
def dns() -> Iterator[Nameserver]:
    with nameserver(PLAYERS, EVIL, SHORT) as server:
        yield server


@pytest.fixture(autouse=True)
def checking(settings: Settings) -> None:
    settings.CHECK_DKIM = True


def orders(**changes: str) -> bytes:
    return eml(ORDERS, sender=address_of("Carla"), **changes)


def test_orders_under_a_valid_signature_need_no_reply_address(marne: Cast, dns: Nameserver) -> None:
    mail = receive(PLAYERS.signed(orders()))
    assert mail.state == State.DONE
    assert mail.signed_by == "players.test"
    assert mail.proof == "authenticated"
    assert mail.dkim_checked_at == NOW
    assert OrderSet.objects.get().counts
    assert dns.asked == ["s1._domainkey.players.test."]


def test_without_the_setting_nobody_is_asked_and_nothing_believed(
    marne: Cast, dns: Nameserver, settings: Settings
) -> None:
    settings.CHECK_DKIM = False
    mail = receive(PLAYERS.signed(orders()))
    assert mail.state == State.HELD
    assert mail.dkim_checked_at is None
    assert dns.asked == []


def changed(raw: bytes, old: bytes, new: bytes) -> bytes:
    assert old in raw
    return raw.replace(old, new)


def on_top(raw: bytes, header: bytes) -> bytes:
    return header + b"\r\n" + raw


NOT_BELIEVED = {
    "another text": lambda: changed(PLAYERS.signed(orders()), b"Paris - Burg", b"Paris - Pica"),
    "more text": lambda: PLAYERS.signed(orders()) + b"\r\nA Paris - Picardy",
    "another subject": lambda: changed(PLAYERS.signed(orders()), b"Hello", b"Hallo"),
    "another recipient": lambda: changed(
        PLAYERS.signed(orders(to="ben@players.test")), b"ben@players.test", JUDGE.encode()
    ),
    "to somebody else": lambda: PLAYERS.signed(orders(to="ben@players.test")),
    "a second recipient line": lambda: on_top(
        PLAYERS.signed(orders(to="ben@players.test")), f"To: {JUDGE}".encode()
    ),
    "a second subject": lambda: on_top(PLAYERS.signed(orders()), b"Subject: [marne]"),
    "a second Message-ID": lambda: on_top(PLAYERS.signed(orders()), b"Message-ID: <new@x.test>"),
    "another domain's signature": lambda: EVIL.signed(orders()),
    "a domain with our end": lambda: Domain("s.test").signed(orders()),
    "part of the text": lambda: PLAYERS.signed(orders(), partial=True),
    "a key that is too short": lambda: SHORT.signed(eml(ORDERS, sender="carla@short.players.test")),
    "no signature": orders,
    "an empty signature": lambda: on_top(orders(), b"DKIM-Signature: v=1"),
    "nonsense": lambda: on_top(orders(), b"DKIM-Signature: \xff=\xfe; a==; b=(((; l=x; d=\xe9"),
} | {
    f"{name} not covered": lambda name=name: PLAYERS.signed(
        orders(), covered=tuple(one for one in COVERED if one != name)
    )
    for name in ("to", "subject", "message-id")
}


@each_row("case", NOT_BELIEVED)
def test_a_signature_that_leaves_something_open_is_not_believed(
    marne: Cast, dns: Nameserver, case: str
) -> None:
    marne.player("Carla").addresses.create(
        email="carla@short.players.test", confirmed_at=NOW, created_at=NOW
    )
    mail = receive(NOT_BELIEVED[case]())
    assert mail.signed_by == ""
    assert mail.state != State.DONE
    assert not OrderSet.objects.exists()


def test_the_parent_domain_s_signature_counts_as_for_dmarc(marne: Cast, dns: Nameserver) -> None:
    marne.player("Carla").addresses.create(
        email="carla@mail.players.test", confirmed_at=NOW, created_at=NOW
    )
    mail = receive(PLAYERS.signed(eml(ORDERS, sender="carla@mail.players.test")))
    assert mail.signed_by == "players.test"
    assert mail.state == State.DONE


def test_the_second_of_two_signatures_is_looked_at_too(marne: Cast, dns: Nameserver) -> None:
    mail = receive(EVIL.signed(PLAYERS.signed(orders())))
    assert mail.signed_by == "players.test"


def test_a_valid_signature_opens_nobody_else_s_reply_address(marne: Cast, dns: Nameserver) -> None:
    england = to_seat(marne, "England")
    mail = receive(PLAYERS.signed(orders(to=england)))
    assert mail.signed_by == "players.test"
    assert mail.state == State.HELD


def test_our_own_server_s_word_that_it_is_forged_weighs_more(
    marne: Cast, dns: Nameserver, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = "mx.game.test"
    forged = b"Authentication-Results: mx.game.test; dmarc=fail header.from=players.test"
    mail = receive(on_top(PLAYERS.signed(orders()), forged))
    assert mail.signed_by == "players.test"
    assert mail.state == State.HELD


def test_no_stranger_makes_us_ask_the_dns(marne: Cast, dns: Nameserver) -> None:
    receive(EVIL.signed(eml("hello", sender="zoe@evil.test")))
    assert dns.asked == []


def test_a_signed_mail_that_is_sent_again_changes_nothing(marne: Cast, dns: Nameserver) -> None:
    first = PLAYERS.signed(orders())
    receive(first)
    better = PLAYERS.signed(eml("A Paris - Picardy", sender=address_of("Carla")))
    receive(better, received_at=NOW + HOUR)
    again = receive(on_top(first, b"Received: by a.relay.test"), received_at=NOW + 2 * HOUR)
    assert again.state == State.IGNORED
    assert "was here before" in again.note
    assert OrderSet.objects.latest("pk").received_at == NOW + HOUR


def test_a_name_server_that_does_not_answer_is_asked_once_and_believed_nothing(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dkim_check, "DNS_SECONDS", 0.3)
    with nameserver(PLAYERS, silent=True) as silent:
        mail = receive(PLAYERS.signed(orders()))
    assert len(silent.asked) == 1  # by itself the library asks again every two seconds
    assert mail.state == State.HELD
    assert mail.dkim_checked_at


@settings(times(0.6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(garbage=st.binary(max_size=60), at=st.integers(0, 700))
def test_a_signature_with_garbage_in_it_breaks_nothing(
    marne: Cast, dns: Nameserver, garbage: bytes, at: int
) -> None:
    raw = PLAYERS.signed(orders())
    assert dkim_check.signers(raw[:at] + garbage + raw[at:]) in ([], ["players.test"])
