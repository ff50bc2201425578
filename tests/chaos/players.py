"""The demo's seven people, in more games, with more haste: they know the server by mail only.

Some order again around the deadline, some send a mail twice. Whoever does not hear the 250 sends
again, as mail programs do. When the file `--stop` is there, they write nothing new.
"""

from __future__ import annotations

import argparse
import contextlib
import imaplib
import logging
import random
import smtplib
import time
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from diplomacy_server.demo.answers import AS_READ, first_letter, letters_after
from diplomacy_server.demo.cast import CAST, Person
from diplomacy_server.demo.handwriting import reply
from diplomacy_server.demo.reading import Mail, read_mail, read_situation
from diplomacy_server.demo.strategy import Strategist
from tests.chaos.diary import Attempt, Diary, Kind
from tests.servers.dovecot import PASSWORD

LOOK_SECONDS = 0.5
SEND_AGAIN_SECONDS = 2.0
THINKING_SECONDS = (0.5, 5.0)
SECOND_THOUGHTS = 0.3
SENT_TWICE = 0.15
AWAY = (OSError, imaplib.IMAP4.error, IMAPClientError)

logger = logging.getLogger(__name__)


@dataclass
class Mailbox:
    """What a player's INBOX holds; nothing in it is ever moved or marked."""

    address: str
    port: int
    last_uid: int = 0
    client: IMAPClient | None = None

    def new(self) -> list[Mail]:
        """What came since the last look. Raises one of AWAY."""
        client = self._connected()
        client.noop()
        found = client.search(["UID", f"{self.last_uid + 1}:*"])
        fetched = client.fetch([uid for uid in found if uid > self.last_uid], ["BODY.PEEK[]"])
        mails = [read_mail(bytes(fetched[uid][b"BODY[]"])) for uid in sorted(fetched)]
        self.last_uid = max(self.last_uid, *fetched, 0)
        return mails

    def close(self) -> None:
        """Hang up."""
        client, self.client = self.client, None
        if client:
            with contextlib.suppress(*AWAY):
                client.shutdown()

    def _connected(self) -> IMAPClient:
        if self.client is None:
            timeout = SocketTimeout(connect=10, read=20)
            client = IMAPClient("127.0.0.1", port=self.port, ssl=False, timeout=timeout)
            client.login(self.address, PASSWORD)
            client.select_folder("INBOX", readonly=True)
            self.client = client
        return self.client


@dataclass
class Draft:
    """A mail that is to be handed in at a time (of the monotonic clock)."""

    message: EmailMessage
    game: str
    at: float
    tried: bool = False

    @property
    def kind(self) -> Kind:
        """What they write to a game are orders, but for a word on how we read the last ones."""
        text = self.message.get_body(("plain",))
        is_word = text is not None and str(text.get_content()).startswith(AS_READ)
        return "orders" if self.game and not is_word else "letter"


@dataclass
class Correspondent:
    """One person: what they have read, and what they are about to send."""

    person: Person
    mailbox: Mailbox
    smtp_port: int
    diary: Diary
    latest: float
    chance: random.Random
    read: set[str] = field(default_factory=set)
    drafts: list[Draft] = field(default_factory=list)

    def look(self, now: float) -> None:
        """Read what is new and think of answers. The same mail twice is answered once."""
        for mail in self.mailbox.new():
            if mail.message_id not in self.read:
                self.read.add(mail.message_id)
                self.drafts += self._answers(mail, now)

    def _answers(self, mail: Mail, now: float) -> list[Draft]:
        try:
            letters = letters_after(mail, self.person)
            if letters and read_situation(mail) and self.chance.random() < SECOND_THOUGHTS:
                return [*self._drafts(mail, letters, now), self._second_thoughts(mail, now)]
        except (LookupError, ValueError) as error:
            # A person who can make nothing of a mail leaves it at that.
            logger.warning("%s does not understand a mail: %r", self.person.name, error)
            return []
        return self._drafts(mail, letters, now)

    def _drafts(self, mail: Mail, letters: list[EmailMessage], now: float) -> list[Draft]:
        at = now + self.chance.uniform(*THINKING_SECONDS)
        drafts = [Draft(letter, mail.game, at) for letter in letters]
        if self.chance.random() < SENT_TWICE:
            drafts += [
                Draft(letter, mail.game, at + self.chance.uniform(0, 4)) for letter in letters
            ]
        return drafts

    def _second_thoughts(self, mail: Mail, now: float) -> Draft:
        """Other orders for the same phase: later, perhaps too late. They may be the same: with
        the date of the first ones, too, they would be taken for a copy of that mail."""
        situation = read_situation(mail)
        assert situation, "this is called for mails that ask for orders"
        lines = Strategist(situation, self.chance).orders()
        message = reply(self.person, mail, "\n".join(lines))
        later = self.chance.uniform(5, self.latest)
        message.replace_header("Date", formatdate(time.time() + later, usegmt=True))
        return Draft(message, mail.game, now + later)

    def send(self, now: float) -> None:
        """Hand in what is due; what is not taken is tried again."""
        for draft in [draft for draft in self.drafts if draft.at <= now]:
            draft.tried = True
            taken = self._hand_in(draft.message)
            self._note(draft, taken)
            if taken:
                self.drafts.remove(draft)
            else:
                draft.at = now + SEND_AGAIN_SECONDS

    def _hand_in(self, message: EmailMessage) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=20) as server:
                server.send_message(message)
        except OSError:
            return False
        return True

    def _note(self, draft: Draft, taken: bool) -> None:
        message_id = str(draft.message["Message-ID"]).strip()
        self.diary.note(
            Attempt(
                message_id=message_id,
                sender=self.person.address,
                kind=draft.kind,
                game=draft.game,
                at=time.time(),
                taken=taken,
            )
        )


def look_or_try_later(correspondent: Correspondent, now: float) -> None:
    """Let one player look; when the mailbox is away, they try again the next time."""
    try:
        correspondent.look(now)
    except AWAY:
        correspondent.mailbox.close()


def play(correspondents: list[Correspondent], stop: Path) -> None:
    """Read and write until `stop` is there, then send the rest."""
    for correspondent in correspondents:
        correspondent.drafts.append(Draft(first_letter(correspondent.person), "", time.monotonic()))
    while not stop.exists():
        for correspondent in correspondents:
            look_or_try_later(correspondent, time.monotonic())
            correspondent.send(time.monotonic())
        time.sleep(LOOK_SECONDS)
    for correspondent in correspondents:
        correspondent.drafts = [draft for draft in correspondent.drafts if draft.tried]
    while any(correspondent.drafts for correspondent in correspondents):
        for correspondent in correspondents:
            correspondent.send(time.monotonic())
        time.sleep(LOOK_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--imap-port", type=int, required=True)
    parser.add_argument("--smtp-port", type=int, required=True)
    parser.add_argument("--games", required=True, help="names, with commas")
    parser.add_argument("--latest", type=float, required=True, help="seconds to second thoughts")
    parser.add_argument("--diary", type=Path, required=True)
    parser.add_argument("--stop", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    correspondents = [
        Correspondent(
            person=replace(person, games=tuple(given.games.split(","))),
            mailbox=Mailbox(person.address, given.imap_port),
            smtp_port=given.smtp_port,
            diary=Diary(given.diary),
            latest=given.latest,
            chance=random.Random(f"{given.seed}/{person.name}"),
        )
        for person in CAST
    ]
    play(correspondents, given.stop)


if __name__ == "__main__":
    main()
