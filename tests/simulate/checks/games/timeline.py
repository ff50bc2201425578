"""The timeline that counts: what was taken back has no effect, and what counts hangs together.

Each phase that counts begins with the board that the one before it left, no name comes twice, and
nothing happens any more to a phase that was taken back.
"""

from __future__ import annotations

import itertools
import json
import sqlite3

from games.models import Game
from games.queries.audit.log_faults import faults
from tests.simulate.checks.evidence import Broken, Evidence

COUNTS = "game_id = ? and status != 'undone'"
STOPS = ("game_paused", "game_finished")


def follows(seen: Evidence, phase: sqlite3.Row) -> None:
    """Check that what opened after a phase begins as the phase ended. Raises Broken."""
    query = f"select * from games_phase where {COUNTS} and number > ? order by number limit 1"
    for after in seen.rows(query, phase["game_id"], phase["number"]):
        _joins(phase, after)


def rolled_back(seen: Evidence, event: sqlite3.Row) -> None:
    """Check a game that has just gone back: all of its timeline. Raises Broken."""
    again = seen.rows("select * from games_phase where id = ?", event["phase_id"])[0]
    first = seen.rows(
        "select * from games_phase where game_id = ? and name = ? order by number limit 1",
        again["game_id"],
        again["name"],
    )[0]
    what = f"{again['name']}, which is played again,"
    if first["number"] >= again["number"]:
        raise Broken(f"{what} was never played before")
    _goes_on(seen, event, what)
    kept = json.loads(event["payload"]).get("orders_kept", False)
    given = seen.rows("select * from games_orderset where phase_id = ? and counts", again["id"])
    if not kept and any(one["received_at"] < again["opened_at"] for one in given):
        raise Broken(f"{what} has orders that came before it was opened")
    if kept:
        _kept(seen, again, what)
    whole(seen, again["game_id"])


def _goes_on(seen: Evidence, event: sqlite3.Row, what: str) -> None:
    """Check that a game that is played again is neither over nor paused any more, unless the log
    says that it has stopped since: a worker does several mails in one turn."""
    query = f"select 1 from games_event where game_id = ? and number > ? and kind in {STOPS}"
    if seen.rows(query, event["game_id"], event["number"]):
        return
    query = "select status, winner, winners, ending, finished_at from games_game where id = ?"
    [state] = map(tuple, seen.rows(query, event["game_id"]))
    if state != ("active", "", "[]", "", None):
        raise Broken(f"{what} belongs to a game that is over, or stands still: {state}")


def _kept(seen: Evidence, again: sqlite3.Row, what: str) -> None:
    """Check that a phase begins with the orders that stood when it was taken back."""
    [undone] = seen.rows(
        "select * from games_phase where game_id = ? and name = ? and number < ?"
        " order by number desc limit 1",
        again["game_id"],
        again["name"],
        again["number"],
    )
    query = "select power_id, lines from games_orderset where phase_id = ? and"
    stood = seen.rows(f"{query} counts", undone["id"])
    stand = seen.rows(f"{query} received_at < ?", again["id"], again["opened_at"])
    if lost := {tuple(one) for one in stood} - {tuple(one) for one in stand}:
        raise Broken(f"{what} was to keep its orders, and lost {sorted(lost)}")


def whole(seen: Evidence, game: int) -> None:
    """Check the timeline of a game from its beginning. Raises Broken."""
    phases = seen.rows(f"select * from games_phase where {COUNTS} order by number", game)
    names = [phase["name"] for phase in phases]
    if len(set(names)) != len(names):
        raise Broken(f"a phase counts twice: {names}")
    for before, after in itertools.pairwise(phases):
        _joins(before, after)


def at_rest(seen: Evidence) -> None:
    """Check all games, and that nothing has happened to what was taken back. Raises Broken."""
    for game in seen.rows("select id from games_game"):
        whole(seen, game["id"])
    for played in Game.objects.order_by("pk"):
        if found := list(faults(played)):
            raise Broken(f"the log of {played} does not bear it out: {found}")
    query = """
        select event.kind, phase.name, back.payload from games_event event
          join games_phase phase on phase.id = event.phase_id and phase.status = 'undone'
          join games_event back on back.game_id = event.game_id and back.kind = 'game_rolled_back'
          join games_phase again on again.id = back.phase_id
         where back.number < event.number and phase.number < again.number
    """
    for event in seen.rows(query):  # it may have been another, later rollback that took it back
        if event["name"] in json.loads(event["payload"])["undone"]:
            raise Broken(f"{event['name']} was taken back, and then came {event['kind']}")


def _joins(before: sqlite3.Row, after: sqlite3.Row) -> None:
    left = json.loads(before["outcome"] or "{}").get("next")
    if json.loads(after["position"]) != left:
        raise Broken(f"{after['name']} does not begin where {before['name']} ended")
