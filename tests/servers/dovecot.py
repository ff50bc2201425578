"""A private Dovecot: IMAP for everybody, LMTP for the relay in front of it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from tests.servers.certificates import server_side
from tests.servers.process import Server, free_ports, program

PASSWORD = "secret"  # of every mailbox: any address may log in, its mailbox is made at once
TEMPLATES = Path(__file__).parent


class Dovecot(Server):
    """One Dovecot where every address is a mailbox, plus addressing included.

    Dovecot 2.4 reads another syntax than 2.3: there is one template for each.
    """

    name = "Dovecot"
    package = "dovecot-core dovecot-imapd dovecot-lmtpd"

    def __init__(self, *, capabilities: str = "") -> None:
        """With `capabilities`, say to be able to do these things and no others."""
        super().__init__()
        self.capabilities = capabilities

    def prepare(self) -> None:
        self.port, self.lmtp_port = free_ports(2)
        for name in ("run", "state", "mail"):
            self.make_folder(name)
        server_side(self.certificate)
        text = (TEMPLATES / f"dovecot-{self.version()}.conf").read_text()
        facts = {
            "folder": str(self.folder),
            "user": self.account.name,
            "group": self.account.group,
            "uid": str(self.account.uid),
            "gid": str(self.account.gid),
            "imap_port": str(self.port),
            "lmtp_port": str(self.lmtp_port),
            "password": PASSWORD,
        }
        filled = re.sub(r"@(\w+)@", lambda match: facts[match[1]], text)
        if self.capabilities:
            filled += f"imap_capability = {self.capabilities}\n"
        (self.folder / "dovecot.conf").write_text(filled)

    @property
    def certificate(self) -> Path:
        """The file with what it shows who asks for TLS."""
        return self.folder / "server.pem"

    def version(self) -> str:
        """Which of the templates fits: "2.3" or "2.4"."""
        asked = subprocess.run(
            [program("dovecot", self.package), "--version"], capture_output=True, check=True
        )
        return ".".join(asked.stdout.decode().split()[0].split(".")[:2])

    def command(self) -> list[str]:
        return [program("dovecot", self.package), "-F", "-c", str(self.folder / "dovecot.conf")]

    def answers(self) -> bool:
        try:
            with self.client("ready@example.test"):
                return True
        except (OSError, IMAPClientError):
            return False

    def url(self, address: str, *, scheme: str = "imap") -> str:
        """IMAP_URL of an address's mailbox."""
        return f"{scheme}://{quote(address, safe='')}:{PASSWORD}@127.0.0.1:{self.port}/INBOX"

    @contextmanager
    def client(self, address: str, folder: str = "INBOX") -> Iterator[IMAPClient]:
        """An IMAP session of this address with the folder selected."""
        timeout = SocketTimeout(connect=20, read=60)
        with IMAPClient("127.0.0.1", port=self.port, ssl=False, timeout=timeout) as client:
            client.login(address, PASSWORD)
            client.select_folder(folder)
            yield client

    def mails(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """Every raw mail in a folder of this address, oldest first, left unread."""
        with self.client(address, folder) as client:
            fetched = client.fetch(client.search(), ["BODY.PEEK[]"])
            return [bytes(fetched[uid][b"BODY[]"]) for uid in sorted(fetched)]

    def count(self, address: str, folder: str = "INBOX") -> int:
        """How many mails lie in a folder of this address."""
        with self.client(address, folder) as client:
            return len(client.search())

    def renumber(self, address: str, uidvalidity: int) -> None:
        """Give the INBOX a new UIDVALIDITY, as a server restored from a backup would."""
        conf = str(self.folder / "dovecot.conf")
        doveadm = program("doveadm", self.package)
        change = ("mailbox", "update", "-u", address, "--uid-validity", str(uidvalidity))
        self.run(doveadm, "-c", conf, *change, "INBOX")
