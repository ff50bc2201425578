"""The mailbox, by IMAP. It breaks in every way that it may.

It stands where the library stands: `Imap` for imapclient.IMAPClient. What speaks to it is our own
code, whole.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import random
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from imapclient.exceptions import ProtocolError

from tests.simulate.machinery.clock import Clock
from tests.simulate.machinery.process import Processes

BROKEN = 0.004
"""How often a command ends in a broken connection, before or after it took effect."""
NONSENSE = 0.004
"""How often an answer of the mailbox makes no sense."""
LEFT_OUT = 0.01
"""How often a mail is missing in an answer of the mailbox."""
OF_SO_MANY = 256
HELD_UP = 20
"""Of OF_SO_MANY mails so many are shown later than they are dated."""
LATEST = dt.timedelta(seconds=60)
"""So long at most: less than the server waits after a deadline (SETTLE_SECONDS, or a hundredth of a
phase, which here is two hours long at least)."""
UNREADABLE = (
    ProtocolError("unexpected tokens in FETCH response"),
    imaplib.IMAP4.error("command SEARCH illegal in state AUTH"),
    ValueError("year 0 is out of range"),
)
DONE_WITH = ("Processed", "Quarantine")


@dataclass
class MailboxMail:
    """A mail in the mailbox. `at` is its INTERNALDATE, in whole seconds."""

    raw: bytes
    at: dt.datetime
    shown_from: dt.datetime
    """When it is first among the mails that the mailbox shows: a little later than it came."""


@dataclass
class Weather:
    """When servers are away, and how much goes wrong at other times."""

    chance: random.Random
    clock: Clock
    stormy: bool
    imap_away_until: dt.datetime | None = None
    smtp_away_until: dt.datetime | None = None

    def strikes(self, share: float) -> bool:
        """Say whether something of this share goes wrong now."""
        return self.stormy and self.chance.random() < share


class Mailbox:
    """What the judge's mailbox holds, folder by folder."""

    def __init__(self, weather: Weather, processes: Processes) -> None:
        self.weather = weather
        self.processes = processes
        self.uidvalidity = 1
        self.last_uid = 0
        self.held_up = HELD_UP
        self.folders: dict[str, dict[int, MailboxMail]] = {"INBOX": {}}
        self.arriving: list[Callable[[], object]] = []
        """Mails that come in while somebody reads the mailbox: each is delivered by a call."""

    def deliver(self, raw: bytes) -> dt.datetime:
        """Keep a mail; return when it came, as IMAP will say it. It may be shown only later, among
        others that came after it."""
        now = self.weather.clock.now()
        at, drawn = now.replace(microsecond=0), zlib.crc32(raw) % OF_SO_MANY
        is_held_up = self.weather.stormy and drawn < self.held_up
        later = LATEST * (drawn / self.held_up) if is_held_up else dt.timedelta(0)
        self._put("INBOX", MailboxMail(raw, at, now + later))
        return at

    def hold_up_all(self) -> None:
        """From now on show each mail later than it is dated."""
        self.held_up = OF_SO_MANY

    def number_anew(self) -> None:
        """Change UIDVALIDITY, as a mailbox does that was moved to another server."""
        self.uidvalidity += 1
        kept = list(self.folders["INBOX"].values())
        self.folders["INBOX"].clear()
        for mail in kept:
            self._put("INBOX", mail)

    def move(self, uids: Iterable[int], source: str, target: str) -> None:
        for uid in uids:
            if mail := self.folders[source].pop(uid, None):
                self._put(target, mail)

    def done_with(self) -> list[MailboxMail]:
        """Return what was dealt with, or set aside."""
        folders = [self.folders.get(name, {}) for name in DONE_WITH]
        return [mail for folder in folders for mail in folder.values()]

    def connect(self, host: str, **_: Any) -> Imap:
        """Stand in for `IMAPClient(host, port=…)`."""
        imap = Imap(self)
        imap.command()
        return imap

    def is_away(self) -> bool:
        until = self.weather.imap_away_until
        return until is not None and self.weather.clock.now() < until

    def _put(self, folder: str, mail: MailboxMail) -> None:
        self.last_uid += 1
        self.folders.setdefault(folder, {})[self.last_uid] = mail


class Imap:
    """One connection to the mailbox: as much of IMAPClient as our code uses."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._dead = False
        self._folder = "INBOX"
        self._deleted: set[int] = set()
        self.normalise_times = True

    def command(self) -> None:
        """Begin a command: time passes, the worker may die, the connection may break."""
        mailbox = self._mailbox
        mailbox.weather.clock.sleep(0.02)
        mailbox.processes.step()
        if mailbox.arriving and mailbox.weather.strikes(0.3):
            mailbox.arriving.pop(0)()
        if self._dead or mailbox.is_away() or mailbox.weather.strikes(BROKEN):
            self._dead = True
            raise ConnectionResetError("the connection to the mailbox broke")

    def _makes_no_sense(self) -> bool:
        """Say whether the answer is to be nonsense that can be read; raise for other nonsense."""
        weather = self._mailbox.weather
        if not weather.strikes(NONSENSE):
            return False
        if weather.chance.random() < 0.5:
            raise weather.chance.choice(UNREADABLE)
        return True

    def socket(self) -> Imap:
        return self

    def setsockopt(self, *_: int) -> None:
        """What is set on a socket changes nothing here."""

    def login(self, name: str, password: str) -> None:
        self.command()

    def select_folder(self, folder: str) -> dict[bytes, int]:
        self.command()
        self._folder = folder
        if self._makes_no_sense():
            return {}
        box = self._mailbox
        return {b"UIDVALIDITY": box.uidvalidity, b"UIDNEXT": box.last_uid + 1}

    def noop(self) -> None:
        self.command()

    def search(self, criteria: Sequence[str] = (), charset: str | None = None) -> list[int]:
        self.command()
        match list(criteria):
            case ["SINCE", day]:
                return [uid for uid, mail in self._selected.items() if str(mail.at) >= str(day)]
            case ["BEFORE", day]:
                mails = self._selected.items()
                return [uid for uid, mail in mails if str(mail.at.date()) < str(day)]
            case ["FROM", email]:
                sender = f"\r\nFrom: {email}\r\n".encode()
                return [uid for uid, mail in self._selected.items() if sender in mail.raw]
            case ["UID", uids]:
                wanted = {int(uid) for uid in uids.split(",")}
                return [uid for uid in self._selected if uid in wanted]
        nobodys = [self._mailbox.last_uid + 7] if self._makes_no_sense() else []
        return [*self._selected, *nobodys]

    def fetch(self, uids: Sequence[int], items: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        self.command()
        if self._makes_no_sense():
            return {uid: {b"FLAGS": (), b"BODY[]": None} for uid in [*uids, 1]}
        there = [(uid, self._selected[uid]) for uid in uids if uid in self._selected]
        return {
            uid: _answer(mail, items)
            for uid, mail in there
            if not self._mailbox.weather.strikes(LEFT_OUT)
        }

    def move(self, uids: Sequence[int], folder: str) -> None:
        self.command()
        self._mailbox.move(uids, self._folder, folder)
        self.command()  # it may break when it is already done

    def delete_messages(self, uids: Sequence[int]) -> None:
        self.command()
        self._deleted.update(uids)

    def expunge(self, uids: Sequence[int] | None = None) -> None:
        self.command()
        for uid in self._deleted.intersection(uids or ()):
            self._mailbox.folders[self._folder].pop(uid, None)
        self.command()  # it may break when it is already done

    def has_capability(self, name: str) -> bool:
        return name in ("MOVE", "UIDPLUS")

    def folder_exists(self, folder: str) -> bool:
        self.command()
        return folder in self._mailbox.folders

    def create_folder(self, folder: str) -> None:
        self.command()
        self._mailbox.folders.setdefault(folder, {})

    def logout(self) -> None:
        self.command()

    def shutdown(self) -> None:
        self._dead = True

    @property
    def _selected(self) -> dict[int, MailboxMail]:
        now = self._mailbox.weather.clock.now()
        mails = self._mailbox.folders[self._folder].items()
        return {uid: mail for uid, mail in mails if mail.shown_from <= now}


def _answer(mail: MailboxMail, items: Sequence[str]) -> dict[bytes, Any]:
    known: dict[bytes, Any] = {
        b"RFC822.SIZE": len(mail.raw),
        b"INTERNALDATE": mail.at,
        b"BODY[]": mail.raw,
    }
    return {key: known[key] for key in (item.replace(".PEEK", "").encode() for item in items)}
