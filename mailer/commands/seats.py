"""Finds the power and the phase that a sender speaks for."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from games.errors import BadInput, GameOver, NotAllowed, WrongState
from games.models import Application, Game, Phase, Player, Seat
from games.queries import board, lookup
from games.queries.access import roles
from games.queries.access.audience import Audience, is_foggy, shows_board
from games.queries.parsing.game_names import game_by_name
from games.queries.players.seats import BEFORE_START, last_seat
from games.queries.reports.wording import listed
from games.services.moderation.conduct import require_not_banned
from games.services.seating.observers import games_observed, observes
from mailer.commands.base import player_of
from mailer.commands.texts.sentences import is_over, looks_back, page
from mailer.identity.claims import running_seats
from mailer.identity.senders import SeatHolder, Sender, about_another, seat_meant

NOTHING_TO_ORDER = "so there is nothing to order"
"""Once a game is over, or before it has started."""


def seat_of(sender: Sender) -> Seat:
    """The seat the sender speaks for. Raises NotAllowed without one, BadInput with several."""
    player = player_of(sender)
    if seat := seat_meant(sender):
        return _running(seat)
    require_not_banned(player)
    games = [seat.power.game.name for seat in running_seats(player)]
    watched = games_observed(player)
    about = about_another(sender)
    if about and about.status in BEFORE_START:
        raise WrongState(_waits_for_players(about, player))
    if about:
        raise NotAllowed(f"{_no_seat_in(about, watched)} {_where_to(games)}{_look_back(player)}")
    if not games and watched:
        raise NotAllowed(f"{_no_seat_in(watched[0], watched)} {_where_to(games)}")
    if not games:
        raise NotAllowed(
            "You are not playing in any game at the moment. Write LIST to see the games looking "
            "for players, or HELP for everything you can write."
            f"{_look_back(player)}"
        )
    raise BadInput(f"You play in several games: {listed(games)}. {_where_to(games)}")


def _waits_for_players(game: Game, player: Player) -> str:
    """Say that nobody can do anything in a game yet; tell a reader without a place how to get
    one."""
    has_place = took_part(game, player)
    then = "you get a mail then" if has_place else f"to get a seat, write JOIN {game.name}"
    return (
        f"The game {game.name} has not started yet. Until it does, nobody can order, vote or write "
        f"in it; {then}."
    )


def _no_seat_in(game: Game, watched: Sequence[Game]) -> str:
    """Say that a player without a power in the game can do nothing in it."""
    if game in watched:
        return f"You observe the game {game.name}: you cannot order, vote or write in it."
    return f"Your mail is about the game {game.name}, and you play no power in it."


def _where_to(games: Sequence[str]) -> str:
    """How to reach a game that they play."""
    if not games:
        return "Write LIST to see the games looking for players."
    return (
        "Please reply to the newest mail about the game you mean, or write its name in brackets in "
        f"the subject, like [{games[0]}]."
    )


def _look_back(player: Player) -> str:
    """Say how to read a finished game again: from now on its name is needed."""
    last = last_over(player)
    if last is None:
        return ""
    return f" To read a game that is over again, name it: {looks_back(last)[0]} {last.name}"


def took_part(game: Game, player: Player) -> bool:
    """Whether they have or had a seat in the game, or wanted to play in it."""
    played = Seat.objects.filter(power__game=game, player=player).exists()
    return played or Application.objects.filter(game=game, player=player).exists()


def last_over(player: Player) -> Game | None:
    """The game that ended last among those they played in or observed, if any."""
    theirs = Q(powers__seats__player=player) | Q(watchers__player=player, watchers__until=None)
    over = Game.objects.filter(status=Game.Status.FINISHED, started_at__isnull=False)
    return over.filter(theirs).order_by("finished_at").last()


def _running(seat: Seat) -> Seat:
    """The seat, if the sender still has it. Raises NotAllowed, with what they can do now.

    A banned player has no seat, though in an anonymous game it opens only when the phase is over.
    """
    require_not_banned(seat.player)
    if seat.until is None:
        return seat
    game, power = seat.power.game, seat.power.name
    where = f"You no longer play {power} in the game {game.name}, so nothing was done."
    if seat.ended_because == Seat.Ended.RESIGNED and last_seat(seat.power) == seat:
        raise NotAllowed(
            f"{where} You have resigned. Nobody has taken your seat yet: to come back, write "
            f"RETURN {game.name}"
        )
    raise NotAllowed(f"{where} Write LIST to see the games looking for players.")


def seat_named(argument: str, sender: Sender) -> tuple[Seat, list[str]]:
    """The sender's seat in the game named first, or the one they speak for; and the words left.

    A phase is not a game. Raises NotFound, WrongState before the start, NotAllowed if they never
    played in that game.
    """
    words = argument.strip(" .").split()
    if not words or board.is_phase(words[0]):
        return seat_meant(sender) or seat_of(sender), words
    game = game_by_name(words[0])
    if game.status == Game.Status.FINISHED and game.started_at is None:
        raise WrongState(is_over(game))
    if game.status in BEFORE_START:
        raise WrongState(
            f"The game {game.name} has not started yet. Until it does, LEAVE {game.name} gives "
            "back a place in it."
        )
    seats = Seat.objects.select_related("power__game", "player").order_by("-since")
    seat = seats.filter(power__game=game, player=player_of(sender)).first()
    if seat is None and roles.runs(player_of(sender), game):
        raise NotAllowed(
            f"You run the game {game.name} and play no power in it. Its game master writes GM "
            f"{game.name} and a command, like GM {game.name} HISTORY; GM {game.name} HELP shows "
            "all of them."
        )
    if seat is None:
        raise NotAllowed(f"You have not played in the game {game.name}{to_watch(game)}")
    return seat, words[1:]


def to_watch(game: Game) -> str:
    """How somebody who never played in the game can see what became of it, if they can."""
    if game.status == Game.Status.FINISHED:
        return f". It is over; its page shows all of it: {page(game)}"
    if not shows_board(game, Audience.EVERYBODY):
        return ", and until it is over it is for its players only."
    return f". To follow it, write OBSERVE {game.name}"


def game_watched(argument: str, sender: Sender) -> tuple[Game, Seat | None, list[str]]:
    """A game that the sender plays, has played or observes, with the seat as `seat_named` finds it.

    The seat is None for an observer. Raises NotFound, NotAllowed for everybody else.
    """
    words = argument.strip(" .?").split()
    is_named = bool(words) and not board.is_phase(words[0])
    if not is_named and (about := about_another(sender)):
        words, is_named = [about.name, *words], True
    if is_named:
        game = game_by_name(words[0])
        if observes(game, player_of(sender)):
            return game, None, words[1:]
    seat, words = seat_named(" ".join(words), sender)
    return seat.power.game, seat, words


def board_viewer(game: Game, seat: Seat | None) -> str | None:
    """The power whose player sees the board; None if everybody sees the same.

    Raises NotAllowed in fog of war for anybody who plays no power of the game (any more).
    """
    if not is_foggy(game):
        return None
    if seat is None or seat.until is not None:
        raise NotAllowed(
            f"The game {game.name} is played in fog of war, and you no longer play in it. "
            "When it is over, you can see all of it."
        )
    return seat.power.name


def seat_and_phase(sender: Sender) -> tuple[Seat, Phase]:
    """The seat and the phase the sender speaks for. Raises WrongState before and after the play."""
    seat = seat_of(sender)
    named = sender.phase if isinstance(sender, SeatHolder) else None
    phase = named or lookup.open_phase(seat.power.game)
    if phase is None or phase.status == Phase.Status.CLOSED:
        game = seat.power.game
        require_not_over(game, NOTHING_TO_ORDER)
        raise WrongState(f"The game {game.name} has not started yet, {NOTHING_TO_ORDER}.")
    return seat, phase


def require_not_over(game: Game, so: str, reader: Player | None = None) -> None:
    """Raise WrongState once the game is over, `so` that the request cannot be carried out.

    A `reader` may never have played in it.
    """
    if game.status == Game.Status.FINISHED:
        by_mail = reader is None or _reads_by_mail(game, reader)
        raise WrongState(is_over(game, so, by_mail=by_mail))


def in_full(error: GameOver, reader: Player | None) -> WrongState:
    """The error with what can still be done, for a game that ended after the command had looked."""
    game = Game.objects.get(pk=error.game)
    by_mail = reader is not None and _reads_by_mail(game, reader)
    return WrongState(is_over(game, by_mail=by_mail))


def _reads_by_mail(game: Game, player: Player) -> bool:
    """Whether HISTORY and LOG show them the game."""
    played = Seat.objects.filter(power__game=game, player=player).exists()
    return played or observes(game, player)


def phase_title(phase: Phase) -> str:
    """`Spring 1901 movement`."""
    return board.phase_title(phase.name)
