"""What is promised when a backup was restored: all are told, and what was decided stays decided.

A phase whose deadline passed before the server broke down is decided again by the same mails. Its
results are known: nobody gets more time for it.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence

BY_ITSELF = "the server"
AGAIN = "Nothing has come from "
"""Why a deadline moves at which orders are missing: as it did before, so no results are known."""


@dataclass
class Restores:
    """All restores of a seed: between which times what happened was lost."""

    seen: Evidence
    lost: list[tuple[dt.datetime, dt.datetime]] = field(default_factory=list)

    def caught_up(self, made_at: dt.datetime, broke_at: dt.datetime) -> None:
        """Check that each game that is played says that something is lost. Raises Broken."""
        query = """
            select name from games_game game where status in ('active', 'paused')
               and exists (select 1 from games_phase where game_id = game.id and status = 'open')
               and not exists (select 1 from games_event where game_id = game.id
                   and kind = 'server_restored' and json_extract(payload, '$.broke_at') = ?)
        """
        for game in self.seen.rows(query, broke_at.isoformat()):
            raise Broken(f"a backup was restored, and {game['name']} does not say so")
        self.lost.append((made_at, broke_at))

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written. Raises Broken."""
        facts = json.loads(event["payload"])
        if event["kind"] != "deadline_moved" or facts["by"] != BY_ITSELF or not facts["from"]:
            return
        if facts["why"].startswith(AGAIN):
            return
        due = dt.datetime.fromisoformat(facts["from"])
        for made_at, broke_at in self.lost:
            if made_at < due <= broke_at:
                raise Broken(
                    f"a deadline moves from {due}, and the server broke down at {broke_at}:"
                    " its results are known"
                )
