"""What was seen from outside, and how the tables are read: past the code under test, by SQL."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.writers import Letter

UTC = dt.UTC
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STEPS = {"M": "movement", "R": "retreats", "A": "adjustments"}


UNSENT = "state not in ('sent', 'kept') and recipient != 'erased@invalid'"
"""What is kept back from somebody whose mail is paused, stays so: one mail sums it up later. What
was on its way to somebody who was erased meanwhile goes nowhere any more."""

EARLY_DELAY = "coalesce(game.early_delay, 1800000000)"
"""How long a phase that could be over waits for second thoughts, in microseconds: at most half an
hour in a game that does not say."""


class Broken(BaseException):
    """A promise was broken; the message says how. Nothing in the code under test catches it."""


def time_of(kept: dt.datetime | None) -> dt.datetime | None:
    """Return a time that SQLite keeps without its zone."""
    return kept.replace(tzinfo=UTC) if kept else None


def title_of(name: str) -> str:
    """Return "Spring 1901 movement" for S1901M."""
    return f"{SEASONS[name[0]]} {name[1:-1]} {STEPS[name[-1]]}"


@dataclass
class Evidence:
    """Everything that was seen from outside, and where the tables were read up to."""

    database: Callable[[], sqlite3.Connection]
    turn_died: Callable[[int], bool]
    now: Callable[[], dt.datetime]
    stops_of: Callable[[int], list[dt.datetime]]
    """When a worker's process stood still in its turn."""
    addresses: set[str]
    letters: dict[str, Letter] = field(default_factory=dict)
    words: dict[str, Letter] = field(default_factory=dict)
    deliveries: dict[str, list[dt.datetime]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[str, list[RelayedMail]] = field(default_factory=lambda: defaultdict(list))
    typed: dict[str, dt.datetime] = field(default_factory=dict)
    """By address, when a GM typed it last on a page."""
    public: str = ""
    """All order lines that were adjudicated: everybody may know them."""
    _read_up_to: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _written_at: dict[str, dt.datetime | None] = field(default_factory=dict)
    _open: list[sqlite3.Row] | None = None
    _had: dict[str, set[str]] = field(default_factory=dict)
    """By address, all that its owner has had with it."""

    def wrote(self, letter: Letter) -> None:
        """Remember what somebody sends."""
        self.letters[letter.message_id] = letter
        if letter.press_word:
            self.words[letter.press_word] = letter

    def delivered(self, message_id: str, at: dt.datetime) -> None:
        """Remember when a copy of a letter came into the judge's mailbox."""
        self.deliveries[message_id].append(at)

    def rows(self, query: str, *values: object, **named: object) -> list[sqlite3.Row]:
        """Return what the tables say; a query has its values by position or by name."""
        cursor = self.database().cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(query, named or values).fetchall()

    def new_rows(self, table: str, columns: str) -> Iterator[sqlite3.Row]:
        """Yield the rows that have come since this was asked before."""
        last = self._read_up_to[table]
        for row in self.rows(f"select {columns} from {table} where id > ? order by id", last):
            self._read_up_to[table] = row["id"]
            yield row

    def answered(self, mail: sqlite3.Row) -> Letter | None:
        """Return the letter that a mail of ours answers."""
        query = "select message_id from mailer_inboundmail where id = ?"
        rows = self.rows(query, mail["answers_id"])
        return self.letters.get(rows[0]["message_id"]) if rows else None

    def claimed_writer(self, letter: Letter) -> str:
        """Return the address in whose name a letter is: of the reader whose mail it answers, where
        that was forwarded, or else its writer's."""
        mails = self.taken.get(letter.about.message_id, []) if letter.about else []
        return mails[0].recipient if letter.is_forwarded and mails else letter.writer

    def written_at(self, message_id: str, reply_to: str) -> dt.datetime | None:
        """Return when a mail of ours was queued, or else the first that has its reply address;
        None: the server knows neither, since it went back to a backup."""
        if message_id not in self._written_at:
            query = "select created_at from mailer_outboundmail where {} = ? order by id limit 1"
            rows = self.rows(query.format("message_id"), message_id)
            rows += self.rows(query.format("reply_to"), reply_to)
            self._written_at[message_id] = rows[0]["created_at"] if rows else None
        return self._written_at[message_id]

    def restored(self) -> None:
        """The server went back to a backup, and knows nothing of what came after it."""
        self._written_at.clear()
        self._open = None
        for table in self._read_up_to:
            [row] = self.rows(f"select coalesce(max(id), 0) as last from {table}")
            self._read_up_to[table] = row["last"]
        for mails in self.taken.values():
            mails[:] = [replace(one, told=False) for one in mails]  # they may go out once more

    def addresses_of(self, email: str) -> set[str]:
        """Return all addresses of whoever has this one, and those that they gave up."""
        query = """
            select other.email from games_address address
              join games_address other on other.player_id = address.player_id
             where address.email = ?
        """
        now = {email} | {row["email"] for row in self.rows(query, email)}
        all_had = now.union(*(self._had.get(one, set()) for one in now))
        for one in all_had:
            self._had[one] = all_had
        return all_had

    def masters(self, game: int | str, at: dt.datetime | None = None) -> set[str]:
        """Return the addresses of those who run a game now, or helped to run it at a time: the GM,
        co-GMs and deputies. It is given by its key or name."""
        ours = "from games_game game where game.id = ? or game.name = ?"
        query = f"""
            select email from auth_user where id in (select gm_id {ours}) or id in (
                   select user_id from games_cogm where (until is null
                      or until > ?) and game_id in (select game.id {ours}))
        """
        then = (at or self.now()).replace(tzinfo=None).isoformat(sep=" ")
        return {row["email"] for row in self.rows(query, game, game, then, game, game)}

    def seats(self, game: str) -> list[tuple[str, str, str | None]]:
        """Who plays or played what in this game: address, power, until when."""
        query = """
            select address.email, power.name, seat.until from games_seat seat
              join games_power power on power.id = seat.power_id
              join games_game game on game.id = power.game_id
              join games_address address on address.player_id = seat.player_id
             where game.name = ? order by seat.id
        """
        return [(row["email"], row["name"], row["until"]) for row in self.rows(query, game)]

    def begin_step(self) -> None:
        """Forget what the tables said a step ago; note who has several addresses."""
        self._open = None
        query = "select min(email) as email from games_address group by player_id"
        for row in self.rows(f"{query} having count(*) > 1"):
            self.addresses_of(row["email"])

    def open_orders(self) -> list[sqlite3.Row]:
        """The order sets of open phases, with their writers' addresses; read once a step.

        What a phase was given that was taken back before it was over, stays a secret until it has
        been played again.
        """
        if self._open is not None:
            return self._open
        query = """
            select sets.lines, sets.reading, sets.counts, power.name as power, phase.game_id,
                   address.email, game.gm_sees
              from games_orderset sets join games_phase phase on phase.id = sets.phase_id
              join games_game game on game.id = phase.game_id
              join games_power power on power.id = sets.power_id
              join games_seat seat on seat.id = sets.seat_id
              join games_address address on address.player_id = seat.player_id
             where phase.status = 'open'
               or (phase.status = 'undone' and phase.processed_at is null and not exists (
                   select 1 from games_phase again where again.game_id = phase.game_id
                      and again.name = phase.name and again.status = 'processed'))
        """
        self._open = self.rows(query)
        return self._open
