"""What press tells of its writer: their power, unless it is hidden, and never who they are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.players.people import PRESS_WORD
from tests.simulate.players.writers import GMS, Letter

WRITTEN = re.compile(r"^  .*$", re.MULTILINE)
"""Lines of a mail that somebody else wrote."""
ENTRY = re.compile(r"<article.*?</article>", re.DOTALL)
HEADING = re.compile(r"<h2>(.*?)<", re.DOTALL)
FACTS = ("subject", "body", "reply_to", "cc", "references", "in_reply_to")


@dataclass
class Pseudonyms:
    """All press."""

    seen: Evidence

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        if mail["kind"] != "press_sent":
            return
        what = f"the mail {mail['subject']!r} to {mail['recipient']}"
        frame = f"{mail['subject']}\n{WRITTEN.sub('', mail['body'])}"
        for letter in self._written_in(mail["body"]):
            if mail["recipient"] in self.seen.addresses_of(letter.writer):
                continue
            said = "\n".join(str(mail[key]) for key in FACTS)
            secret = letter.about.reply_to if letter.about else letter.message_id
            for told in (letter.writer, letter.message_id, secret):
                if told in said:
                    raise Broken(f"{what} tells {told}, of who wrote it")
            if letter.is_hidden and mail["recipient"] not in GMS:
                self._names_nobody(letter, frame, what)

    def page(self, text: str, address: str) -> None:
        """Check the source of a page that everybody may read. Raises Broken."""
        for entry in ENTRY.findall(text):
            for letter in self._written_in(entry):
                heading = HEADING.search(entry)
                if letter.is_hidden and heading:
                    self._names_nobody(letter, heading[1], f"the page {address}")

    def _written_in(self, text: str) -> Iterator[Letter]:
        for word in set(PRESS_WORD.findall(text)):
            if letter := self.seen.words.get(word):
                yield letter

    def _names_nobody(self, letter: Letter, text: str, what: str) -> None:
        if re.search(rf"\b{letter.power}\b", text):
            raise Broken(f"{what} tells that {letter.power} wrote it, which is hidden")
        if letter.shown_as and not re.search(rf"\b{letter.shown_as}\b", text):
            raise Broken(f"{what} does not say that {letter.shown_as} wrote it")
