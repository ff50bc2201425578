"""What the acts on all games of a tournament share: each does to all of them, or to those that
somebody chooses, what another act does to one game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from games import log
from games.acts.base import Done
from games.acts.game import GameAct, Status
from games.errors import GameError, NotAllowed
from games.models import Game
from games.queries.access import roles
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import listed
from games.queries.tournaments.tournament import games_of
from games.services.common import lock_game


class Chosen(Protocol):
    """Parameters that name the games to act on, all if none is named, and perhaps the reason."""

    @property
    def games(self) -> tuple[str, ...]: ...
    @property
    def why(self) -> str: ...


P = TypeVar("P", bound=Chosen)


def games_in(game: Game, states: Collection[Status]) -> list[Game]:
    """Return the games of this one's tournament in these states, in the order of locks."""
    return list(games_of(game.tournament).filter(status__in=states).order_by("pk"))


def choices_of(game: Game, states: Collection[Status]) -> Mapping[str, str]:
    """Return the games to choose from, each with its label."""
    return {str(one.pk): one.name for one in games_in(game, states)}


@dataclass(frozen=True, kw_only=True)
class WhichGames:
    """The parameter that comes before those of the act on one game."""

    games: tuple[str, ...] = ()


class AllGames(GameAct[P]):
    """An act on those games of a tournament that are in the states `when`. It asks for what `one`
    asks for, and for the games."""

    one: ClassVar[GameAct[Any]]
    """The act that is done to each of them."""
    done: ClassVar[tuple[str, str]]
    """What to say afterwards, of one game and of several; `{}` stands for their names."""

    def left_out(self, subject: Game) -> Iterator[str]:
        """Say which games stay as they are, and why."""
        return iter(())

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if the game belongs to no tournament."""
        return "" if subject.tournament else f"The game {subject.name} belongs to no tournament."

    def lock(self, subject: Game) -> Game:
        """Lock all games that it can be done to, in the order in which everybody locks several."""
        for one in games_in(subject, self.when):
            lock_game(one)
        return super().lock(subject)

    def done_to(self, subject: Game) -> str:
        """Return the tournament's name, whichever of its games somebody came from."""
        return subject.tournament

    def stamp(self, subject: Game) -> str:
        return log.digest([self.one.stamp(one) for one in games_in(subject, self.when)])

    def forecast(self, subject: Game, given: P, now: dt.datetime) -> Sequence[str]:
        return [
            *self._foreseen(self._games_chosen(subject, given), given, now),
            *self.left_out(subject),
            f"Everybody in these games is told by mail{', with your reason' if given.why else ''}.",
        ]

    def do(self, subject: Game, given: P, *, by: Actor, now: dt.datetime) -> Done:
        chosen = self._games_chosen(subject, given)
        for one in chosen:
            self._do_one(one, given, by, now)
        names = listed([one.name for one in chosen])
        return Done(self.done[len(chosen) > 1].format(names))

    def _games_chosen(self, game: Game, given: P) -> list[Game]:
        """Return the games that somebody chose, or all if they chose none."""
        possible = games_in(game, self.when)
        return [one for one in possible if not given.games or str(one.pk) in given.games]

    def _foreseen(self, games: Sequence[Game], given: P, now: dt.datetime) -> Iterator[str]:
        """Say what happens in each game, naming together those in which the same happens; leave out
        who is told, since `forecast` says that for all."""
        alike: dict[str, list[str]] = {}
        for game in games:
            *said, _told = self.one.forecast(game, given, now)
            alike.setdefault(" ".join(said), []).append(game.name)
        for what, names in alike.items():
            yield f"{listed(names)}: {what}"

    def _do_one(self, game: Game, given: P, by: Actor, now: dt.datetime) -> None:
        """Do it to one game as `one` does. Raises GameError with the game's name: otherwise nobody
        would know in which of them it went wrong."""
        if by.user and (refused := roles.refusal(by.user, game, self.one.name, now=now)):
            raise NotAllowed(f"{refused} Choose the other games, and leave that one out.")
        try:
            actor = self.one.actor(by.user, game, now) if by.user else by
            self.one.do(game, given, by=actor, now=now)
        except GameError as error:
            raise type(error)(f"{game.name}: {error}") from error
