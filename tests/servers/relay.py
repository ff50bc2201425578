"""The mail exchanger of the tests: SMTP in front of Dovecot, with faults on demand.

Whatever a player or the server sends lands in a real IMAP mailbox. As a real exchanger it stamps
`Received` and `Authentication-Results` and removes results that claim to be its own.
"""

from __future__ import annotations

import asyncio
import email.utils
import enum
import re
import smtplib
import threading
import uuid
from dataclasses import dataclass, field

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers.process import free_ports

AUTHSERV_ID = "mx.game.test"
SIZE_LIMIT = 2_000_000


class Fault(enum.Enum):
    """What goes wrong with one mail."""

    TEMPFAIL = "451 4.3.0 Try again later"
    REJECT = "554 5.7.1 Rejected"
    LOST_250 = "delivered, but the connection breaks before the sender hears of it"


@dataclass(frozen=True)
class AcceptedMail:
    """One mail as it was accepted."""

    sender: str
    recipients: tuple[str, ...]
    message_id: str
    raw: bytes = field(repr=False)


class Relay:
    """An SMTP server on a loopback port; `faults` are used up one by one, first come first served.

    `accepted` is every mail that reached a mailbox; `unknown` are addresses answered with 550;
    `verdicts` says what Authentication-Results claim for a sender's domain.
    """

    name = "SMTP"

    def __init__(self, lmtp_port: int) -> None:
        self.lmtp_port = lmtp_port
        (self.port,) = free_ports(1)
        self.faults: list[Fault] = []
        self.accepted: list[AcceptedMail] = []
        self.unknown: set[str] = set()
        self.verdicts: dict[str, str] = {}
        self._lock = threading.Lock()
        self._controller: Controller | None = None

    @property
    def url(self) -> str:
        """EMAIL_URL of this server."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Listen; again on the same port after `stop`."""
        self._controller = Controller(
            self, hostname="127.0.0.1", port=self.port, data_size_limit=SIZE_LIMIT, ident="relay"
        )
        self._controller.start()

    def stop(self) -> None:
        """Refuse connections from now on."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    def reset(self) -> None:
        """Forget mails, faults and verdicts: every test begins with a healthy, empty relay."""
        with self._lock:
            self.faults.clear()
            self.accepted.clear()
            self.unknown.clear()
            self.verdicts.clear()
        if self._controller is None:
            self.start()

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a mail over by SMTP, as a mail program would."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, [recipient], raw)

    # What aiosmtpd calls; it looks the names up.

    async def handle_EHLO(
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Say, as all real relays do, that several commands may come at once (RFC 2920)."""
        session.host_name = hostname
        return [responses[0], "250-PIPELINING", *responses[1:]]

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.lower() in self.unknown:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        fault = self._next_fault()
        if fault is Fault.TEMPFAIL or fault is Fault.REJECT:
            return str(fault.value)
        await asyncio.get_running_loop().run_in_executor(None, self._deliver, session, envelope)
        if fault is Fault.LOST_250 and isinstance(server.transport, asyncio.WriteTransport):
            server.transport.abort()
        return "250 OK"

    def _next_fault(self) -> Fault | None:
        with self._lock:
            return self.faults.pop(0) if self.faults else None

    def _deliver(self, session: Session, envelope: Envelope) -> None:
        raw = envelope.original_content or b""
        sender = envelope.mail_from or ""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port, timeout=60) as client:
            client.sendmail(sender, envelope.rcpt_tos, self._stamp(session, sender, raw))
        found = re.search(rb"^message-id:\s*(\S+)", raw, re.IGNORECASE | re.MULTILINE)
        message_id = found[1].decode(errors="replace") if found else ""
        with self._lock:
            self.accepted.append(AcceptedMail(sender, tuple(envelope.rcpt_tos), message_id, raw))

    def _stamp(self, session: Session, sender: str, raw: bytes) -> bytes:
        domain = sender.rpartition("@")[2].lower()
        verdict = self.verdicts.get(domain, "dmarc=none")
        stamp = (
            f"Authentication-Results: {AUTHSERV_ID}; {verdict} header.from={domain or 'none'}\r\n"
            f"Received: from {session.host_name} ([127.0.0.1]) by {AUTHSERV_ID} with ESMTP\r\n"
            f" id {uuid.uuid4().hex[:12]}; {email.utils.formatdate()}\r\n"
        )
        return stamp.encode() + without_our_results(raw)


def without_our_results(raw: bytes) -> bytes:
    """The mail without Authentication-Results that bear our own name (RFC 8601, section 5)."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    ours = rb"authentication-results:\s*" + re.escape(AUTHSERV_ID.encode()) + rb"\b"
    fields = re.split(rb"\r\n(?![ \t])", head)
    kept = [each for each in fields if not re.match(ours, each, re.IGNORECASE)]
    return b"\r\n".join(kept) + blank + body
