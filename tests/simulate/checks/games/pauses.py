"""A pause whose end a GM names, and changes: the game goes on when everybody was told last, and
with the time that was left when its clock stopped."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import UTC, Broken, Evidence, time_of

GOES_ON = re.compile(r"goes on by itself on \w+ (\d+ \w+ \d+, \d+:\d+) UTC")
GOES_OR_NOT = ("game_paused", "game_resumed", "game_rolled_back", "game_started", "game_finished")
NEARLY_ALL = 0.9
"""So much of the time that was left is left at least."""


@dataclass
class Pauses:
    """All pauses; `left` has by game in which phase the clock stopped, and how long before its
    deadline."""

    seen: Evidence
    left: dict[int, tuple[int, dt.timedelta]] = field(default_factory=dict)

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written. Raises Broken."""
        facts = json.loads(event["payload"])
        if event["kind"] == "game_paused" and not facts.get("again"):
            self._stops(event)
        elif event["kind"] == "phase_processed":
            self._is_not_paused(event)
        elif event["kind"] == "game_resumed":
            if facts["by"] == "the server":
                self._not_before_its_end(event)
            self._time_is_left(event, facts)

    def _stops(self, event: sqlite3.Row) -> None:
        self.left.pop(event["game_id"], None)
        [phase] = self.seen.rows("select * from games_phase where id = ?", event["phase_id"])
        due, at = time_of(phase["due_at"]), time_of(event["created_at"])
        if due and at and not phase["overdue_at"]:
            self.left[event["game_id"]] = event["phase_id"], due - at

    def _is_not_paused(self, event: sqlite3.Row) -> None:
        query = f"""select kind from games_event where game_id = ? and id < ?
                      and kind in {GOES_OR_NOT} order by id desc limit 1"""
        for last in self.seen.rows(query, event["game_id"], event["id"]):
            if last["kind"] == "game_paused":
                raise Broken(f"a phase is decided at {event['created_at']}, and its game is paused")

    def _not_before_its_end(self, event: sqlite3.Row) -> None:
        query = """select payload from games_event where game_id = ? and kind = 'game_paused'
                      and id < ? order by id desc limit 1"""
        [paused] = self.seen.rows(query, event["game_id"], event["id"])
        until, at = json.loads(paused["payload"])["until"], time_of(event["created_at"])
        if at and (until is None or at < dt.datetime.fromisoformat(until)):
            raise Broken(f"a game goes on at {at}, and its pause ends at {until}")

    def _time_is_left(self, event: sqlite3.Row, facts: dict[str, str]) -> None:
        phase, left = self.left.pop(event["game_id"], (0, dt.timedelta(0)))
        at = time_of(event["created_at"])
        if phase == event["phase_id"] and facts["due_at"] and at:
            now = dt.datetime.fromisoformat(facts["due_at"]) - at
            if now < left * NEARLY_ALL - dt.timedelta(minutes=1):
                raise Broken(f"{left} was left when a game was paused, and {now} when it goes on")

    def mail(self, mail: sqlite3.Row) -> None:
        """Check when a mail says that the game goes on. Raises Broken."""
        if mail["kind"] != "game_paused" or not (told := GOES_ON.search(mail["body"])):
            return
        query = "select payload from games_event where id = ?"
        until = json.loads(self.seen.rows(query, mail["event_id"])[0]["payload"])["until"]
        said = dt.datetime.strptime(told[1], "%d %b %Y, %H:%M").replace(tzinfo=UTC)
        ends = until and dt.datetime.fromisoformat(until)
        if not ends or ends.replace(second=0, microsecond=0) != said:
            raise Broken(f"{mail['recipient']} reads that a pause ends at {said}, not {until}")

    def restored(self) -> None:
        """Forget what is lost now."""
        self.left.clear()
