"""Reply addresses: each is one person's, and means one thing for ever, also after a restore."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence

POINTS_AT = {
    "seat_id": "games_seat",
    "phase_id": "games_phase",
    "address_id": "games_address",
    "mail_id": "mailer_inboundmail",
    "press_id": "games_press",
    "game_id": "games_game",
    "offer_id": "games_offer",
    "user_id": "auth_user",
}


@dataclass
class ReplyAddresses:
    """All that we have ever told somebody to answer to."""

    seen: Evidence
    _owners: dict[str, str] = field(default_factory=dict)
    _known: dict[str, dict[str, int]] = field(default_factory=dict)
    """By digest, what the addresses point at that are known now."""
    _lost: set[str] = field(default_factory=set)

    def sent(self, address: str, reader: str) -> None:
        """Check the reply address of a mail that goes out. Raises Broken."""
        if "+" not in address:
            return
        owner = self._owners.setdefault(address, reader)
        if owner not in self.seen.addresses_of(reader):
            raise Broken(f"{owner} and {reader} have the same reply address")
        secret = address.partition("+")[2].partition("@")[0]
        if hashlib.sha256(secret.encode()).hexdigest() in self._lost:
            raise Broken(f"{reader} gets a reply address that a lost mail had")

    def before_restore(self) -> None:
        """Remember what all reply addresses stand for."""
        for row in self.seen.rows("select * from mailer_replytoken"):
            self._known[row["digest"]] = {key: row[key] for key in POINTS_AT if row[key]}

    def restored(self) -> None:
        """Note those that stand for something that is lost."""
        newest = {
            key: self.seen.rows(f"select coalesce(max(id), 0) as last from {table}")[0]["last"]
            for key, table in POINTS_AT.items()
        }
        for digest, points_at in self._known.items():
            if any(number > newest[key] for key, number in points_at.items()):
                self._lost.add(digest)
        self._known.clear()
