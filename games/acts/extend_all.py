"""Move the deadlines of a tournament's games in one act, so that a round keeps one deadline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games import log
from games.acts import extend
from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask, Why
from games.errors import GameError, NotAllowed
from games.models import Game
from games.queries import roles
from games.queries.staff_names import Actor
from games.queries.tournament import games_of
from games.queries.wording import listed
from games.services.common import locked
from games.timing.durations import read_duration


def _played(game: Game) -> list[Game]:
    """Return the games of its tournament whose clocks run, in the order of locks."""
    return list(games_of(game.tournament).filter(status=Status.ACTIVE).order_by("pk"))


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {str(one.pk): one.name for one in _played(game)}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    games: Annotated[
        tuple[str, ...],
        Ask("Which games", "Choose none to move them all.", choices=_choices),
    ] = ()
    later: Annotated[
        dt.timedelta | None,
        Ask(
            "How much later",
            "Like 24h, 3d, 1d12h: every deadline moves by that much.",
            read=read_duration,
        ),
    ] = None
    to: Annotated[
        str,
        Ask(
            "Or until",
            "On each game’s own clock. Leave both empty for each game’s next regular deadline.",
            longest=40,
            is_moment=True,
        ),
    ] = ""
    why: Why


class ExtendAll(GameAct[Parameters]):
    name = "extend_all"
    title = "Extend all games"
    help = "Move the deadlines of all games of the tournament, or of some, in one go."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    undo = "If you mistype it, extend them again to the right time."
    parameters = Parameters

    def why_not(self, subject: Game, now: dt.datetime) -> str:
        """It has to belong to a tournament."""
        if said := super().why_not(subject, now):
            return said
        return "" if subject.tournament else f"The game {subject.name} belongs to no tournament."

    def held(self, subject: Game) -> Game:
        """Lock all games that may be moved, in the order in which everybody locks several."""
        for one in _played(subject):
            locked(one)
        return super().held(subject)

    def stamp(self, subject: Game) -> str:
        return log.digest([_EXTEND.stamp(one) for one in _played(subject)])

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            *_foreseen(_chosen(subject, given), given, now),
            *_paused(subject),
            "Everybody in these games is told by mail, with your reason.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        chosen = _chosen(subject, given)
        for one in chosen:
            _move(one, given, by, now)
        names = listed([one.name for one in chosen])
        moved = "deadlines of {} have" if len(chosen) > 1 else "deadline of {} has"
        return Done(f"The {moved.format(names)} moved.")


_EXTEND = extend.Extend()


def _chosen(game: Game, given: Parameters) -> list[Game]:
    """Return the games to move: all, if none is chosen."""
    return [one for one in _played(game) if not given.games or str(one.pk) in given.games]


def _one(given: Parameters) -> extend.Parameters:
    return extend.Parameters(later=given.later, to=given.to, why=given.why)


def _foreseen(games: Sequence[Game], given: Parameters, now: dt.datetime) -> Iterator[str]:
    """Say what happens in each game, once for those in which it is the same; that people are told
    is said for all."""
    alike: dict[str, list[str]] = {}
    for game in games:
        *said, _told = _EXTEND.forecast(game, _one(given), now)
        alike.setdefault(" ".join(said), []).append(game.name)
    for what, names in alike.items():
        yield f"{listed(names)}: {what}"


def _paused(game: Game) -> Iterator[str]:
    paused = games_of(game.tournament).filter(status=Status.PAUSED).order_by("name")
    if names := list(paused.values_list("name", flat=True)):
        yield f"Paused, so not moved: {listed(names)}."


def _move(game: Game, given: Parameters, by: Actor, now: dt.datetime) -> None:
    """Move one game's deadline as *Extend the deadline* does. Raises GameError with the game's
    name: nothing else would say in which of them it went wrong."""
    if by.user and (refused := roles.refusal(by.user, game, _EXTEND.name, now=now)):
        raise NotAllowed(f"{refused} Choose the games that you can move, and leave that one out.")
    try:
        actor = _EXTEND.actor(by.user, game, now) if by.user else by
        _EXTEND.do(game, _one(given), by=actor, now=now)
    except GameError as error:
        raise type(error)(f"{game.name}: {error}") from error
