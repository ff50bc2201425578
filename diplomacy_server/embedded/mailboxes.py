"""The IMAP mailboxes of the embedded server: pymap's mailboxes in memory, with every mail on disk.

pymap's own mailboxes forget everything when the process ends. These write each mail to the store
before they show it and keep the files in step with moves and deletions, so that a mailbox
after a restart is the mailbox before it, apart from flags and UIDs (UIDVALIDITY changes).
"""

from __future__ import annotations

import asyncio
import datetime as dt
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from pymap.backend.dict import Config, DictBackend, Identity, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet, Message
from pymap.exceptions import InvalidAuth
from pymap.interfaces.login import IdentityInterface
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

from diplomacy_server.embedded import mailstore
from diplomacy_server.embedded.mailstore import StoredMail

# Read mail is kept to look at, but not for ever: a demo left running must not fill the disk.
KEPT_IN_A_SIDE_FOLDER = 200

OpenMailboxes = Callable[[str], Awaitable[MailboxSet]]


class KeptMailbox(MailboxData):
    """One folder whose mails are files."""

    def __init__(self, mailboxes: KeptMailboxes, folder: Path) -> None:
        super().__init__(mailboxes._content_cache, mailboxes._thread_cache)
        self.folder = folder
        self.files: dict[int, StoredMail] = {}

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> Message:
        when = append_msg.when or dt.datetime.now(dt.UTC)
        mail = mailstore.store(self.folder, bytes(append_msg.literal), when)
        return await self.show(mail, append_msg, recent=recent)

    async def show(
        self, mail: StoredMail, append_msg: AppendMessage, *, recent: bool = False
    ) -> Message:
        """Let the folder's readers see a mail that is on disk."""
        message = await super().append(append_msg, recent=recent)
        self.files[message.uid] = mail
        return message

    async def fill(self) -> None:
        """Show what is on disk, after a start."""
        for mail in mailstore.mails(self.folder):
            raw = mail.path.read_bytes()
            await self.show(mail, AppendMessage(raw, mail.received_at, frozenset()), recent=True)

    async def copy(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        new_uid = await super().copy(uid, destination, recent=recent)
        if new_uid is not None and isinstance(destination, KeptMailbox):
            destination.files[new_uid] = mailstore.link(self.files[uid], destination.folder)
        return new_uid

    async def move(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        new_uid = await super().move(uid, destination, recent=recent)
        if new_uid is not None and isinstance(destination, KeptMailbox):
            destination.files[new_uid] = mailstore.move(self.files.pop(uid), destination.folder)
            await destination.forget_old()
        return new_uid

    async def delete(self, uids: Iterable[int]) -> None:
        uids = list(uids)
        await super().delete(uids)
        for uid in uids:
            if mail := self.files.pop(uid, None):
                mailstore.remove(mail)

    async def forget_old(self) -> None:
        """Keep a side folder small; the INBOX is never touched."""
        await self.delete(sorted(self.files)[:-KEPT_IN_A_SIDE_FOLDER])


class KeptMailboxes(MailboxSet):
    """The folders of one user."""

    def __init__(self, root: Path, user: str) -> None:
        super().__init__()
        self._root = root
        self._user = user
        self._inbox = self._mailbox("INBOX")

    def _mailbox(self, name: str) -> KeptMailbox:
        return KeptMailbox(self, mailstore.folder_path(self._root, self._user, name))

    async def add_mailbox(self, name: str) -> Any:
        mailbox_id = await super().add_mailbox(name)
        self._set[name] = self._mailbox(name)
        return self._set[name].mailbox_id or mailbox_id

    async def fill(self) -> None:
        """Show what is on disk, after a start."""
        for name in mailstore.folders(self._root, self._user):
            if name != "INBOX":
                await self.add_mailbox(name)
            await (await self.get_mailbox(name)).fill()  # type: ignore[attr-defined]


class OpenLogin(Login):
    """Lets in anybody who gives the part of the address before the @ as the password.

    Enough for mail that never leaves this machine, and easy to say in one sentence.
    """

    def __init__(self, config: Config, open_mailboxes: OpenMailboxes) -> None:
        super().__init__(config)
        self._open_mailboxes = open_mailboxes

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        written = credentials.authcid
        user = written.lower()
        password = user.partition("@")[0]
        if not credentials.verify(UserMetadata(self.config, written, password=password)):
            raise InvalidAuth()
        self.users_dict[user] = UserMetadata(self.config, user)
        await self._open_mailboxes(user)
        return Identity(user, self, None, frozenset())

    async def authorize(self, authenticated: IdentityInterface, authzid: str) -> Identity:
        return await super().authorize(authenticated, authzid.lower())


class Post:
    """All mailboxes of the embedded server; a mail to any address finds one."""

    def __init__(self, *, root: Path, port: int, judge: str) -> None:
        arguments = Namespace(passlib_cfg=None, proxy_protocol=None, inherited_sockets=None)
        self._root = root
        self._judge = judge.lower()
        self._config = Config(
            arguments,
            demo_data=False,
            demo_user="",
            demo_password="",
            host="127.0.0.1",
            port=port,
            tls_enabled=False,
            hash_context=Cleartext(),
        )
        self._login = OpenLogin(self._config, self._open)
        self._opening: dict[str, asyncio.Lock] = {}
        """One for each user: otherwise a mail that comes while their mailbox is being filled would
        be shown twice."""

    async def backend(self) -> DictBackend:
        """Return pymap's backend. It fills mailboxes from the disk when somebody needs them: to
        fill all of them, after some hours of play, takes longer than a start may."""
        self._config.apply_context()
        await self._open(self.user_of(self._judge))
        return DictBackend(self._login, self._config)

    def user_of(self, address: str) -> str:
        """Return whose mailbox an address is: without "+token"; the judge's is its local part."""
        local, _, domain = address.lower().rpartition("@")
        plain = f"{local.partition('+')[0]}@{domain}"
        return plain.partition("@")[0] if plain == self._judge else plain

    async def deliver(self, address: str, raw: bytes, now: dt.datetime) -> None:
        """Put a mail into the INBOX of an address; it is on disk when this returns."""
        mailboxes = await self._open(self.user_of(address))
        inbox = await mailboxes.get_mailbox("INBOX")
        await inbox.append(AppendMessage(raw, now, frozenset()), recent=True)

    async def _open(self, user: str) -> MailboxSet:
        async with self._opening.setdefault(user, asyncio.Lock()):
            if user not in self._config.set_cache:
                mailboxes = KeptMailboxes(self._root, user)
                await mailboxes.fill()
                self._config.set_cache[user] = (mailboxes, FilterSet())
        return self._config.set_cache[user][0]
