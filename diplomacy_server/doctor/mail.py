"""The mailbox and the relay: log in, and ask for what we need of them."""

from __future__ import annotations

import imaplib
import re
import smtplib
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError
from imapclient.exceptions import LoginError

from diplomacy_server.doctor.lines import Line, Teller, first_line, on_other_ports
from games.queries.reports.wording import counted
from mailer.inbound import imap
from mailer.inbound.poller import PROCESSED
from mailer.inbound.store import digest_of, mailbox_name
from mailer.models import InboundMail, Mailbox
from mailer.outbound.addresses import bounce_address
from mailer.outbound.relay import connect
from mailer.outbound.smtp import reply_line
from mailer.reading.parser import header_of

LATEST = 20
"""How many mails we look at of those that were dealt with."""
OUR_LETTERS = b"+doctor-"
"""Part of the recipient's address in the doctor's letters, which the doctor puts away itself
(roundtrip.py)."""
PROBE = "<doctor@localhost>"
_OF_RECIPIENT = re.compile(r"5[0-9]{2}[ -]5\.(1\.[1236]|2\.\d)\b")
"""The relay refuses the address to which we would write (RFC 3463, 3.2 and 3.3), not the sender."""
NOBODY = "Or does it want a login first? EMAIL_URL has no user and no password."


def look_at_mailboxes() -> Iterator[Line]:
    """Every mailbox of IMAP_URL."""
    for url in settings.IMAP_URLS:
        yield from _mailbox(url)


def _mailbox(url: str) -> Iterator[Line]:
    tell, name = Teller("mailbox"), mailbox_name(url)
    try:
        with imap.Session(url) as session:
            waiting = counted(len(session.uids()), "mail")
            yield tell.ok(f"{name} lets us in, and has {waiting} in it.")
            yield from _abilities(session, tell)
            yield from _others(session, tell)
    except imaplib.IMAP4.error as error:
        yield tell.mend(
            f"{name} refuses: {imap.error_text(error).rstrip('.')}.", _login_advice(error)
        )
    except ssl.SSLCertVerificationError as error:
        yield _certificate_line(tell, name, error, "IMAP_URL")
    except OSError as error:
        advice = f"See to IMAP_URL: scheme, host, port.{on_other_ports(url)}"
        yield tell.mend(f"{name} does not answer: {first_line(error)}.", advice)
    except ValueError as error:
        yield tell.mend(
            f"{name} answers what no mail server should: {first_line(error)}.",
            "See to IMAP_URL: host, port.",
        )


def _login_advice(error: imaplib.IMAP4.error) -> str:
    """Return what to do about a mail server that refuses our login, or our folder after it."""
    if not isinstance(error, LoginError):
        if "STARTTLS" in str(error):
            return "It offers no STARTTLS: write imaps:// (port 993) in IMAP_URL."
        if isinstance(error, imaplib.IMAP4.abort):  # it hung up, or is no IMAP server at all
            return "See to IMAP_URL: scheme, host, port; the mail server's log may say more."
        return "See to the folder at the end of IMAP_URL; the mail server's log may say more."
    if "[PRIVACYREQUIRED]" in str(error):  # RFC 5530, 3
        return "It wants no password without encryption: write imaps:// (993) or imap+tls:// (143)."
    return "See to IMAP_URL: user, password."


def _certificate_line(
    tell: Teller, name: str, error: ssl.SSLCertVerificationError, url: str
) -> Line:
    reason = error.verify_message.rstrip(".")
    says = f"{name} shows a certificate that we cannot trust: {reason}."
    if "expired" in reason:
        return tell.mend(
            says,
            "Renew it on the mail server, and reload that server so that it shows the new one.",
        )
    if "mismatch" in reason:
        return tell.mend(says, f"Put the name from the certificate into {url}.")
    return tell.mend(
        says,
        "Have the mail server show the whole chain (fullchain.pem). For a CA of your own put its "
        "certificate into /usr/local/share/ca-certificates, and run `update-ca-certificates`.",
    )


def _abilities(session: imap.Session, tell: Teller) -> Iterator[Line]:
    has = session.client.has_capability
    if not has("IDLE"):
        yield tell.look(
            "It cannot call us when mail comes (no IDLE).",
            f"Mail is looked for every {settings.POLL_SECONDS:g} s instead (POLL_SECONDS).",
        )
    if not has("MOVE") and not has("UIDPLUS"):
        yield tell.look(
            "It can neither MOVE mails nor delete single ones (UIDPLUS).",
            "Let no other program delete mails in this mailbox.",
        )


def _others(session: imap.Session, tell: Teller) -> Iterator[Line]:
    """Say whether somebody else puts mails away: another server on this mailbox, or a filter, may
    take mails that we then never see."""
    digests = set(_digests_put_away(session))
    if digests and (strange := len(digests - _digests_known(digests))):
        yield tell.look(
            f"We never read {strange} of the last {counted(len(digests), 'mail')} in {PROCESSED}.",
            "Does another server or program read this mailbox? It takes mails from us: give us a "
            "mailbox of our own. After a backup was restored, `after_restore` reads them again.",
        )


def _digests_known(digests: set[str]) -> set[str]:
    """Return which of these digests are of mails that we have read, whatever IMAP_URL was. If the
    database does not answer, return them all: other lines say so."""
    try:
        boxes = [*Mailbox.objects.values_list("pk", flat=True)]  # each has an index of its digests
        read = InboundMail.objects.filter(mailbox__in=boxes, sha256__in=digests)
        return {*read.values_list("sha256", flat=True)}
    except DatabaseError:
        return digests


def _digests_put_away(session: imap.Session) -> Iterator[str]:
    """Yield the digests of the newest mails that were dealt with, leaving out the doctor's own
    letters."""
    newest = session.newest_in(PROCESSED, LATEST)
    for portion in imap.in_portions(session.facts(newest)) if newest else ():
        for raw in session.fetch(portion).values():
            if OUR_LETTERS not in header_of(raw):
                yield digest_of(raw)


def look_at_relay() -> Iterator[Line]:
    """Log in, and name the senders and recipients that our mails will have. Sends nothing."""
    tell, url = Teller("relay"), urlsplit(settings.EMAIL_URL)
    try:
        smtp = connect(url)
    except smtplib.SMTPAuthenticationError as error:
        says = f"It refuses our login: {_reply(error.smtp_code, error.smtp_error)}."
        yield tell.mend(says, "See to EMAIL_URL: user, password.")
        return
    except ssl.SSLCertVerificationError as error:
        yield _certificate_line(tell, str(url.hostname), error, "EMAIL_URL")
        return
    except smtplib.SMTPNotSupportedError as error:
        says = f"{url.hostname} cannot do what EMAIL_URL wants: {first_line(error)}."
        yield tell.mend(says, _advice_on_relay(url.scheme))
        return
    except OSError as error:
        says = f"{url.hostname} does not answer: {first_line(error)}."
        advice = f"See to EMAIL_URL: scheme, host, port.{on_other_ports(settings.EMAIL_URL)}"
        yield tell.mend(says, advice)
        return
    try:
        with smtp:
            yield tell.ok(f"{url.hostname} lets us in.")
            yield from _senders(smtp, tell)
    except OSError as error:
        says = f"{url.hostname} breaks the connection off: {first_line(error)}."
        yield tell.mend(says, "Look into its log: it may take no mail from this machine.")


def _advice_on_relay(scheme: str) -> str:
    """Return what to do about a relay that offers no login, or no STARTTLS."""
    if scheme == "smtp":
        return "It wants no password without encryption: write smtp+tls:// (587) or smtps:// (465)."
    return "See to EMAIL_URL: scheme, host, port."


def _senders(smtp: smtplib.SMTP, tell: Teller) -> Iterator[Line]:
    """Say whether mails may leave with the envelope senders that smtp.envelope_sender gives
    them."""
    plain, own = settings.JUDGE_ADDRESS, bounce_address(PROBE)
    known = urlsplit(settings.EMAIL_URL).username
    smtp.ehlo_or_helo_if_needed()
    for sender, advice in (
        ("", "Have it allowed: answers to strangers leave without a sender (RFC 3834)."),
        (own if settings.VERP else plain, "Have it allowed, or set VERP=0 (docs/operators.md)."),
    ):
        code, answer = smtp.mail(sender)
        if code == 250:
            code, answer = smtp.rcpt(plain)
        smtp.rset()
        if 400 <= code < 500:
            says = f"It puts the envelope sender <{sender}> off: {_reply(code, answer)}."
            yield tell.look(says, "Ask again in a few minutes; if it stays, its log says why.")
            return
        if _OF_RECIPIENT.match(_reply(code, answer)):
            yield tell.mend(
                f"It takes no mail for our own address {plain}: {_reply(code, answer)}.",
                "See to that mailbox and to JUDGE_ADDRESS: replies would come back to the players.",
            )
            return
        if code not in (250, 251):
            says = f"It refuses the envelope sender <{sender}>: {_reply(code, answer)}."
            yield tell.mend(says, advice if known else f"{advice} {NOBODY}")
            return
    yield tell.ok("It takes our envelope senders" + (" (VERP)." if settings.VERP else "."))


def _reply(code: int, answer: bytes | str) -> str:
    return reply_line(code, answer).rstrip(".")
