"""Players who get another address: they add it, say there that it is theirs, have us write to it,
write from either, and give up the old one.

What is promised: we write to no address before somebody there has said yes, and to none that was
given up; and where we wrote before stays theirs for a week, so that nobody can take it unseen.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import MutableMapping
from dataclasses import dataclass, field, replace
from functools import partial

from diplomacy_server.demo.reading import Mail, read_mail
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.writers import DOMAIN, NAMES, Draft, Writer
from tests.simulate.some_days import OnSomeDays

HOUR = 3600.0
ELSEWHERE = "elsewhere.example"
ASKED = "is another of their addresses"
A_WEEK = dt.timedelta(days=7)


@dataclass
class Moves(OnSomeDays):
    """All who move, by their new address; `people` are found there from then on, too."""

    TRIES = (0, 0, 1, 2)
    WITHIN = 15.0

    carrier: Carrier
    people: MutableMapping[str, Writer]
    _moving: dict[str, tuple[Writer, float]] = field(default_factory=dict)

    def happen(self) -> None:
        """Have one of all move."""
        self.move(self.chance.choice(NAMES))

    def move(self, name: str, *, hours: float = 0.0) -> None:
        """Have somebody add an address; they go on when they are asked there, so much later."""
        writer = self.people[f"{name.lower()}@{DOMAIN}"]
        new = f"{name.lower()}@{ELSEWHERE}"
        self._moving[new] = writer, hours or self.chance.choice([2.0, 30.0])
        self._write(writer, f"SET ADDRESS {new}", writer.address)

    def taken(self, taken: RelayedMail) -> None:
        """See whether a mail asks at a new address."""
        if taken.recipient not in self._moving:
            return
        mail, (writer, hours) = read_mail(taken.raw), self._moving[taken.recipient]
        if ASKED in mail.flowing and mail.message_id not in writer.seen:
            writer.seen.add(mail.message_id)
            self._go_on(writer, taken.recipient, mail, hours)

    def _go_on(self, writer: Writer, new: str, mail: Mail, hours: float) -> None:
        old = f"{new.partition('@')[0]}@{DOMAIN}"
        letter = replace(writer.written(mail, "CONFIRM"), writer=new)
        self.carrier.think([Draft(dt.timedelta(minutes=20), letter)])
        self.people[new] = writer
        self._later(hours, writer, f"SET RECORD {new}", old)
        self._later(hours + 1, writer, f"SET FORGET {old}", new)
        self.agenda.after((hours + 3) * HOUR, partial(setattr, writer, "address", new))
        if self.chance.random() < 0.6:
            self._later(hours + self.chance.uniform(168, 260), writer, f"SET FORGET {old}", new)
        else:  # back again
            back = hours + self.chance.uniform(20, 100)
            self._later(back, writer, f"SET RECORD {old}", new)
            self.agenda.after((back + 3) * HOUR, partial(setattr, writer, "address", old))

    def _later(self, hours: float, writer: Writer, text: str, sender: str) -> None:
        self.agenda.after(hours * HOUR, partial(self._write, writer, text, sender))

    def _write(self, writer: Writer, text: str, sender: str) -> None:
        letter = replace(writer.written(None, text), writer=sender)
        self.carrier.think([Draft(dt.timedelta(0), letter)])


@dataclass
class Homes:
    """Where everybody gets their mail, as it was after the last step."""

    seen: Evidence
    _record: dict[int, str] = field(default_factory=dict)
    _gave_way: dict[tuple[int, str], dt.datetime] = field(default_factory=dict)
    """By player and address, since when we write elsewhere."""

    def begin_step(self) -> None:
        """See what has changed since the last step. Raises Broken."""
        query = """
            select player.id, player.name, erased_at, merged_into_id, email from games_player player
              left join games_address address on address.player_id = player.id and of_record
        """
        now = self.seen.now()
        for row in self.seen.rows(query):
            player, before = row["id"], self._record.get(row["id"])
            if row["erased_at"] or row["merged_into_id"]:
                self._forget(player)
            elif row["email"] and before and before != row["email"]:
                self._gave_way[player, before] = now
            if row["email"]:
                self._record[player] = row["email"]
        for (player, email), since in list(self._gave_way.items()):
            self._is_still_theirs(player, email, since)

    def _is_still_theirs(self, player: int, email: str, since: dt.datetime) -> None:
        if self.seen.now() - since >= A_WEEK - dt.timedelta(hours=2):  # clocks may be wrong
            del self._gave_way[player, email]
        elif not self._has(player, email):
            raise Broken(f"{email} gave way to another address at {since}, and is taken away")

    def restored(self) -> None:
        """Forget what is lost now."""
        self._record.clear()
        self._gave_way.clear()

    def _forget(self, player: int) -> None:
        self._record.pop(player, None)
        for key in [key for key in self._gave_way if key[0] == player]:
            del self._gave_way[key]

    def _has(self, player: int, email: str) -> bool:
        query = "select 1 from games_address where player_id = ? and email = ?"
        return bool(self.seen.rows(query, player, email))

    def _is_erased_since(self, mail: sqlite3.Row) -> bool:
        """Whether a mail's reader was erased in the step that wrote it, as after a restore: then it
        is emptied before anybody sends it (`oblivion`)."""
        query = "select 1 from games_player where id = ? and erased_at >= ?"
        return bool(self.seen.rows(query, mail["player_id"], mail["created_at"]))

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        if mail["player_id"] is None or mail["answers_id"] or mail["kind"] in ("erased", "address"):
            return
        query = """
            select confirmed_at from games_address address
              join games_player player on player.id = ?
             where email = ? and address.player_id in (player.id, player.merged_into_id)
        """
        found = self.seen.rows(query, mail["player_id"], mail["recipient"])
        if self._is_erased_since(mail):
            return
        if not found or not found[0]["confirmed_at"]:
            what = f"{mail['subject']!r} ({mail['kind']})"
            raise Broken(f"{what} goes to {mail['recipient']}, which is no address of theirs")
