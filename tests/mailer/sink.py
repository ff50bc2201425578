"""An SMTP server that keeps what it takes, counts connections and fails as it is told to.

The tests of mail out need faults the relay in front of Dovecot does not have, and no mailbox.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, syntax

from tests.servers.process import free_ports

TEMPFAIL = "451 4.3.0 Try again later"
REJECT = "554 5.7.1 We do not want this"
HANG_UP = "hang up"  # takes the mail, but the 250 never reaches the client
CLOSE = "421 4.3.2 Closing down"


@dataclass
class Sink:
    """What arrived, and the answers the next mails get instead of "250 OK"."""

    taken: list[tuple[str, EmailMessage]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    refuses: str = ""
    """What every recipient is answered."""
    not_before_text: list[str] = field(default_factory=list)
    """What the next mails are answered instead of 354, before their text."""
    asks_anyway: bool = False
    """Whether it asks for a text though it takes it to nobody (RFC 2920, 3.1)."""
    pipelining: bool = True
    """Whether it says that it takes several commands at once, as all real relays do."""
    senders_refused: str = ""
    hangs_after: int | None = None
    """After so many mails it answers none until it is `released`."""
    released: threading.Event = field(default_factory=threading.Event)
    connections: int = 0
    encrypted: bool = False
    """Whether the last mail came over TLS."""
    url: str = ""

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return [responses[0], *["250-PIPELINING"] * self.pipelining, *responses[1:]]

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.senders_refused == HANG_UP:
            server.transport.abort()
        if self.senders_refused:
            return self.senders_refused
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 5.1.1 No such user"
        if self.refuses:
            return self.refuses
        if address in self.full:
            return "452 4.2.2 Mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        while len(self.taken) == self.hangs_after and not self.released.is_set():
            await asyncio.sleep(0.01)
        fault = self.faults.pop(0) if self.faults else ""
        if fault and fault != HANG_UP:
            return fault
        self.encrypted = server.transport.get_extra_info("sslcontext") is not None
        raw = envelope.content.replace(b"\r\n", b"\n")
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.taken += [(recipient, message) for recipient in envelope.rcpt_tos]
        if fault == HANG_UP:
            server.transport.abort()
        return "250 OK"

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    def subjects(self) -> list[str]:
        """The subjects of what arrived, in order."""
        return [str(message["Subject"]) for _, message in self.taken]


class _Server(SMTP):
    """As the library's, and it can refuse a mail before its text."""

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        sink = self.event_handler
        if sink.not_before_text:
            await self.push(sink.not_before_text.pop(0))
        elif sink.asks_anyway and not self.envelope.rcpt_tos:
            await self.push("354 Go on")
            await self._reader.readuntil(b".\r\n")
            await self.push("554 5.5.1 No valid recipients")
        else:
            await super().smtp_DATA(arg)


class _Controller(Controller):
    def factory(self) -> SMTP:
        return _Server(self.handler, **self.SMTP_kwargs)

    def _trigger_server(self) -> None:
        socket.create_connection((self.hostname, self.port), timeout=5).close()


@contextmanager
def running_sink(**options: Any) -> Iterator[Sink]:
    """A sink on a free loopback port with these `options` of aiosmtpd; stopped at the end."""
    (port,) = free_ports(1)
    sink = Sink(url=f"smtp://127.0.0.1:{port}")
    controller = _Controller(sink, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()
