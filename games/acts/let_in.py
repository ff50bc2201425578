"""Answer somebody who asked to join a game in which the GM lets people in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.errors import NotFound
from games.models import Game, Invitation, Player
from games.queries.attendance import reliability
from games.queries.places import wishes_to_join
from games.queries.reliability import reliability_text
from games.services.invitations import join_refuse, players_invite
from games.services.joining import game_join

YES, NO = "yes", "no"


def waiting(game: Game) -> dict[str, tuple[Player, Invitation]]:
    """Return who waits for an answer and how they asked, by its key, the oldest first."""
    return {str(row.pk): (player, row) for player, row in wishes_to_join(game)}


def _choices(game: Game) -> Mapping[str, str]:
    return {key: player.name for key, (player, _) in waiting(game).items()}


def _answers(game: Game) -> Mapping[str, str]:
    return {YES: "Let them in", NO: "Do not let them in"}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    who: Annotated[str, Ask("Who", missing="Please say whom.", choices=_choices)]
    answer: Annotated[
        str,
        Ask(
            "Answer",
            missing="Please say yes or no.",
            choices=_answers,
        ),
    ]


class LetIn(GameAct[Parameters]):
    name = "let_in"
    title = "Let players in"
    help = "Answer those who ask to join: let them in, or not."
    group = Group.SEATS
    when = frozenset({Status.FORMING})
    parameters = Parameters

    def why_not(self, subject: Game, now: dt.datetime) -> str:
        """Somebody has to wait for an answer."""
        if said := super().why_not(subject, now):
            return said
        return "" if _choices(subject) else f"Nobody waits to be let into {subject.name}."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        _, player = _meant(subject, given.who)
        known = f"Reliability of {player.name}: {reliability_text(reliability(player, now=now))}."
        if given.answer == NO:
            return [known, f"{player.name} is told by mail that they cannot join."]
        return [
            known,
            f"{player.name} has a place in {subject.name}, and is told by mail. If it is the last, "
            "the game starts, or asks everybody whether they are here.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: str, now: dt.datetime) -> Done:
        row, player = _meant(subject, given.who)
        if given.answer == NO:
            join_refuse(game=subject, player=player, by=by, now=now)
            return Done(f"{player.name} cannot join {subject.name}.")
        players_invite(game=subject, emails=[row.email], by=by, now=now)
        game_join(game=subject, player=player, preferences=row.preferences, now=now)
        return Done(f"{player.name} has a place in {subject.name}.")


def _meant(game: Game, key: str) -> tuple[Invitation, Player]:
    found = waiting(game).get(key)
    if found is None:
        raise NotFound("Somebody has answered that already.")
    player, row = found
    return row, player
