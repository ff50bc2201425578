"""The doctor tries what a real server needs, against real servers, and says what to do."""

from __future__ import annotations

import ctypes
import datetime as dt
import email
import re
import shutil
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import dns.message
import dns.resolver
import dns.rrset
import pytest
import redis
import time_machine
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.utils import timezone
from pytest_django import Settings

from diplomacy_server.celery import app
from diplomacy_server.doctor import machine, mail, names, reachability, roundtrip
from diplomacy_server.doctor.lines import Level, Line, Teller
from diplomacy_server.key_check import FINDING, key_is_the_databases
from diplomacy_server.row_numbers import last_number
from games.proofs.keys import list_beside, make_key
from mailer import jobs
from mailer.inbound import imap
from mailer.inbound.poller import PROCESSED
from mailer.models import InboundMail, Mailbox, ReplyToken
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.conftest import JudgeMailbox
from tests.mailer.sink import HANG_UP, running_sink
from tests.servers import Redis
from tests.servers.certificates import impostor
from tests.servers.faulty_imap import faulty_imap
from tests.servers.relay import AUTHSERV_ID, Relay

WAIT = 20.0


def said(lines: Iterator[Line], level: Level | None = None) -> str:
    """What the lines say, those of one level if one is given."""
    return "\n".join(str(line) for line in lines if level in (None, line.level))


def levels(lines: Iterator[Line]) -> set[Level]:
    return {line.level for line in lines}


def dead_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


# --- This machine -------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.on_both
def test_a_database_in_order_has_todays_tables() -> None:
    found = said(machine.look_at_database())
    assert "answers." in found
    assert "Its tables are those of this release." in found


@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_is_away_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    away = {**connection.settings_dict, "PORT": dead_port(), "PASSWORD": "open-sesame"}
    monkeypatch.setattr(machine, "connection", ConnectionHandler({"default": away})["default"])
    (line,) = machine.look_at_database()
    assert line.level is Level.MEND
    assert "cannot be reached" in line.says
    assert "DATABASE_URL" in line.advice
    assert "open-sesame" not in str(line)


@pytest.mark.django_db
@pytest.mark.on_both
def test_a_database_that_takes_nothing_is_named_though_it_answers() -> None:
    assert "It takes what we write." in said(machine.look_at_database(), Level.OK)
    assert "doctor_tries" not in connection.introspection.table_names()
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        read_only = "PRAGMA query_only = ON" if sqlite else "SET LOCAL transaction_read_only = on"
        cursor.execute(read_only)
        found = said(machine.look_at_database(), Level.MEND)
        if sqlite:
            cursor.execute("PRAGMA query_only = OFF")
    assert "It takes nothing that we write: " in found
    assert "Make room where it keeps its files" in found


@pytest.mark.django_db
def test_a_migration_that_was_not_run_is_counted() -> None:
    MigrationRecorder.Migration.objects.filter(app="mailer").latest("name").delete()
    with connection.cursor() as cursor:
        cursor.execute("drop table django_admin_log")
    found = said(machine.look_at_database(), Level.MEND)
    assert "1 migration still to be run." in found
    assert "manage.py migrate" in found
    assert "cannot be reached" not in found


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_numbers_rows_anew_is_named() -> None:
    """As a replica does that took over."""
    Mailbox.objects.bulk_create([Mailbox(pk=10**6, url="imap://judge@127.0.0.1/INBOX")])
    ContentType.objects.bulk_create([ContentType(pk=10**6, app_label="x", model="y")])
    done = MigrationRecorder.Migration
    done.objects.bulk_create([done(pk=10**6, app="games", name="9999_of_a_later_release")])
    found = said(machine.look_at_database(), Level.MEND)
    taken = re.search(r"New rows would get numbers that are taken: (.*)\.", found)
    assert taken
    assert {*taken[1].split(", ")} == {
        *("django_content_type", "django_migrations", "mailer_mailbox")
    }
    assert "(manage.py sqlsequencereset contenttypes mailer; echo " in found
    numbered_on = re.search(r'echo "(SELECT .*;)"\) \| sudo', found)
    assert numbered_on
    with connection.cursor() as cursor:
        cursor.execute(numbered_on[1])
    assert last_number(connection, done) == 10**6


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_a_database_with_another_clock_or_without_a_promise_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    with time_machine.travel(timezone.now() - dt.timedelta(seconds=60)):
        found = said(machine.look_at_database(), Level.MEND)
    assert "synchronous_commit is off: what was answered may be lost" in found
    assert re.search(r"Its clock and ours are 6\d s apart\.", found)


@pytest.mark.django_db
def test_another_secret_key_than_the_databases_is_named(marne: Cast, settings: Settings) -> None:
    """Until the addresses of the old one are revoked, as whoever changes it on purpose does."""
    addresses.seat_address(seat=marne.seat("France"), phase=marne.phase, now=NOW)
    assert FINDING not in said(machine.look_at_database())
    settings.SECRET_KEY = "of another server" * 3
    addresses.player_address(address=marne.seat("France").player.addresses.get(), now=NOW)
    assert FINDING in said(machine.look_at_database(), Level.MEND)
    assert [one.msg for one in key_is_the_databases(databases=["default"])] == [FINDING]
    ReplyToken.objects.filter(seat__isnull=False).update(revoked_at=NOW)
    assert FINDING not in said(machine.look_at_database())
    assert key_is_the_databases(databases=["default"]) == []


def test_a_broker_that_answers_is_well(redis_server: Redis, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    assert levels(machine.look_at_broker()) == {Level.OK}


def test_a_broker_that_takes_nothing_is_named_though_it_answers(
    redis_server: Redis, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    with redis.Redis.from_url(redis_server.url) as client:
        client.config_set("maxmemory", "1")
        (line,) = machine.look_at_broker()
        client.config_set("maxmemory", "0")
    assert line.level is Level.MEND
    assert "It does not take our tasks: command not allowed when used memory" in line.says


def test_a_broker_that_is_away_is_named_with_what_to_do(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{dead_port()}/0"
    (line,) = machine.look_at_broker()
    assert line.level is Level.MEND
    assert "--cron" in line.advice


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    ("free", "level", "said"),
    [
        (50, Level.MEND, "0.0 GB"),
        (500 * 1024**2, Level.LOOK, "0.5 GB"),
        (9 * 1024**3, Level.OK, "9"),
    ],
)
def test_of_every_disk_that_we_write_to_it_is_said_how_full_it_is(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    vendor: str,
    free: int,
    level: Level,
    said: str,
) -> None:
    monkeypatch.setattr(connection, "vendor", vendor)
    monkeypatch.setattr(machine, "DEBIANS_POSTGRESQL", tmp_path)
    here = {"HOST": "127.0.0.1", "NAME": str(tmp_path / "server.sqlite3")}
    for name, value in here.items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    with_room = shutil.disk_usage(tmp_path)._replace(free=9 * 1024**3)
    full = {tmp_path: with_room._replace(free=free)}
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: full.get(folder, with_room))
    lines = [line for line in machine.look_at_disk() if str(tmp_path) in line.says]
    assert [line.level for line in lines] == [level]
    assert said in lines[0].says


@pytest.mark.parametrize(
    ("state", "level"),
    [(0, Level.OK), (4, Level.OK), (5, Level.LOOK), (-1, None)],  # adjtimex(2)
)
def test_a_clock_that_nothing_keeps_right_is_named(
    monkeypatch: pytest.MonkeyPatch, state: int, level: Level | None
) -> None:
    libc = SimpleNamespace(adjtimex=lambda timex: state)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: libc)
    assert levels(machine.look_at_clock()) == ({level} if level else set())


def test_a_folder_that_is_not_there_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "nowhere"
    found = said(machine.look_at_disk(), Level.MEND)
    assert f"{settings.VAR_DIR} cannot be used: No such file or directory." in found


def test_what_check_says_is_among_the_lines(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = "judge"
    found = said(machine.look_at_settings(), Level.MEND)
    assert "JUDGE_ADDRESS is not a plain mail address" in found


# --- Mailbox and relay --------------------------------------------------------------------------


def test_a_mailbox_and_a_relay_in_order(judge_mailbox: JudgeMailbox) -> None:
    assert levels(mail.look_at_mailboxes()) == {Level.OK}
    found = said(mail.look_at_relay())
    assert "It takes our envelope senders (VERP)." in found
    assert judge_mailbox.smtp.accepted == []


@pytest.mark.django_db
def test_mails_that_somebody_else_put_away_are_counted(judge_mailbox: JudgeMailbox) -> None:
    for number in range(3):
        judge_mailbox.deliver(b"Subject: %d\n\nHello\n" % number, sender="ada@player.test")
        if number < 2:
            jobs.poll(timezone.now())
    with imap.Session(judge_mailbox.imap_url) as session:
        session.client.create_folder(f"{PROCESSED} by hand")  # nobody's business
        session.client.copy(session.uids(), f"{PROCESSED} by hand")
        session.move(session.uids(), PROCESSED)
    letter = roundtrip._letter(timezone.now())
    judge_mailbox.deliver(letter.as_bytes(), sender=judge_mailbox.address, to=letter["To"])
    assert roundtrip._find(judge_mailbox.imap_url, letter["Message-ID"])
    assert len(judge_mailbox.mails(PROCESSED)) == 4
    found = said(mail.look_at_mailboxes(), Level.LOOK)
    assert f"We never read 1 of the last 3 mails in {PROCESSED}." in found


def test_a_mailbox_that_is_away_is_named_without_its_password(settings: Settings) -> None:
    settings.IMAP_URLS = [f"imap://judge:open-sesame@127.0.0.1:{dead_port()}/INBOX"]
    found = said(mail.look_at_mailboxes(), Level.MEND)
    assert "make run" not in found
    assert "does not answer" in found
    assert "open-sesame" not in found


def test_a_wrong_password_is_a_refusal(judge_mailbox: JudgeMailbox, settings: Settings) -> None:
    settings.IMAP_URLS = [judge_mailbox.imap_url.replace(":secret@", ":wrong@")]
    found = said(mail.look_at_mailboxes(), Level.MEND)
    assert "refuses: [AUTHENTICATIONFAILED] Authentication failed.\n" in found
    assert "user, password" in found


def test_a_folder_that_is_not_there_is_no_wrong_password(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.IMAP_URLS = [judge_mailbox.imap_url.replace("/INBOX", "/Games")]
    found = said(mail.look_at_mailboxes(), Level.MEND)
    assert "refuses: select failed: Mailbox doesn't exist: Games" in found
    assert "See to the folder at the end of IMAP_URL" in found


@pytest.mark.parametrize(
    ("login", "says", "advice"),
    [
        ("judge:secret@", "cannot do what EMAIL_URL wants", "write smtp+tls:// (587)"),
        ("", "It refuses the envelope sender <>", "EMAIL_URL has no user and no password"),
    ],
    ids=["no login without encryption", "wants a login"],
)
def test_a_relay_that_wants_another_way_in_is_named_with_it(
    login: str, says: str, advice: str, settings: Settings
) -> None:
    with running_sink() as sink:
        sink.refuses = "554 5.7.1 <here[127.0.0.1]>: Client host rejected: Access denied"
        settings.EMAIL_URL = f"smtp://{login}127.0.0.1:{sink.port}"
        found = said(mail.look_at_relay(), Level.MEND)
    assert says in found
    assert advice in found


def test_a_certificate_that_we_cannot_trust_is_named_with_what_to_do(
    settings: Settings, tmp_path: Path
) -> None:
    with impostor(tmp_path) as (port, _):
        settings.IMAP_URLS = [f"imaps://judge:secret@127.0.0.1:{port}/INBOX"]
        found = said(mail.look_at_mailboxes(), Level.MEND)
    assert "shows a certificate that we cannot trust: self-signed certificate.\n" in found
    assert "update-ca-certificates" in found


@pytest.mark.parametrize(
    ("address", "lasts", "advice"),
    [
        ("127.0.0.1", -dt.timedelta(hours=1), "Renew it on the mail server"),
        ("127.0.0.9", dt.timedelta(days=1), "Put the name from the certificate into IMAP_URL"),
    ],
    ids=["expired", "for another name"],
)
def test_each_reason_not_to_trust_a_certificate_has_advice_of_its_own(
    address: str,
    lasts: dt.timedelta,
    advice: str,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    with impostor(tmp_path, address, lasts=lasts) as (port, _):
        settings.IMAP_URLS = [f"imaps://judge:secret@127.0.0.1:{port}/INBOX"]
        assert advice in said(mail.look_at_mailboxes(), Level.MEND)


def test_a_port_on_which_no_imap_server_listens_is_no_wrong_folder(
    smtp: Relay, settings: Settings
) -> None:
    settings.IMAP_URLS = [f"imap://judge:secret@127.0.0.1:{smtp.port}/INBOX"]
    assert "See to IMAP_URL: scheme, host, port" in said(mail.look_at_mailboxes(), Level.MEND)


def test_a_mailbox_without_the_starttls_that_we_want_gets_no_password(settings: Settings) -> None:
    with faulty_imap() as box:
        settings.IMAP_URLS = [box.url.replace("imap://", "imap+tls://")]
        assert "It offers no STARTTLS" in said(mail.look_at_mailboxes(), Level.MEND)
    assert box.logins == 0


def test_a_relay_that_is_away_is_named(settings: Settings) -> None:
    settings.EMAIL_URL = f"smtp://127.0.0.1:{dead_port()}"
    assert "does not answer" in said(mail.look_at_relay(), Level.MEND)


def test_where_make_run_may_listen_on_other_ports_they_are_asked_for(settings: Settings) -> None:
    settings.SMTP_PORT = settings.IMAP_PORT = settings.WEB_PORT = dead_port()
    here = f"127.0.0.1:{settings.IMAP_PORT}"
    settings.IMAP_URLS, settings.EMAIL_URL = [f"imap://a:b@{here}/INBOX"], f"smtp://{here}"
    settings.SITE_URL = f"http://{here}"
    for look in (mail.look_at_mailboxes, mail.look_at_relay, reachability.look_at_pages):
        assert "Give this command its WEB_PORT, SMTP_PORT and IMAP_PORT." in said(look())


def test_a_relay_that_does_not_know_our_address_is_named(judge_mailbox: JudgeMailbox) -> None:
    judge_mailbox.smtp.unknown.add(judge_mailbox.address)
    found = said(mail.look_at_relay(), Level.MEND)
    assert f"It takes no mail for our own address {judge_mailbox.address}: 550 5.1.1 No" in found
    assert "envelope sender" not in found


def test_a_relay_that_hangs_up_on_our_senders_is_named(settings: Settings) -> None:
    with running_sink() as sink:
        settings.EMAIL_URL, sink.senders_refused = sink.url, HANG_UP
        found = said(mail.look_at_relay(), Level.MEND)
    assert "127.0.0.1 breaks the connection off" in found


def test_a_relay_that_puts_our_senders_off_for_now_is_not_said_to_refuse_them(
    settings: Settings,
) -> None:
    with running_sink() as sink:
        settings.EMAIL_URL, sink.senders_refused = sink.url, "450 4.7.1 Greylisted"
        found = list(mail.look_at_relay())
    assert "It puts the envelope sender <> off: 450 4.7.1 Greylisted." in said(found, Level.LOOK)
    assert not said(found, Level.MEND)


def test_what_an_old_mail_server_cannot_do_is_said(settings: Settings) -> None:
    with faulty_imap() as box:
        settings.IMAP_URLS = [box.url]
        box.capabilities = "IMAP4rev1"
        found = said(mail.look_at_mailboxes(), Level.LOOK)
    assert "It cannot call us when mail comes (no IDLE)." in found
    assert "Let no other program delete mails in this mailbox." in found


@pytest.mark.parametrize("fault", ["nonsense", "unnumbered"])
def test_a_mailbox_that_answers_nonsense_is_named(settings: Settings, fault: str) -> None:
    with faulty_imap() as box:
        setattr(box, fault, True)
        settings.IMAP_URLS = [box.url]
        assert "answers what no mail server should" in said(mail.look_at_mailboxes(), Level.MEND)


# --- A mail to itself ---------------------------------------------------------------------------


def round_trip(wait: float = WAIT) -> list[Line]:
    return list(roundtrip.look_at_round_trip(timezone.now(), wait=wait))


def test_a_mail_to_itself_arrives_is_dated_and_tidied_away(judge_mailbox: JudgeMailbox) -> None:
    found = said(iter(round_trip()))
    assert "arrived after" in found
    assert "dates mails by the same time as we do" in found
    assert judge_mailbox.mails() == []
    assert len(judge_mailbox.mails("Processed")) == 1


def test_the_name_to_trust_is_read_from_what_arrived(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = ""
    assert f"set TRUSTED_AUTHSERV_ID={AUTHSERV_ID}" in said(iter(round_trip()), Level.LOOK)
    settings.TRUSTED_AUTHSERV_ID = "mx.elsewhere.test"
    assert f"signs as {AUTHSERV_ID}" in said(iter(round_trip()), Level.MEND)
    settings.TRUSTED_AUTHSERV_ID = AUTHSERV_ID
    assert f"as {AUTHSERV_ID}" in said(iter(round_trip()), Level.OK)


def test_an_unsigned_mail_is_to_be_looked_at(judge_mailbox: JudgeMailbox) -> None:
    assert "does not sign our mails for" in said(iter(round_trip()), Level.LOOK)


def test_without_plus_addresses_no_reply_would_arrive(judge_mailbox: JudgeMailbox) -> None:
    class Strict(set[str]):
        def __contains__(self, address: object) -> bool:
            return "+" in str(address)

    judge_mailbox.smtp.unknown = Strict()
    try:
        found = said(iter(round_trip()), Level.MEND)
    finally:
        judge_mailbox.smtp.unknown = set()
    assert "is refused: 550" in found
    assert "judge+anything" in found


def test_a_mail_to_ourselves_that_is_only_put_off_asks_for_patience() -> None:
    later = roundtrip._refusal(Teller("mail"), 450, "It is refused: 450 later.")
    assert "in a few minutes" in later.advice
    assert "judge+anything" not in later.advice


def test_a_mail_that_does_not_arrive_is_waited_for_and_missed(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.IMAP_URLS = [judge_mailbox.dovecot.url("elsewhere@game.test")]
    assert "did not arrive within 0 s" in said(iter(round_trip(wait=0)), Level.MEND)


def test_a_mail_to_itself_that_the_relay_does_not_take_is_named(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.EMAIL_URL = f"smtp://127.0.0.1:{dead_port()}"
    assert "A mail to ourselves was not taken" in said(iter(round_trip()), Level.MEND)


def test_one_mailbox_that_is_away_hides_no_mail_in_the_other(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    away = f"imap://judge:open-sesame@127.0.0.1:{dead_port()}/INBOX"
    settings.IMAP_URLS = [away, *settings.IMAP_URLS]
    assert "arrived after" in said(iter(round_trip()), Level.OK)


def test_a_mailbox_that_refuses_our_password_is_not_asked_again_and_again(
    judge_mailbox: JudgeMailbox,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries: list[str] = []
    connect = imap.Session._connect
    monkeypatch.setattr(
        imap.Session, "_connect", lambda self: (tries.append(self.url), connect(self))[1]
    )
    settings.IMAP_URLS = [judge_mailbox.imap_url.replace(":secret@", ":wrong@")]
    found = said(iter(round_trip()), Level.MEND)
    assert "no mailbox lets us look for it" in found
    assert tries == settings.IMAP_URLS
    assert "Connection closed" not in caplog.text
    assert judge_mailbox.smtp.accepted == []


def test_a_mail_that_the_poller_has_tidied_meanwhile_is_found(judge_mailbox: JudgeMailbox) -> None:
    letter = roundtrip._letter(timezone.now())
    judge_mailbox.deliver(letter.as_bytes(), sender=judge_mailbox.address, to=letter["To"])
    for _ in range(2):  # the first finds it in the INBOX, and tidies it away
        found = roundtrip._find(judge_mailbox.imap_url, letter["Message-ID"])
        assert found is not None
        assert found[0]["Message-ID"] == letter["Message-ID"]


def test_a_mail_server_with_another_clock_is_named(judge_mailbox: JudgeMailbox) -> None:
    wrong = timezone.now() - dt.timedelta(minutes=5)
    found = said(roundtrip.look_at_round_trip(wrong, wait=WAIT), Level.MEND)
    # Its clock tells whole seconds, and a slow machine takes some.
    assert re.search(r"The mail server's clock and ours are (299|3[0-5]\d) s apart\.", found)


def test_a_mail_server_that_says_nothing_of_a_mail_is_to_be_looked_at_or_mended(
    settings: Settings,
) -> None:
    settings.TRUSTED_AUTHSERV_ID = ""
    tell, header = Teller("mail"), email.message_from_string("Subject: Hello\n\n")
    undated = roundtrip.ReceivedMail(header, None, 1.0)
    assert "does not say when a mail came" in said(
        roundtrip._date(undated, timezone.now(), tell), Level.MEND
    )
    found = said(roundtrip._authentication(header, tell), Level.LOOK)
    assert "does not say who wrote a mail" in found


def test_a_mail_that_the_relay_signs_is_well(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = "judge@games.example.org"
    for named, level in (
        ("games.example.org", Level.OK),
        ("example.org", Level.OK),
        ("mail.games.example.org", Level.OK),
        ("notgames.example.org", Level.LOOK),
        ("org", Level.LOOK),
    ):
        header = email.message_from_string(f"DKIM-Signature: v=1; d={named}; s=s1\n\n")
        assert levels(roundtrip._signature(header, Teller("mail"))) == {level}


@pytest.mark.django_db
def test_intake_leaves_the_doctors_mail_alone(judge_mailbox: JudgeMailbox) -> None:
    letter = roundtrip._letter(timezone.now())
    judge_mailbox.deliver(letter.as_bytes(), sender=judge_mailbox.address, to=letter["To"])
    now = timezone.now() + dt.timedelta(seconds=1)
    jobs.poll(now)
    jobs.process(now)
    assert InboundMail.objects.get().state == InboundMail.State.IGNORED


@pytest.mark.parametrize(
    ("verp", "path", "level"),
    [
        (True, "<Judge+Bounce-1@game.test>", Level.OK),
        (True, "<srs0=x=y=game.test=judge@relay.test>", Level.LOOK),
        (True, "<judge@game.test>", Level.LOOK),
        (False, "<judge@game.test>", None),
        (True, "", None),
    ],
)
def test_a_relay_that_writes_a_sender_of_its_own_on_the_envelope_is_named(
    settings: Settings, verp: bool, path: str, level: Level | None
) -> None:
    settings.VERP = verp
    header = email.message_from_string(f"Return-Path: {path}\n\n" if path else "\n")
    found = roundtrip._return_path_lines(header, "judge+bounce-1@game.test", Teller("mail"))
    assert levels(found) == ({level} if level else set())


# --- Workers and pages --------------------------------------------------------------------------


class Inspected:
    """What `celery inspect` answers on a broker with these workers, each with its tasks."""

    def __init__(self, workers: dict[str, list[str]], queue: str) -> None:
        self.workers, self.queue = workers, queue

    def __call__(self, *_: object, **__: object) -> Inspected:
        return self

    def registered(self) -> dict[str, list[str]] | None:
        return self.workers or None

    def active_queues(self) -> dict[str, list[dict[str, str]]]:
        return {name: [{"name": self.queue}] for name in self.workers}


@pytest.mark.parametrize(
    ("workers", "queue", "level", "says"),
    [
        ({"celery@a": ["mailer.tasks.poll"]}, "celery", Level.OK, "1 worker at work."),
        ({}, "celery", Level.LOOK, "None answers."),
        ({"celery@b": ["shop.bill"]}, "celery", Level.MEND, "drops them: celery@b."),
        ({"celery@b": ["shop.bill"]}, "shop", Level.LOOK, "None answers."),
    ],
)
def test_whose_workers_take_our_tasks_is_said(
    monkeypatch: pytest.MonkeyPatch,
    workers: dict[str, list[str]],
    queue: str,
    level: Level,
    says: str,
) -> None:
    monkeypatch.setattr(app.control, "inspect", Inspected(workers, queue))
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


# --- The command --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_doctor_walks_through_everything_and_exits_by_the_worst(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = AUTHSERV_ID
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", wait=WAIT, stdout=out)
    assert ended.value.code == 1  # the broker of the tests listens nowhere
    mended = [line for line in out.getvalue().splitlines() if line.startswith("MEND")]
    assert all(line.split()[1] in ("broker", "database") for line in mended)
    parts = ["settings", "disk", "database", "broker", "mailbox", "relay", "mail", "pages", "dns"]
    for about in parts:
        assert f" {about} " in out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("IMAP_URLS", ["imaps://judge:a[b@mail.example.org/INBOX"]),
        ("EMAIL_URL", "smtp://judge:secret@mail.example.org:many"),
    ],
)
def test_an_address_of_a_mail_server_that_cannot_be_read_is_named_and_nothing_is_tried(
    settings: Settings, name: str, value: object
) -> None:
    setattr(settings, name, value)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", cron=True, wait=WAIT, stdout=out)
    assert re.search(
        r"(IMAP|EMAIL)_URL (has an entry that )?is not the URL of a mail", out.getvalue()
    )
    assert " relay " not in out.getvalue()
