"""What is promised to those who make a private game: nobody else gets in, or learns of it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.players.writers import DOMAIN
from tests.simulate.staff.moderator import MODERATOR

STAFF = frozenset({MODERATOR, f"operator@{DOMAIN}"})


@dataclass(frozen=True)
class Circle:
    """Who has the code of a private game, or was invited: their addresses."""

    members: set[str]


@dataclass
class Circles:
    """All private games, by their names."""

    seen: Evidence
    by_game: dict[str, Circle] = field(default_factory=dict)

    def look(self) -> None:
        """Check who has a place. Raises Broken."""
        for game in self._games():
            members = self.by_game[game["name"]].members
            query = """
                select email from games_address address
                  join games_application application on application.player_id = address.player_id
                 where game_id = ? and withdrawn_at is null
            """
            for row in self.seen.rows(query, game["id"]):
                if not self.seen.addresses_of(row["email"]) & members:
                    raise Broken(f"{row['email']} is in {game['name']}, and nobody invited them")

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that is queued. Raises Broken."""
        reader = mail["recipient"]
        for game in self._games() if reader not in STAFF else ():
            circle = self.by_game[game["name"]].members | self.seen.masters(game["id"])
            if self.seen.addresses_of(reader) & circle:
                continue
            what = f"the mail {mail['subject']!r} to {reader}"
            text = f"{mail['subject']}\n{mail['body']}"
            self._tells_nothing(game, text, what, knows_name=self._has_named(reader, game["name"]))

    def page(self, text: str, address: str) -> None:
        """Check a page that everybody may read. Raises Broken."""
        for game in self._games():
            self._tells_nothing(game, text, f"the page {address}", knows_name=False)

    def _tells_nothing(self, game: sqlite3.Row, text: str, what: str, *, knows_name: bool) -> None:
        if re.search(rf"\b{game['code']}\b", text):
            raise Broken(f"{what} tells the code of {game['name']}")
        if not (game["started_at"] or knows_name) and re.search(rf"\b{game['name']}\b", text):
            raise Broken(f"{what} tells of {game['name']}, which is on no list")

    def _has_named(self, reader: str, name: str) -> bool:
        """Whether somebody knows the name of a game already, for they have written it."""
        mine = self.seen.addresses_of(reader)
        return any(one.writer in mine and name in one.text for one in self.seen.letters.values())

    def _games(self) -> Iterator[sqlite3.Row]:
        if self.by_game:
            query = "select * from games_game where entry = 'invited' and code != ''"
            yield from (row for row in self.seen.rows(query) if row["name"] in self.by_game)
