"""Who and what there is in a seed: a server, its people, its weather, and all that may happen."""

from __future__ import annotations

import datetime as dt
import itertools
import random

from django.db import connection

from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Evidence, time_of
from tests.simulate.checks.mails.rehearsal import Rehearsal
from tests.simulate.checks.people.oblivion import Oblivion
from tests.simulate.checks.promises import Witness
from tests.simulate.checks.tidying import Tidying
from tests.simulate.machinery.backups import Backups
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.machinery.clock import Clock, beginning_of
from tests.simulate.machinery.full_mailboxes import FullMailboxes
from tests.simulate.machinery.intrusions import Intrusions
from tests.simulate.machinery.machine import Machine
from tests.simulate.machinery.post import Mailbox, Weather
from tests.simulate.machinery.process import Processes
from tests.simulate.machinery.relay import Relay, RelayedMail
from tests.simulate.machinery.server import Server
from tests.simulate.machinery.standstills import Standstills
from tests.simulate.players import crowds
from tests.simulate.players.agreements import Agreements
from tests.simulate.players.bulk_mail import BulkMail
from tests.simulate.players.correspondents import Correspondents
from tests.simulate.players.crowds import Crowd
from tests.simulate.players.forgers import Forgers
from tests.simulate.players.foundings import Foundings
from tests.simulate.players.moves import Moves
from tests.simulate.players.people import Player
from tests.simulate.players.private_games import PrivateGames
from tests.simulate.players.robots import Robots
from tests.simulate.players.visitor import Visitor
from tests.simulate.players.writers import CO_GM, DOMAIN, GM, NAMES, Writer
from tests.simulate.staff.cups import Cups
from tests.simulate.staff.deputies import Deputies
from tests.simulate.staff.freezes import Freezes
from tests.simulate.staff.game_master import GameMaster
from tests.simulate.staff.glimpses import Glimpses
from tests.simulate.staff.gm_pages import GmPages
from tests.simulate.staff.impostor import Impostor
from tests.simulate.staff.merges import Merges
from tests.simulate.staff.moderator import MODERATOR, Moderator
from tests.simulate.staff.opposites import Opposites
from tests.simulate.staff.settings_changes import SettingsChanges
from tests.simulate.staff.unstarted_games import UnstartedGames
from tests.simulate.staff.whole_cups import WholeCups
from tests.simulate.tables import endings_of, press_of, settings_of
from tests.simulate.wall_clocks import clock_of


class Ensemble:
    """Everything in one process. What happens in it, `world` says."""

    def __init__(
        self,
        seed: int,
        *,
        days: float,
        games: int = 1,
        stormy: bool = True,
    ) -> None:
        self.seed, self.days = seed, days
        self.clock = Clock(beginning_of(seed))
        self.chance = random.Random(f"{seed}/world")
        self.processes = Processes(random.Random(f"{seed}/deaths"), self.clock, stormy=stormy)
        self.weather = Weather(random.Random(f"{seed}/weather"), self.clock, stormy)
        self.mailbox = Mailbox(self.weather, self.processes)
        self.relay = Relay(self.weather, self.processes, self._taken)
        self.numbers = itertools.count(1)
        self.settings = settings_of(random.Random(f"{seed}/settings"))
        self.settings |= press_of(random.Random(f"{seed}/press"))
        self.settings |= endings_of(random.Random(f"{seed}/endings"))
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
        chance = random.Random(f"{seed}/deputies")
        self.deputies = Deputies(chance, self.agenda, self.carrier, self.people, self.gm_pages)
        chance = random.Random(f"{seed}/settings changes")
        self.settings_changes = SettingsChanges(chance, self.agenda, self.gm_pages)
        self.glimpses = Glimpses(random.Random(f"{seed}/glimpses"), self.agenda)
        chance = random.Random(f"{seed}/standstills")
        self.standstills = Standstills(chance, self.agenda, self.server)
        chance = random.Random(f"{seed}/whole cups")
        self.whole_cups = WholeCups(chance, self.agenda, running)
        chance = random.Random(f"{seed}/merges")
        self.merges = Merges(chance, self.agenda, self.moderator, self.seen)
        chance = random.Random(f"{seed}/freezes")
        self.freezes = Freezes(chance, self.agenda, self.carrier, self.people, self.moderator)
        chance = random.Random(f"{seed}/bulk mail")
        self.bulk_mail = BulkMail(
            chance, self.agenda, self.carrier, self.mailbox, self.people, self.seen
        )
        self.witness.bulk_mail = self.bulk_mail
        chance = random.Random(f"{seed}/unstarted games")
        self.unstarted_games = UnstartedGames(
            chance, self.agenda, self.carrier, self.people, self.seen
        )
        chance = random.Random(f"{seed}/intrusions")
        self.intrusions = Intrusions(
            chance, self.agenda, self.gm_pages, self.server, self.standstills
        )
        self.opposites = Opposites(random.Random(f"{seed}/opposites"), self.agenda, self.gm_pages)
        chance = random.Random(f"{seed}/tidying")
        self.tidying = Tidying(chance, self.agenda, self.server, self.mailbox, self.seen)
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
                beginning=self.clock.beginning,
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

    def _taken(self, taken: RelayedMail) -> None:
        self.witness.sent(taken)
        self.moves.taken(taken)
        if not self.robots.taken(taken):
            self.carrier.taken(taken)
            self.bulk_mail.taken(taken)
            self.forgers.taken(taken)
        self.private_games.taken(taken)

    def plan(self) -> None:
        """Have all happen that this seed has in store."""
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
        self.deputies.plan()
        self.settings_changes.plan()
        self.glimpses.plan()
        self.standstills.plan()
        self.merges.plan()
        self.unstarted_games.plan()
        self.opposites.plan()
        self.intrusions.plan()
        self.tidying.plan()
        if len(self.names) > len(NAMES):
            self.crowd.plan()
        if self.weather.stormy:
            self.backups.plan()
            self.machine.plan()
            self.full_mailboxes.plan()
