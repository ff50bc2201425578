"""The doctor tries the mailbox, the relay, and a mail to itself, against real servers."""

from __future__ import annotations

import datetime as dt
import email
import re
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from diplomacy_server.doctor import mail, reachability, roundtrip
from diplomacy_server.doctor.lines import Level, Line, Teller
from mailer import jobs
from mailer.inbound import imap
from mailer.inbound.poller import PROCESSED
from mailer.models import InboundMail
from tests.conftest import JudgeMailbox
from tests.health.doctor import WAIT, dead_port, levels, said
from tests.mailer.sink import HANG_UP, running_sink
from tests.servers.certificates import impostor
from tests.servers.faulty_imap import faulty_imap
from tests.servers.relay import AUTHSERV_ID, Relay


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
