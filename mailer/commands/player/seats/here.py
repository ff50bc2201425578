"""HERE: before a game starts, its players say that they are there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.errors import BadInput, WrongState
from games.models import Game, Player
from games.queries.parsing.game_names import game_by_name
from games.queries.phases.musters import games_mustering, silent_players
from games.queries.reports.wording import counted, listed
from games.services.clock.muster import player_here
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import AMEND, ORDERS, Call, QuestionMark, Takes
from mailer.commands.player.clock.ready import Ready
from mailer.commands.player.consent.confirm import Confirm, agrees, words_alone
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.player.seats.join import Join
from mailer.commands.player.seats.leave import Leave
from mailer.commands.receipt import Receipt
from mailer.commands.seats import require_not_over
from mailer.identity.senders import Answering, Sender
from mailer.outbound.tokens import ForMuster

_UNSURE = "?"
_MEANT_BY_A_REPLY = (ORDERS, AMEND, Confirm.name, Ready.name, Refuse.name)


class Here(PlayerCommand):
    name = "here"
    aliases = ("present",)
    usage = "HERE [game]"
    summary = "say that you are here, when a game asks before it starts"
    help = (
        "When all seats of a game are taken, it may ask its players whether they are still here. "
        "Reply HERE or YES to that mail, alone on a line; HERE does it from any mail, too. If you "
        "do not answer in time, you lose your seat. If you cannot play, write LEAVE and the game's "
        "name.\n"
        "Example: HERE marne"
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    argument = re.compile(  # "Here are my orders" has nothing to do with being here
        r"(?!(?:(?:are|is|come)\s|['’]s\s)\s*(?:my|our|the|what|some|new)\b)"
        r"(?!.*\b(?:orders?|moves?|retreats?|builds?|disbands?)\b).*",
        re.IGNORECASE,
    )
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        if _UNSURE in call.argument:
            asks = _muster_answered(sender)
            game = asks.name if asks else "and the game's name"
            raise BadInput(
                "We are not sure what you mean, so nothing was done. If you are here and want to "
                f"play, write HERE on a line of its own. If you cannot play, write LEAVE {game}: "
                "then the others need not wait for you."
            )
        games = _games_meant(call.argument, sender, player)
        texts = [_note(game, player, arrival) for game in games]
        names = listed([game.name for game in games])
        tag = f"[{games[0].name}] " if len(games) == 1 else ""
        return Receipt(
            title=f"You are here for {names}",
            text="\n".join(texts),
            subject=f"{tag}You are here",
        )


def _games_meant(name: str, sender: Sender, player: Player) -> list[Game]:
    """The game that the mail names or answers, or else every game that waits for the player's
    word."""
    if name:
        game = game_by_name(name.strip(" .!"))
        require_not_over(game, "so nobody has to say that they are here", player)
        return [game]
    if asks := _muster_answered(sender):
        return [asks]
    games = games_mustering(player)
    if not games:
        raise WrongState("No game asks you whether you are here, so you need not answer.")
    return games


def _muster_answered(sender: Sender) -> Game | None:
    """The game whose muster the mail answers."""
    match sender:
        case Answering(question=ForMuster(game=game)):
            return game
        case _:
            return None


def _note(game: Game, player: Player, arrival: Arrival) -> str:
    game = player_here(game=game, player=player, now=arrival.now)
    if game.status != Game.Status.MUSTER:
        return f"You were the last: {game.name} starts now. A mail with your power follows."
    silent = counted(len(silent_players(game)), "other player has", "other players have")
    return (
        f"Thank you, your seat in {game.name} is yours. {silent} still to answer; you will get a "
        "mail when the game starts."
    )


def here_calls(calls: Sequence[Call]) -> list[Call]:
    """The calls of a reply to our question whether the player is here.

    It is a yes if it has a line that says so, or joins with new wishes. Otherwise we ask again,
    since a program may have written it. We also carry out its other commands; its other words are
    not orders.
    """
    named = [call for call in calls if call.command not in (*_MEANT_BY_A_REPLY, Here.name)]
    if any(call.command in (Leave.name, Join.name) for call in named):
        return named
    said = {call.command for call in calls}
    here = said & {Here.name, Ready.name} or words_alone(calls) & {Here.name, *Here.aliases}
    sure = Refuse.name not in said and (here or agrees(calls))
    return [Call(Here.name, "" if sure else _UNSURE, 0), *named]
