"""End a game with a result, or with none."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.let_in import waiting
from games.acts.parameters import Ask, Why
from games.acts.powers import remaining
from games.acts.sentences import title_of, who_else_is_told, who_is_told
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.endings.ending import is_scored
from games.queries.lookup import open_phase
from games.queries.players.seats import power_names
from games.queries.reports.end_report import points_text
from games.queries.reports.wording import draw_among
from games.services.endings.ending import game_end


def _survivors(game: Game, now: dt.datetime) -> Mapping[str, str]:
    left = remaining(game) if game.started_at else ()
    return {name: name for name in power_names(game) if name in left}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    winners: Annotated[
        tuple[str, ...],
        Ask(
            "Who has won",
            "One power: it has won. Several: a draw among them. None: no result.",
            choices=_survivors,
        ),
    ] = ()
    why: Why


class End(GameAct[Parameters]):
    name = "end"
    title = "End the game"
    grave = True
    help = "End the game with a winner, a draw or no result."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = open_phase(subject)
        said = [_news(subject, f"ends {_result(given.winners)}")]
        if phase:
            said += [f"{title_of(phase)} will not be adjudicated, whatever was ordered."]
        said += _points(subject, given.winners)
        if waiting(subject):
            said += ["Those who have asked to join are told that it will not be played."]
        back = "Only a rollback can" if subject.started_at else "Nothing can"
        return [
            *said,
            f"{back} bring it back.",
            who_is_told(subject, now),
            *who_else_is_told(subject, earlier=True),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        game_end(game=subject, winners=given.winners, why=given.why, by=by.name, now=now)
        return Done(_news(subject, f"has ended {_result(given.winners)}"))


def _points(game: Game, winners: Sequence[str]) -> Iterator[str]:
    """Say what the end would be worth to each power: whoever decides may not know the formula."""
    if game.started_at is None or not is_scored(game):
        return
    if not winners:
        yield "Nobody gets any points for a game without a result."
        return
    ended = copy.copy(game)
    ended.winners = list(winners)
    yield f"Points by {points_text(ended)}."


def _news(game: Game, ends: str) -> str:
    """Say what becomes of the game; one that has not started will not be played."""
    return f"The game {game.name} {ends if game.started_at else 'will not be played'}."


def _result(winners: Sequence[str]) -> str:
    if not winners:
        return "without a result"
    won = len(winners) == 1
    return f"with a win for {winners[0]}" if won else f"in {draw_among(winners)}"
