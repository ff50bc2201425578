"""The scripted players: seven people who know the judge by mail only.

Each reads their own mailbox by IMAP, thinks for a moment, answers by SMTP, and only then puts the
mail away. So nothing is forgotten when the process ends.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage

from imapclient.exceptions import IMAPClientError

from diplomacy_server.demo.answers import first_letter, letters_after
from diplomacy_server.demo.cast import CAST, ORGANISER, Person
from diplomacy_server.demo.mailbox import PlayersMailbox
from diplomacy_server.demo.organiser import letters_of_organiser
from diplomacy_server.demo.reading import Mail, read_mail
from diplomacy_server.demo.writing import post

LOOK_SECONDS = 1.0
THINKING_SECONDS = (0.5, 4.0)
# After this long without any mail they write again: perhaps the first mail was lost.
PATIENCE_SECONDS = 60.0

Reaction = Callable[[Mail, Person], list[EmailMessage]]

logger = logging.getLogger(__name__)


@dataclass
class Correspondent:
    """Somebody at their screen. `ready` says, by UID, when they have thought enough about a
    mail."""

    person: Person
    reaction: Reaction
    mailbox: PlayersMailbox
    begins: bool = False
    ready: dict[int, float] = field(default_factory=dict)
    wrote_first: float = -PATIENCE_SECONDS

    def look(self, now: float) -> None:
        """Deal with the mails that have been thought about."""
        waiting = self.mailbox.waiting()
        if self.begins and not waiting:
            self._begin(now)
        for uid in waiting:
            ready = self.ready.setdefault(uid, now + random.uniform(*THINKING_SECONDS))
            if now >= ready:
                self._deal_with(uid)

    def _begin(self, now: float) -> None:
        if now - self.wrote_first > PATIENCE_SECONDS and self.mailbox.is_unused():
            self.wrote_first = now
            post(first_letter(self.person))

    def _deal_with(self, uid: int) -> None:
        mail = read_mail(self.mailbox.fetch(uid))
        try:
            letters = self.reaction(mail, self.person)
        except (LookupError, ValueError):
            # A person who can make nothing of a mail leaves it alone.
            logger.exception("%s does not understand “%s”", self.person.name, mail.subject)
            letters = []
        for letter in letters:
            post(letter)
        self.mailbox.put_away(uid)
        self.ready.pop(uid, None)


def main() -> None:
    """Let all of them look at their mailboxes again and again, for ever."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    correspondents = [
        *(
            Correspondent(person, letters_after, PlayersMailbox(person.address), begins=True)
            for person in CAST
        ),
        Correspondent(ORGANISER, letters_of_organiser, PlayersMailbox(ORGANISER.address)),
    ]
    while True:
        for correspondent in correspondents:
            look_or_try_later(correspondent)
        time.sleep(LOOK_SECONDS)


def look_or_try_later(correspondent: Correspondent) -> None:
    """Let one player look; if the mail server is away, they try again next time."""
    try:
        correspondent.look(time.monotonic())
    except (OSError, IMAPClientError) as error:
        logger.warning("%s cannot reach the mail server: %s", correspondent.person.name, error)
        correspondent.mailbox.close()


if __name__ == "__main__":
    main()
