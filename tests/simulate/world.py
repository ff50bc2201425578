"""One seed: a server, its people, its weather, and what happens to them in the course of time."""

from __future__ import annotations

import datetime as dt
import heapq
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import Group, User
from django.db import connection

from diplomacy_server.demo.reading import Mail, read_mail
from games.models import Game
from games.queries import roles
from games.services.games import game_create
from games.services.joining import game_join
from games.services.players import address_confirm, player_register
from mailer import jobs
from mailer.inbound import retries
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import outbox as mail_out
from tests.simulate.clock import BEGINNING, Clock
from tests.simulate.evidence import UNSENT, Broken, Evidence, time_of
from tests.simulate.game_master import GameMaster
from tests.simulate.moderator import MODERATOR, Moderator
from tests.simulate.people import (
    DOMAIN,
    GM,
    NAMES,
    Draft,
    Letter,
    Player,
    Writer,
    envelope,
)
from tests.simulate.post import Mailbox, Relay, Taken, Weather
from tests.simulate.process import Processes
from tests.simulate.promises import Witness
from tests.simulate.stand_ins import Surroundings, standing_in
from tests.simulate.tables import HOUR, board_of, powers_of, settings_of
from tests.simulate.visitor import Visitor

DUTIES: dict[str, Callable[[dt.datetime], object]] = {
    "poll": jobs.poll,
    "process": jobs.process,
    "resume": jobs.resume,
    "deadlines": jobs.deadlines,
    "seats": jobs.seats,
    "remind": jobs.remind,
    "tell": jobs.tell,
    "outbox": jobs.outbox,
}
"""What the beat asks for. `process` stands for process_in_turns, which is the two of them."""

LOST, DOUBLED = 0.1, 0.1
"""The broker's share of messages."""
DEALS = 0.03
"""How often a moderator deals with somebody, when others read pages."""
DAY = dt.timedelta(days=1)
CALM_ROUNDS = 120


@dataclass(frozen=True)
class Told:
    """What came of a simulation. `fault` is empty when every promise was kept."""

    seed: int
    fault: str
    digest: str
    mails: int
    sent: int
    deaths: int
    steps: int
    phases: int
    game_years: int
    rollbacks: int
    pictures: int
    days: float


class World:
    """Everything in one process; `play` lets `days` go by and then waits until all is quiet."""

    def __init__(self, seed: int, *, days: float, games: int = 1, stormy: bool = True) -> None:
        self.seed, self.days = seed, days
        self.clock = Clock()
        self.chance = random.Random(f"{seed}/world")
        self.processes = Processes(random.Random(f"{seed}/deaths"), self.clock, stormy=stormy)
        self.weather = Weather(random.Random(f"{seed}/weather"), self.clock, stormy)
        self.mailbox = Mailbox(self.weather, self.processes)
        self.relay = Relay(self.weather, self.processes, self._taken)
        self.numbers = itertools.count(1)
        self.settings = settings_of(random.Random(f"{seed}/settings"))
        addresses = {f"{name.lower()}@{DOMAIN}" for name in NAMES}
        self.seen = Evidence(
            database=lambda: connection.connection,
            turn_died=lambda turn: turn in self.processes.died_in,
            stops_of=lambda turn: self.processes.stops_of.get(turn, []),
            addresses={*addresses, GM, MODERATOR, f"operator@{DOMAIN}"},
            early_delay=self.settings["early_delay"],
        )
        self.witness = Witness(self.seen)
        chance = random.Random(f"{seed}/visitor")
        self.visitor = Visitor(chance, self.seen, self.witness.discretion)
        self.moderator = Moderator(random.Random(f"{seed}/moderator"))
        self.boards = {f"verdun{number}": board_of(seed, number) for number in range(1, games + 1)}
        self.people = self._people()
        self._agenda: list[tuple[dt.datetime, int, Callable[[], object]]] = []
        self._turns = itertools.count()
        self._marked: set[dt.datetime] = set()
        self.processes.meanwhile = self._another_worker

    def _people(self) -> dict[str, Writer]:
        kinds = {f"{name.lower()}@{DOMAIN}": Player for name in NAMES}
        return {
            address: kind(
                address=address,
                chance=random.Random(f"{self.seed}/{address}"),
                length=self.settings["movement_length"],
                number=lambda: next(self.numbers),
                word_of=lambda word: self.seen.words.get(word),
                time_left=self._time_left,
                boards={name: board["variant"] for name, board in self.boards.items()},
            )
            for address, kind in {**kinds, GM: GameMaster}.items()
        }

    def _time_left(self, game: str) -> dt.timedelta | None:
        row = connection.connection.execute(
            "select due_at from games_phase phase join games_game game on game.id = game_id"
            " where game.name = ? and phase.status = 'open'",
            [game],
        ).fetchone()
        due = time_of(row[0]) if row else None
        return due - self.clock.now() if due else None

    # --- time ---------------------------------------------------------------------------------

    def at(self, when: dt.datetime, do: Callable[[], object]) -> None:
        """Have something done then."""
        heapq.heappush(self._agenda, (when, next(self._turns), do))

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        """Have something done so much later."""
        self.at(self.clock.now() + dt.timedelta(seconds=seconds), do)

    def play(self) -> Told:
        """Let the days go by. What broke a promise is told, with the seed."""
        fault = ""
        around = Surroundings(
            self.seed, self.clock, self.processes, self.mailbox, self.relay, self.weather
        )
        with standing_in(around):
            try:
                self._begin()
                self._go_on(BEGINNING + DAY * self.days)
                self._calm()
                self.witness.at_rest()
            except Broken as error:
                fault = f"{self.clock.now():%Y-%m-%d %H:%M:%S} {error}"
        return Told(
            seed=self.seed,
            fault=fault,
            digest=self.witness.digest.hexdigest(),
            mails=len(self.seen.deliveries),
            sent=len(self.seen.taken),
            deaths=self.processes.deaths,
            steps=self.processes.steps,
            phases=self.witness.adjudications.phases,
            game_years=self.witness.adjudications.game_years,
            pictures=self.witness.gallery.pictures,
            rollbacks=self.witness.rollbacks,
            days=(self.clock.now() - BEGINNING) / DAY,
        )

    def _go_on(self, end: dt.datetime) -> None:
        while self._agenda and self._agenda[0][0] < end:
            at, _, do = heapq.heappop(self._agenda)
            self.clock.reach(at)
            do()
            self.witness.look()
            self._mark_deadlines()
        self.clock.reach(end)

    def _begin(self) -> None:
        now = self.clock.now()
        gm = User.objects.create_user("gm", GM, is_staff=True, date_joined=now)
        moderator = User.objects.create_user("mod", MODERATOR, is_staff=True, date_joined=now)
        moderator.groups.add(Group.objects.get(name=roles.MODERATOR))
        players = [
            address_confirm(
                address=player_register(name=name, email=f"{name.lower()}@{DOMAIN}", now=now),
                now=now,
            )
            for name in NAMES
        ]
        for name, board in self.boards.items():
            game = game_create(name=name, gm=gm, now=now, **self.settings, **board)
            for player in players[: len(powers_of(board["variant"]))]:
                game_join(game=game, player=player, preferences="random", now=now)
        for writer in self.people.values():
            if isinstance(writer, Player):
                self._think(writer, writer.first())
        self._beat()
        self._others()
        if self.weather.stormy:
            self._storm()

    def _others(self) -> None:
        """Have somebody read the public pages, and a moderator deal with somebody now and then."""
        self.after(self.chance.uniform(0.5, 12) * 3600, self._others)
        self.visitor.look_in()
        if self.chance.random() < DEALS:
            self.moderator.deal(self.clock.now())

    def _calm(self) -> None:
        """Nobody writes any more and nothing breaks: round after round until nothing is left."""
        self.processes.stormy = self.weather.stormy = False
        self.weather.imap_away_until = self.weather.smtp_away_until = None
        self._agenda.clear()
        for deliver in self.mailbox.arriving:
            deliver()
        self.moderator.make_peace(self.clock.now())
        for game in Game.objects.filter(status=Game.Status.ACTIVE):
            game.phases.filter(status="open").update(due_at=None, all_in_at=None)
        for number in range(CALM_ROUNDS):
            before = len(self.seen.taken)
            self.processes.run("round", lambda: jobs.round(self.clock.now()))
            self.witness.look()
            self._operator()
            if number > 3 and before == len(self.seen.taken) and not self._is_left():
                return
            self.clock.sleep(600)
        raise Broken(f"it never becomes quiet: {self._is_left()}")

    def _is_left(self) -> str:
        queries = {
            "mail in": "select count(*) from mailer_inboundmail where state in"
            " ('new', 'later', 'quarantined', 'unfetched')",
            "mail out": f"select count(*) from mailer_outboundmail where {UNSENT}",
            "untold": "select count(*) from games_event where told_at is null",
        }
        counts = {
            name: connection.connection.execute(query).fetchone()[0]
            for name, query in queries.items()
        }
        counts["in the mailbox"] = len(self.mailbox.folders["INBOX"])
        return ", ".join(f"{name} {count}" for name, count in counts.items() if count)

    # --- the server ---------------------------------------------------------------------------

    def _beat(self) -> None:
        """Ask for every duty now and then. (A real beat asks every few seconds, mostly in vain.)"""
        self._nudge(*DUTIES)
        self.after(self.chance.uniform(0.2, 4) * 3600, self._beat)

    def _mark_deadlines(self) -> None:
        """Have the beat ask for every duty around each time at which a phase may be over."""
        rows = connection.connection.execute(
            "select due_at, all_in_at from games_phase where status = 'open'"
        )
        for due, all_in in rows.fetchall():
            early = self.settings["early_delay"]
            for end in filter(None, [time_of(due), all_in and time_of(all_in) + early]):
                if end in self._marked:
                    continue
                self._marked.add(end)
                for seconds in (1, 150):
                    about = end + dt.timedelta(seconds=seconds + self.chance.random())
                    self.at(about, lambda: self._nudge(*DUTIES))

    def _nudge(self, *duties: str) -> None:
        """Give the broker messages, which it loses, doubles, delays and brings in any order."""
        for name in duties:
            copies = 1
            if self.weather.stormy:
                copies -= self.chance.random() < LOST
                copies += self.chance.random() < DOUBLED
            for _ in range(copies):
                self.after(self.chance.uniform(0, 20), partial(self._work, name))

    def _work(self, name: str) -> None:
        self.processes.run(name, lambda: DUTIES[name](self.clock.now()))

    def _another_worker(self) -> None:
        self._work(self.chance.choice(list(DUTIES)))

    def _operator(self) -> None:
        """What a person at the server does about what was set aside."""
        now = self.clock.now()
        aside = InboundMail.objects.filter(state__in=["quarantined", "unfetched"])
        retries.run_again(mail_ids=list(aside.values_list("pk", flat=True)), now=now)
        failed = OutboundMail.objects.filter(state="failed").values_list("pk", flat=True)
        mail_out.send_again(mail_ids=list(failed), now=now)

    def _storm(self) -> None:
        """Servers go away and come back, a mailbox is moved, an operator looks."""
        self.after(self.chance.expovariate(1 / (2 * DAY.total_seconds())), self._storm)
        kind = self.chance.choice(["imap", "smtp", "number anew", "operator", "operator"])
        until = self.clock.now() + HOUR * self.chance.choice([0.1, 0.3, 1, 4, 10])
        if kind == "imap":
            self.weather.imap_away_until = until
        elif kind == "smtp":
            self.weather.smtp_away_until = until
        elif kind == "number anew":
            self.mailbox.number_anew()
        else:
            self._operator()

    # --- the people ---------------------------------------------------------------------------

    def _think(self, writer: Writer, drafts: Iterator[Draft]) -> None:
        for draft in drafts:
            self.at(self.clock.now() + draft.after, partial(self._write, draft.letter))

    def _write(self, letter: Letter) -> None:
        """Hand a letter to its writer's provider: once or twice it comes, now or later."""
        self.seen.wrote(letter)
        raw = envelope(letter, at=self.clock.now(), quotes=self.chance.random() < 0.3)
        for _ in range(1 + (self.weather.stormy and self.chance.random() < 0.06)):
            late = self.chance.random() < 0.03
            seconds = self.chance.uniform(0, 3 * 3600) if late else self.chance.uniform(0, 40)
            self.after(seconds, lambda: self._arrive(letter, raw))

    def _arrive(self, letter: Letter, raw: bytes) -> None:
        """Deliver a letter now, or in the midst of somebody's reading the mailbox."""
        if self.weather.strikes(0.15):
            self.mailbox.arriving.append(lambda: self._deliver(letter, raw))
        else:
            self._deliver(letter, raw)

    def _deliver(self, letter: Letter, raw: bytes) -> None:
        passed = b"Authentication-Results: mx.game.test; dmarc=pass header.from=players.example\r\n"
        trace = b"" if self.chance.random() < 0.5 else f"X-Hop: {next(self.numbers)}\r\n".encode()
        at = self.mailbox.deliver(passed + trace + raw)
        self.seen.delivered(letter.message_id, at)
        self.after(self.chance.uniform(1, 60), self._look_now)

    def _look_now(self) -> None:
        self._nudge("poll", "process", "tell", "outbox")

    def _taken(self, taken: Taken) -> None:
        self.witness.sent(taken)
        writer = self.people.get(taken.recipient)
        if writer and self.chance.random() < 0.99:
            self.after(self.chance.uniform(5, 1800), lambda: self._read(writer, taken.raw))

    def _read(self, writer: Writer, raw: bytes) -> None:
        mail: Mail = read_mail(raw)
        if isinstance(writer, (Player, GameMaster)):
            self._think(writer, writer.read(mail))
