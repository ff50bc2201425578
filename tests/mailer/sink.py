"""An SMTP server that keeps what it takes, counts connections and fails as it is told to.

The tests of mail out need faults the relay in front of Dovecot does not have, and no mailbox.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

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
    connections: int = 0
    url: str = ""

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 5.1.1 No such user"
        if address in self.full:
            return "452 4.2.2 Mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        fault = self.faults.pop(0) if self.faults else ""
        if fault and fault != HANG_UP:
            return fault
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


@contextmanager
def running_sink() -> Iterator[Sink]:
    """A sink on a free loopback port; stopped at the end."""
    (port,) = free_ports(1)
    sink = Sink(url=f"smtp://127.0.0.1:{port}")
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()
