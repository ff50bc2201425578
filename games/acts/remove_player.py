"""Take a place away from somebody before the start."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import ROOM_FOR_WHY, Ask
from games.errors import NotFound
from games.models import Game, Player
from games.queries.access.roles import masters
from games.queries.access.staff_names import Actor
from games.queries.phases.musters import players_with_place
from games.queries.players.seats import BEFORE_START, seats_free
from games.queries.reports.wording import counted
from games.services.seating.joining import player_remove


def _choices(game: Game, now: dt.datetime) -> Mapping[str, str]:
    return {str(player.pk): player.name for player in players_with_place(game)}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    who: Annotated[str, Ask("Who", missing="Please say whom.", choices=_choices)]
    why: Annotated[
        str,
        Ask(
            "Why",
            "Only they, and whoever else runs the game, get a mail with your reason.",
            missing="Please say why: the player is told.",
            longest=ROOM_FOR_WHY,
        ),
    ]


class RemovePlayer(GameAct[Parameters]):
    name = "remove_player"
    title = "Remove a player"
    help = "Before the start: take a place away from somebody who has joined, and keep them out."
    group = Group.SEATS
    harsh = True
    when = BEFORE_START
    readers = "they"
    undo = (
        "“Seat a player” gives them a power, by their name; “Invite players” lets them join again, "
        "by their address."
    )
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if nobody has a place."""
        return "" if _choices(subject, now) else f"Nobody has a place in {subject.name}."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        name = _player(subject, given.who).name
        free = counted(seats_free(subject) + 1, "seat is", "seats are")
        muster = "The muster ends, and the game looks for players again; the others are told."
        others = ", and whoever else runs the game" if len(masters(subject, now)) > 1 else ""
        return [
            f"{name} loses their place in {subject.name}, and cannot join it again, whatever code "
            f"they have. {free} free then.",
            *([muster] if subject.status == Status.MUSTER else []),
            f"Told by mail, with your reason: {name}{others}. Everybody can read in the log that "
            "you took a place away, but neither from whom nor why.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        player = _player(subject, given.who)
        player_remove(game=subject, player=player, why=given.why, by=by, now=now)
        free = counted(seats_free(subject), "seat is", "seats are")
        return Done(f"{player.name} no longer has a place in {subject.name}. {free} free.")


def _player(game: Game, key: str) -> Player:
    found = [one for one in players_with_place(game) if str(one.pk) == key]
    if not found:
        raise NotFound(f"They no longer have a place in {game.name}.")
    return found[0]
