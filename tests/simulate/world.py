"""One seed: what happens in the course of time to a server and its people (`ensemble`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import Group, User

from games.models import Game
from games.queries.access import roles
from games.services.accounts.players import address_confirm, player_register
from games.services.seating.invitations import players_invite
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.simulate.checks.evidence import Broken
from tests.simulate.ensemble import Ensemble
from tests.simulate.machinery.server import DAY
from tests.simulate.machinery.stand_ins import Surroundings, standing_in
from tests.simulate.players.people import Player
from tests.simulate.players.writers import DOMAIN, GM
from tests.simulate.staff.cups import CUP
from tests.simulate.staff.moderator import MODERATOR
from tests.simulate.tables import powers_of

DEALS = 0.05
"""How often a moderator deals with somebody, when others read pages."""
CALM_ROUNDS = 120


@dataclass(frozen=True)
class SeedResult:
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


class World(Ensemble):
    """Everything in one process; `play` lets `days` go by and then waits until all is quiet."""

    def play(self, *, to_rest: bool = True) -> SeedResult:
        """Begin, and let the days go by. What broke a promise is told, with the seed."""
        around = Surroundings(
            self.seed, self.clock, self.processes, self.mailbox, self.relay, self.weather
        )
        with standing_in(around):
            return self.told_after(self.days, first=self._begin, to_rest=to_rest)

    def told_after(
        self, days: float, *, first: Callable[[], object], to_rest: bool = True
    ) -> SeedResult:
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
        return SeedResult(
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
            days=(self.clock.now() - self.clock.beginning) / DAY,
            restored=self.backups.restored,
            erased=len(self.witness.oblivion.gone),
        )

    def _look(self) -> None:
        self.witness.look()
        self.rehearsal.look()
        self.server.mark_deadlines()

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
        self.plan()
        self.server.beat()
        self._others()
        if self.weather.stormy:
            self.server.storm()

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
        self.processes.intruders.clear()
        self.standstills.finish()
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
