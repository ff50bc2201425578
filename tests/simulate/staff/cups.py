"""A tournament: the GM makes rounds of it; games of it are stopped, or their seats change hands.

What is promised: a round is made whole, each player has one power in it, and nobody plays one again
as long as that can be avoided; the table adds up what games with a result brought to those who held
their seats at the end, and nothing else.
"""

from __future__ import annotations

import csv
import datetime as dt
import random
import sqlite3
from collections import Counter
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from django.contrib.auth.models import User
from django.test import Client

from games.acts import GAME_ACTS
from games.models import Game, Player
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import DOMAIN, GM, NAMES, Draft, Writer
from tests.simulate.staff.admin_pages import is_done
from tests.simulate.tables import powers_of

CUP = "cup"
HELD = 0.3
"""How often a seed has a tournament."""
ROUNDS, WITHIN = 3, 12.0
"""So many rounds are made, within so many days."""
DAY = 86400
ENDS = (
    "FINISH NONE because too few have stayed",
    "FINISH DRAW because all have agreed to it",
    "FINISH WIN {} because the others have conceded",
    "REPLACE {} BY {} because it was agreed",
)
"""What a GM does to a game of a round."""
PLAYED = "tournament = 'cup' and not (status = 'finished' and started_at is null)"


@dataclass
class Cups:
    """The tournament of a seed, to which its first game belongs; `variants` has what is played."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    gm: Writer
    variants: MutableMapping[str, str]
    seen: Evidence
    rounds: int = 0
    is_held: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_held = self.chance.random() < HELD

    def plan(self) -> None:
        """Have rounds made on some days, where there is a tournament."""
        for _ in range(ROUNDS if self.is_held else 0):
            self.agenda.after(self.chance.random() * WITHIN * DAY, self.make_round)

    def make_round(self) -> str:
        """Have the GM make the next round; return its name, "" if there can be none now. Raises
        Broken."""
        like = Game.objects.filter(tournament=CUP).order_by("pk").first()
        if like is None:
            return ""
        powers = powers_of(like.variant)
        players = list(Player.objects.filter(name__in=NAMES, erased_at=None).order_by("pk"))
        games = self.chance.randint(1, max(1, len(players) // len(powers)))
        if len(players) < games * len(powers):
            return ""
        named = self.chance.sample(players, games * len(powers))
        name = f"{CUP}-r{self.rounds + 1}"
        past = self._past()
        if not self._is_made(like, name, [one.name for one in named]):
            return ""
        self.rounds += 1
        self._check(name, [one.pk for one in named], powers, past)
        for number in range(1, games + 1):
            self.variants[f"{name}-{number}"] = like.variant
            self.agenda.after(
                self.chance.random() * 3 * DAY, partial(self._meddle, f"{name}-{number}")
            )
        return name

    def _is_made(self, like: Game, name: str, players: Sequence[str]) -> bool:
        act, given = GAME_ACTS["make_round"], {"name": name, "players": tuple(players)}
        gm, now = User.objects.get(email=GM), self.agenda.clock.shown()
        done = is_done(act, like, given, by=gm, now=now)
        if not done and self.seen.rows("select 1 from games_game where name like ?", f"{name}-%"):
            raise Broken(f"the round {name} could not be made, and is there in part")
        return done  # somebody may take no seat, and the page says so

    def end_a_game(self) -> None:
        """Have the GM make a round, replace a player in its first game, and end it as a draw. If
        no round can be made, nothing ends."""
        made = self.make_round()
        if not made:
            return
        game = f"{made}-1"
        power = powers_of(self.variants[game])[0]
        taken = {email for email, _, _ in self.seen.seats(game)}
        spare = next(name for name in NAMES if f"{name.lower()}@{DOMAIN}" not in taken)
        replaced = ENDS[3].format(power, spare)
        for hours, command in enumerate((replaced, "PROCESS", ENDS[1]), start=1):
            self.agenda.after(hours * 3600, partial(self._write, game, command))
        self.agenda.after(4 * 3600, self.at_rest)

    def _meddle(self, game: str) -> None:
        """Have the GM stop a game, or replace somebody in it."""
        power = self.chance.choice(powers_of(self.variants[game]))
        name = self.chance.choice(NAMES)
        self._write(game, self.chance.choice(ENDS).format(power, name))

    def _write(self, game: str, command: str) -> None:
        text = f"GM {game}\n{command}"
        letter = self.gm.written(None, text, game=game)
        self.carrier.think([Draft(dt.timedelta(0), letter)])

    # --- what is promised ---------------------------------------------------------------------

    def _past(self) -> Counter[tuple[int, str]]:
        """In how many games each player has had each power."""
        query = f"""
            select distinct player_id, power.name as power, game.id
              from games_seat seat join games_power power on power.id = power_id
              join games_game game on game.id = game_id where {PLAYED}
        """
        return Counter((row["player_id"], row["power"]) for row in self.seen.rows(query))

    def _check(
        self,
        name: str,
        players: Sequence[int],
        powers: Sequence[str],
        past: Counter[tuple[int, str]],
    ) -> None:
        query = """
            select game.status, player_id, power.name as power, due_at from games_game game
              join games_power power on power.game_id = game.id
              left join games_seat seat on seat.power_id = power.id and until is null
              left join games_phase phase on phase.game_id = game.id
             where game.name like ?
        """
        rows = self.seen.rows(query, f"{name}-%")
        if any(row["status"] != "active" for row in rows):
            raise Broken(f"the round {name} is made, and not all of its games have begun")
        if sorted(row["player_id"] or 0 for row in rows) != sorted(players):
            raise Broken(f"the round {name} is not of those who were named")
        away = self.seen.rows("select player_id from games_absence where withdrawn_at is null")
        waits_for_one = not {row["player_id"] for row in away}.isdisjoint(players)
        if len({row["due_at"] for row in rows}) > 1 and not waits_for_one:
            raise Broken(f"the games of the round {name} are due at different times")
        again = sum(past[row["player_id"], row["power"]] for row in rows)
        if again > (fewest := _fewest(players, powers, past)):
            raise Broken(f"in the round {name} {again} powers are played again, not {fewest}")

    def at_rest(self) -> None:
        """Check the table. Raises Broken."""
        if not self.seen.rows("select 1 from games_game where tournament = ?", CUP):
            return
        answer = Client(HTTP_HOST="game.test").get(f"/tournaments/{CUP}/table.csv")
        lines = list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))[1:]
        table = {
            (game, power, line[1])
            for line in lines
            for game, power in zip(line[4::3], line[5::3], strict=False)
            if game
        }
        wanted = {(row["game"], row["power"], row["name"]) for row in self._holders()}
        if table != wanted:
            raise Broken(f"the table of {CUP} has {sorted(table ^ wanted)} wrong")

    def _holders(self) -> list[sqlite3.Row]:
        """Who held which power at the end of a game that has a result."""
        query = f"""
            select game.name as game, power.name as power, player.name from games_game game
              join games_power power on power.game_id = game.id
              join games_seat seat on seat.power_id = power.id and until is null
              join games_player player on player.id = player_id
             where {PLAYED} and status = 'finished' and (winner != '' or winners != '[]')
        """
        return self.seen.rows(query)


def _fewest(players: Sequence[int], powers: Sequence[str], past: Counter[tuple[int, str]]) -> int:
    """Return how many powers are played again at least, whoever gets which."""

    @cache
    def from_here(at: int, left: tuple[int, ...]) -> int:
        if at == len(players):
            return 0
        return min(
            past[players[at], power] + from_here(at + 1, (*left[:i], left[i] - 1, *left[i + 1 :]))
            for i, power in enumerate(powers)
            if left[i]
        )

    return from_here(0, (len(players) // len(powers),) * len(powers))
