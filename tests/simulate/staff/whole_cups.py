"""What a GM does to all games of a tournament in one go: *Extend all games*, *Pause all games* and
*Resume all games*.

What is promised: it is done to each game that is meant, or to none at all; others stay as they are,
and so does the pause of a game that was paused before.
"""

from __future__ import annotations

import datetime as dt
import random
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.acts import GAME_ACTS
from games.models import Game
from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken, time_of
from tests.simulate.checks.people.running import Running
from tests.simulate.players.writers import GMS
from tests.simulate.staff.admin_pages import is_done
from tests.simulate.staff.cups import CUP
from tests.simulate.wall_clocks import written

OFTEN = 6
"""How often in a seed."""
WITHIN = 25.0
"""Days in which they do."""
MEANT = {"extend_all": "active", "pause_all": "active", "resume_all": "paused"}
HOUR = dt.timedelta(hours=1)
A_MINUTE = dt.timedelta(minutes=1)
WHY = "of a holiday"
STATE = """
    select game.name, game.status, game.resume_at, game.days_off, game.timezone, due_at, overdue_at
      from games_game game left join games_phase phase
        on phase.game_id = game.id and phase.status = 'open'
     where game.tournament = 'cup' order by game.id
"""
Games = Mapping[str, sqlite3.Row]


@dataclass
class WholeCups:
    """The tournament of a seed, where it has one."""

    chance: random.Random
    agenda: Agenda
    running: Running

    def plan(self) -> None:
        """Have something done to all games on some days."""
        for _ in range(OFTEN):
            self.agenda.after(self.chance.random() * WITHIN * 86400, self._something)

    def _something(self) -> None:
        self.act(self.chance.choice(list(MEANT)))

    def act(self, name: str) -> None:
        """Do an act on the page of one of the games. Raises Broken."""
        meant = Game.objects.filter(tournament=CUP, status=MEANT[name]).order_by("pk")
        run = [one for one in meant.select_related("gm") if one.gm and one.gm.email in GMS]
        if not run:
            return
        chosen = [one for one in run if self.chance.random() < 0.7]
        some = chosen if len(chosen) < len(run) and self.chance.random() < 0.5 else []
        given = self._given(name, run[0]) | {"games": tuple(str(one.pk) for one in some)}
        names = {one.name for one in some or meant}
        before, done = self._games(), self._is_done(self.chance.choice(run), name, given)
        what = f"{name} with {given}"
        for game, now in self._games().items():
            if game in names and done:
                self._has_changed(before[game], now, name, given, what)
            elif tuple(before[game]) != tuple(now):
                how = "was not meant" if done else "could not be done"
                raise Broken(f"{what}: {how}, and {game} has changed")

    def _given(self, name: str, like: Game) -> dict[str, Any]:
        if name == "resume_all":
            return {"why": self.chance.choice(["", WHY])}
        length = self.chance.randint(2, 90) * HOUR
        if self.chance.random() < 0.5:
            return {"why": WHY, "later" if name == "extend_all" else "length": length}
        to = written(self.agenda.clock.shown() + length, like.timezone)
        return {"why": WHY, "to": to}

    def _is_done(self, game: Game, name: str, given: dict[str, Any]) -> bool:
        now = self.agenda.clock.shown()
        keys = Game.objects.filter(tournament=CUP).values_list("pk", flat=True)
        self.running.on_page.update((key, now) for key in keys)
        assert game.gm, "somebody runs the game"
        return is_done(GAME_ACTS[name], game, given, by=game.gm, now=now)

    def _games(self) -> Games:
        return {row["name"]: row for row in self.running.seen.rows(STATE)}

    # --- what is promised ---------------------------------------------------------------------

    def _has_changed(
        self, was: sqlite3.Row, now: sqlite3.Row, name: str, given: dict[str, Any], what: str
    ) -> None:
        if name == "extend_all":
            is_right = self._is_later(was, now, given)
        elif name == "pause_all":
            is_right = now["status"] == "paused" and self._goes_on(now, given)
        else:
            is_right = now["status"] == "active" and now["resume_at"] is None
        if not is_right:
            raise Broken(f"{what}: {now['name']} was {tuple(was)}, and is {tuple(now)}")

    def _is_later(self, was: sqlite3.Row, now: sqlite3.Row, given: dict[str, Any]) -> bool:
        """Whether a deadline is where all were moved, or later, if that is on a day off."""
        before, due = time_of(was["due_at"]), time_of(now["due_at"])
        if before is None or due is None or was["overdue_at"]:
            return due is not None
        if to := given.get("to"):
            shown = written(due, now["timezone"])
            taken_back = due < before  # not nearer than people have time to read of it
            return shown == to or bool(shown > to and (now["days_off"] or taken_back))
        is_right = is_put_off(before, due, by=given["later"], at=self.agenda.clock.shown())
        return is_right or bool(now["days_off"] and due > before + given["later"])

    def _goes_on(self, now: sqlite3.Row, given: dict[str, Any]) -> bool:
        resumes = time_of(now["resume_at"])
        if to := given.get("to"):
            return bool(resumes and written(resumes, now["timezone"]) == to)
        wanted = self.agenda.clock.shown() + given["length"]
        return bool(resumes and abs(resumes - wanted) <= A_MINUTE)


def is_put_off(before: dt.datetime, due: dt.datetime, *, by: dt.timedelta, at: dt.datetime) -> bool:
    """Whether an act `at` this moment put a deadline off by so much: counted from the minute of the
    act, if the deadline had passed."""
    if before > at:
        return due == before + by
    return abs(due - (at + by)) <= A_MINUTE
