"""What is promised to and about people: who is banned, whose account was merged, who wants no mail.

Who may not play gets no seat and hears of no game in which they have none left. Who wrote MAIL OFF,
or whose mail a moderator paused, gets answers alone. Who has two accounts that became one loses
nothing, and has their mail at one address.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.staff.freezes import Frozen

ASKED_FOR = frozenset({"own_data", "resumed", "erased"})
"""Mails that come to whoever paused their mail, besides answers to a mail of theirs."""
ENDS = frozenset(
    {"seat_vacated", "seat_opened", "player_withdrawn", "game_finished", "game_rolled_back"}
)
"""What a person still hears of a game in which they play no longer."""
ELSEWHERE = ("copy", "own_address")
"""Mails that go to another address than that of record, on purpose. So does what came back from
there."""
UNDELIVERED = "undelivered"
"""What those who run a game, and moderators, read of a player whom no mail reaches: no event."""
HEARD = ("games_ballot as vote", "games_orderset as sent", "games_press as wrote")
"""Where what players write counts."""
A_MINUTE = dt.timedelta(minutes=1)
PLAYED = "('active', 'paused')"


@dataclass
class Persons:
    """All people, as they were after the last step and as they are now."""

    seen: Evidence
    _before: dict[int, dict[str, Any]] = field(default_factory=dict)
    _now: dict[int, dict[str, Any]] = field(default_factory=dict)
    _until_its_end: dict[tuple[int, int], int] = field(default_factory=dict)
    """By player and power of an anonymous game, the phase in which they may still have a seat."""

    def __post_init__(self) -> None:
        self.frozen = Frozen(self.seen)

    def begin_step(self) -> None:
        """Look at the people before the new mails are looked at."""
        query = """select id, name, banned_at, erased_at, mail_paused_at, merged_into_id as merged,
                          muted_until, suspended_until from games_player"""
        self._before, self._now = self._now, {row["id"]: dict(row) for row in self.seen.rows(query)}
        self.frozen.begin_step()
        self._no_seat_for_the_banned()
        self._nothing_new_of_the_barred()
        self._nothing_at_merged_accounts()

    def restored(self) -> None:
        """Forget how people were: the server has gone back to an earlier state."""
        self._before, self._now = {}, {}
        self._until_its_end.clear()
        self.frozen.restored()

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        what = f"the mail {mail['subject']!r} ({mail['kind']}) to {mail['recipient']}"
        if mail["answers_id"] is None:
            self._not_paused(mail, what)
            self._to_the_address_of_record(mail, what)
        self._no_game_mail(mail, what)
        self.frozen.mail(mail)

    def _was_already(self, fact: str, player: int | None) -> bool:
        """Whether this has been so of a player ever since the last step."""
        before, now = self._before.get(player or 0), self._now.get(player or 0)
        return bool(before and now and now[fact] and before[fact] == now[fact])

    def _not_paused(self, mail: sqlite3.Row, what: str) -> None:
        if not self._was_already("mail_paused_at", mail["player_id"]):
            return
        if (
            mail["state"] != "kept"
            and mail["kind"] not in (*ASKED_FOR, *ELSEWHERE)
            and not _answers(mail)
        ):
            raise Broken(f"{what} goes out, though they get no mail but answers")

    def _to_the_address_of_record(self, mail: sqlite3.Row, what: str) -> None:
        """A GM reads of their games at the address of their user, also after a merge; and what
        moderators write goes to all addresses of whoever had them frozen."""
        query = """
            select record.email from games_address address
              join games_address record on record.player_id = address.player_id
             where address.email = ? and record.of_record
        """
        if mail["player_id"] is None and (mail["event_id"] or mail["kind"] == UNDELIVERED):
            return
        if mail["kind"] in ELSEWHERE or mail["key"].startswith("again/"):
            return
        if mail["kind"] == "conduct" and self.frozen.ever(mail["player_id"]):
            return
        for row in self.seen.rows(query, mail["recipient"]):
            if row["email"] != mail["recipient"]:
                raise Broken(f"{what} does not go to their address of record, {row['email']}")

    def _no_game_mail(self, mail: sqlite3.Row, what: str) -> None:
        player = mail["player_id"]
        if mail["event_id"] is None or mail["kind"] in ENDS:
            return
        if self._was_already("banned_at", player) or self._was_already("erased_at", player):
            query = """
                select 1 from games_event event where event.id = ? and (
                  exists (select 1 from games_seat seat join games_power power on
                          power.id = power_id where player_id = ? and until is null
                          and power.game_id = event.game_id)
                  or exists (select 1 from games_observer where player_id = ? and until is null
                             and game_id = event.game_id))
            """
            if not self.seen.rows(query, mail["event_id"], player, player):
                raise Broken(f"{what} tells of a game somebody who may not play")

    def _no_seat_for_the_banned(self) -> None:
        gone = [key for key, one in self._now.items() if one["banned_at"] or one["erased_at"]]
        for player in gone:
            self._no_seat(player, self._now[player]["name"])

    def _nothing_new_of_the_barred(self) -> None:
        """Whoever is suspended takes no seat, and whoever is muted writes to nobody but the GM."""
        for seat in self.seen.new_rows("games_seat", "id, player_id, since"):
            self._not_until("suspended_until", seat["player_id"], seat["since"], "takes a seat")
        for table in HEARD:
            for one in self.seen.new_rows(table, "id, seat_id, source"):
                self._not_of_the_banned(one)
        press = 'id, to_gm, "to", public, seat_id, created_at'
        for one in self.seen.new_rows("games_press as letter", press):
            query = "select player_id from games_seat where id = ?"
            if not one["to_gm"] or json.loads(one["to"]) or one["public"]:
                for seat in self.seen.rows(query, one["seat_id"]):
                    at = one["created_at"]
                    self._not_until("muted_until", seat["player_id"], at, "writes press")

    def _not_of_the_banned(self, row: sqlite3.Row) -> None:
        """Check that nobody is heard who was banned when they wrote, though a seat may be theirs
        until a phase of an anonymous game is over."""
        query = """select name, banned_at from games_player player
                     join games_seat seat on seat.player_id = player.id where seat.id = ?"""
        came = self.seen.deliveries.get(row["source"])
        for player in self.seen.rows(query, row["seat_id"]):
            since = time_of(player["banned_at"])
            if since and came and min(came) > since + A_MINUTE:
                raise Broken(f"{player['name']} was banned at {since}, and is heard after that")

    def _not_until(self, bar: str, player: int, at: dt.datetime, what: str) -> None:
        """Check that something was not done before a bar's end that was known a step ago."""
        if self._was_already(bar, player) and at < (until := self._now[player][bar]):
            raise Broken(f"{self._now[player]['name']} {what} at {at}, and may not until {until}")

    def _keeps_it_for_now(self, player: int, seat: sqlite3.Row) -> bool:
        """Whether it is a seat in an anonymous game whose phase is not over since they left."""
        if not seat["anonymous"]:
            return False
        key = player, seat["power_id"]
        return bool(self._until_its_end.setdefault(key, seat["phase"]) == seat["phase"])

    def _no_seat(self, player: int, name: str) -> None:
        query = f"""
            select game.name as game, power.name as power, game.anonymous, power_id,
                   (select max(id) from games_phase phase where phase.game_id = game.id
                     and phase.status != 'undone') as phase,
                   (select position from games_phase phase where phase.game_id = game.id
                     and phase.status != 'undone' order by number desc limit 1) as position
              from games_seat seat join games_power power on power.id = seat.power_id
              join games_game game on game.id = power.game_id
             where seat.player_id = ? and seat.until is null and game.status in {PLAYED}
        """
        for row in self.seen.rows(query, player):
            if self._keeps_it_for_now(player, row):
                continue
            if _is_alive(row["power"], json.loads(row["position"])):
                raise Broken(f"{name} may not play, and has {row['power']} in {row['game']}")
        for what, query in {
            "a place in a game that has not begun": """
                select 1 from games_application application
                  join games_game game on game.id = application.game_id
                 where player_id = ? and withdrawn_at is null and started_at is null""",
            "a place on the standby list": """
                select 1 from games_standby where player_id = ? and until is null""",
            "the offer of a seat": "select 1 from games_offer where player_id = ? and end = ''",
        }.items():
            if self.seen.rows(query, player):
                raise Broken(f"{name} may not play, and has {what}")

    def _nothing_at_merged_accounts(self) -> None:
        merged = [key for key, one in self._now.items() if one["merged"]]
        for player in merged:
            for table in ("seat", "address", "absence", "conduct", "standby", "offer", "observer"):
                if self.seen.rows(f"select 1 from games_{table} where player_id = ?", player):
                    name = self._now[player]["name"]
                    raise Broken(f"{name}'s account was merged, and a row of {table} is left there")

    # --- when all is quiet --------------------------------------------------------------------

    def at_rest(self) -> None:
        """Check that everybody was told what was decided about them. Raises Broken."""
        if rows := self.seen.rows("select kind, why from games_conduct where told_at is null"):
            raise Broken(f"nobody was told of {dict(rows[0])}")
        query = "select 'resumed/' || id as key from games_conduct where kind = 'resumed'"
        summed_up = self.seen.rows("select key from mailer_outboundmail where kind = 'resumed'")
        resumed = Counter(row["key"] for row in self.seen.rows(query))
        if resumed - Counter(row["key"] for row in summed_up):
            raise Broken(f"{resumed}: mail comes again, and nobody said what was missed")
        query = """
            select subject, recipient from mailer_outboundmail mail
              join games_player player on player.id = mail.player_id
             where kind = 'press_sent' and state = 'kept' and mail_paused_at is null
               and erased_at is null
        """
        for mail in self.seen.rows(query):
            raise Broken(f"{mail['subject']!r} to {mail['recipient']} stayed back for ever")


def _answers(mail: sqlite3.Row) -> bool:
    """Whether a moderator answers in it what the player wrote."""
    return bool(mail["subject"] == "The moderators answer you")


def _is_alive(power: str, position: dict[str, Any]) -> bool:
    driven_out = any(one["power"] == power for one in position["dislodged"])
    return bool(position["units"].get(power) or position["centers"].get(power) or driven_out)
