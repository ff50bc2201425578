"""JOIN: a seat in a game that has not started."""

from __future__ import annotations

from games.errors import BadInput, NotFound, WrongState
from games.models import Game, Player
from games.queries.parsing.game_names import game_by_name
from games.queries.phases.start_moves import is_last_start
from games.queries.players.places import free_places
from games.queries.players.seats import PLAYED, has_seat
from games.queries.reports.wording import counted, local_moment
from games.services.seating.joining import game_join
from mailer.commands.advice.newcomers import SOMEBODY, THEIR_OWN
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Receipt
from mailer.commands.seats import require_not_over, to_watch
from mailer.commands.wishes.invitations import invited_to
from mailer.identity.senders import Sender
from mailer.reading.patterns import says

_FOR_ANOTHER = says(rf"\bfor (?:an?|my|our) (?:\w+ )?{SOMEBODY}\b")
"""“England for my friend Igor”."""


class Join(PlayerCommand):
    name = "join"
    usage = "JOIN game [powers you would like]"
    summary = "take a seat in a game, with the powers you would like, best first"
    help = (
        "Write JOIN, the game's name, and the powers you would like, best first, with ; between "
        "them. Put powers you like equally in brackets.\n"
        "Example: JOIN marne France; [Germany, Italy or Austria]; Turkey\n"
        "A game by invitation has a code, which goes before the powers: JOIN marne k7m2p9ab "
        "France.\n"
        "Powers you leave out come last; with no list at all you get what is left. To change your "
        "list, write JOIN again. The game starts when the last seat is taken, or at its own time; "
        "some games ask first whether everybody is here (HERE)."
    )
    takes = Takes.SOMETHING
    names_game = True
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        game, preferences = _game_and_wishes(call, sender, arrival)
        _require_not_started(game, player)
        joined = game_join(
            game=game,
            player=player,
            preferences=preferences,
            now=arrival.now,
            received_at=arrival.received_at,
        )
        game.refresh_from_db()
        if joined is None:
            return Receipt(
                title=f"You have asked to join {game.name}",
                text=(
                    f"In the game {game.name} the game master lets people in. We have told them "
                    "that you would like to play, and you will get a mail with their answer. To "
                    f"change your list of powers, write JOIN {game.name} and the new list; if you "
                    f"no longer want to join, LEAVE {game.name}."
                ),
                subject=f"[{game.name}] You have asked to join",
            )
        preferences = joined.preferences
        return Receipt(
            title=f"You have joined {game.name}",
            text="\n".join(_text(game, preferences.strip(), player.timezone)),
            subject=f"[{game.name}] You have joined",
        )


def _game_and_wishes(call: Call, sender: Sender, arrival: Arrival) -> tuple[Game, str]:
    """The game that the player names, or else the one that the mail they answer invited them to;
    and the powers they would like.

    Raises NotFound, and BadInput if the powers are for somebody else.
    """
    name, _, preferences = call.argument.partition(" ")
    if _FOR_ANOTHER.search(preferences):
        raise BadInput(THEIR_OWN)
    try:
        return game_by_name(name.strip(",;:?")), preferences
    except NotFound:
        if game := invited_to(arrival, sender):
            return game, call.argument
        raise


def _require_not_started(game: Game, player: Player) -> None:
    """Raise WrongState for a game that is being played or is over, saying what they can do
    instead."""
    require_not_over(game, "so nobody can join it now", player)
    if game.status in PLAYED:
        instead = ", and you play in it." if has_seat(game, player) else to_watch(game)
        raise WrongState(f"The game {game.name} is already being played{instead}")


def _text(game: Game, preferences: str, zone: str) -> list[str]:
    first = f"You have a seat in the game {game.name}."
    none = "You gave no list of powers, so you may get any."
    wishes = f"Your list: {preferences}" if preferences else none
    if game.status == Game.Status.MUSTER:
        return [
            f"{first} {wishes}",
            "",
            "All seats are taken now. We are asking the others whether they are here; you need not "
            "answer, because we have just heard from you. You will get a mail when the game "
            "starts.",
        ]
    if game.status != Game.Status.FORMING:
        return [first, "", "It was the last one: the game starts. A mail with your power follows."]
    free = free_places(game)
    return [
        f"{first} {wishes}",
        "",
        f"{_when_it_starts(game, free, zone)} To change your list, write JOIN {game.name} and the "
        "new one; to give "
        f"the seat back, write LEAVE {game.name}.",
    ]


def _when_it_starts(game: Game, free: int, zone: str) -> str:
    """When a game that looks for players starts, and what we will tell them then."""
    if game.starts_at is None:
        more = counted(free, "more player has", "more players have")
        return f"It starts when {more} joined; you will get a mail then."
    at = local_moment(game.starts_at, zone)
    taken = f"{counted(free, 'seat is', 'seats are')} still free" if free else "All seats are taken"
    if_free = "the game will not be played" if is_last_start(game) else "the start moves by a week"
    reminder = "" if game.start_reminded_at else "a reminder some hours before, and "
    return (
        f"It is to start {at}. {taken}. If any is free at that time, {if_free}. You will get "
        f"{reminder}a mail with your power at the start."
    )
