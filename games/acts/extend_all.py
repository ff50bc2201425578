"""Move the deadlines of a tournament's games in one act, so that a round keeps one deadline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from games.acts import extend
from games.acts.all_games import AllGames, WhichGames, choices_of, games_in
from games.acts.game import Group, Status
from games.acts.parameters import Ask
from games.models import Game
from games.queries.reports.wording import listed

_MOVABLE = frozenset({Status.ACTIVE})


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return choices_of(game, _MOVABLE)


@dataclass(frozen=True, kw_only=True)
class Parameters(extend.Parameters, WhichGames):
    games: Annotated[
        tuple[str, ...],
        Ask("Which games", "To move them all, tick none.", choices=_choices),
    ] = ()
    to: Annotated[
        str,
        Ask(
            "Or until",
            "On each game’s own clock. Leave both empty for each game’s next regular deadline.",
            longest=40,
            is_moment=True,
        ),
    ] = ""


class ExtendAll(AllGames[Parameters]):
    name = "extend_all"
    title = "Extend all games"
    help = "Move the deadlines of all games of the tournament, or of some, in one go."
    group = Group.TIME
    when = _MOVABLE
    undo = "If you mistype it, extend them again to the right time."
    done = ("The deadline of {} has moved.", "The deadlines of {} have moved.")
    parameters = Parameters
    one = extend.Extend()

    def left_out(self, subject: Game) -> Iterator[str]:
        if names := [one.name for one in games_in(subject, {Status.PAUSED})]:
            yield f"Paused, so not moved: {listed(names)}."
