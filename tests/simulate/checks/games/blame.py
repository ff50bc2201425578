"""Nobody is blamed for a phase of which our mail did not tell them before its deadline, and who
was told in good time is not excused as if they had not been.

Whom the relay took a mail for was told, whatever the server remembers of it. A mail that only few
did not have in time excuses its reader once within `ONCE_IN`.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from dataclasses import dataclass

from tests.simulate.checks.evidence import Broken, Evidence, time_of

NOT_TOLD = "Our mail about the phase could not be sent in time."
CLOCK_IS_WRONG = dt.timedelta(hours=1)
"""So much at most."""
ONCE_IN = dt.timedelta(days=90)
"""For that long nobody is excused again for a mail that most others had in time."""


@dataclass(frozen=True)
class Miss:
    """A seat, and a phase for which its player sent nothing."""

    seat: int
    phase: int
    player: int
    power: str
    what: str
    opened: dt.datetime
    due: dt.datetime
    is_new: bool
    """They came when the phase was open already."""


@dataclass
class Blame:
    """All that players missed."""

    seen: Evidence

    def look(self) -> None:
        """Check what was written down since the last step. Raises Broken."""
        for row in self.seen.new_rows(
            "games_attendance", "id, seat_id, phase_id, came, excused_why"
        ):
            if row["came"] != "missed" or not (miss := self._miss(row["seat_id"], row["phase_id"])):
                continue
            if row["excused_why"] == NOT_TOLD:
                self._could_not_know(miss)
            elif not row["excused_why"]:
                self._could_know(miss, "is blamed")

    def event(self, event: sqlite3.Row) -> None:
        """Check whose seats are open since an event that has just been written. Raises Broken."""
        if event["kind"] != "orders_overdue":
            return
        query = """
            select seat.id from games_seat seat join games_power power on power.id = power_id
             where until is null and power.game_id = ?
               and open_since = (select created_at from games_event where id = ?)
        """
        for row in self.seen.rows(query, event["game_id"], event["id"]):
            if miss := self._miss(row["id"], event["phase_id"]):
                self._could_know(miss, "may be replaced")

    def _miss(self, seat: int, phase: int) -> Miss | None:
        """What was missed; None in a phase without a deadline."""
        query = """
            select player_id, power.name as power, since, opened_at, due_at, phase.name as phase,
                   game.name as game
              from games_seat seat join games_power power on power.id = power_id
              join games_game game on game.id = power.game_id
              join games_phase phase on phase.game_id = game.id
             where seat.id = ? and phase.id = ?
        """
        [row] = self.seen.rows(query, seat, phase)
        opened, due, since = map(time_of, (row["opened_at"], row["due_at"], row["since"]))
        if not (opened and due and since):
            return None
        what = f"{row['power']} in {row['game']} {row['phase']}"
        is_new = since > opened
        return Miss(seat, phase, row["player_id"], row["power"], what, opened, due, is_new)

    def _could_know(self, miss: Miss, what: str) -> None:
        mails = self._mails(miss)
        if not mails or miss.is_new or self._has_gone(miss) or self._was_excused(miss):
            return
        if any(mail["state"] == "kept" for mail in mails) or self._wanted_none(miss):
            return
        told = (*mails, *self._later_mails(miss))
        takings = [one for mail in told for one in self.seen.taken.get(mail["message_id"], ())]
        if not any(one.at <= miss.due for one in takings):
            raise Broken(f"{miss.what} {what}, and no mail told them of it before {miss.due}")

    def _wanted_none(self, miss: Miss) -> bool:
        """Whether they got no mail, and have it again since the deadline: what was kept back comes
        with the mail that says so."""
        query = """select 1 from mailer_outboundmail again
                     join mailer_outboundmail kept on kept.player_id = again.player_id
                    where again.kind = 'resumed' and again.player_id = ? and again.created_at >= ?
                      and kept.opens_id = ? and kept.not_before = again.created_at"""
        due = miss.due.replace(tzinfo=None).isoformat(sep=" ")
        return bool(self.seen.rows(query, miss.player, due, miss.phase))

    def _could_not_know(self, miss: Miss) -> None:
        query = "select payload from games_event where phase_id = ? and kind = 'phase_processed'"
        [event] = self.seen.rows(query, miss.phase)[-1:]
        if json.loads(event["payload"]).get("by"):
            return  # a GM did not wait for the mails: nobody is blamed, whether told or not
        early = miss.opened + (miss.due - miss.opened) / 2 - CLOCK_IS_WRONG
        mails = self._mails(miss)
        if any(mail["bounced_at"] for mail in mails):
            return  # it came back, say from a full mailbox: the relay's word is not the last one
        if mails and all(self._known_since(mail["message_id"], early) for mail in mails):
            raise Broken(f"{miss.what} is excused, and was told of it before {early}")

    def _known_since(self, message_id: str, early: dt.datetime) -> bool:
        """Whether the server knew so early that the relay had taken a mail."""
        return any(
            one.told
            and one.at <= early
            and not self.seen.turn_died(one.turn)
            and not self.seen.stops_of(one.turn)
            for one in self.seen.taken.get(message_id, ())
        )

    def _mails(self, miss: Miss) -> list[sqlite3.Row]:
        """The mails that told the player of the phase."""
        query = "select * from mailer_outboundmail where opens_id = ? and player_id = ?"
        return self.seen.rows(query, miss.phase, miss.player)

    def _later_mails(self, miss: Miss) -> list[sqlite3.Row]:
        """The mails that named the phase to the player when it was open already, and the copies of
        lost ones."""
        query = """select message_id from mailer_outboundmail mail
                     join games_event event on event.id = mail.event_id
                    where mail.player_id = ? and event.phase_id = ? and event.kind in
                          ('orders_missing', 'deadline_moved')"""
        copies = """select again.message_id from mailer_outboundmail first
                      join mailer_outboundmail again on again.event_id = first.event_id
                     where first.opens_id = ? and again.player_id = ?
                       and again.key like 'again/%'"""
        later = self.seen.rows(query, miss.player, miss.phase)
        return later + self.seen.rows(copies, miss.phase, miss.player)

    def _has_gone(self, miss: Miss) -> bool:
        """Whether none of their addresses has worked since before the phase."""
        query = """select failing_since from games_address
                    where player_id = ? and confirmed_at is not null"""
        failing = [time_of(one["failing_since"]) for one in self.seen.rows(query, miss.player)]
        return all(since is not None and since < miss.opened for since in failing)

    def _was_excused(self, miss: Miss) -> bool:
        """Whether a mail that only few did not have in time has excused them not long before."""
        query = """
            select 1 from games_attendance mine join games_seat seat on seat.id = mine.seat_id
             where seat.player_id = ? and excused_why = ? and phase_id != ? and recorded_at > ?
               and (select count(*) >= 2 * sum(excused_why = ?) from games_attendance one
                     where one.phase_id = mine.phase_id)
        """
        since = (miss.opened - ONCE_IN).replace(tzinfo=None).isoformat(sep=" ")
        return bool(self.seen.rows(query, miss.player, NOT_TOLD, miss.phase, since, NOT_TOLD))
