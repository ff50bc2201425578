"""Each deadline is held, or moved by somebody who may, and then all who play are told.

A deadline never changes in silence: an event says to when, and why, or that the clock stands still
until another does. It comes earlier only if a GM takes back a slip. A player puts it off as often
as the game grants them, and only if they asked.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence, time_of

SAYS = {
    "deadline_moved": "to",
    "deadline_corrected": "to",
    "game_resumed": "due_at",
    "server_resumed": "due_at",
    "seat_taken": "due_at",
}
"""Events that move a deadline, and which of their facts says where to."""
STOPPED = "game_paused"
NEWS = (
    *(*SAYS, STOPPED, "game_rolled_back", "game_finished", "phase_held", "server_restored"),
    *("server_halted", "settings_changed", "orders_looked_at"),
)
"""What all who play are told."""
MAY = ("the GM", "the server", "the moderators", "a moderator")
ASKS = ("EXTEND", "CONF")
"""How a mail begins that puts a deadline off."""


@dataclass
class Deadlines:
    """The deadlines of all open phases, as they were after the last step."""

    seen: Evidence
    _due: dict[int, dt.datetime] = field(default_factory=dict)

    def look(self) -> None:
        """Check what has changed since the last step. Raises Broken."""
        query = """
            select phase.id, phase.name, due_at, game.name as game from games_phase phase
              join games_game game on game.id = game_id where phase.status = 'open'
        """
        now = {}
        for phase in self.seen.rows(query):
            if due := time_of(phase["due_at"]):
                now[phase["id"]] = due
                before = self._due.get(phase["id"])
                if before and before != due:
                    self._was_moved(phase, before, due)
        self._due = now

    def restored(self) -> None:
        """Forget what is lost now."""
        self._due.clear()

    def _was_moved(self, phase: sqlite3.Row, before: dt.datetime, due: dt.datetime) -> None:
        what = f"the deadline of {phase['game']} {phase['name']} has moved from {before} to {due}"
        query = f"""select * from games_event where phase_id = ? and kind in {tuple(SAYS)}
                     order by id desc limit 1"""
        said = self.seen.rows(query, phase["id"])
        if not said or _moment(said[0]) != due:
            if before < due and self._nobody_is_left(phase):
                return
            raise Broken(f"{what}, and nothing says so")
        if due < before and said[0]["kind"] != "deadline_corrected":
            raise Broken(f"{what}, by {said[0]['kind']}")

    def _nobody_is_left(self, phase: sqlite3.Row) -> bool:
        """Whether the server has stopped the game last: when it goes on, all have the whole time of
        the phase, and read then to when."""
        query = f"""select * from games_event where phase_id = ?
                     and kind in {(*SAYS, STOPPED)} order by id desc limit 1"""
        return any(
            event["kind"] == STOPPED and json.loads(event["payload"])["by"] == "the server"
            for event in self.seen.rows(query, phase["id"])
        )

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written. Raises Broken."""
        facts = json.loads(event["payload"])
        if event["kind"] != "deadline_moved":
            return
        self._all_speak_again(event)
        if facts["by"] in MAY:
            return
        if masters := self._masters(event["game_id"], facts["by"]):
            what = f"{facts['by']} has put off a deadline as the GM"
            self._was_asked(event, masters, what, ("GM ", *ASKS))
        else:
            self._may_put_off(event, facts["by"])

    def _all_speak_again(self, event: sqlite3.Row) -> None:
        """Check that no READY counts any more that was said for an earlier deadline."""
        query = """select name from games_readiness ready join games_power power
                       on power.id = power_id where phase_id = ? and said_at < ?"""
        at = event["created_at"].isoformat(sep=" ")
        for row in self.seen.rows(query, event["phase_id"], at):
            raise Broken(f"{row['name']} said READY or WAIT before the deadline moved at {at}")

    def _masters(self, game: int, name: str) -> set[str]:
        """The addresses of those of this name who run a game: players who made it have one."""
        query = "select email from auth_user where first_name = ?"
        named = {row["email"] for row in self.seen.rows(query, name)} if name else set()
        return named & self.seen.masters(game)

    def _may_put_off(self, event: sqlite3.Row, power: str) -> None:
        query = """select name, player_extensions as granted,
                          (select count(*) from games_event moved where moved.game_id = game.id
                            and kind = 'deadline_moved' and moved.id <= ?
                            and json_extract(payload, '$.by') = ?) as used
                     from games_game game where id = ?"""
        [game] = self.seen.rows(query, event["id"], power, event["game_id"])
        what = f"{power} has put off a deadline in {game['name']}"
        if game["used"] > game["granted"]:
            raise Broken(f"{what} {game['used']} times, and {game['granted']} are granted")
        players = {email for email, whose, _ in self.seen.seats(game["name"]) if whose == power}
        self._was_asked(event, players, what, ASKS)

    def _was_asked(
        self, event: sqlite3.Row, writers: set[str], what: str, begins: tuple[str, ...]
    ) -> None:
        """Check that a mail of one of these, which begins so, was answered then. Raises Broken."""
        query = """
            select mail.message_id from mailer_outboundmail answer
              join mailer_inboundmail mail on mail.id = answer.answers_id
             where answer.kind = 'reply' and answer.created_at = ?
        """
        for row in self.seen.rows(query, event["created_at"]):
            letter = self.seen.letters.get(row["message_id"])
            if letter and letter.writer in writers and letter.text.startswith(begins):
                return
        raise Broken(f"{what}, and no mail of theirs asks for it")

    def at_rest(self) -> None:
        """Check that all who played then were told. Raises Broken."""
        query = f"""
            select event.kind, event.id, game.name as game, player.name from games_event event
              join games_game game on game.id = event.game_id
              join games_power power on power.game_id = game.id
              join games_seat seat on seat.power_id = power.id
               and since <= event.created_at and (until is null or until > event.told_at)
              join games_player player on player.id = seat.player_id and erased_at is null
             where event.kind in {NEWS} and exists (select 1 from games_address address
                   where address.player_id = player.id and since < event.created_at)
               and not exists (select 1 from mailer_outboundmail mail
                   left join games_player reader on reader.id = mail.player_id
                   where mail.event_id = event.id
                     and player.id in (mail.player_id, reader.merged_into_id))
        """
        for row in self.seen.rows(query):
            raise Broken(f"{row['name']} plays in {row['game']}, and nobody told of {row['kind']}")


def _moment(event: sqlite3.Row) -> dt.datetime | None:
    said = json.loads(event["payload"])[SAYS[event["kind"]]]
    return dt.datetime.fromisoformat(said) if said else None
