"""Two servers of ours, each with its own database and key, that somebody sets upon each other."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.flows.server import Ticking
from tests.migrated import ROOT, sqlite_file
from tests.servers import Dovecot, Relay

REGISTER = """
from django.utils import timezone
from games.services.accounts.players import address_confirm, player_register
now = timezone.now()
address_confirm(address=player_register(name="Robot", email="{email}", now=now), now=now)
"""
FELL_SILENT = 3  # mails, the forged one included


class Instance(Ticking):
    """One server: `manage.py tick` on an SQLite database of its own."""

    def __init__(self, name: str, dovecot: Dovecot, smtp: Relay, folder: Path) -> None:
        self.address = f"judge-{uuid.uuid4().hex[:8]}@{name}.test"
        self.dovecot = dovecot
        database = sqlite_file(folder / "server.sqlite3")
        super().__init__(
            {
                "PATH": "/usr/bin:/bin",
                "DATABASE_URL": f"sqlite:///{database}",
                "SECRET_KEY": f"the key of {name}, as long as the system checks want it to be",
                "IMAP_URL": dovecot.url(self.address),
                "EMAIL_URL": smtp.url,
                "JUDGE_ADDRESS": self.address,
                "VAR_DIR": str(folder),
                "PYTHONPATH": str(ROOT),
            }
        )

    def received(self) -> int:
        """How many mails it has had."""
        folders = ("INBOX", "Processed")
        with self.dovecot.client(self.address) as client:
            there = [name for name in folders if client.folder_exists(name)]
        return sum(self.dovecot.count(self.address, name) for name in there)


@pytest.fixture
def pair(dovecot: Dovecot, smtp: Relay, tmp_path: Path) -> tuple[Instance, Instance]:
    one, two = (Instance(name, dovecot, smtp, tmp_path / name) for name in ("one", "two"))
    return one, two


@pytest.mark.timeout(600)
@pytest.mark.parametrize("know_each_other", [False, True])
def test_two_servers_that_were_set_upon_each_other_fall_silent(
    pair: tuple[Instance, Instance], smtp: Relay, know_each_other: bool
) -> None:
    one, two = pair
    if know_each_other:
        one.manage("shell", "-c", REGISTER.format(email=two.address))
        two.manage("shell", "-c", REGISTER.format(email=one.address))
    raw = f"From: {two.address}\r\nTo: {one.address}\r\nMessage-ID: <a@b.test>\r\n\r\nLIST\r\n"
    smtp.send("mallory@mallory.test", one.address, raw.encode())
    for _ in range(2):
        one.turn()
        two.turn()
    assert one.received() == 1
    assert two.received() == 1  # the answer, to which nobody answers
    assert len(smtp.accepted) <= FELL_SILENT


@pytest.mark.timeout(600)
def test_so_do_those_of_whom_one_cannot_be_reached_by_the_other(
    pair: tuple[Instance, Instance], smtp: Relay
) -> None:
    """The answer comes back as a report, and a report is not answered either."""
    one, two = pair
    smtp.unknown = {two.address}
    one.manage("shell", "-c", REGISTER.format(email=two.address))
    raw = f"From: {two.address}\r\nTo: {one.address}\r\nMessage-ID: <a@b.test>\r\n\r\nLIST\r\n"
    smtp.send("mallory@mallory.test", one.address, raw.encode())
    for _ in range(2):
        one.turn()
    assert two.received() == 0
    assert len(smtp.accepted) == 1
