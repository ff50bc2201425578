"""Nobody is told a secret: neither orders before the deadline nor press that is not for them."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.simulate.evidence import Broken, Evidence
from tests.simulate.fog import Fog
from tests.simulate.people import PRESS_WORD, Letter

PLAYS = re.compile(r"\bYou play (\w+)\.")
EXAMPLE = re.compile(r"^[> ]*Example .*$", re.MULTILINE)
"""An order that the reader could give, also quoted: in another game somebody may have given it."""
BUTTONS = re.compile(r'"buttons": \[.*?"pictures":', re.DOTALL)
"""Such orders, too, in what is kept of a mail."""


@dataclass
class Discretion:
    """What each mail may say to its reader."""

    seen: Evidence
    fog: Fog

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that is queued. Raises Broken."""
        what = f"the mail {mail['subject']!r} to {mail['recipient']}"
        self._no_press(mail, what)
        self._right_power(mail, what)
        self.no_secret(mail["body"], mail["recipient"], what, None)
        self.fog.check(mail["recipient"], mail["body"], what, self._own_lines(mail["recipient"]))
        if mail["kind"] == "own_data":
            self._own_data(mail, what)

    def _own_data(self, mail: sqlite3.Row, what: str) -> None:
        """All that is kept about somebody tells nothing of anybody else."""
        query = "select data from mailer_attachedfile where mail_id = ?"
        for row in self.seen.rows(query, mail["id"]):
            with zipfile.ZipFile(io.BytesIO(row["data"])) as packed:
                files = [packed.read(name).decode("utf-8", "replace") for name in packed.namelist()]
            text = "\n".join(files)
            self._no_press({"recipient": mail["recipient"], "body": text}, what)
            self.no_secret(BUTTONS.sub("", text), mail["recipient"], what, None)

    def _no_press(self, mail: Mapping[str, Any] | sqlite3.Row, what: str) -> None:
        for word in set(PRESS_WORD.findall(mail["body"])):
            letter = self.seen.words.get(word)
            if letter is None or mail["recipient"] == letter.writer or "ALL" in letter.readers:
                continue
            if mail["recipient"] not in self._readers(letter):
                raise Broken(f"{what} shows press of {letter.writer} for {letter.readers}")

    def _readers(self, letter: Letter) -> set[str]:
        found = {reader for reader in letter.readers if "@" in reader}
        found |= {"gm@players.example"} if "GM" in letter.readers else set()
        return found | {
            who for who, power, _ in self.seen.seats(letter.game) if power in letter.readers
        }

    def _right_power(self, mail: sqlite3.Row, what: str) -> None:
        game = re.match(r"(?:Re: )?\[([\w-]+)\]", mail["subject"])
        plays = PLAYS.search(" ".join(mail["body"].split()))
        if not game or not plays:
            return
        if (mail["recipient"], plays[1]) not in {seat[:2] for seat in self.seen.seats(game[1])}:
            raise Broken(f"{what} is written for the player of {plays[1]}")

    def no_secret(self, text: str, reader: str, what: str, game: int | None) -> None:
        """Before the deadline nobody learns what another has ordered, nor does the log say it.

        A line that was ordered before, by anybody, is no secret, nor is what the reader wrote.
        """
        flat = " ".join(EXAMPLE.sub("", text).split())
        for row in self.seen.open_orders():
            elsewhere = game is not None and row["game_id"] != game
            if elsewhere or reader == row["email"] or not row["counts"]:
                continue
            for line in json.loads(row["lines"]):
                if line not in flat or line in self.seen.public:
                    continue
                if line not in self._own_lines(reader):
                    raise Broken(f"{what} tells that {row['power']} orders {line!r}")

    def _own_lines(self, reader: str) -> str:
        """What the reader ever wrote, be it short or misspelt, and how it was read: in another game
        somebody may order the same."""
        if not reader:
            return ""
        mine = [one.text for one in self.seen.letters.values() if one.writer == reader]
        query = """
            select sets.reading
              from games_orderset sets join games_seat seat on seat.id = sets.seat_id
              join games_address address on address.player_id = seat.player_id
             where address.email = ?
        """
        read = [row["reading"] for row in self.seen.rows(query, reader)]
        return "\n".join([*mine, *read])
