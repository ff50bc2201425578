"""What must be true after every step, and what when all is quiet.

All is read past the code under test: from the tables by SQL, from what the relay took, and from
what the people remember to have written. The first promise that is broken ends the simulation.
"""

from __future__ import annotations

import datetime as dt
import email
import hashlib
import io
import json
import re
import sqlite3
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.simulate.people import Letter
from tests.simulate.post import Taken

SECOND = dt.timedelta(seconds=1)
UTC = dt.UTC
PLAYS = re.compile(r"\bYou play (\w+)\.")
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STEPS = {"M": "movement", "R": "retreats", "A": "adjustments"}


class Broken(BaseException):
    """A promise was broken; the message says how. Nothing in the code under test catches it."""


def time_of(kept: dt.datetime | None) -> dt.datetime | None:
    """Return a time that SQLite keeps without its zone."""
    return kept.replace(tzinfo=UTC) if kept else None


def title_of(name: str) -> str:
    """Return "Spring 1901 movement" for S1901M."""
    return f"{SEASONS[name[0]]} {name[1:-1]} {STEPS[name[-1]]}"


@dataclass
class Witness:
    """Everything that was seen from outside, and where the tables were read up to."""

    database: Callable[[], sqlite3.Connection]
    turn_died: Callable[[int], bool]
    addresses: set[str]
    early_delay: dt.timedelta
    letters: dict[str, Letter] = field(default_factory=dict)
    words: dict[str, Letter] = field(default_factory=dict)
    deliveries: dict[str, list[dt.datetime]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[str, list[Taken]] = field(default_factory=lambda: defaultdict(list))
    reply_to: dict[str, str] = field(default_factory=dict)
    digest: Any = field(default_factory=hashlib.sha256)
    public: str = ""
    """All order lines that were adjudicated: everybody may know them."""
    tips: dict[int, tuple[int, str]] = field(default_factory=dict)
    read_up_to: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _open: list[sqlite3.Row] | None = None
    phases: int = 0
    game_years: int = 0
    receipts: int = 0

    # --- what comes in and goes out -----------------------------------------------------------

    def wrote(self, letter: Letter) -> None:
        """Remember what somebody sends."""
        self.letters[letter.message_id] = letter
        if letter.press_word:
            self.words[letter.press_word] = letter

    def delivered(self, message_id: str, at: dt.datetime) -> None:
        """Remember when a copy of a letter came into the judge's mailbox."""
        self.deliveries[message_id].append(at)

    def sent(self, taken: Taken) -> None:
        """A mail went out: no worker may send it again unless it could not know."""
        headers = email.message_from_bytes(taken.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        message_id = str(headers["Message-ID"]).strip()
        self.digest.update(taken.recipient.encode() + b"\0" + taken.raw)
        for before in self.taken[message_id]:
            if before.raw != taken.raw or before.recipient != taken.recipient:
                raise Broken(f"{message_id} was sent twice, and not as the same mail")
            if before.told and not self.turn_died(before.turn):
                raise Broken(f"{message_id} was sent again although the relay had said 250")
        self.taken[message_id].append(taken)
        if taken.recipient not in self.addresses:
            raise Broken(f"a mail went to {taken.recipient}, who is nobody")
        answer_to = str(headers["Reply-To"] or "")
        if "+" in answer_to:
            owner = self.reply_to.setdefault(answer_to, taken.recipient)
            if owner != taken.recipient:
                raise Broken(f"{owner} and {taken.recipient} have the same reply address")

    # --- after every step ---------------------------------------------------------------------

    def look(self) -> None:
        """Check what is new in the tables. Raises Broken."""
        self._open = None
        self._events()
        self._mails()

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        cursor = self.database().cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(query, values).fetchall()

    def _new(self, table: str, columns: str) -> Iterator[sqlite3.Row]:
        last = self.read_up_to[table]
        for row in self._rows(f"select {columns} from {table} where id > ? order by id", last):
            self.read_up_to[table] = row["id"]
            yield row

    def _events(self) -> None:
        columns = "id, game_id, phase_id, number, kind, payload, previous, digest"
        for event in self._new("games_event", columns):
            number, tip = self.tips.get(event["game_id"], (0, ""))
            if (event["number"], event["previous"]) != (number + 1, tip):
                raise Broken(f"event {event['number']} does not hang on event {number}")
            self.tips[event["game_id"]] = (event["number"], event["digest"])
            if event["kind"] == "phase_processed":
                self._adjudicated(event["phase_id"])
            self._no_secret(event["payload"], "", f"event {event['kind']}", event["game_id"])
            if event["kind"] == "phase_stuck":
                raise Broken(f"a phase is stuck: {self._error_of(event['phase_id'])}")

    def _error_of(self, phase: int) -> str:
        return str(self._rows("select error from games_phase where id = ?", phase)[0]["error"])

    def _mails(self) -> None:
        columns = "id, kind, key, recipient, answers_id, event_id, message_id, subject, body"
        for mail in self._new("mailer_outboundmail", columns):
            what = f"the mail {mail['subject']!r} to {mail['recipient']}"
            self._no_press(mail, what)
            self._right_power(mail, what)
            self._no_secret(mail["body"], mail["recipient"], what, None)
            if mail["kind"] == "own_data":
                self._own_data(mail, what)
            if mail["kind"] == "reply":
                self._one_receipt(mail["answers_id"])

    def _own_data(self, mail: sqlite3.Row, what: str) -> None:
        """All that is kept about somebody tells nothing of anybody else."""
        query = "select data from mailer_attachedfile where mail_id = ?"
        for row in self._rows(query, mail["id"]):
            with zipfile.ZipFile(io.BytesIO(row["data"])) as packed:
                files = [packed.read(name).decode("utf-8", "replace") for name in packed.namelist()]
            text = "\n".join(files)
            self._no_press({"recipient": mail["recipient"], "body": text}, what)
            self._no_secret(text, mail["recipient"], what, None)

    def _one_receipt(self, answered: int) -> None:
        self.receipts += 1
        query = """
            select mail.message_id, count(*) as receipts from mailer_inboundmail mail
              join mailer_outboundmail answer on answer.answers_id = mail.id
             where answer.kind = 'reply' and mail.message_id =
                   (select message_id from mailer_inboundmail where id = ?)
        """
        found = self._rows(query, answered)[0]
        if found["receipts"] > 1:
            raise Broken(f"the mail {found['message_id']} has {found['receipts']} receipts")
        for table in ("games_orderset", "games_press"):
            effects = self._rows(
                f"select count(*) as n from {table} where source = ?", found["message_id"]
            )[0]["n"]
            if effects > 1:
                raise Broken(f"the mail {found['message_id']} had {effects} effects in {table}")

    # --- secrets ------------------------------------------------------------------------------

    def _no_press(self, mail: Mapping[str, Any] | sqlite3.Row, what: str) -> None:
        for word in set(re.findall(r"\bword\d+x\b", mail["body"])):
            letter = self.words.get(word)
            if letter is None or mail["recipient"] == letter.writer or "ALL" in letter.readers:
                continue
            if mail["recipient"] not in self._readers(letter):
                raise Broken(f"{what} shows press of {letter.writer} for {letter.readers}")

    def _readers(self, letter: Letter) -> set[str]:
        found = {reader for reader in letter.readers if "@" in reader}
        found |= {"gm@players.example"} if "GM" in letter.readers else set()
        return found | {
            who for who, power, _ in self._seats(letter.game) if power in letter.readers
        }

    def _seats(self, game: str) -> list[tuple[str, str, str | None]]:
        """Who plays or played what in this game: address, power, until when."""
        query = """
            select address.email, power.name, seat.until from games_seat seat
              join games_power power on power.id = seat.power_id
              join games_game game on game.id = power.game_id
              join games_address address on address.player_id = seat.player_id
             where game.name = ? order by seat.id
        """
        return [(row["email"], row["name"], row["until"]) for row in self._rows(query, game)]

    def _right_power(self, mail: sqlite3.Row, what: str) -> None:
        game = re.match(r"(?:Re: )?\[([\w-]+)\]", mail["subject"])
        plays = PLAYS.search(" ".join(mail["body"].split()))
        if not game or not plays:
            return
        if (mail["recipient"], plays[1]) not in {seat[:2] for seat in self._seats(game[1])}:
            raise Broken(f"{what} is written for the player of {plays[1]}")

    def _no_secret(self, text: str, reader: str, what: str, game: int | None) -> None:
        """Before the deadline nobody learns what another has ordered, nor does the log say it.

        A line that was ordered before, by anybody, is no secret, nor is what the reader wrote.
        """
        flat = " ".join(text.split())
        for row in self._open_orders():
            elsewhere = game is not None and row["game_id"] != game
            if elsewhere or reader == row["email"] or not row["counts"]:
                continue
            for line in json.loads(row["lines"]):
                if line not in flat or line in self.public:
                    continue
                if line not in self._own_lines(reader):
                    raise Broken(f"{what} tells that {row['power']} orders {line!r}")

    def _own_lines(self, reader: str) -> str:
        """What the reader wrote, and how it was read: in another game they may order the same."""
        if not reader:
            return ""
        mine = [one.text for one in self.letters.values() if one.writer == reader]
        read = [row["reading"] for row in self._open_orders() if row["email"] == reader]
        return "\n".join([*mine, *read])

    def _open_orders(self) -> list[sqlite3.Row]:
        """The order sets of open phases, with their writers' addresses; read once a step."""
        if self._open is not None:
            return self._open
        query = """
            select sets.lines, sets.reading, sets.counts, power.name as power, phase.game_id,
                   address.email
              from games_orderset sets join games_phase phase on phase.id = sets.phase_id
              join games_power power on power.id = sets.power_id
              join games_seat seat on seat.id = sets.seat_id
              join games_address address on address.player_id = seat.player_id
             where phase.status = 'open'
        """
        self._open = self._rows(query)
        return self._open

    # --- the adjudication ---------------------------------------------------------------------

    def _adjudicated(self, phase_id: int) -> None:
        phase = self._rows(
            """select phase.*, game.name as game, game.transit_grace as grace
                 from games_phase phase join games_game game on game.id = phase.game_id
                where phase.id = ?""",
            phase_id,
        )[0]
        what = f"{phase['game']} {phase['name']}"
        times = self._rows(
            "select count(*) as n from games_event where phase_id = ? and kind = 'phase_processed'",
            phase_id,
        )[0]["n"]
        if times != 1:
            raise Broken(f"{what} was adjudicated {times} times")
        self.phases += 1
        self.game_years += phase["name"].startswith("F") and phase["name"].endswith("M")
        orders = json.loads(phase["orders"])
        self._in_time(phase, orders, what)
        self._units(phase, what)
        self.public += "\n".join(line for lines in orders.values() for line in lines) + "\n"
        results = json.loads(phase["outcome"])["results"]
        self.public += "\n".join(str(one["order"]) for one in results) + "\n"

    def _in_time(self, phase: sqlite3.Row, orders: dict[str, list[str]], what: str) -> None:
        processed, due = time_of(phase["processed_at"]), time_of(phase["due_at"])
        assert processed
        grace = dt.timedelta(microseconds=phase["grace"])
        closes = [processed] if due is None or processed < due + grace else [due + grace]
        if phase["overdue_at"]:
            closes.append(processed)
        if early := time_of(phase["all_in_at"]):
            closes.append(min(early + self.early_delay, processed))
        self._sets_in_time(phase, max(closes), what)
        for power, lines in orders.items():
            letters = self._letters_for(phase, power)
            if letters is None or self._changed_hands(phase, power):
                continue
            allowed = [self._last(letters, closing) for closing in closes]
            if sorted(lines) not in [sorted(one) for wanted in allowed for one in wanted]:
                came = [(one.message_id, *self.deliveries[one.message_id]) for one in letters]
                raise Broken(
                    f"{what}: {power} was adjudicated with {lines}, not with {allowed}, which stood"
                    f" at {list(map(str, closes))}; letters came {came}"
                )

    def _letters_for(self, phase: sqlite3.Row, power: str) -> list[Letter] | None:
        """The power's letters for the phase; None when it is not plain what stands after them."""
        found = [
            one
            for one in self.letters.values()
            if (one.game, one.power, one.phase) == (phase["game"], power, title_of(phase["name"]))
        ]
        return found if all(one.is_whole for one in found) else None

    def _changed_hands(self, phase: sqlite3.Row, power: str) -> bool:
        rows = self._rows(
            """select seat.since, seat.until, power.open_since from games_seat seat
                 join games_power power on power.id = seat.power_id
                where power.game_id = ? and power.name = ?""",
            phase["game_id"],
            power,
        )
        opened = phase["opened_at"]
        return any(
            row["since"] > opened
            or (row["open_since"] if row["until"] is None else row["until"] >= opened)
            for row in rows
        )

    def _last(self, letters: list[Letter], closing: dt.datetime) -> list[tuple[str, ...]]:
        """The orders that stand when this time is over: several if they came in one second."""
        came = [
            (min(self.deliveries[one.message_id]), one.orders)
            for one in letters
            if self.deliveries.get(one.message_id)
        ]
        in_time = [pair for pair in came if pair[0] <= closing]
        latest = max((at for at, _ in in_time), default=None)
        return [lines for at, lines in in_time if at == latest] or [()]

    def _sets_in_time(self, phase: sqlite3.Row, closing: dt.datetime, what: str) -> None:
        query = """
            select sets.received_at, sets.late, sets.counts, sets.source, power.name as power
              from games_orderset sets join games_power power on power.id = sets.power_id
             where phase_id = ? and seat_id is not null
        """
        for row in self._rows(query, phase["id"]):
            received = time_of(row["received_at"])
            assert received
            if row["source"] in self.deliveries and received not in self.deliveries[row["source"]]:
                raise Broken(f"{what}: {row['source']} did not come at {received}")
            if row["counts"] and not row["late"] and received > closing + SECOND:
                raise Broken(f"{what}: orders of {row['power']} count that came too late")

    def _units(self, phase: sqlite3.Row, what: str) -> None:
        """No unit comes from nowhere, none is lost: by counting, without the judge."""
        after = self._rows(
            "select name, position from games_phase where game_id = ? and number = ?",
            phase["game_id"],
            phase["number"] + 1,
        )
        if not after:
            return
        before, now = json.loads(phase["position"]), json.loads(after[0]["position"])
        step = phase["name"][-1]
        had = _count(before["units"]) + len(before["dislodged"])
        has = _count(now["units"]) + len(now["dislodged"])
        if step == "M" and not had - _no_way(phase) <= has <= had:
            raise Broken(f"{what}: {had} units became {has}")
        if step == "R" and not _count(before["units"]) <= has <= had:
            raise Broken(f"{what}: {had} units became {has} by retreats")
        if step == "A":
            for power, units in now["units"].items():
                if len(units) > len(now["centers"].get(power, ())):
                    raise Broken(f"{what}: {power} has more units than centres")

    # --- when all is quiet --------------------------------------------------------------------

    def at_rest(self) -> None:
        """Check what must be true when nothing is on its way any more. Raises Broken."""
        self.look()
        self._all_answered()
        self._all_told()
        for name, query in {
            "mails are not sent": "select * from mailer_outboundmail where state != 'sent'",
            "events are untold": "select * from games_event where told_at is null",
        }.items():
            if rows := self._rows(query):
                raise Broken(f"{len(rows)} {name}, {dict(rows[0])}")

    def _all_answered(self) -> None:
        query = """
            select id, message_id, state, note, error,
                   (select count(*) from mailer_outboundmail where answers_id = mail.id) as answers
              from mailer_inboundmail mail order by id
        """
        copies: dict[str, list[sqlite3.Row]] = defaultdict(list)
        for row in self._rows(query):
            copies[row["message_id"]].append(row)
        for message_id, times in self.deliveries.items():
            rows = copies.get(message_id, [])
            if not rows:
                raise Broken(f"{message_id} came at {times[0]} and is not in the database")
            if not any(row["answers"] for row in rows):
                states = [(row["state"], row["note"], row["error"]) for row in rows]
                raise Broken(f"{message_id} was never answered: {states}")

    def _all_told(self) -> None:
        """Each result went once to whoever had a seat in the game all the time."""
        query = """
            select event.id, game.name as game, phase.name as phase, event.created_at
              from games_event event join games_phase phase on phase.id = event.phase_id
              join games_game game on game.id = event.game_id where event.kind = 'phase_processed'
        """
        for event in self._rows(query):
            mails = self._rows(
                "select recipient from mailer_outboundmail where event_id = ?", event["id"]
            )
            told = [row["recipient"] for row in mails]
            players = {who for who, _, until in self._steady(event["game"])}
            if len(set(told)) != len(told) or not players <= set(told):
                what = f"{event['game']} {event['phase']}"
                raise Broken(f"the result of {what} went to {sorted(told)}")

    def _steady(self, game: str) -> list[tuple[str, str, str | None]]:
        seats = self._seats(game)
        powers = [power for _, power, _ in seats]
        return [seat for seat in seats if powers.count(seat[1]) == 1 and seat[2] is None]


def _count(units: dict[str, list[Any]]) -> int:
    return sum(map(len, units.values()))


def _no_way(phase: sqlite3.Row) -> int:
    """How many dislodged units may be gone at once: those with nowhere to go."""
    return json.dumps(json.loads(phase["outcome"])).count("dislodged")
