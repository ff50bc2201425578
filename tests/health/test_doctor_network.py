"""The doctor looks for workers, asks for our pages, and reads what the DNS says of us."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import dns.message
import dns.resolver
import dns.rrset
import pytest
from django.utils import timezone
from pytest_django import Settings

from diplomacy_server.celery import app
from diplomacy_server.doctor import names, reachability
from diplomacy_server.doctor.lines import Level, Line
from games.proofs.keys import list_beside, make_key
from tests.health.doctor import dead_port, levels, said
from tests.mailer.sink import running_sink
from tests.servers.certificates import impostor


class Control:
    """What workers answer to Celery's questions: each by its name, with its tasks."""

    def __init__(self, answers: list[tuple[str, str]], queue: str) -> None:
        self.answers, self.queue = answers, queue

    def broadcast(self, asked: str, **_: object) -> list[dict[str, list[str]]] | None:
        assert asked == "registered"
        return [{name: [task]} for name, task in self.answers] or None

    def inspect(self, *_: object, **__: object) -> Control:
        return self

    def active_queues(self) -> dict[str, list[dict[str, str]]]:
        return {name: [{"name": self.queue}] for name, _ in self.answers}


@pytest.mark.parametrize(
    ("workers", "queue", "level", "says"),
    [
        ([], "celery", Level.LOOK, "then ask again in three minutes."),
        ([("celery@a", "mailer.tasks.poll")], "celery", Level.OK, "1 worker at work."),
        ([("celery@a", "mailer.tasks.poll")] * 2, "celery", Level.OK, "2 workers at work."),
        ([], "celery", Level.LOOK, "None answers."),
        ([("celery@b", "shop.bill")], "celery", Level.MEND, "drops them: celery@b."),
        ([("celery@b", "shop.bill")], "shop", Level.LOOK, "None answers."),
    ],
)
def test_whose_workers_take_our_tasks_is_said(
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    workers: list[tuple[str, str]],
    queue: str,
    level: Level,
    says: str,
) -> None:
    monkeypatch.setattr(
        reachability, "app", SimpleNamespace(control=Control(workers, queue), conf=app.conf)
    )
    assert says in said(reachability.look_at_workers(), level)


@pytest.mark.parametrize(
    ("code", "answer", "says"),
    [
        (200, b"ok\n", "shows our pages."),
        (200, b"<html>It works!", "shows other pages than ours."),
        (400, b"", "to ALLOWED_HOSTS"),
        (502, b"", "Start diplomacy-web"),
        (404, b"", "another site may answer"),
    ],
)
def test_who_answers_at_the_address_of_our_pages_is_said(
    settings: Settings, code: int, answer: bytes, says: str
) -> None:
    with site(code, answer) as settings.SITE_URL:
        assert says in said(reachability.look_at_pages())


def test_pages_of_another_server_are_known_by_their_keys(
    settings: Settings, tmp_path: Path
) -> None:
    settings.RECEIPT_KEY_FILE = tmp_path / "receipts.key"
    key = make_key(settings.RECEIPT_KEY_FILE, now=timezone.now())
    with site(200, b"ok\n") as settings.SITE_URL:
        assert f"receipts ({key.name})" in said(reachability.look_at_pages(), Level.MEND)
    with site(200, b"ok\n", list_beside(settings.RECEIPT_KEY_FILE)) as settings.SITE_URL:
        assert "shows our pages" in said(reachability.look_at_pages(), Level.OK)


@contextmanager
def site(code: int, answer: bytes, keys: Path | None = None) -> Iterator[str]:
    """The URL of a server that answers everything so, and with these keys if it is asked."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(code)
            self.end_headers()
            self.wfile.write(keys.read_bytes() if keys and "keys" in self.path else answer)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_pages_that_do_not_answer_or_show_a_wrong_certificate_are_named(
    settings: Settings, tmp_path: Path
) -> None:
    settings.SITE_URL = f"http://127.0.0.1:{dead_port()}"
    assert "does not answer: [Errno 111] Connection refused." in said(reachability.look_at_pages())
    with running_sink() as mail_server:
        settings.SITE_URL = mail_server.url.replace("smtp", "http")
        assert "does not answer: 220 " in said(reachability.look_at_pages())
    with impostor(tmp_path) as (port, _):
        settings.SITE_URL = f"https://127.0.0.1:{port}"
        assert "does not answer: self-signed certificate." in said(reachability.look_at_pages())


# --- The DNS ------------------------------------------------------------------------------------

GOOD = {
    ("games.example.org", "MX"): ["10 mail.example.org."],
    ("games.example.org", "TXT"): ['"v=spf1 mx -all"', '"something else"'],
    ("_dmarc.games.example.org", "TXT"): ['"v=DMARC1; " "p=reject"'],
    ("mail.example.org", "A"): ["192.0.2.25"],
    ("25.2.0.192.in-addr.arpa", "PTR"): ["mail.example.org."],
}
"""What the records of a domain in order are."""


class NameServer(threading.Thread):
    """A name server on a loopback port that knows these records and no others."""

    def __init__(self, records: Mapping[tuple[str, str], list[str]]) -> None:
        super().__init__(daemon=True)
        self.records = records
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]

    def run(self) -> None:
        while True:
            try:
                asked, asker = self.socket.recvfrom(4096)
            except OSError:
                return
            self.socket.sendto(self.answer(asked), asker)

    def answer(self, asked: bytes) -> bytes:
        query = dns.message.from_wire(asked)
        reply = dns.message.make_response(query)
        (question,) = query.question
        name = question.name.to_text(omit_final_dot=True).lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        for value in self.records.get((name, kind), []):
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, value))
        return reply.to_wire()


def asked(
    settings: Settings,
    records: Mapping[tuple[str, str], list[str]],
    relay: str = "mail.example.org",
) -> list[Line]:
    """What the doctor says of a domain with these records."""
    settings.JUDGE_ADDRESS = "judge@games.example.org"
    settings.EMAIL_URL = f"smtp+tls://judge:secret@{relay}:587"
    server = NameServer(records)
    server.start()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], server.port
    try:
        return list(names.look_at_names(names.Names(resolver)))
    finally:
        server.socket.close()


def test_a_domain_in_order_is_well(settings: Settings) -> None:
    found = asked(settings, GOOD)
    assert levels(iter(found)) == {Level.OK}
    assert "DMARC: v=DMARC1; p=reject" in said(iter(found))
    key = ("_dmarc.games.example.org", "TXT")
    above = {name: values for name, values in GOOD.items() if name != key}
    found = asked(settings, {**above, ("_dmarc.example.org", "TXT"): GOOD[key]})
    assert levels(iter(found)) == {Level.OK}
    assert "DMARC of example.org: v=DMARC1; p=reject" in said(iter(found))


@pytest.mark.parametrize(
    ("missing", "level", "advice"),
    [
        ("MX", Level.MEND, "games.example.org. MX 10 mail.games.example.org."),
        ("SPF", Level.LOOK, 'games.example.org. TXT "v=spf1 mx a:mail.example.org -all"'),
        ("DMARC", Level.LOOK, '_dmarc.games.example.org. TXT "v=DMARC1; p=quarantine"'),
        ("PTR", Level.LOOK, "reverse DNS (PTR)"),
    ],
)
def test_a_record_that_is_missing_is_named_with_the_line_to_add(
    settings: Settings, missing: str, level: Level, advice: str
) -> None:
    key = {
        "MX": ("games.example.org", "MX"),
        "SPF": ("games.example.org", "TXT"),
        "DMARC": ("_dmarc.games.example.org", "TXT"),
        "PTR": ("25.2.0.192.in-addr.arpa", "PTR"),
    }[missing]
    found = asked(settings, {name: values for name, values in GOOD.items() if name != key})
    assert advice in said(iter(found), level)


def test_the_operators_page_has_each_record_that_the_doctor_wants(settings: Settings) -> None:
    key = ("mail.example.org", "A")
    advice = said(iter(asked(settings, {key: GOOD[key]})))
    wanted = re.findall(r'"v=[^"]+"', advice)
    assert len(wanted) == 2
    page = (Path(__file__).parents[2] / "docs" / "operators.md").read_text()
    assert [record for record in (*wanted, "(PTR)") if record not in page] == []


@pytest.mark.parametrize("here", ["127.0.0.1", "localhost"])
def test_a_relay_on_this_machine_has_the_address_of_our_domain_to_others(
    settings: Settings, here: str
) -> None:
    found = asked(settings, {("games.example.org", "A"): ["192.0.2.25"]}, here)
    assert '"v=spf1 mx a:games.example.org -all"' in said(iter(found), Level.LOOK)
    assert "The relay's address 192.0.2.25 has no name that leads back" in said(iter(found))


@pytest.mark.parametrize(
    ("kind", "record", "says"),
    [
        ("MX", "10 gone.example.org.", "is gone.example.org, which has no address"),
        ("MX", "0 .", "which has no address"),
        ("TXT", '"v=spf1 -all"', "says that nobody may send its mail"),
    ],
)
def test_a_record_that_lets_no_mail_through_is_to_be_mended(
    settings: Settings, kind: str, record: str, says: str
) -> None:
    found = asked(settings, {**GOOD, ("games.example.org", kind): [record]})
    assert says in said(iter(found), Level.MEND)


def test_two_spf_records_void_each_other(settings: Settings) -> None:
    key = ("games.example.org", "TXT")
    found = asked(settings, {**GOOD, key: ['"v=spf1 -all"', '"v=spf1 mx -all"']})
    assert "has 2 SPF records" in said(iter(found), Level.MEND)


def test_a_domain_with_an_address_alone_is_to_be_looked_at(settings: Settings) -> None:
    records = {name: values for name, values in GOOD.items() if name[1] != "MX"}
    found = asked(settings, {**records, ("games.example.org", "A"): ["192.0.2.25"]})
    assert "games.example.org has no MX record." in said(iter(found), Level.LOOK)
    assert said(iter(found), Level.MEND) == ""


def test_a_dns_that_does_not_answer_is_to_be_asked_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "SECONDS", 0.3)
    settings.JUDGE_ADDRESS = "judge@games.example.org"
    resolver = dns.resolver.Resolver(configure=False)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        resolver.nameservers, resolver.port = ["127.0.0.1"], silent.getsockname()[1]
        (line,) = names.look_at_names(names.Names(resolver))
    assert "The DNS does not answer: LifetimeTimeout." in str(line)


def test_a_name_of_this_machine_is_not_asked_for(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = "judge@localhost"
    assert levels(names.look_at_names()) == {Level.OK}
