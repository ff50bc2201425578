"""An operator lets the whole server stand still, and go on hours later.

What is promised: meanwhile no phase is decided and nobody registers, what is sent counts, and each
deadline that passed moves so far that people have time again. All who play are told of both.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from games.errors import WrongState
from games.services.clock.halts import server_halt, server_resume
from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.machinery.server import Server
from tests.simulate.some_days import OnSomeDays

HOURS = (0.3, 3.0, 20.0)
WHY = "We move to another machine"
BY = "the operator"
LEFT = dt.timedelta(minutes=5)
"""So much time there is at least to a deadline that has moved."""


@dataclass
class Standstills(OnSomeDays):
    """All of a seed."""

    TRIES = (0, 0, 0, 1, 2)
    WITHIN = 20.0

    server: Server
    _is_still: bool = False

    def happen(self) -> None:
        """Let the server stand still."""
        self.halt()

    def halt(self) -> None:
        """Let the server stand still for some hours."""
        if self._is_still:
            return
        self._is_still = True
        self._do(lambda: server_halt(why=WHY, by=BY, now=self.server.clock.shown()))
        self.agenda.after(self.chance.choice(HOURS) * 3600, self.finish)

    def finish(self) -> None:
        """Let the server go on, if it stands still."""
        if self._is_still:
            self._do(lambda: server_resume(by=BY, now=self.server.clock.shown()))
        self._is_still = False

    def _do(self, do: Callable[[], object]) -> None:
        """What was interrupted is done once more, or is already done."""

        def unless_done() -> None:
            try:
                do()
            except WrongState:
                return

        while not self.server.processes.run("operator", unless_done):
            pass


@dataclass
class Stillness:
    """Whether the server stood still after the last step, and who was registered then."""

    seen: Evidence
    _halt: int = 0
    _since: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Check that nobody has registered in a standstill. Raises Broken."""
        before, registered = self._halt, self._since
        self._halt, self._since = self._now(), self._registered()
        if before and before == self._halt and (new := self._since - registered):
            raise Broken(f"the server stands still, and players {sorted(new)} have registered")

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written, after `look`. Raises Broken."""
        if event["kind"] == "phase_processed" and self._was_decided_in(event):
            raise Broken(f"a phase is decided at {event['created_at']}, in a standstill")
        if event["kind"] == "server_resumed":
            self._leaves_time(event)

    def _leaves_time(self, event: sqlite3.Row) -> None:
        """Check that no deadline has passed meanwhile, that one that moved leaves time, and that
        nobody reads of one that has passed as if it were to come. Raises Broken."""
        query = """select due_at, name, began_at, exists (select 1 from games_event moved
                           where moved.phase_id = phase.id and kind = 'deadline_moved'
                             and moved.created_at = ?) as has_moved
                     from games_phase phase, games_halt
                    where phase.id = ? and overdue_at is null order by games_halt.id desc limit 1"""
        at = time_of(event["created_at"])
        assert at
        for phase in self.seen.rows(
            query, event["created_at"].isoformat(sep=" "), event["phase_id"]
        ):
            due, began = time_of(phase["due_at"]), time_of(phase["began_at"])
            if due and began and began < due < at + LEFT * phase["has_moved"]:
                what = f"{phase['name']} is due at {due}, and the server stood still since {began}"
                raise Broken(f"{what}, and goes on at {at}")
        said = json.loads(event["payload"])["due_at"]
        if said and dt.datetime.fromisoformat(said) <= at:
            raise Broken(f"the server goes on at {at}, and people read that it is due {said}")

    def restored(self) -> None:
        """Forget what is lost now."""
        self._halt, self._since = 0, set()

    def _was_decided_in(self, event: sqlite3.Row) -> bool:
        query = "select 1 from games_halt where began_at < ? and (ended_at is null or ended_at > ?)"
        at = event["created_at"].isoformat(sep=" ")
        by_hand = "select 1 from games_event where id = ? and json_extract(payload, '$.by') != ''"
        return bool(self.seen.rows(query, at, at)) and not self.seen.rows(by_hand, event["id"])

    def _now(self) -> int:
        rows = self.seen.rows("select id from games_halt where is_on and ended_by = ''")
        return rows[0]["id"] if rows else 0

    def _registered(self) -> set[int]:
        return {row["id"] for row in self.seen.rows("select id from games_player")}
