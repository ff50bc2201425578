"""Games that their GM renames, keeps somebody out of, and deletes, while they look for players.

What is promised: a game is found under its new name alone, and all who have a place are told of it;
whoever is kept out gets no place; and a game that somebody has joined stays.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth.models import User

from games.acts import GAME_ACTS
from games.models import Game
from games.queries.halts import halt_now
from games.services.setup.games import game_create
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import DOMAIN, GM, NAMES, Draft, Writer
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.admin_pages import is_done

HOUR = 3600.0
VARIANT = "germany_italy"
KEPT_OUT = """
    select player.name, game.name as game from games_invitation kept
      join games_game game on game.id = kept.game_id
      join games_address address on address.email = kept.email
      join games_player player on player.id = address.player_id
     where kept.kind = 'denied' and (
           exists (select 1 from games_application wish where wish.game_id = game.id
                      and wish.player_id = player.id and wish.created_at > kept.at)
        or exists (select 1 from games_seat seat join games_power power on power.id = power_id
                    where power.game_id = game.id and seat.player_id = player.id
                      and seat.since > kept.at))
"""
UNTOLD = """
    select player.name, event.payload from games_event event
      join games_application wish on wish.game_id = event.game_id
       and wish.created_at < event.created_at
       and (wish.withdrawn_at is null or wish.withdrawn_at > event.told_at)
      join games_player player on player.id = wish.player_id and player.erased_at is null
     where event.kind = 'game_renamed' and not exists (
           select 1 from mailer_outboundmail mail left join games_player reader
               on reader.id = mail.player_id
            where mail.event_id = event.id and player.id in (reader.id, reader.merged_into_id))
"""


@dataclass
class UnstartedGames(OnSomeDays):
    """All of a seed."""

    TRIES = (0, 1, 2)
    WITHIN = 20.0

    carrier: Carrier
    people: Mapping[str, Writer]
    seen: Evidence
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def happen(self) -> None:
        """Have a game made, and much done about it."""
        self.make(is_joined=self.chance.random() < 0.6)

    def make(self, *, is_joined: bool) -> None:
        """Make a game that somebody joins, or nobody; rename it, and then delete it."""
        name, now = f"lille{next(self._numbers)}", self.agenda.clock.shown()
        gm = User.objects.filter(email=GM).first()
        if gm is None or halt_now():
            return  # they were erased, or the server stands still
        game = game_create(name=name, gm=gm, variant=VARIANT, now=now)
        joins, kept_out = self.chance.sample(NAMES, 2)
        act = partial(self.act, game.pk)
        if is_joined:
            self._write(joins, f"JOIN {name}")
        self._later(3, act, "rename", {"to": f"{name}b"})
        self._later(4, act, "deny", {"emails": (f"{kept_out.lower()}@{DOMAIN}",)})
        self.agenda.after(5 * HOUR, partial(self._write, kept_out, f"JOIN {name}b"))
        self._later(30, act, "delete", {})

    def act(self, key: int, name: str, given: Mapping[str, Any]) -> None:
        """Have the GM do an act on the page of a game, if it lets them. Raises Broken."""
        game = Game.objects.filter(pk=key).select_related("gm").first()
        if game is None or game.gm is None:
            return  # the server went back to a time before it was made
        was, joined = game.name, self._joined(key)
        now = self.agenda.clock.shown()
        self.seen.typed.update(dict.fromkeys(given.get("emails", ()), now))
        done = is_done(GAME_ACTS[name], game, given, by=game.gm, now=now)
        names = {row["name"] for row in self.seen.rows("select name from games_game")}
        if name == "rename" and done and (was in names or given["to"] not in names):
            raise Broken(f"{was} became {given['to']}, and now there are {sorted(names)}")
        if name == "delete" and done == (was in names):
            raise Broken(f"{was} is {'still' if done else 'no longer'} there, and done: {done}")
        if name == "delete" and done and joined:
            raise Broken(f"{was} is deleted, and {joined} had joined it")

    def _joined(self, key: int) -> list[str]:
        query = """select name from games_player player join games_application wish
                       on wish.player_id = player.id where wish.game_id = ?"""
        return [row["name"] for row in self.seen.rows(query, key)]

    def _later(self, hours: float, act: partial[None], name: str, given: dict[str, Any]) -> None:
        self.agenda.after(hours * HOUR, partial(act, name, given))

    def _write(self, name: str, text: str) -> None:
        writer = self.people[f"{name.lower()}@{DOMAIN}"]
        self.carrier.think([Draft(timedelta(0), writer.written(None, text))])


def look(seen: Evidence) -> None:
    """Check that nobody got into a game from which they are kept. Raises Broken."""
    for row in seen.rows(KEPT_OUT):
        raise Broken(f"{row['name']} is kept out of {row['game']}, and has a place there since")


def at_rest(seen: Evidence) -> None:
    """Check that all who had a place were told of a new name. Raises Broken."""
    for row in seen.rows(UNTOLD):
        raise Broken(f"{row['name']} has a place, and nobody told them of {row['payload']}")
