"""REMOVE: before the start, a player loses their place."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User

from games.acts import remove_player
from games.errors import BadInput, NotFound
from games.models import Game, Player
from games.queries.phases.musters import players_with_place
from games.queries.players.seats import BEFORE_START
from games.queries.reports.wording import did_you_mean, listed
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import name_and_reason
from mailer.commands.gm.seats.vacate import Vacate


class Remove(ActCommand[remove_player.Parameters]):
    name = "remove"
    usage = "REMOVE player because reason"
    summary = "take a place away from somebody who has joined, before the start"
    help = (
        "Name them as they are registered, or by their first name or address; STATUS says who has "
        "joined. They cannot join again, unless you invite them. Only they, and whoever else runs "
        "the game, are told the reason. We ask you to confirm it first. Once the game has "
        "started, REMOVE and a power does the same as VACATE.\n"
        "Example: REMOVE Hugo because you told us that you have no time"
    )
    act = remove_player.RemovePlayer()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> remove_player.Parameters:
        players = players_with_place(game)
        name, why = name_and_reason(call.argument, [one.name for one in players])
        return remove_player.Parameters(who=str(_player_called(name, players, game).pk), why=why)

    def names_in(self, call: Call, game: Game, user: User) -> list[str]:
        return []

    def _needs_more(self, call: Call) -> str:
        return f"{call.written} needs a name and a reason, so nothing is done yet."


def _player_called(name: str, players: list[Player], game: Game) -> Player:
    """The player who has this name or address, or failing that this first name. Raises BadInput,
    NotFound."""
    said = name.casefold()
    whole = [one for one in players if one.name.casefold() == said or one.is_at(name)]
    found = whole or [one for one in players if one.name.casefold().split()[0] == said]
    if len(found) == 1:
        return found[0]
    names = [one.name for one in found or players]
    if found:
        raise BadInput(f"{listed(names)} have places in {game.name}. Please write the whole name.")
    raise NotFound(f"Nobody called “{name}” has a place in {game.name}.{did_you_mean(name, names)}")


def as_the_game_stands(block: Call, game: Game) -> Call:
    """A mail's commands, with the one for a place where the game has not started, and the one for a
    power where it has: people write REMOVE, KICK and VACATE for either."""
    before = game.status in BEFORE_START
    meant, other = (Remove.name, Vacate.name) if before else (Vacate.name, Remove.name)
    calls = (replace(one, command=meant) if one.command == other else one for one in block.calls)
    return replace(block, calls=tuple(calls))
