"""The pictures that went out: whole, all of a mail's or none, and for their reader's eyes."""

from __future__ import annotations

import email
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.mails.discretion import Discretion, without_held
from tests.simulate.checks.mails.fog import Fog
from tests.simulate.machinery.easel import shown_in

VIEWS = {
    "results": ["orders", "board"],
    "position": ["board"],
    "trial": ["orders", "board"],
    "": [],
}
"""By what a mail is to show, its pictures."""


@dataclass
class Gallery:
    """What mails have shown."""

    seen: Evidence
    discretion: Discretion
    fog: Fog
    pictures: int = 0
    _sent: list[tuple[str, bytes]] = field(default_factory=list)

    def sent(self, message_id: str, raw: bytes) -> None:
        """Note a mail that goes out: it is looked at when what it may tell has been read."""
        if b"image/png" in raw:
            self._sent.append((message_id, raw))

    def look(self) -> None:
        """Check what has been shown since the last step, and what is kept. Raises Broken."""
        self._kept()
        while self._sent:
            self._shown(*self._sent.pop())

    def _kept(self) -> None:
        """All pictures of a phase are kept, or none."""
        phases = {
            (row["phase_id"], row["viewer"])
            for row in self.seen.new_rows("mailer_picture", "id, phase_id, viewer")
        }
        query = "select view from mailer_picture where phase_id = ? and viewer = ?"
        for phase, viewer in phases:
            views = {row["view"] for row in self.seen.rows(query, phase, viewer)}
            if len(views & {"orders", "board"}) == 1:
                raise Broken(f"of phase {phase} half of the pictures are kept: {views}")

    def _shown(self, message_id: str, raw: bytes) -> None:
        query = """
            select mail.pictures, mail.viewer, mail.subject, phase.name as phase, phase.game_id,
                   game.name as game, game.fog, game.status, mail.recipient, mail.player_id
              from mailer_outboundmail mail join games_phase phase on phase.id = mail.pictured_id
              join games_game game on game.id = phase.game_id where mail.message_id = ?
        """
        [mail] = self.seen.rows(query, message_id)
        shown = list(_pictures_in(raw))
        self.pictures += len(shown)
        if [one["view"] for one in shown] != VIEWS[mail["pictures"]]:
            raise Broken(f"{mail['subject']!r} has {[one['view'] for one in shown]}")
        for one in shown:
            self._for_its_reader(mail, one)

    def _for_its_reader(self, mail: sqlite3.Row, shown: dict[str, Any]) -> None:
        what = f"a picture in the mail {mail['subject']!r} to {mail['recipient']}"
        if shown["phase"] != mail["phase"]:
            raise Broken(f"{what} is of {shown['phase']}")
        # By its number, too: the reader may have been erased while a worker had the mail in hand.
        query = """select power.name from games_seat seat join games_power power
                     on power.id = power_id where game_id = ? and player_id = ?"""
        rows = self.seen.rows(query, mail["game_id"], mail["player_id"])
        powers = {row["name"] for row in rows} | {
            power for who, power, _ in self.seen.seats(mail["game"]) if who == mail["recipient"]
        }
        if shown["seen_by"] and shown["seen_by"] not in powers:
            raise Broken(f"{what} is for the eyes of {shown['seen_by']}")
        text = "\n".join([*shown["units"], *shown["lines"]])
        tried = mail["pictures"] == "trial"
        told = without_held(text, tried)
        self.discretion.no_secret(told, mail["recipient"], what, mail["game_id"])
        if not (tried and shown["view"] == "board"):  # there units stand that are only thought of
            mine = self.discretion.own_lines(mail["recipient"]) if tried else ""
            self.fog.check(mail["recipient"], text, what, mine)


def _pictures_in(raw: bytes) -> Iterator[dict[str, Any]]:
    for part in email.message_from_bytes(raw).walk():
        if part.get_content_type() == "image/png":
            png = part.get_payload(decode=True)
            assert isinstance(png, bytes), "a picture is no message"
            yield shown_in(png)
