"""Every row of the threat model (threats.json) has tests that fail without its counter.

Here stand those that no other module had a place for, and what keeps the table true.
"""

from __future__ import annotations

import ast
import json
import ssl
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from games.models import OrderSet
from games.services.adjudication.phases import phase_process
from mailer import jobs
from mailer.inbound import imap, poller
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import addresses, relay
from tests.cast import DAY, NOW, OPENINGS, POWERS, Cast, address_of
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import eml, on_the_wire, receive, write
from tests.servers.certificates import impostor
from tests.servers.dovecot import Dovecot

ROOT = Path(__file__).resolve().parent.parent
ROWS = json.loads(Path(__file__).with_name("threats.json").read_text())


# --- The table -------------------------------------------------------------------------------


@cache
def functions(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_row_names_tests_that_there_are(row: dict[str, Any]) -> None:
    named = [str(test).split("::") for test in row["tests"]]
    assert named
    assert [name for path, name in named if name not in functions(path)] == []


def test_every_row_is_there_once() -> None:
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids)) == 32
    assert all(set(row) == {"id", "threat", "counter", "tests"} for row in ROWS)


# --- Mail ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_message_id_that_somebody_used_before_costs_no_orders(marne: Cast) -> None:
    to = addresses.seat_address(seat=marne.seat("France"), phase=marne.phase, now=NOW)
    guessed = "<the-next@players.test>"
    receive(eml("Hello", sender="mallory@elsewhere.test", message_id=guessed))
    write("Hugo", "LIST", message_id=guessed)
    mail = write("Carla", "A Par - Bur", to=to, message_id=guessed)
    assert mail.state == InboundMail.State.DONE
    assert OrderSet.objects.get().lines == ["A Par - Bur"]


@pytest.mark.django_db
def test_a_reference_to_anothers_mail_orders_nothing_for_them(marne: Cast) -> None:
    jobs.tell(NOW)
    start = OutboundMail.objects.get(recipient=address_of("Carla"), kind="game_started")
    raw = eml(
        "A Par - Bur",
        sender=f"Hugo <{address_of('Hugo')}>",
        headers=f"In-Reply-To: {start.message_id}\r\nReferences: {start.message_id}\r\n",
    )
    receive(raw)
    assert not OrderSet.objects.exists()


@pytest.mark.django_db
def test_before_the_result_nobody_else_is_sent_a_word_of_a_powers_orders(marne: Cast) -> None:
    """Seven players order, ask and wait; of each mail of ours only its own player may know."""
    jobs.tell(NOW)
    for name, power in POWERS.items():
        to = addresses.seat_address(seat=marne.seat(power), phase=marne.phase, now=NOW)
        write(
            name, "\n".join([*OPENINGS[power], "STATUS", "ORDERS", "LOG", "PROOF", "WAIT"]), to=to
        )
    for name, power in POWERS.items():
        others = OutboundMail.objects.exclude(recipient=address_of(name))
        sent = "\n".join(on_the_wire(mail) for mail in others)
        assert [order for order in OPENINGS[power] if order in sent] == []
    assert phase_process(game_id=marne.game.pk, now=NOW + 9 * DAY)
    jobs.tell(NOW + 9 * DAY)
    results = OutboundMail.objects.filter(kind="phase_processed", player__name="Ben")
    assert OPENINGS["France"][0] in results.get().body


@pytest.mark.django_db(transaction=True)
def test_mail_that_the_database_forgot_is_read_again_with_its_time(
    judge_mailbox: JudgeMailbox,
) -> None:
    """As docs/operators.md restores a backup: what lies in Processed goes back to the INBOX."""
    raw = eml("A Par - Bur", sender="ana@players.test", to=judge_mailbox.address)
    judge_mailbox.deliver(raw, sender="ana@players.test")
    poll(judge_mailbox)
    InboundMail.objects.update(state=InboundMail.State.DONE)
    poll(judge_mailbox)
    first = InboundMail.objects.get()
    assert judge_mailbox.mails() == []
    InboundMail.objects.all().delete()
    Mailbox.objects.all().update(last_uid=0)
    with judge_mailbox.dovecot.client(judge_mailbox.address) as client:
        client.select_folder("Processed")
        client.move(client.search(), "INBOX")
    assert poll(judge_mailbox) == 1
    again = InboundMail.objects.get()
    assert again.sha256 == first.sha256
    assert again.received_at == first.received_at


def poll(mailbox: JudgeMailbox) -> int:
    return poller.poll_mailbox(url=mailbox.imap_url, now=timezone.now())


# --- Certificates ----------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["imaps", "smtps"])
def test_a_mail_server_with_a_certificate_of_nobodys_gets_no_password(
    scheme: str, tmp_path: Path
) -> None:
    with impostor(tmp_path) as (port, told):
        url = f"{scheme}://judge:secret@127.0.0.1:{port}/INBOX"
        with pytest.raises(ssl.SSLCertVerificationError):
            imap.Session(url) if scheme == "imaps" else relay.connect(urlsplit(url))
    assert told in ([], [b""])


def test_a_mailbox_by_starttls_is_read_only_from_whom_we_trust(
    dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = dovecot.url("judge@starttls.test", scheme="imap+tls")
    with pytest.raises(ssl.SSLCertVerificationError):
        imap.Session(url)
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    with imap.Session(url) as session:
        assert isinstance(session.client.socket(), ssl.SSLSocket)
        assert session.uids() == []
