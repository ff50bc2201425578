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

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.mails.fog import Fog
from tests.simulate.players.people import PRESS_WORD
from tests.simulate.players.writers import CROWD, DOMAIN, GMS, NAMES, Letter
from tests.simulate.staff.moderator import MODERATOR

PLAYS = re.compile(r"\bYou play (\w+)\.")
ADVISED = {"HOLD ALL", "SAME"}
"""Lines that our own mails advise to write: they tell nothing of anybody's units."""
EXAMPLE = re.compile(
    r"^ *Example (?:.* \n)*.*$"
    r"|^(?:> ?)+Example .*(?:\n(?:> ?)+(?!Example )[^>\s].*)*",
    re.MULTILINE,
)
"""An order that the reader could give, also quoted, where nothing shows which lines were one: in
another game somebody may have given it."""
GAME = re.compile(r"(?:Re: )?\[([\w-]+)\]")
ALL = (*NAMES, *CROWD)
PEOPLE = re.compile(rf"\b(?:({'|'.join(ALL)})\b|({'|'.join(ALL).lower()})@)")
STAFF = (MODERATOR, f"operator@{DOMAIN}")
"""They play in no game, and look after all."""
HELD = re.compile(r"\b[AF] (?:(?! - | Supports | Convoys )[^:,;])+? Holds\b")
BUTTONS = re.compile(r'"buttons": \[.*?"pictures":', re.DOTALL)
"""Such orders, too, in what is kept of a mail."""


def without_held(text: str, tried: bool) -> str:
    """Leave out who holds from what would come of orders that are only tried out: all others do,
    whatever their players have ordered."""
    return HELD.sub("", " ".join(text.split())) if tried else text


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
        self._no_names(mail, what)
        tried = mail["subject"].endswith("what if")
        game = self._previewed(mail)
        self.no_secret(without_held(mail["body"], tried), mail["recipient"], what, game)
        self.fog.check(mail["recipient"], mail["body"], what, self.own_lines(mail["recipient"]))
        if mail["kind"] == "own_data":
            self._own_data(mail, what)

    def _previewed(self, mail: sqlite3.Row) -> int | None:
        """The game whose open orders a GM sees in a mail: in another somebody may order the same.
        None: any game."""
        game = GAME.match(mail["subject"])
        if not game or mail["recipient"] not in GMS or "PREVIEW" not in mail["subject"]:
            return None
        rows = self.seen.rows("select id from games_game where name = ?", game[1])
        return int(rows[0]["id"]) if rows else None

    def page(self, text: str, address: str) -> None:
        """Check a page that everybody may read. Raises Broken."""
        what = f"the page {address}"
        self._no_press({"recipient": "", "body": text}, what)
        self.no_secret(text, "", what, None)
        game = re.match(r"/games/([\w-]+)/", address)
        if game:
            self.fog.hides(game[1], text, what)
            self._nobody_named(game[1], text, "", what)

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
            if letter is None or ("ALL" in letter.readers and self._is_allowed(letter)):
                continue
            mine = self.seen.addresses_of(mail["recipient"])
            if not mine & {letter.writer, *self._readers(letter)}:
                raise Broken(f"{what} shows press of {letter.writer} for {letter.readers}")

    def _readers(self, letter: Letter) -> set[str]:
        """Press goes to powers, whoever plays them by then, also in an answer to one person."""
        if not self._is_allowed(letter):
            return set()
        seats = self.seen.seats(letter.game)
        found = {reader for reader in letter.readers if "@" in reader}
        powers = {power for who, power, _ in seats if who in found} | set(letter.readers)
        if {"GM", *GMS} & set(letter.readers):
            found |= self._gms(letter.game)
        return found | {who for who, power, _ in seats if power in powers}

    def _is_allowed(self, letter: Letter) -> bool:
        """Whether the game has press of this kind. To the GM everybody may write."""
        if not letter.power or {*letter.readers} <= {"GM", *GMS}:
            return True
        query = "select press_mode from games_game where name = ?"
        allowed = ("public", "both") if "ALL" in letter.readers else ("private", "both")
        return any(row["press_mode"] in allowed for row in self.seen.rows(query, letter.game))

    def _gms(self, game: str) -> set[str]:
        """All who have ever run a game: what was written to them before they handed it over, they
        may be told later (`handovers`)."""
        query = """
            select email from auth_user join games_cogm on user_id = auth_user.id
              join games_game game on game.id = game_id where game.name = ?
        """
        return {row["email"] for row in self.seen.rows(query, game)} | self.seen.masters(game)

    def _right_power(self, mail: sqlite3.Row, what: str) -> None:
        game = GAME.match(mail["subject"])
        plays = PLAYS.search(" ".join(mail["body"].split()))
        if not game or not plays:
            return
        if (mail["recipient"], plays[1]) not in {seat[:2] for seat in self.seen.seats(game[1])}:
            raise Broken(f"{what} is written for the player of {plays[1]}")

    def _no_names(self, mail: sqlite3.Row, what: str) -> None:
        if (game := GAME.match(mail["subject"])) and mail["recipient"] not in (*GMS, *STAFF):
            text = f"{mail['subject']}\n{mail['body']}"
            answered = self.seen.answered(mail)
            if answered and answered.is_forwarded:  # its reader is told who answers their mail
                text = text.replace(answered.writer, "")
            self._nobody_named(game[1], text, mail["recipient"], what)

    def _nobody_named(self, game: str, text: str, reader: str, what: str) -> None:
        """In an anonymous game nobody learns who plays before it is over."""
        query = "select 1 from games_game where name = ? and anonymous and status != 'finished'"
        if not self.seen.rows(query, game):
            return
        mine = {email.partition("@")[0] for email in self.seen.addresses_of(reader)}
        others = {name.lower() for name in ALL} - mine
        if named := {(name or address).lower() for name, address in PEOPLE.findall(text)} & others:
            raise Broken(f"{what} names {sorted(named)} in an anonymous game")

    def no_secret(self, text: str, reader: str, what: str, game: int | None) -> None:
        """Before the deadline nobody learns what another has ordered, nor does the log say it.

        A line that was ordered before, by anybody, is no secret, nor is what the reader wrote.
        """
        flat = " ".join(EXAMPLE.sub("", text).split())
        for row in self.seen.open_orders():
            elsewhere = game is not None and row["game_id"] != game
            if elsewhere or reader == row["email"] or not row["counts"]:
                continue
            if reader in GMS and self._sees_orders(reader, row):
                continue
            for line in json.loads(row["lines"]):
                if line not in flat or line in self.seen.public or line in ADVISED:
                    continue
                if line not in self.own_lines(reader):
                    raise Broken(f"{what} tells that {row['power']} orders {line!r}")

    def _sees_orders(self, reader: str, row: sqlite3.Row) -> bool:
        return row["gm_sees"] == "orders" and reader in self.seen.masters(row["game_id"])

    def own_lines(self, reader: str) -> str:
        """Return what the reader ever wrote, be it short or misspelt, and how it was read, and what
        a GM set for a power of theirs: in another game somebody may order the same."""
        if not reader:
            return ""
        addresses = self.seen.addresses_of(reader)
        mine = [one.text for one in self.seen.letters.values() if one.writer in addresses]
        query = """
            select sets.reading
              from games_orderset sets
              join games_seat seat on seat.id = sets.seat_id
                or (sets.seat_id is null and seat.power_id = sets.power_id)
              join games_address address on address.player_id = seat.player_id
             where address.email = ?
        """
        read = [row["reading"] for row in self.seen.rows(query, reader)]
        return "\n".join([*mine, *read])
