"""A moderator freezes somebody's addresses while it is unclear who writes in their name, and ends
that days later; meanwhile somebody who reads one of the mailboxes tries to change them.

What is promised: no address comes, goes, or becomes the one we write to, nobody gets the data or
has them erased; and whatever else is written counts as before.
"""

from __future__ import annotations

import datetime as dt
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from games.models import Player
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import DOMAIN, NAMES, Draft, Writer
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.moderator import WHY, Moderator

HOUR = 3600.0
CHANGES = ("SET ADDRESS {name}@elsewhere.example", "SET FORGET {email}", "EXPORT", "ERASE")
REFUSED = "The moderators keep your addresses unchanged"
CONCERNED = re.compile(r"^(SET (ADDRESS|RECORD|FORGET)|EXPORT|ERASE)", re.MULTILINE)


@dataclass
class Freezes(OnSomeDays):
    """All freezes of a seed."""

    TRIES = (0, 0, 1, 2)
    WITHIN = 20.0

    carrier: Carrier
    people: Mapping[str, Writer]
    moderator: Moderator

    def happen(self) -> None:
        """Have the addresses of one of all frozen."""
        self.freeze(self.chance.choice(NAMES))

    def freeze(self, name: str) -> None:
        """Freeze somebody's addresses; some days later they can change them again."""
        player = Player.objects.filter(name=name, merged_into=None, erased_at=None).first()
        if player and self._act("freeze_addresses", player):
            for change in CHANGES:
                after = dt.timedelta(hours=self.chance.uniform(0, 20))
                self.carrier.think([Draft(after, self._letter(name, change))])
            days = self.chance.uniform(1, 5)
            self.agenda.after(days * 24 * HOUR, partial(self._act, "unfreeze_addresses", player))

    def _act(self, act: str, player: Player) -> bool:
        """Do it, if the page lets the moderator; say whether the addresses are frozen then."""
        now = self.agenda.clock.shown()
        self.moderator.act(act, {"why": WHY}, Player.objects.get(pk=player.pk), now)
        return Player.objects.filter(pk=player.pk, addresses_frozen_at__isnull=False).exists()

    def _letter(self, name: str, change: str) -> Any:
        email = f"{name.lower()}@{DOMAIN}"
        return self.people[email].written(None, change.format(name=name.lower(), email=email))


@dataclass
class Frozen:
    """The addresses of those whose addresses are frozen, as they were after the last step."""

    seen: Evidence
    _before: dict[tuple[int, str], list[tuple[object, ...]]] = field(default_factory=dict)

    def begin_step(self) -> None:
        """Check that all are as they were. Raises Broken."""
        query = """select id, name, addresses_frozen_at as since from games_player
                    where addresses_frozen_at is not null and erased_at is null"""
        now = {}
        for row in self.seen.rows(query):
            key = row["id"], str(row["since"])
            now[key] = self._addresses(row["id"])
            if now[key] != self._before.get(key, now[key]):
                raise Broken(f"the addresses of {row['name']} are frozen, and have changed")
        self._before = now

    def _addresses(self, player: int) -> list[tuple[object, ...]]:
        query = """select email, of_record, confirmed_at from games_address
                    where player_id = ? order by id"""
        return [tuple(row) for row in self.seen.rows(query, player)]

    def ever(self, player: int) -> bool:
        """Whether a player's addresses are frozen, or have been."""
        query = "select 1 from games_conduct where player_id = ? and kind = 'frozen'"
        return bool(self.seen.rows(query, player))

    def restored(self) -> None:
        """Forget how they were: the server has gone back to an earlier state."""
        self._before.clear()

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        frozen = {player for player, _ in self._before}
        if mail["kind"] == "own_data" and mail["player_id"] in frozen:
            raise Broken(f"the data of {mail['recipient']} go out, whose addresses are frozen")
        if mail["kind"] == "reply" and REFUSED in " ".join(mail["body"].split()):
            query = "select message_id from mailer_inboundmail where id = ?"
            [row] = self.seen.rows(query, mail["answers_id"])
            letter = self.seen.letters.get(row["message_id"])
            if letter and not CONCERNED.search(letter.text):
                raise Broken(f"{letter.text!r} is refused, for addresses are frozen")
