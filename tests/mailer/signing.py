"""Senders' domains as they are: mails really signed with DKIM, keys in a real name server."""

from __future__ import annotations

import datetime as dt
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dkim
import dns.message
import dns.resolver
import dns.rrset
import pytest

from tests.cast import NOW

SELECTOR = "s1"
COVERED = ("from", "to", "subject", "message-id", "date")


@dataclass
class Domain:
    """A domain that signs its mails."""

    name: str
    bits: int = 1024
    key: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.key = _openssl("genrsa", "-traditional", str(self.bits))

    @property
    def record(self) -> str:
        """The TXT record with its public key (RFC 6376, 3.6.1)."""
        public = _openssl("rsa", "-pubout", given=self.key).decode()
        return "v=DKIM1; k=rsa; p=" + "".join(public.splitlines()[1:-1])

    def signed(
        self,
        raw: bytes,
        *,
        covered: tuple[str, ...] = COVERED,
        partial: bool = False,
        at: dt.datetime = NOW,
    ) -> bytes:
        """The mail with this domain's signature on top, made then; `partial` signs only what is
        there now."""
        headers = [name.encode() for name in covered]
        signer = dkim.DKIM(raw, minkey=512)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dkim.time.time", at.timestamp)
            signature: bytes = signer.sign(
                SELECTOR.encode(),
                self.name.encode(),
                self.key,
                canonicalize=(b"relaxed", b"relaxed"),
                include_headers=headers,
                length=partial,
            )
        return signature + raw


def _openssl(*arguments: str, given: bytes = b"") -> bytes:
    """What openssl makes of this; Dovecot brings it along."""
    done = subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True)
    return done.stdout


class Nameserver(threading.Thread):
    """A name server for the keys of these domains; a silent one never answers."""

    def __init__(self, *domains: Domain, silent: bool = False) -> None:
        super().__init__(daemon=True)
        self.records = {f"{SELECTOR}._domainkey.{one.name}.": one.record for one in domains}
        self.silent = silent
        self.asked: list[str] = []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.1)
        self.running = True

    def run(self) -> None:
        while self.running:
            try:
                wire, client = self.socket.recvfrom(4096)
            except TimeoutError:
                continue
            query = dns.message.from_wire(wire)
            name = query.question[0].name.to_text()
            self.asked.append(name)
            if not self.silent:
                self.socket.sendto(self._answer(query, name).to_wire(), client)
        self.socket.close()

    def _answer(self, query: dns.message.Message, name: str) -> dns.message.Message:
        answer = dns.message.make_response(query)
        if record := self.records.get(name):
            pieces = " ".join(f'"{record[at : at + 200]}"' for at in range(0, len(record), 200))
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", pieces))
        else:
            answer.set_rcode(3)  # NXDOMAIN
        return answer


@contextmanager
def nameserver(*domains: Domain, silent: bool = False) -> Iterator[Nameserver]:
    """A private name server that this process asks instead of the machine's."""
    server = Nameserver(*domains, silent=silent)
    server.start()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = server.socket.getsockname()[1]
    before = dns.resolver.default_resolver
    dns.resolver.default_resolver = resolver
    try:
        yield server
    finally:
        dns.resolver.default_resolver = before
        server.running = False
        server.join()
