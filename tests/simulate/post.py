"""The mail servers: a mailbox by IMAP, a relay by SMTP. Both break in every way that they may.

They stand where the libraries stand: `Imap` for imapclient.IMAPClient, `Smtp` for smtplib.SMTP.
What speaks to them is our own code, whole.
"""

from __future__ import annotations

import datetime as dt
import random
import smtplib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.simulate.clock import Clock
from tests.simulate.process import STOPPED, Processes

BROKEN = 0.004
"""How often a command ends in a broken connection, before or after it took effect."""
LEFT_OUT = 0.01
"""How often a mail is missing in an answer of the mailbox."""
PUT_OFF, LOST_250, CLOSED = 0.02, 0.02, 0.01
DONE_WITH = ("Processed", "Quarantine")
SLOW = 0.02
"""How often a mail takes a minute or two: the relay thinks it over, or our machine stands still."""


@dataclass
class Kept:
    """A mail in the mailbox. `at` is its INTERNALDATE, in whole seconds."""

    raw: bytes
    at: dt.datetime


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
        self.folders: dict[str, dict[int, Kept]] = {"INBOX": {}}
        self.arriving: list[Callable[[], object]] = []
        """Mails that come in while somebody reads the mailbox: each is delivered by a call."""

    def deliver(self, raw: bytes) -> dt.datetime:
        """Keep a mail; return when it came, as IMAP will say it."""
        at = self.weather.clock.now().replace(microsecond=0)
        self._put("INBOX", Kept(raw, at))
        return at

    def number_anew(self) -> None:
        """Change UIDVALIDITY, as a mailbox does that was moved to another server."""
        self.uidvalidity += 1
        kept = list(self.folders["INBOX"].values())
        self.folders["INBOX"].clear()
        for mail in kept:
            self._put("INBOX", mail)

    def move(self, uids: Iterable[int], folder: str) -> None:
        for uid in uids:
            if mail := self.folders["INBOX"].pop(uid, None):
                self._put(folder, mail)

    def move_back(self, *, since: dt.datetime) -> None:
        """Put back into the INBOX what was dealt with, or set aside, and came since then."""
        for name in DONE_WITH:
            folder = self.folders.get(name, {})
            for uid in [uid for uid, mail in folder.items() if mail.at >= since]:
                self._put("INBOX", folder.pop(uid))

    def done_with(self) -> list[Kept]:
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

    def _put(self, folder: str, mail: Kept) -> None:
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

    def socket(self) -> Imap:
        return self

    def setsockopt(self, *_: int) -> None:
        """What is set on a socket changes nothing here."""

    def login(self, name: str, password: str) -> None:
        self.command()

    def select_folder(self, folder: str) -> dict[bytes, int]:
        self.command()
        self._folder = folder
        return {b"UIDVALIDITY": self._mailbox.uidvalidity}

    def noop(self) -> None:
        self.command()

    def search(self, criteria: Sequence[str] = (), charset: str | None = None) -> list[int]:
        self.command()
        match list(criteria):
            case ["FROM", email]:
                sender = f"\r\nFrom: {email}\r\n".encode()
                return [uid for uid, mail in self._selected.items() if sender in mail.raw]
            case ["UID", uids]:
                wanted = {int(uid) for uid in uids.split(",")}
                return [uid for uid in self._selected if uid in wanted]
        return list(self._selected)

    def fetch(self, uids: Sequence[int], items: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        self.command()
        there = [(uid, self._selected[uid]) for uid in uids if uid in self._selected]
        return {
            uid: _answer(mail, items)
            for uid, mail in there
            if not self._mailbox.weather.strikes(LEFT_OUT)
        }

    def move(self, uids: Sequence[int], folder: str) -> None:
        self.command()
        self._mailbox.move(uids, folder)
        self.command()  # it may break when it is done already

    def delete_messages(self, uids: Sequence[int]) -> None:
        self.command()
        self._deleted.update(uids)

    def expunge(self, uids: Sequence[int] | None = None) -> None:
        self.command()
        for uid in self._deleted.intersection(uids or ()):
            self._selected.pop(uid, None)
        self.command()  # it may break when it is done already

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
    def _selected(self) -> dict[int, Kept]:
        return self._mailbox.folders[self._folder]


def _answer(mail: Kept, items: Sequence[str]) -> dict[bytes, Any]:
    known: dict[bytes, Any] = {
        b"RFC822.SIZE": len(mail.raw),
        b"INTERNALDATE": mail.at,
        b"BODY[]": mail.raw,
    }
    return {key: known[key] for key in (item.replace(".PEEK", "").encode() for item in items)}


@dataclass(frozen=True)
class Taken:
    """A mail that the relay took: by which worker's turn, and whether the worker was told."""

    recipient: str
    sender: str
    raw: bytes
    at: dt.datetime
    turn: int
    told: bool


@dataclass
class Relay:
    """Takes our mails, or does not; `delivered` is called with each that it took."""

    weather: Weather
    processes: Processes
    delivered: Callable[[Taken], None] = field(default=lambda taken: None)

    def connect(self, url: object) -> Smtp:
        """Stand in for `smtp.connect`."""
        self.weather.clock.sleep(0.05)
        self.processes.step()
        away = self.weather.smtp_away_until
        if (away and self.weather.clock.now() < away) or self.weather.strikes(BROKEN):
            raise ConnectionRefusedError("the relay is away")
        return Smtp(self)


class Smtp:
    """One connection to the relay: as much of smtplib.SMTP as our code uses."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def sendmail(self, sender: str, recipients: Sequence[str], raw: bytes) -> None:
        relay, weather = self._relay, self._relay.weather
        weather.clock.sleep(0.05)
        relay.processes.step()
        if weather.strikes(SLOW):
            seconds, stops = weather.chance.uniform(10, 150), weather.strikes(STOPPED)
            relay.processes.hold_up(seconds, stops=stops)
        if weather.strikes(PUT_OFF):
            raise smtplib.SMTPDataError(451, b"4.3.0 Try again later")
        if weather.strikes(CLOSED):
            raise smtplib.SMTPResponseException(421, b"4.3.2 Closing down")
        if weather.strikes(BROKEN):
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
        lost = weather.strikes(LOST_250)
        turn = relay.processes.turn
        number = turn.number if turn else 0
        for one in recipients:
            at = weather.clock.now()
            relay.delivered(Taken(one, sender, raw, at, number, told=not lost))
        if lost:
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
        relay.processes.step()

    def quit(self) -> None:
        self._relay.processes.step()

    def close(self) -> None:
        """Hang up."""
