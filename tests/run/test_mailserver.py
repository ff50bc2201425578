"""The embedded mail server: what it said 250 to is there after any end, and nothing else moves."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from diplomacy_server.embedded import mailboxes, mailstore
from diplomacy_server.embedded.mailboxes import KeptMailbox, Post
from tests.run.running import ROOT, eventually
from tests.servers.process import free_ports

NOW = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)


class MailServer:
    """The server as `make run` starts it, in a folder of its own."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.smtp, self.imap = free_ports(2)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
            "VAR_DIR": str(self.var),
            "SMTP_PORT": str(self.smtp),
            "IMAP_PORT": str(self.imap),
            "JUDGE_ADDRESS": "judge@localhost",
        }
        command = [sys.executable, "-m", "diplomacy_server.embedded.mailserver"]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment)
        eventually(self.answers, seconds=60, what="the mail server")

    def answers(self) -> bool:
        try:
            smtplib.SMTP("127.0.0.1", self.smtp, timeout=60).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(60)

    def send(self, *recipients: str, text: str = "hello") -> None:
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=60) as client:
            client.sendmail("ana@players.test", recipients, f"Subject: {text}\r\n\r\n{text}\r\n")

    def mailbox(self, user: str, folder: str = "INBOX") -> IMAPClient:
        client = IMAPClient("127.0.0.1", port=self.imap, ssl=False, timeout=60)
        client.login(user, user.partition("@")[0])
        client.select_folder(folder)
        return client

    def subjects(self, user: str, folder: str = "INBOX") -> list[str]:
        with self.mailbox(user, folder) as client:
            found = client.fetch(client.search(), ["BODY.PEEK[HEADER.FIELDS (SUBJECT)]"])
        key = b"BODY[HEADER.FIELDS (SUBJECT)]"
        return [found[uid][key].decode().partition(":")[2].strip() for uid in sorted(found)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MailServer]:
    one = MailServer(tmp_path / "var")
    one.start()
    yield one
    one.kill()


def test_a_mail_taken_just_before_kill_9_is_there_at_the_next_start(server: MailServer) -> None:
    for number in range(20):
        server.send("judge+token@localhost", "ben@players.test", text=f"mail {number}")
    server.kill()
    server.start()
    expected = [f"mail {number}" for number in range(20)]
    assert server.subjects("judge") == expected
    assert server.subjects("ben@players.test") == expected


def test_the_time_of_arrival_survives_a_start(server: MailServer) -> None:
    server.send("judge@localhost")

    def arrival() -> dt.datetime:
        with server.mailbox("judge") as client:
            (uid,) = client.search()
            found = client.fetch([uid], ["INTERNALDATE"])[uid][b"INTERNALDATE"]
        assert isinstance(found, dt.datetime)
        return found

    before = arrival()
    server.kill()
    server.start()
    assert arrival() == before


def test_what_was_moved_or_deleted_stays_so(server: MailServer) -> None:
    for number in range(4):
        server.send("judge@localhost", text=f"mail {number}")
    with server.mailbox("judge") as client:
        first, second, third, _ = client.search()
        client.create_folder("Processed")
        client.move([first, second], "Processed")
        client.delete_messages([third])
        client.expunge()
        client.select_folder("Processed")
        client.copy(client.search()[:1], "INBOX")
    server.kill()
    server.start()
    assert sorted(server.subjects("judge")) == ["mail 0", "mail 3"]
    assert server.subjects("judge", "Processed") == ["mail 0", "mail 1"]


def test_the_uidvalidity_of_a_new_start_is_a_new_one(server: MailServer) -> None:
    server.send("judge@localhost")
    with server.mailbox("judge") as client:
        before = client.folder_status("INBOX", ["UIDVALIDITY"])
    server.kill()
    server.start()
    with server.mailbox("judge") as client:
        assert client.folder_status("INBOX", ["UIDVALIDITY"]) != before


def test_the_secret_after_the_plus_is_kept_in_delivered_to(server: MailServer) -> None:
    server.send("Judge+SeCret@localhost")
    with server.mailbox("judge") as client:
        (uid,) = client.search()
        raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
    assert b"Return-Path: <ana@players.test>\r\nDelivered-To: Judge+SeCret@localhost\r\n" in raw


def test_idle_wakes_for_a_new_mail(server: MailServer) -> None:
    with server.mailbox("judge") as client:
        for _ in range(20):
            client.idle()
            server.send("judge@localhost")
            woken = client.idle_check(timeout=60)
            assert any(word == b"EXISTS" for _, word, *_ in woken)
            client.idle_done()


def test_a_stranger_with_a_wrong_password_reads_nothing(server: MailServer) -> None:
    client = IMAPClient("127.0.0.1", port=server.imap, ssl=False, timeout=60)
    with pytest.raises(LoginError):
        client.login("judge", "guess")
    client.shutdown()


def test_an_address_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    for user in ("../../etc@players.test", "..", "a/b@c", "~root@x"):
        folder = mailstore.folder_path(tmp_path, user, "../INBOX")
        assert folder.resolve().is_relative_to(tmp_path)
        mailstore.store(folder, b"x", NOW)
    names = sorted(unquote(path.name) for path in tmp_path.iterdir())
    assert names == sorted(("../../etc@players.test", "..", "a/b@c", "~root@x"))


def test_a_mailbox_is_filled_when_it_is_needed_and_each_mail_shown_once(tmp_path: Path) -> None:
    """After hours of play, filling all of them took `make run` longer than a start may take."""
    folder = mailstore.folder_path(tmp_path, "emma@x", "INBOX")
    for _ in range(3):
        mailstore.store(folder, b"Subject: old\r\n\r\n", NOW)

    async def story() -> None:
        post = Post(root=tmp_path, port=0, judge="judge@localhost")
        backend = await post.backend()
        assert set(backend.config.set_cache) == {"judge"}
        new = b"Subject: new\r\n\r\n"
        await asyncio.gather(*(post.deliver("emma@x", new, NOW) for _ in range(2)))
        inbox = await backend.config.set_cache["emma@x"][0].get_mailbox("INBOX")
        assert isinstance(inbox, KeptMailbox)
        assert len(inbox.files) == 5

    asyncio.run(story())


def test_half_a_file_is_no_mail(tmp_path: Path) -> None:
    folder = mailstore.folder_path(tmp_path, "judge", "inbox")
    mailstore.store(folder, b"whole", NOW)
    (folder / "00000000000000000001-1.000009.part").write_bytes(b"ha")
    assert [mail.path.read_bytes() for mail in mailstore.mails(folder)] == [b"whole"]
    assert [mail.received_at for mail in mailstore.mails(folder)] == [NOW]


def test_read_mail_is_kept_up_to_a_number_and_the_inbox_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailboxes, "KEPT_IN_A_SIDE_FOLDER", 3)

    async def story() -> None:
        post = Post(root=tmp_path, port=0, judge="judge@localhost")
        backend = await post.backend()
        for number in range(8):
            at = NOW + dt.timedelta(seconds=number)
            await post.deliver("judge@localhost", b"Subject: %d\r\n\r\n" % number, at)
        judge = backend.config.set_cache["judge"][0]
        inbox = await judge.get_mailbox("INBOX")
        await judge.add_mailbox("Processed")
        processed = await judge.get_mailbox("Processed")
        assert isinstance(inbox, KeptMailbox)
        assert isinstance(processed, KeptMailbox)
        for uid in sorted(inbox.files)[:5]:
            await inbox.move(uid, processed)
        assert len(inbox.files) == 3
        assert len(processed.files) == 3

    asyncio.run(story())
    left = mailstore.mails(mailstore.folder_path(tmp_path, "judge", "Processed"))
    assert [mail.path.read_bytes()[:10] for mail in left] == [
        b"Subject: 2",
        b"Subject: 3",
        b"Subject: 4",
    ]
