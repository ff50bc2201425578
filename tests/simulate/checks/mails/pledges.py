"""What a mail told its reader is what happened: orders that stand, deadlines, results, the board.

A receipt names the orders that stand, and exactly these are adjudicated unless another receipt
comes; a phase ends at the deadline that was told last; all who are told of a result are told the
same; and the board in a mail is the one that the tables have.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from diplomacy_server.demo.reading import read_board
from tests.simulate.checks.evidence import SEASONS, STEPS, UTC, Broken, Evidence, time_of

TITLE = r"(?:Spring|Fall|Winter) \d+ (?:movement|retreats|adjustments)"
STANDS = re.compile(
    rf"These orders (stand now|were counted) for (\w+) in ({TITLE}):\n\n((?:.+\n)*)"
)
ORDERED = re.compile(r"^\d+ of \d+: (.+)$", re.MULTILINE)
UNORDERED = re.compile(r" had no order in time| has no order yet|^no (build|unit)|^nothing was")
UNSURE = re.compile(r"Your orders are taken back|nothing to take back|came too late")
"""Now something else stands, or may: late orders count if the game waits or its deadline moves."""
REPLACED = re.compile(r"what you wrote then\s+counts\s+instead")
DEADLINE = re.compile(rf"({TITLE})\b[^\n]*\nDeadline: \w+ (\d+ \w+ \d+, \d+:\d+) UTC")
IN_BERLIN = re.compile(DEADLINE.pattern.replace("UTC", "CES?T"))
"""The same for those who have set their time zone."""
BERLIN = ZoneInfo("Europe/Berlin")
RESULT = re.compile(r"^(\w+: .+?): (\w[^.;]*)", re.MULTILINE)
BOARD = re.compile(r"^THE BOARD(?: NOW)?\n\n((?:.*\n)*?)(?:[A-Z ]+\n\n|\Z)", re.MULTILINE)
MOVE = ("seat_taken", "seat_given", "game_resumed", "server_resumed")
"""What moves a deadline and tells it in words of its own, which nobody reads here."""
GIVEN = re.compile(r"Disband .*|.* Holds")
"""Orders that the judge gives to who has none."""
WORDS = {word: letter for letter, word in (SEASONS | STEPS).items()}


@dataclass(frozen=True)
class Pledge:
    """What a receipt says stands; None where that is not plain."""

    lines: tuple[str, ...] | None
    message_id: str


@dataclass
class Pledges:
    """All that mails have said about open phases."""

    seen: Evidence
    _read_up_to: int = 0
    _told: dict[tuple[int, str], Pledge] = field(default_factory=dict)
    """By phase and power, the newest receipt."""
    _due: dict[int, dict[str, dt.datetime]] = field(default_factory=lambda: defaultdict(dict))
    """By phase, the deadline that each reader was told last."""
    _results: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By event, what came of each order."""

    def look(self) -> None:
        """Read the mails that are new. Raises Broken."""
        query = """
            select mail.*, game.name as game, game.fog from mailer_outboundmail mail
              left join games_event event on event.id = event_id
              left join games_game game on game.id = event.game_id
             where mail.id > ? and mail.kind in ('reply', 'phase_processed', 'game_started',
                                            'deadline_moved', 'deadline_corrected',
                                            'orders_missing')
             order by mail.id
        """
        for mail in self.seen.rows(query, self._read_up_to):
            self._read_up_to = mail["id"]
            text = mail["body"].replace(" \n", " ")
            if mail["kind"] == "reply":
                self._receipt(mail, text)
                continue
            for title, due in deadlines_in(text):
                self._told_deadline(mail, self._phase(mail, title), due)
            if mail["kind"] == "phase_processed":
                self._same_results(mail, text)
            if mail["opens_id"]:
                self._board(mail, text)

    def restored(self) -> None:
        """Forget what was said of what is lost now."""
        self._told.clear()
        self._due.clear()
        self._results.clear()
        [row] = self.seen.rows("select coalesce(max(id), 0) as last from mailer_outboundmail")
        self._read_up_to = row["last"]

    def deadline_told(self, phase_id: int, reader: str) -> dt.datetime | None:
        """Return the deadline of an open phase that somebody was told last, in a notice that names
        it as notices do; None where the deadline has moved in words of another kind since."""
        query = f"select 1 from games_event where phase_id = ? and kind in {MOVE}"
        return None if self.seen.rows(query, phase_id) else self._due[phase_id].get(reader)

    # --- what mails say -----------------------------------------------------------------------

    def _receipt(self, mail: sqlite3.Row, text: str) -> None:
        for phase_id, power in self._ordered_in(mail):
            if UNSURE.search(text):
                self._told[phase_id, power] = Pledge(None, mail["message_id"])
        for how, power, title, block in STANDS.findall(text):
            for phase_id, whose in self._ordered_in(mail):
                if whose != power or self._title(phase_id) != title:
                    continue
                said = ORDERED.findall(block)
                lines = tuple(line for line in said if not UNORDERED.search(line))
                plain = None if "leave given" in block else lines
                if how == "stand now":
                    plain = None if self._may_be_replaced(mail, phase_id, power, text) else plain
                    self._as_changed(mail, phase_id, plain)
                    self._told[phase_id, power] = Pledge(plain, mail["message_id"])
                elif plain is not None:
                    self._counted(phase_id, power, plain, mail)

    def _as_changed(self, mail: sqlite3.Row, phase_id: int, lines: tuple[str, ...] | None) -> None:
        """Whoever said in words what one unit is ordered instead, reads that it is, unless orders
        that came later were read before."""
        query = """
            select source from games_orderset sets
              join games_power power on power.id = power_id
             where phase_id = ? and power.name = ? order by received_at desc, sets.id desc limit 1
        """
        letter = self.seen.answered(mail)
        if letter is None or not letter.is_change or lines is None:
            return
        [last] = self.seen.rows(query, phase_id, letter.power)
        if last["source"] == letter.message_id and letter.orders[0] not in lines:
            raise Broken(f"{letter.text!r} of {letter.writer} was followed, and {lines} stand")

    def _may_be_replaced(self, mail: sqlite3.Row, phase_id: int, power: str, text: str) -> bool:
        """Whether orders that came later, and too late, were read before this mail, and it says
        that they count if the game waits, unless it never does."""
        query = """
            select when_missing from games_orderset late
              join games_power power on power.id = late.power_id
              join games_phase phase on phase.id = late.phase_id
              join games_game game on game.id = phase.game_id
              join mailer_inboundmail mail on mail.id = ?
             where phase_id = ? and power.name = ? and late.received_at > due_at
               and late.received_at > mail.received_at and recorded_at <= ?
        """
        at = mail["created_at"].isoformat(sep=" ")
        rows = self.seen.rows(query, mail["answers_id"], phase_id, power, at)
        return any(REPLACED.search(text) or row["when_missing"] == "hold" for row in rows)

    def _ordered_in(self, mail: sqlite3.Row) -> list[tuple[int, str]]:
        """For which phases, and powers, the mail had orders that is answered by this one. A phase
        that began again with orders that were kept has a copy of them."""
        query = """
            select phase_id, power.name as power from games_orderset sets
              join games_power power on power.id = sets.power_id
              join games_phase phase on phase.id = sets.phase_id
              join mailer_inboundmail mail on mail.message_id = sets.source
             where mail.id = ? and sets.recorded_at <= ? and opened_at <= ? order by phase_id
        """
        rows = self.seen.rows(query, mail["answers_id"], mail["created_at"], mail["created_at"])
        return [(row["phase_id"], row["power"]) for row in rows]

    def _counted(
        self, phase_id: int, power: str, lines: tuple[str, ...], mail: sqlite3.Row
    ) -> None:
        """Whoever was late reads what was counted instead."""
        [phase] = self.seen.rows("select * from games_phase where id = ?", phase_id)
        if phase["status"] != "processed":
            return
        counted = _adjudicated(phase)[power]
        if not _agree(lines, counted):
            what = f"the mail {mail['subject']!r} to {mail['recipient']}"
            raise Broken(f"{what} says that {lines} were counted, and not {sorted(counted)}")

    def _told_deadline(self, mail: sqlite3.Row, phase_id: int | None, at: dt.datetime) -> None:
        if phase_id is not None:
            told = self._due[phase_id]
            for address in self.seen.addresses_of(mail["recipient"]):
                told.pop(address, None)  # an account may be merged into another meanwhile
            told[mail["recipient"]] = at

    def _same_results(self, mail: sqlite3.Row, text: str) -> None:
        told = self._results[mail["event_id"]]
        for order, result in RESULT.findall(text.partition("THE BOARD")[0]):  # whatever the reason
            said = " ".join(result.split())  # a line may break within
            if told.setdefault(order, said) != said:
                what = f"the mail {mail['subject']!r} to {mail['recipient']}"
                raise Broken(f"{what} says of {order!r} {said!r}, and others {told[order]!r}")

    def _board(self, mail: sqlite3.Row, text: str) -> None:
        board = BOARD.search(text)
        if board is None:
            return
        centres, units = read_board(" ".join(board[1].split()))
        [phase] = self.seen.rows("select position from games_phase where id = ?", mail["opens_id"])
        position = json.loads(phase["position"])
        for told, kept in ((centres, position["centers"]), (units, position["units"])):
            said = {(power, one) for power, these in told.items() for one in these}
            true = {(power, one) for power, these in kept.items() for one in these}
            wrong = said - true if mail["fog"] else said ^ true
            if wrong:
                what = f"the mail {mail['subject']!r} to {mail['recipient']}"
                raise Broken(f"{what} has another board than the tables: {sorted(wrong)}")

    def _phase(self, mail: sqlite3.Row, title: str) -> int | None:
        """The phase of that title in the game of a notice that was open when it was written."""
        season, year, step = title.split()
        query = """
            select phase.id from games_phase phase join games_game game on game.id = game_id
             where game.name = ? and phase.name = ? and opened_at <= ? order by number desc limit 1
        """
        name = f"{WORDS[season]}{year}{WORDS[step]}"
        rows = self.seen.rows(query, mail["game"], name, mail["created_at"])
        return rows[0]["id"] if rows else None

    def _title(self, phase_id: int) -> str:
        [row] = self.seen.rows("select name from games_phase where id = ?", phase_id)
        name = row["name"]
        return f"{SEASONS[name[0]]} {name[1:-1]} {STEPS[name[-1]]}"

    # --- what happened ------------------------------------------------------------------------

    def processed(self, phase: sqlite3.Row, *, free: frozenset[str]) -> None:
        """Check a phase that was just adjudicated; of the powers that are `free` it is not plain
        from mails which orders they have. Raises Broken."""
        for power, lines in _adjudicated(phase).items():
            told = self._told.get((phase["id"], power))
            if power in free or told is None or told.lines is None:
                continue
            if not _agree(told.lines, lines):
                raise Broken(
                    f"{phase['game']} {phase['name']}: {power} was told that {told.lines}"
                    f" stand, by {told.message_id}, and {sorted(lines)} were adjudicated"
                )
        self._deadline(phase)

    def _deadline(self, phase: sqlite3.Row) -> None:
        """A phase that nobody ends by hand ends at the deadline that was told last."""
        ended, due = time_of(phase["processed_at"]), time_of(phase["due_at"])
        if ended is None or due is None or phase["all_in_at"] or phase["overdue_at"]:
            return
        query = "select payload from games_event where phase_id = ? and kind = 'phase_processed'"
        [event] = self.seen.rows(query, phase["id"])
        unread = f"""select 1 from games_event where game_id = ? and phase_id = ?
                       and kind != 'phase_processed' and (told_at is null or kind in {MOVE})"""
        if json.loads(event["payload"]).get("by"):
            return
        if self.seen.rows(unread, phase["game_id"], phase["id"]):
            return
        for reader, told in self._readers(phase):
            if told != due.replace(second=0, microsecond=0):
                raise Broken(
                    f"{phase['game']} {phase['name']} was adjudicated at its deadline, {due}, and"
                    f" {reader} was told {told}"
                )

    def _readers(self, phase: sqlite3.Row) -> Iterator[tuple[str, dt.datetime]]:
        """Those who play, with the deadline that they were told last."""
        now = {email for email, _, until in self.seen.seats(phase["game"]) if until is None}
        for reader, told in self._due[phase["id"]].items():
            if reader in now:
                yield reader, told


def deadlines_in(text: str) -> list[tuple[str, dt.datetime]]:
    """Return which deadlines a mail tells, each with its phase, in whichever zone its reader
    has."""
    return [
        (title, dt.datetime.strptime(due, "%d %b %Y, %H:%M").replace(tzinfo=zone).astimezone(UTC))
        for pattern, zone in ((DEADLINE, UTC), (IN_BERLIN, BERLIN))
        for title, due in pattern.findall(text)
    ]


def _adjudicated(phase: sqlite3.Row) -> dict[str, set[str]]:
    """The orders of each power as the judge took them, and those that it gave who had none."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in json.loads(phase["outcome"])["results"]:
        if one["order"] and "illegal" not in one["result"]:
            found[one["power"]].add(one["order"])
    return found


def _agree(said: Iterable[str], adjudicated: set[str]) -> bool:
    """Whether these orders, and nothing else that anybody would choose, were adjudicated."""
    return set(said) <= adjudicated and all(
        GIVEN.fullmatch(line) for line in adjudicated.difference(said)
    )
