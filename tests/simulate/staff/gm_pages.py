"""What game masters do now and then, on the admin's pages or by mail: they put a deadline off by
mistake and take that back, change the end of a pause, and hand a game over."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from games.acts import GAME_ACTS
from games.models import CoGM, Game, Phase, Player
from games.queries.halts import halt_now
from games.services.accounts.players import address_confirm, player_register
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken
from tests.simulate.checks.games import corrections
from tests.simulate.checks.people.running import Running
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import AS_PLAYERS, GMS, Draft, Writer
from tests.simulate.staff.admin_pages import is_done
from tests.simulate.tables import powers_of
from tests.simulate.wall_clocks import written

TRIES = (0, 1, 3)
"""How often in a seed."""
WITHIN = 20.0
"""Days in which they do."""
HOUR = 3600.0
STAYS = 0.3
"""How often a GM who hands a game over stays as a co-GM."""
TOO_FAR = 9
"""Days by which a deadline is put off by mistake."""
RIGHT = (-2, 5, 24, 48)
"""So many hours after the deadline before is the right one; the first of them cannot be."""
WHY = "of a slip of the pen"


@dataclass
class GmPages:
    """The pages of all games; `variants` has what is played in each."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]
    variants: Mapping[str, str]
    running: Running

    def plan(self) -> None:
        """Have something done on some days."""
        for _ in range(self.chance.choice(TRIES)):
            self.agenda.after(self.chance.random() * WITHIN * 24 * HOUR, self._something)

    def _something(self) -> None:
        game = self.chance.choice(sorted(self.variants))
        what = self.chance.choice((self.slip, self.pause, self.hand_over))
        if self._is_there(game):
            what(game)

    def _is_there(self, game: str) -> bool:
        """Whether a game was made: not while the server stands still, nor if it is lost again."""
        return Game.objects.filter(name=game).exists()

    # --- deadlines ----------------------------------------------------------------------------

    def slip(self, game: str) -> None:
        """Put a deadline off too far, and take some of that back within hours."""
        phase = Phase.objects.filter(game__name=game, status="open").first()
        if phase is None or phase.due_at is None:
            return
        later = {"later": dt.timedelta(days=TOO_FAR), "why": WHY}
        self._do(game, "extend", later, f"EXTEND {TOO_FAR}d because {WHY}")
        right = phase.due_at + dt.timedelta(hours=self.chance.choice(RIGHT))
        self._later(partial(self._take_back, game, right))

    def _take_back(self, game: str, right: dt.datetime) -> None:
        if not self._is_there(game):
            return
        row = Game.objects.get(name=game)
        to = written(right, row.timezone)
        before, moves = corrections.sent_for(self.running.seen, row.pk), self._moves(row)
        self._do(game, "extend", {"to": to, "why": WHY}, f"EXTEND TO {to} because {WHY}")
        if self._moves(row) > moves:
            return  # it was not put off too far, and is put off: all speak again
        if lost := before - corrections.sent_for(self.running.seen, row.pk):
            raise Broken(f"a deadline is taken back, and {sorted(map(str, lost))} is lost")

    def _moves(self, game: Game) -> int:
        return game.events.filter(kind="deadline_moved").count()

    # --- pauses -------------------------------------------------------------------------------

    def pause(self, game: str) -> None:
        """Pause a game until some hour, and name another one within hours."""
        for wait in (0.0, self.chance.uniform(0.5, 5)):
            self.agenda.after(wait * HOUR, partial(self._pause, game))

    def _pause(self, game: str) -> None:
        if not self._is_there(game):
            return
        hours = self.chance.uniform(6, 30)
        zone = Game.objects.get(name=game).timezone
        until = written(self.agenda.clock.now() + dt.timedelta(hours=hours), zone)
        self._do(game, "pause", {"to": until, "why": WHY}, f"PAUSE UNTIL {until} because {WHY}")

    # --- who runs a game ----------------------------------------------------------------------

    def hand_over(self, game: str) -> None:
        """Make the other GM the GM; whoever was it tries to play later."""
        row = Game.objects.get(name=game)
        former = self._gm(row)
        if former is None:
            return
        [heir] = [email for email in GMS if email != former]
        mine = CoGM.objects.filter(game=row, user__email=heir, until=None)
        if not mine.exists():
            self.on_page(row, "add_co_gm", {"email": heir})
        helper = mine.first()
        stays = self.chance.random() < STAYS
        if helper and self.on_page(row, "hand_over", {"who": str(helper.pk), "stays": stays}):
            at = self.agenda.clock.shown()
            self.running.handovers.former.append((row.pk, former, at))
            self._later(partial(self._try_to_play, game, former))

    def _try_to_play(self, game: str, former: str) -> None:
        """Whoever was the GM would take a seat, and is named for one."""
        if not self._is_there(game):
            return
        now = self.agenda.clock.shown()
        if not (Player.objects.filter(addresses__email=former).exists() or halt_now()):
            name = AS_PLAYERS[GMS.index(former)]
            address_confirm(address=player_register(name=name, email=former, now=now), now=now)
        power = self.chance.choice(powers_of(self.variants[game]))
        self._write(former, f"TAKEOVER {game} {power}", game=game, is_wrong=True)
        if gm := self._gm(Game.objects.get(name=game)):
            name = AS_PLAYERS[GMS.index(former)]
            text = f"GM {game}\nREPLACE {power} BY {name} because it was agreed"
            self._write(gm, text, game=game, is_wrong=True)

    # --- how they do it -----------------------------------------------------------------------

    def _do(self, game: str, name: str, given: dict[str, Any], command: str) -> None:
        """Do an act on its page, or write the command for it."""
        row = Game.objects.get(name=game)
        gm = self._gm(row)
        if gm and self.chance.random() < 0.5:
            self.on_page(row, name, given)
        elif gm:
            self._write(gm, f"GM {game}\n{command}", game=game)

    def on_page(self, game: Game, name: str, given: dict[str, Any]) -> bool:
        """Have the GM do an act on its page; False if it says that it cannot be done."""
        now = self.agenda.clock.shown()
        self.running.on_page.add((game.pk, now))
        assert game.gm, "somebody runs the game"
        return is_done(GAME_ACTS[name], game, given, by=game.gm, now=now)

    def _gm(self, game: Game) -> str | None:
        """The address of the GM, if they are one of ours."""
        return game.gm.email if game.gm and game.gm.email in GMS else None

    def _write(self, writer: str, text: str, **facts: object) -> None:
        letter = self.people[writer].written(None, text, **facts)
        self.carrier.think([Draft(dt.timedelta(0), letter)])

    def _later(self, do: partial[None]) -> None:
        self.agenda.after(self.chance.uniform(0.5, 5) * HOUR, do)
