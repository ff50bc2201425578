"""The way out: one SMTP connection for many mails, and what the server's answers mean for us."""

from __future__ import annotations

import logging
import re
import smtplib
from copy import copy
from urllib.parse import urlsplit

from django.conf import settings

from mailer.models import OutboundMail
from mailer.outbound import mime
from mailer.outbound.addresses import bounce_address
from mailer.outbound.compose import compose
from mailer.outbound.pictures import Album
from mailer.outbound.relay import CLOSING, Connection, connect
from mailer.reading.report import is_of_the_mail

logger = logging.getLogger(__name__)

PATIENCE = 3
"""How many new connections in a row the server may close before it hears whom a mail is for."""
_RELAYING = re.compile(r"(?<![\w.@-])relay(?:ing|ed)?(?![\w@-]|\.\w)", re.IGNORECASE)
"""Exim says "550 relay not permitted", with no code that sets it apart from an unknown address. In
the name of a machine, such as relay.example.org, the word means nothing."""
TOO_LARGE = 552  # RFC 1870, 6.1: it is told the size together with the sender


class NotSent(Exception):
    """The server did not take a mail; the message says what it answered."""


class Rejected(NotSent):
    """Refused for good (5xx): the same mail will never be taken."""


class TooLarge(Rejected):
    """Refused with the code of a mail that is too large; a full mailbox has the same."""


class PutOff(NotSent):
    """Refused for now (4xx), or refused for a reason that lies with us and not with the mail."""


class Unreachable(NotSent):
    """No connection, or it broke: whether the mail was taken is unknown."""


class Closing(Unreachable):
    """The server ended the connection instead of taking the mail."""


class Session:
    """One connection to the server that `url` names, opened when the first mail needs it.

    `url` is smtp://host:port, smtp+tls://user:password@host:587 (STARTTLS) or
    smtps://user:password@host:465. Certificates are always verified.
    """

    def __init__(self, url: str) -> None:
        self.url = urlsplit(url)
        self.connection: Connection | None = None
        self.was_of_use = False
        """Whether the server took a mail over this connection."""
        self.closed_at_once: list[str] = []
        """The server's words as it closed the newest connections before it took a mail."""
        self.album = Album()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def open(self) -> Connection:
        """Open the connection unless it is open, and return it.

        Raises Unreachable, even if the server refuses our name and password, or closes each new
        connection: it would ban a client that comes again for every mail.
        """
        if len(self.closed_at_once) >= PATIENCE:
            said_last = self.closed_at_once[-1]
            raise Unreachable(f"{self.url.hostname} closes each connection at once: {said_last}")
        if self.connection is None:
            try:
                self.connection, self.was_of_use = connect(self.url), False
            except smtplib.SMTPAuthenticationError as error:
                answer = reply_line(error.smtp_code, error.smtp_error)
                raise Unreachable(f"{self.url.hostname} refuses our login: {answer}") from error
            except OSError as error:  # every SMTPException is an OSError
                raise Unreachable(f"No connection to {self.url.hostname}: {error}") from error
        return self.connection

    def close(self) -> None:
        """Say goodbye, or just hang up on a server that no longer listens."""
        connection, self.connection = self.connection, None
        if connection is None:
            return
        try:
            connection.quit()
        except OSError:
            connection.close()

    def send(self, mail: OutboundMail) -> None:
        """Hand `mail` to the server; return when it has answered 250. Raises a subclass of NotSent.

        A mail that is too large leaves without its pictures: its text says all that they show.
        """
        try:
            self._send_over_another(mail)
        except TooLarge as error:
            if mail.pictured_id is None:
                raise
            logger.warning("Mail #%s leaves without its pictures: %s", mail.pk, error)
            bare = copy(mail)
            bare.pictured = None
            self._send_over_another(bare)
        self.was_of_use = True
        self.closed_at_once.clear()

    def _send_over_another(self, mail: OutboundMail) -> None:
        """Send it over another connection if this one ends: some servers take only so many mails
        over each."""
        try:
            self._send(mail)
        except Closing:
            if not self.was_of_use:
                raise
            self._send(mail)

    def _send(self, mail: OutboundMail) -> None:
        connection = self.open()
        recipient = mime.address(mail.recipient)
        try:
            connection.hand_over(envelope_sender(mail), recipient, compose(mail, self.album))
        except smtplib.SMTPRecipientsRefused as error:
            code, answer = next(iter(error.recipients.values()))
            raise self.verdict(code, answer, of_ours=_refuses_us(code, answer)) from error
        except smtplib.SMTPSenderRefused as error:
            raise self.verdict(error.smtp_code, error.smtp_error, of_ours=True) from error
        except smtplib.SMTPResponseException as error:
            raise self.verdict(error.smtp_code, error.smtp_error) from error
        except OSError as error:
            self.close()
            raise Unreachable(f"The connection broke: {error}") from error

    def verdict(self, code: int, answer: bytes | str, *, of_ours: bool = False) -> NotSent:
        """What the server's reply `code` (RFC 5321, 4.2.1) means for the mail.

        If it refuses an address `of_ours`, the operator must act: the mail itself is fine.
        """
        text = reply_line(code, answer)
        if code == CLOSING:
            if of_ours and not self.was_of_use:
                self.closed_at_once.append(text)
            self.close()
            return Closing(text)
        if code == TOO_LARGE:
            return TooLarge(text)
        return Rejected(text) if code >= 500 and not of_ours else PutOff(text)


def _refuses_us(code: int, answer: bytes | str) -> bool:
    """Whether a server that knows whom a mail is for refuses us, not that address.

    It has not seen the mail yet. Many servers wait until then to say that they relay only for
    clients that are logged in, or that the sender is not ours to use (Postfix's
    smtpd_delay_reject).

    After a bare 554, or 5.7.1, we try for two days, then give up. Postfix says 554 5.7.1 to a
    client that it does not know or finds on a block list, and Microsoft 550 5.7.606; an operator
    mends both within a day or two. With the same code Postfix may refuse one address (an access
    table); then our tries cost some fifty answers. `status` counts these mails meanwhile.
    """
    text = reply_line(code, answer)
    return code >= 500 and (is_of_the_mail(text) or _RELAYING.search(text) is not None)


def reply_line(code: int, answer: bytes | str) -> str:
    """A server's reply in one line, as its log has it: "535 5.7.8 Authentication failed"."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return " ".join([str(code), *text.split()])


def envelope_sender(mail: OutboundMail) -> str:
    """Where a report about this mail goes (VERP): an address that belongs to this mail alone.

    Answers to strangers leave without one (RFC 3834, 4): nobody has to know whether they arrived,
    and so a forged From line causes no report.
    """
    if mail.answers_id and mail.player_id is None:
        return ""
    return bounce_address(mail.message_id) if settings.VERP else str(settings.JUDGE_ADDRESS)
