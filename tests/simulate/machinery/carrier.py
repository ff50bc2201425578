"""The way of a letter: from its writer's head into the judge's mailbox, and of ours to them."""

from __future__ import annotations

import datetime as dt
import itertools
import random
import zlib
from collections.abc import Iterable, Mapping
from email.header import Header
from email.utils import format_datetime
from functools import partial

from diplomacy_server.demo.reading import read_mail
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Evidence
from tests.simulate.machinery.post import Mailbox
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.machinery.server import Server
from tests.simulate.players.people import Player
from tests.simulate.players.writers import Draft, Letter, Writer
from tests.simulate.staff.game_master import GameMaster

AUTHENTICATION = b"Authentication-Results: mx.game.test; dmarc=%s header.from=%s\r\n"
SECOND = dt.timedelta(seconds=1)


LISTED = b"List-Id: <club.players.example>\r\nPrecedence: list\r\n"
ON_A_LIST = 41
"""One of so many letters comes through a mailing list of its writer's."""
ANSWERS = ("CONFIRM", "YES", "REFUSE")
"""Not these: what might be a program's cannot answer a question of ours."""


class Carrier:
    """Brings letters, once or twice, now or later; the people read what it brings them."""

    def __init__(
        self,
        chance: random.Random,
        agenda: Agenda,
        server: Server,
        mailbox: Mailbox,
        seen: Evidence,
        numbers: itertools.count[int],
    ) -> None:
        self.chance, self.agenda, self.server = chance, agenda, server
        self.mailbox, self.weather = mailbox, mailbox.weather
        self.seen, self.numbers = seen, numbers
        self.people: Mapping[str, Writer] = {}
        self.dated: dict[str, dt.datetime] = {}
        """When each writer wrote last: what is written in one second with the same words is one
        mail, and here it could be two."""
        self.unread: dict[str, list[bytes]] = {}
        """By the address of somebody who reads no mail for a while, what has come since."""

    def think(self, drafts: Iterable[Draft]) -> None:
        """Have these letters written, each after some thought."""
        for draft in drafts:
            self.agenda.at(self.agenda.clock.now() + draft.after, partial(self._write, draft))

    def taken(self, taken: RelayedMail) -> None:
        """Bring a mail of ours to whom it is for."""
        writer = self.people.get(taken.recipient)
        if writer and self.chance.random() < 0.99:
            seconds = self.chance.uniform(5, 1800)
            self.agenda.after(seconds, lambda: self._read(writer, taken.raw))

    def come_back(self, address: str) -> None:
        """Have somebody read all that has come since they stopped to read."""
        for raw in self.unread.pop(address, []):
            self._read(self.people[address], raw)

    def _read(self, writer: Writer, raw: bytes) -> None:
        if writer.address in self.unread:
            self.unread[writer.address].append(raw)
            return
        mail = read_mail(raw)
        if isinstance(writer, (Player, GameMaster)):
            self.think(writer.read(mail))

    def _write(self, draft: Draft) -> None:
        """Hand a letter to its writer's provider: once or twice it comes, now or later."""
        letter = draft.letter
        self.seen.wrote(letter)
        at = self.agenda.clock.now().replace(microsecond=0)
        at = max(at, self.dated.get(letter.writer, at - SECOND) + SECOND)
        self.dated[letter.writer] = at
        raw = envelope(letter, at=at, quotes=self.chance.random() < 0.3)
        if zlib.crc32(letter.message_id.encode()) % ON_A_LIST == 0 and letter.text not in ANSWERS:
            raw = LISTED + raw
        for _ in range(1 + (self.weather.stormy and self.chance.random() < 0.06)):
            late = self.chance.random() < 0.03
            seconds = self.chance.uniform(0, 3 * 3600) if late else self.chance.uniform(0, 40)
            seconds = seconds / 20 if draft.is_prompt and not late else seconds
            self.agenda.after(seconds, lambda: self._arrive(letter, raw))

    def _arrive(self, letter: Letter, raw: bytes) -> None:
        """Deliver a letter now, or in the midst of somebody's reading the mailbox."""
        if self.weather.strikes(0.15):
            self.mailbox.arriving.append(lambda: self._deliver(letter, raw))
        else:
            self._deliver(letter, raw)

    def _deliver(self, letter: Letter, raw: bytes) -> None:
        found = b"fail" if letter.is_forged else b"pass"
        domain = letter.writer.partition("@")[2].encode()
        passed = b"" if letter.is_unsigned else AUTHENTICATION % (found, domain)
        trace = b"" if self.chance.random() < 0.5 else f"X-Hop: {next(self.numbers)}\r\n".encode()
        at = self.mailbox.deliver(passed + trace + raw)
        self.seen.delivered(letter.message_id, at)
        self.agenda.after(self.chance.uniform(1, 60), self._look_now)

    def _look_now(self) -> None:
        self.server.nudge("poll", "process", "tell", "outbox")


def envelope(letter: Letter, *, at: dt.datetime, quotes: bool) -> bytes:
    """Return the letter as its writer's program sends it, before any server has touched it."""
    mail = letter.about
    subject = f"Re: {mail.subject.removeprefix('Re: ')}" if mail else letter.subject or "Diplomacy"
    headers = [
        f"From: {letter.writer}",
        f"To: {letter.to}",
        f"Subject: {Header(subject, 'utf-8').encode() if not subject.isascii() else subject}",
        f"Date: {format_datetime(at)}",
        f"Message-ID: {letter.message_id}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    if mail:
        headers.append(f"In-Reply-To: {mail.message_id}")
    text = letter.text
    if mail and quotes:
        quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
        text = f"{text}\n\nOn Monday the judge wrote:\n{quoted}"
    return "\r\n".join([*headers, "", *text.splitlines(), ""]).encode()
