"""A mail from the doctor to the server's own reply address, and what became of it on the way.

It is marked as written by a program, so intake ignores it if intake is faster than the doctor.
"""

from __future__ import annotations

import datetime as dt
import email
import re
import secrets
import smtplib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.utils import format_datetime, make_msgid, parseaddr
from urllib.parse import urlsplit

from django.conf import settings

from diplomacy_server.doctor.lines import Line, Teller, first_line
from mailer.inbound import imap
from mailer.inbound.poller import PROCESSED
from mailer.outbound.addresses import bounce_address
from mailer.outbound.relay import connect

DRIFT = dt.timedelta(seconds=30)
PAUSE = 1.0
_SIGNED_FOR = re.compile(r"(?:^|;)\s*d\s*=\s*([^\s;]+)")
_AUTHSERV_ID = re.compile(r"\s*([^\s;]+)")


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """The mail as the mailbox has it."""

    header: Message
    received_at: dt.datetime | None
    seconds: float


def look_at_round_trip(now: dt.datetime, *, wait: float) -> Iterator[Line]:
    """Send a mail to ourselves, wait for it up to this many seconds, and look at what arrived."""
    tell = Teller("mail")
    mailboxes = [url for url in settings.IMAP_URLS if _lets_us_in(url)]
    if not mailboxes:
        yield tell.mend(
            "We sent ourselves no mail, for no mailbox lets us look for it.", "See above."
        )
        return
    letter = _letter(now)
    sender = _sender_of(letter["Message-ID"])
    try:
        with connect(urlsplit(settings.EMAIL_URL)) as smtp:
            smtp.send_message(letter, sender, [letter["To"]])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = error.recipients[letter["To"]]
        says = f"{letter['To']} is refused: {code} {answer.decode('utf-8', 'replace')}."
        yield _refusal(tell, code, says)
        return
    except OSError as error:
        yield tell.mend(f"A mail to ourselves was not taken: {first_line(error)}.", "See above.")
        return
    found = _await(mailboxes, letter["Message-ID"], wait)
    if found is None:
        yield tell.mend(
            f"A mail to {letter['To']} did not arrive within {wait:g} s.",
            "Look for it on the mail server. Does judge+anything@ reach the mailbox of IMAP_URL?",
        )
        return
    yield tell.ok(f"A mail to {letter['To']} arrived after {found.seconds:.0f} s.")
    yield from _date(found, now, tell)
    yield from _return_path_lines(found.header, sender, tell)
    yield from _authentication(found.header, tell)
    yield from _signature(found.header, tell)


def _refusal(tell: Teller, code: int, says: str) -> Line:
    if code < 500:
        return tell.mend(
            says, "Try again in a few minutes; if it is still refused, the relay's log says why."
        )
    return tell.mend(says, "The mail server must take judge+anything, too.")


def _letter(now: dt.datetime) -> EmailMessage:
    local, _, domain = settings.JUDGE_ADDRESS.rpartition("@")
    letter = EmailMessage()
    letter["From"] = settings.JUDGE_ADDRESS
    letter["To"] = f"{local}+doctor-{secrets.token_hex(8)}@{domain}"
    letter["Subject"] = "The doctor tries whether mail arrives"
    letter["Date"] = format_datetime(now)
    letter["Message-ID"] = make_msgid(domain=domain)
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content("`manage.py doctor` sent this mail. Nothing has to be done.\n")
    return letter


def _lets_us_in(url: str) -> bool:
    """Say whether we can log in, trying only once: a mail server locks out anybody who keeps trying
    a wrong password."""
    try:
        with imap.Session(url):
            return True
    except imap.FAULTS:  # the mailbox's own lines say why
        return False


def _await(mailboxes: Sequence[str], message_id: str, wait: float) -> ReceivedMail | None:
    begun = time.monotonic()
    while True:
        for url in mailboxes:
            try:
                found = _find(url, message_id)
            except imap.FAULTS:
                continue  # it went away meanwhile
            if found:
                header, received_at = found
                return ReceivedMail(header, received_at, time.monotonic() - begun)
        if time.monotonic() - begun > wait:
            return None
        time.sleep(PAUSE)


def _find(url: str, message_id: str) -> tuple[Message, dt.datetime | None] | None:
    """Return the mail and tidy it away, or return it from where the poller has already put it."""
    with imap.Session(url) as session:
        if found := _fetch(session, message_id):
            uid, header, received_at = found
            session.move([uid], PROCESSED)
            return header, received_at
        for folder in (name for *_, name in session.client.list_folders() if PROCESSED in name):
            session.client.select_folder(folder, readonly=True)
            if found := _fetch(session, message_id):
                return found[1:]
    return None


def _fetch(
    session: imap.Session, message_id: str
) -> tuple[int, Message, dt.datetime | None] | None:
    for uid in session.client.search(["HEADER", "Message-ID", message_id]):
        answer = session.client.fetch([uid], ["BODY.PEEK[HEADER]", "INTERNALDATE"])[uid]
        header = email.message_from_bytes(answer[b"BODY[HEADER]"])
        return uid, header, answer.get(b"INTERNALDATE")
    return None


def _date(found: ReceivedMail, now: dt.datetime, tell: Teller) -> Iterator[Line]:
    """INTERNALDATE decides whether orders came in time."""
    if found.received_at is None:
        yield tell.mend(
            "The mailbox does not say when a mail came (INTERNALDATE).",
            "Use another: the server could not tell orders in time from late ones.",
        )
        return
    apart = abs(found.received_at - now - dt.timedelta(seconds=found.seconds))
    if apart > DRIFT:
        says = f"The mail server's clock and ours are {apart.total_seconds():.0f} s apart."
        yield tell.mend(says, "Keep both by NTP: its time decides whether orders came in time.")
    else:
        yield tell.ok("The mail server dates mails by the same time as we do.")


def _sender_of(message_id: str) -> str:
    """Return the envelope sender of our mail with this Message-ID."""
    return bounce_address(message_id) if settings.VERP else str(settings.JUDGE_ADDRESS)


def _return_path_lines(header: Message, sender: str, tell: Teller) -> Iterator[Line]:
    """Say whether the envelope kept our sender; the last mail server writes it into the header."""
    path = parseaddr(str(header.get("Return-Path", "")))[1]
    if not settings.VERP or not path:
        return
    if path.lower() == sender.lower():
        yield tell.ok("It kept the sender of its envelope, to which reports of failure come.")
    else:
        yield tell.look(
            f"The sender of its envelope became <{path}> on the way.",
            "Reports of failure would not say which mail they mean: have the relay keep our "
            "envelope senders, or set VERP=0 (docs/operators.md).",
        )


def _authentication(header: Message, tell: Teller) -> Iterator[Line]:
    """Say who signs the Authentication-Results: the topmost are those of our own mail server."""
    results = [str(each) for each in header.get_all("Authentication-Results", [])]
    named = [match[1].lower() for each in results if (match := _AUTHSERV_ID.match(each))]
    trusted = settings.TRUSTED_AUTHSERV_ID.lower()
    if trusted and trusted in named:
        yield tell.ok(f"Our mail server signs its Authentication-Results as {trusted}.")
    elif trusted:
        signed = f"as {named[0]}" if named else "none"
        yield tell.mend(
            f"TRUSTED_AUTHSERV_ID is {trusted}, but our mail server signs {signed}.",
            f"Set TRUSTED_AUTHSERV_ID={named[0]}." if named else "Leave TRUSTED_AUTHSERV_ID empty.",
        )
    elif named:
        yield tell.look(
            f"Our mail server says who wrote a mail (as {named[0]}), and we do not listen.",
            f"If {named[0]} is it, set TRUSTED_AUTHSERV_ID={named[0]}: fewer questions to players.",
        )
    else:
        yield tell.look(
            "Our mail server does not say who wrote a mail (Authentication-Results).",
            "Replies prove their sender all the same; CHECK_DKIM=1 proves more of them.",
        )


def _signature(header: Message, tell: Teller) -> Iterator[Line]:
    """Providers refuse unsigned mail, or drop it into the bin. A signature for a domain above or
    below ours is as good to DMARC (RFC 7489, 3.1.1)."""
    domain = settings.JUDGE_ADDRESS.rpartition("@")[2].lower()
    signatures = [str(each) for each in header.get_all("DKIM-Signature", [])]
    named = [match[1].lower() for each in signatures if (match := _SIGNED_FOR.search(each))]
    aligned = [
        one
        for one in named
        if "." in one and (f".{domain}".endswith(f".{one}") or one.endswith(f".{domain}"))
    ]
    if aligned:
        yield tell.ok(f"The relay signs our mails for {aligned[0]} (DKIM).")
    else:
        instead = f", but for {', '.join(named)}" if named else ""
        yield tell.look(
            f"The relay does not sign our mails for {domain}{instead} (DKIM).",
            "Let it, and publish the key: large providers put unsigned mail into the bin.",
        )
