"""One seed: a server, its people, its weather, and what happens to them in the course of time."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.db import connection

from games.models import Game
from games.queries import roles
from games.services.games import game_create
from games.services.invitations import players_invite
from games.services.joining import game_join
from games.services.players import address_confirm, player_register
from tests.simulate import crowds
from tests.simulate.agenda import Agenda
from tests.simulate.agreements import Agreements
from tests.simulate.backups import Backups
from tests.simulate.carrier import Carrier
from tests.simulate.clock import BEGINNING, Clock
from tests.simulate.correspondents import Correspondents
from tests.simulate.crowds import Crowd
from tests.simulate.cups import CUP, Cups
from tests.simulate.evidence import Broken, Evidence, time_of
from tests.simulate.forgers import Forgers
from tests.simulate.foundings import Foundings
from tests.simulate.freezes import Freezes
from tests.simulate.full_mailboxes import FullMailboxes
from tests.simulate.game_master import GameMaster
from tests.simulate.gm_pages import GmPages
from tests.simulate.impostor import Impostor
from tests.simulate.machine import Machine
from tests.simulate.merges import Merges
from tests.simulate.moderator import MODERATOR, Moderator
from tests.simulate.moves import Moves
from tests.simulate.oblivion import Oblivion
from tests.simulate.people import Player
from tests.simulate.post import Mailbox, Weather
from tests.simulate.private_games import PrivateGames
from tests.simulate.process import Processes
from tests.simulate.promises import Witness
from tests.simulate.rehearsal import Rehearsal
from tests.simulate.relay import Relay, Taken
from tests.simulate.robots import Robots
from tests.simulate.server import DAY, Server
from tests.simulate.stand_ins import Surroundings, standing_in
from tests.simulate.tables import powers_of, press_of, settings_of
from tests.simulate.visitor import Visitor
from tests.simulate.wall_clocks import clock_of
from tests.simulate.whole_cups import WholeCups
from tests.simulate.writers import CO_GM, DOMAIN, GM, NAMES, Writer

DEALS = 0.05
"""How often a moderator deals with somebody, when others read pages."""
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
    restored: int
    erased: int


class World:
    """Everything in one process; `play` lets `days` go by and then waits until all is quiet."""

    def __init__(
        self,
        seed: int,
        *,
        days: float,
        games: int = 1,
        stormy: bool = True,
    ) -> None:
        self.seed, self.days = seed, days
        self.clock = Clock()
        self.chance = random.Random(f"{seed}/world")
        self.processes = Processes(random.Random(f"{seed}/deaths"), self.clock, stormy=stormy)
        self.weather = Weather(random.Random(f"{seed}/weather"), self.clock, stormy)
        self.mailbox = Mailbox(self.weather, self.processes)
        self.relay = Relay(self.weather, self.processes, self._taken)
        self.numbers = itertools.count(1)
        self.settings = settings_of(random.Random(f"{seed}/settings"))
        self.settings |= press_of(random.Random(f"{seed}/press"))
        self.settings |= clock_of(random.Random(f"{seed}/clock")) | crowds.settings_of(seed)
        self.boards = crowds.boards_of(seed, games)
        self.variants = {name: board["variant"] for name, board in self.boards.items()}
        self.names = crowds.names_for(self.variants.values())
        addresses = {f"{name.lower()}@{DOMAIN}" for name in self.names}
        elsewhere = {f"{name.lower()}@elsewhere.example" for name in self.names}
        self.seen = Evidence(
            database=lambda: connection.connection,
            turn_died=lambda turn: turn in self.processes.died_in,
            now=self.clock.now,
            stops_of=lambda turn: self.processes.stops_of.get(turn, []),
            addresses={*addresses, *elsewhere, GM, CO_GM, MODERATOR, f"operator@{DOMAIN}"},
        )
        oblivion = Oblivion(self.seen, self.mailbox.done_with, lambda: not stormy)
        self.witness = Witness(self.seen, oblivion)
        chance = random.Random(f"{seed}/visitor")
        self.visitor = Visitor(
            chance,
            self.seen,
            self.witness.discretion,
            oblivion,
            self.witness.circles,
            self.witness.votes,
            self.witness.pseudonyms,
        )
        self.moderator = Moderator(random.Random(f"{seed}/moderator"))
        self.people = self._people()
        self.rehearsal = Rehearsal(
            self.seen,
            self.witness,
            self.clock,
            self.processes,
            self.variants,
            frozenset(self.people),
        )
        self.agenda = Agenda(self.clock)
        self.server = Server(self.chance, self.agenda, self.processes, self.weather, self.mailbox)
        self.carrier = Carrier(
            self.chance, self.agenda, self.server, self.mailbox, self.seen, self.numbers
        )
        self.carrier.people = self.people
        players = [one for one in self.people.values() if isinstance(one, Player)]
        chance = random.Random(f"{seed}/foundings")
        self.foundings = Foundings(chance, self.agenda, self.carrier, players, self.variants)
        chance = random.Random(f"{seed}/private")
        self.private_games = PrivateGames(
            chance, self.agenda, self.carrier, players, self.variants, self.witness.circles
        )
        self.crowd = Crowd(random.Random(f"{seed}/silent"), self.agenda, self.carrier)
        chance = random.Random(f"{seed}/cups")
        gm = self.people[GM]
        self.cups = Cups(chance, self.agenda, self.carrier, gm, self.variants, self.seen)
        chance = random.Random(f"{seed}/impostor")
        self.impostor = Impostor(chance, self.agenda, self.carrier, self.people, self.variants)
        chance = random.Random(f"{seed}/forgers")
        self.forgers = Forgers(chance, self.agenda, self.carrier, self.people)
        chance = random.Random(f"{seed}/agreements")
        self.agreements = Agreements(chance, self.agenda, self.carrier, self.people)
        chance = random.Random(f"{seed}/correspondents")
        self.correspondents = Correspondents(chance, self.agenda, self.carrier, self.people)
        chance = random.Random(f"{seed}/robots")
        self.robots = Robots(chance, self.agenda, self.mailbox, self.seen)
        self.witness.robots = self.robots
        self.moves = Moves(random.Random(f"{seed}/moves"), self.agenda, self.carrier, self.people)
        chance, running = random.Random(f"{seed}/gm pages"), self.witness.running
        self.gm_pages = GmPages(
            chance, self.agenda, self.carrier, self.people, self.variants, running
        )
        chance = random.Random(f"{seed}/whole cups")
        self.whole_cups = WholeCups(chance, self.agenda, running)
        chance = random.Random(f"{seed}/merges")
        self.merges = Merges(chance, self.agenda, self.moderator, self.seen)
        chance = random.Random(f"{seed}/freezes")
        self.freezes = Freezes(chance, self.agenda, self.carrier, self.people, self.moderator)
        self.machine = Machine(random.Random(f"{seed}/machine"), self.server)
        chance = random.Random(f"{seed}/full mailboxes")
        self.full_mailboxes = FullMailboxes(chance, self.agenda, self.relay)
        self.backups = Backups(
            random.Random(f"{seed}/backups"),
            self.agenda,
            self.server,
            self.moderator,
            self.witness,
        )

    def _people(self) -> dict[str, Writer]:
        kinds = {f"{name.lower()}@{DOMAIN}": Player for name in self.names}
        return {
            address: kind(
                address=address,
                chance=random.Random(f"{self.seed}/{address}"),
                length=self.settings["movement_length"],
                number=lambda: next(self.numbers),
                word_of=lambda word: self.seen.words.get(word),
                time_left=self._time_left,
                boards=self.variants,
            )
            for address, kind in {**kinds, GM: GameMaster, CO_GM: GameMaster}.items()
        }

    def _time_left(self, game: str) -> dt.timedelta | None:
        row = connection.connection.execute(
            "select due_at from games_phase phase join games_game game on game.id = game_id"
            " where game.name = ? and phase.status = 'open'",
            [game],
        ).fetchone()
        due = time_of(row[0]) if row else None
        return due - self.clock.now() if due else None

    def play(self, *, to_rest: bool = True) -> Told:
        """Begin, and let the days go by. What broke a promise is told, with the seed."""
        around = Surroundings(
            self.seed, self.clock, self.processes, self.mailbox, self.relay, self.weather
        )
        with standing_in(around):
            return self.told_after(self.days, first=self._begin, to_rest=to_rest)

    def told_after(self, days: float, *, first: Callable[[], object], to_rest: bool = True) -> Told:
        """Do something, let so many days go by from now on, wait `to_rest` until all is quiet, and
        tell what came of it."""
        fault, end = "", self.clock.now() + DAY * days
        try:
            first()
            self.agenda.go_on(end, then=self._look)
            if to_rest:
                self._calm()
                self.witness.at_rest()
                self.cups.at_rest()
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
            restored=self.backups.restored,
            erased=len(self.witness.oblivion.gone),
        )

    def _look(self) -> None:
        self.witness.look()
        self.rehearsal.look()
        self.server.mark_deadlines()

    def _taken(self, taken: Taken) -> None:
        self.witness.sent(taken)
        self.moves.taken(taken)
        if not self.robots.taken(taken):
            self.carrier.taken(taken)
        self.private_games.taken(taken)

    def _begin(self) -> None:
        now = self.clock.now()
        gm = User.objects.create_user("gm", GM, is_staff=True, date_joined=now)
        gm.groups.add(Group.objects.get(name=roles.GM))
        moderator = User.objects.create_user("mod", MODERATOR, is_staff=True, date_joined=now)
        moderator.groups.add(Group.objects.get(name=roles.MODERATOR))
        players = [
            address_confirm(
                address=player_register(name=name, email=f"{name.lower()}@{DOMAIN}", now=now),
                now=now,
            )
            for name in self.names
        ]
        for name, board in self.boards.items():
            if self.cups.is_held:
                board = {**board, "tournament": CUP}
            joining = players[: len(powers_of(board["variant"]))]
            game = game_create(name=name, gm=gm, now=now, **self.settings, **board)
            if game.entry == Game.Entry.APPROVAL:
                emails = [f"{player.name.lower()}@{DOMAIN}" for player in joining]
                players_invite(game=game, emails=emails, by="the GM", now=now)
            for player in joining:
                game_join(game=game, player=player, preferences="random", now=now)
        for writer in self.people.values():
            if isinstance(writer, Player):
                self.carrier.think(writer.first())
        self.foundings.plan()
        self.private_games.plan()
        self.cups.plan()
        self.impostor.plan()
        self.forgers.plan()
        self.agreements.plan()
        self.correspondents.plan()
        self.robots.plan()
        self.moves.plan()
        self.gm_pages.plan()
        self.freezes.plan()
        self.whole_cups.plan()
        self.merges.plan()
        if len(self.names) > len(NAMES):
            self.crowd.plan()
        self.server.beat()
        self._others()
        if self.weather.stormy:
            self.server.storm()
            self.backups.plan()
            self.machine.plan()
            self.full_mailboxes.plan()

    def _others(self) -> None:
        """Have somebody read the public pages, and a moderator deal with somebody now and then."""
        self.agenda.after(self.chance.uniform(0.5, 12) * 3600, self._others)
        self.visitor.look_in()
        self.moderator.see_to_wishes(self.clock.shown())
        if self.chance.random() < DEALS:
            self.moderator.deal(self.clock.shown())

    def _calm(self) -> None:
        """Nobody writes any more and nothing breaks: round after round until nothing is left."""
        self.machine.finish()
        self.full_mailboxes.finish()
        self.backups.finish()
        self.server.calm()
        self.moderator.make_peace(self.clock.shown())
        for game in Game.objects.filter(status=Game.Status.ACTIVE):
            # The deadline of one that waits is over, and says still which orders came late.
            game.phases.filter(status="open", overdue_at=None).update(due_at=None, all_in_at=None)
        for number in range(CALM_ROUNDS):
            before = len(self.seen.taken)
            self.server.round()
            self.witness.look()
            self.server.mend()
            if number > 3 and before == len(self.seen.taken) and not self.server.is_left():
                return
            self.clock.sleep(600)
        raise Broken(f"it never becomes quiet: {self.server.is_left()}")
