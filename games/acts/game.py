"""What the acts on a game have in common."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Collection, Sequence
from typing import ClassVar, TypeVar

from django.contrib.auth.models import User

from games import log
from games.acts.base import Act
from games.errors import WrongState
from games.events import (
    CoGMAdded,
    CoGMRemoved,
    ExtensionRefused,
    GamePaused,
    GameRenamed,
    JoinRefused,
    MissExcused,
    OrdersLookedAt,
    OrdersSet,
    PlayersInvited,
    PlayersLetIn,
    SeatOffered,
    SettingsChanged,
)
from games.lifecycle import state_sentence
from games.models import Game, Phase, Power, Seat
from games.models.prepared import Given, Query
from games.queries.access import roles
from games.queries.access.staff_names import Actor, actor_in_game
from games.queries.lookup import open_phase
from games.queries.phases.musters import players_with_place
from games.queries.players.seats import BEFORE_START, PLAYED, seats_free
from games.services.common import lock_game

Status = Game.Status
P = TypeVar("P")


class Group(enum.StrEnum):
    """The subject of an act: where its button is on a game's page."""

    TIME = "Time"
    ORDERS = "Orders"
    SEATS = "Players"
    WORDS = "Mail"
    GAME = "Game"


class GameAct(Act[Game, P]):
    """An act on a game. `games.queries.access.roles` knows it by its `name`, too."""

    group: ClassVar[Group]
    when: ClassVar[Collection[Status]] = PLAYED
    when_paused: ClassVar[str] = "Resume it first."
    """What to do first if the game is paused and the act is therefore refused."""
    readers: ClassVar[str] = "all"
    """Who reads its reason."""
    names_addresses: ClassVar[bool] = False
    """Its report of what was done contains addresses, which only those who run the game may
    read."""
    stale = (
        "The game has changed in the meantime, so nothing was done. Please look again at what "
        "would happen now."
    )

    def refusal(self, user: User, subject: Game, now: dt.datetime) -> str:
        return roles.refusal(user, subject, self.name, now=now)

    def why_not(self, subject: Game, now: dt.datetime) -> str:
        """Judge by the state of the game, and then by what else the act needs."""
        if subject.status in self.when:
            return self.lacks(subject, now)
        if subject.status == Status.PAUSED and Status.ACTIVE in self.when:
            return f"{state_sentence(subject)} {self.when_paused}"
        return state_sentence(subject)

    def way_on(self, subject: Game) -> Sequence[str]:
        """Return `instead`; in a paused game, first what resumes it."""
        is_paused = subject.status == Status.PAUSED and Status.PAUSED not in self.when
        resumes = is_paused and Status.ACTIVE in self.when
        return ("resume", *self.instead) if resumes else self.instead

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Return a sentence that says what the game lacks for this act, "" if nothing."""
        return ""

    def actor(self, user: User, subject: Game, now: dt.datetime) -> Actor:
        return actor_in_game(user, subject, now=now)

    def stamp(self, subject: Game) -> str:
        return log.digest([state_stamp(subject), _acts_so_far(subject)])

    def lock(self, subject: Game) -> Game:
        return lock_game(subject)


def state_stamp(game: Game) -> str:
    """Return a digest of the game's state: who plays, which phase is open, and until when. Before
    the start it says who has a place once all seats are taken; until then people come and go."""
    phase = open_phase(game)
    return log.digest(
        [
            game.status,
            game.resume_at.isoformat() if game.resume_at else None,
            [phase.pk, phase.due_at.isoformat() if phase.due_at else None] if phase else None,
            [one.pk for one in _HELD.all(game=game.pk)],
            [one.pk for one in _IN_DISORDER.all(game=game.pk)],
            *_full_with(game),
        ]
    )


def _full_with(game: Game) -> list[list[int]]:
    """Return who has a place in a full game that has not started; nothing for any other game."""
    if game.status not in BEFORE_START or seats_free(game):
        return []
    return [[player.pk for player in players_with_place(game)]]


_HELD = Query(
    lambda: Seat.objects.filter(power__game=Given("game"), until=None).order_by("pk").only("pk")
)
_IN_DISORDER = Query(
    lambda: (
        Power.objects.filter(game=Given("game"), disorder_since__isnull=False)
        .order_by("pk")
        .only("pk")
    )
)


REPEATABLE = [
    one.kind
    for one in (
        *(OrdersSet, OrdersLookedAt, SettingsChanged, SeatOffered, MissExcused, GamePaused),
        ExtensionRefused,
        *(CoGMAdded, CoGMRemoved, GameRenamed, PlayersInvited, PlayersLetIn, JoinRefused),
    )
]
"""Acts that leave the game's state unchanged: a second click would do them, and mail people,
again."""


def _acts_so_far(game: Game) -> list[int]:
    written = game.press.filter(seat=None)
    return [game.events.filter(kind__in=REPEATABLE).count(), written.count()]


def phase_of(game: Game) -> Phase:
    """Return the open phase of a game that is being played. Raises WrongState otherwise: the game
    may have ended since somebody looked."""
    phase = open_phase(game)
    if phase is None:
        raise WrongState(state_sentence(game))
    return phase
