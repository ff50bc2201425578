"""Whose mail it was: what counts for a power came from its own player, and what others wrote in
their place is not done. (What nobody could have done, either, is refused without a question.)

A forged letter names somebody else as its writer; one that `is_forwarded` answers a mail that
its reader forwarded to the writer.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from diplomacy_server.demo.reading import Mail
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.players.writers import Letter

ROWS = {
    "games_orderset": "orders",
    "games_press": "press",
    "games_ballot": "a vote",
}
"""What is kept with the Message-ID of the mail in which it came."""
REFUSED = "/refused"
"""How the key of an answer ends that says only what was not done."""


@dataclass
class Authors:
    """All that is kept of players' mails."""

    seen: Evidence

    def look(self) -> None:
        """Check what has come since the last step. Raises Broken."""
        for table, what in ROWS.items():
            for row in self.seen.new_rows(table, "id, seat_id, source"):
                if row["source"] and row["seat_id"]:
                    self._is_its_players(row, what)

    def mail(self, mail: sqlite3.Row) -> None:
        """Check an answer that was queued in the last step. Raises Broken."""
        if mail["kind"] != "reply" or mail["key"].endswith(REFUSED):
            return
        letter = self.seen.answered(mail)
        if letter is None or self._is_strangers(letter):
            return
        if not self._is_its_writers(letter):
            raise Broken(f"{letter.text!r} is done, and not of who may: {mail['subject']!r}")

    def named(self, message_id: str, recipient: str) -> bool:
        """Whether a mail of ours goes to an address that somebody has named as theirs, in a mail of
        their own that it answers."""
        query = "select * from mailer_outboundmail where message_id = ? and kind = 'question'"
        letters = map(self.seen.answered, self.seen.rows(query, message_id))
        return any(one and recipient in one.text and self._is_its_writers(one) for one in letters)

    def _is_its_writers(self, letter: Letter) -> bool:
        """Whether whoever wrote a mail may speak in it."""
        return not (letter.is_forged or self._answers_for_another(letter))

    def _is_strangers(self, letter: Letter) -> bool:
        """Whether a forged mail names an address that nobody has any more, since its owner was
        erased: its answer tells a stranger that there is nothing to do."""
        query = """select 1 from games_address where email = ? union
                     select 1 from auth_user where email = ?"""
        return letter.is_forged and not self.seen.rows(query, letter.writer, letter.writer)

    def _answers_for_another(self, letter: Letter) -> bool:
        """Whether a mail was forwarded to somebody who is not its reader: two accounts may have
        been one person's, and become one. Where the reader was erased, the answer speaks for its
        own writer, since that reply address is nobody's any more."""
        if not letter.is_forwarded or not letter.about or self._is_nobodys(letter.about):
            return False
        return letter.writer not in self.seen.addresses_of(self.seen.claimed_writer(letter))

    def _is_nobodys(self, mail: Mail) -> bool:
        """Whether the reader of a mail of ours was erased, or a restore lost its reply address."""
        query = """
            select 1 from mailer_outboundmail mail
              left join games_player reader on reader.id = mail.player_id
              left join games_player kept on kept.id = reader.merged_into_id
             where (message_id = ? or reply_to = ?)
               and reader.erased_at is null and kept.erased_at is null
        """
        return not self.seen.rows(query, mail.message_id, mail.reply_to)

    def _is_its_players(self, row: sqlite3.Row, what: str) -> None:
        letter = self.seen.letters.get(row["source"])
        query = """select email from games_address address
                     join games_seat seat on seat.player_id = address.player_id where seat.id = ?"""
        theirs = {one["email"] for one in self.seen.rows(query, row["seat_id"])}
        if letter is None or not theirs:
            return  # its player was erased, and so is whose mail it was
        if letter.is_forged or not theirs & self.seen.addresses_of(letter.writer):
            raise Broken(f"{what} of {sorted(theirs)} came in a mail of another, {letter.text!r}")
