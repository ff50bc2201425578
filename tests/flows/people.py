"""Players as the server meets them: an address, a mail program, a mailbox. Nothing else.

They speak SMTP to send and IMAP to read; they know no token and no database.
"""

from __future__ import annotations

import email
import email.policy
import email.utils
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage

from tests.flows.clients import Client, Quoted
from tests.servers import Dovecot, Relay


@dataclass(frozen=True)
class Letter:
    """A mail in a player's mailbox."""

    message: EmailMessage = field(repr=False)

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        """The text/plain part, complete by itself."""
        part = self.message.get_body(("plain",))
        assert part is not None, f"{self.subject!r} has no text/plain part"
        return str(part.get_content())

    @property
    def words(self) -> str:
        """The text without its line ends: what it says, however it is wrapped."""
        return re.sub(r"\s+", " ", self.text)

    @property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])

    @property
    def answer_to(self) -> str:
        """Where a mail program sends the reply."""
        header = self.message["Reply-To"] or self.message["From"]
        return email.utils.parseaddr(str(header))[1]

    def quoted(self) -> Quoted:
        return Quoted(str(self.message["From"]), str(self.message["Date"]), self.subject, self.text)


@dataclass
class Person:
    """One player with their mail program and their mailbox."""

    name: str
    address: str
    client: Client
    dovecot: Dovecot = field(repr=False)
    smtp: Relay = field(repr=False)
    letters: list[Letter] = field(default_factory=list, repr=False)
    last_uid: int = 0

    def compose(self, to: str, text: str, answered: Letter | None = None) -> EmailMessage:
        """A mail as this person's program writes it."""
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"] = email.utils.formataddr((self.name, self.address))
        message["To"] = to
        message["Date"] = email.utils.formatdate()
        message["Message-ID"] = f"<{uuid.uuid4().hex}@{self.address.rpartition('@')[2]}>"
        message["Subject"] = f"Re: {answered.subject}" if answered else "Diplomacy"
        if answered:
            message["In-Reply-To"] = answered.message_id
            message["References"] = answered.message_id
        self.client(message, text, answered.quoted() if answered else None)
        return message

    def write(self, to: str, text: str) -> str:
        """Begin a conversation; return the Message-ID."""
        return self.send(to, self.compose(to, text))

    def answer(self, letter: Letter, text: str) -> str:
        """Press "reply", type at the top, send; return the Message-ID."""
        return self.send(letter.answer_to, self.compose(letter.answer_to, text, letter))

    def send(self, to: str, message: EmailMessage) -> str:
        self.smtp.send(self.address, to, message.as_bytes())
        return str(message["Message-ID"])

    def look(self) -> list[Letter]:
        """Fetch what is new; every letter so far, oldest first."""
        with self.dovecot.client(self.address) as client:
            uids = [uid for uid in client.search() if uid > self.last_uid]
            fetched = client.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
        for uid in sorted(fetched):
            raw = fetched[uid][b"BODY[]"]
            message = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            self.letters.append(Letter(message))
            self.last_uid = uid
        return self.letters

    def find(self, wanted: Callable[[Letter], bool]) -> Letter | None:
        """The newest letter of that kind, or None."""
        return next((letter for letter in reversed(self.look()) if wanted(letter)), None)


def answers(message_id: str) -> Callable[[Letter], bool]:
    """Whether a letter is the answer to this mail."""
    return lambda letter: str(letter.message["In-Reply-To"] or "").strip() == message_id


def about(*words: str) -> Callable[[Letter], bool]:
    """Whether all of these stand in a letter's subject."""
    return lambda letter: all(word.lower() in letter.subject.lower() for word in words)
