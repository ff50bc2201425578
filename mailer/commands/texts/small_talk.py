"""Words for people, in mails about a game that is over or has not begun."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Game, Player, Seat
from games.queries.players.seats import BEFORE_START
from mailer.commands.receipt import Wish
from mailer.commands.seats import took_part
from mailer.commands.texts.not_understood import command_meant, is_like_order, usage_meant
from mailer.commands.texts.sentences import looks_back
from mailer.letter import Letter
from mailer.reading.quotes import Line

_OVER = (
    "The game {name} is over. Nobody else has read your words: there is no press after the end. "
    "LIST on a line of its own shows the games looking for players; {look_back} {name} tells the "
    "story of this one."
)
_CANCELLED = (
    "The game {name} will not be played. Nobody else has read your words. LIST on a line of its "
    "own shows the games looking for players."
)
_NOT_BEGUN = (
    "The game {name} has not started yet. Nobody else has read your words: there is no press "
    "before the start. You get a mail when it starts; until then you can change which powers you "
    "would like (JOIN {name} and the powers) or give back your place (LEAVE {name})."
)
_NEWS = {True: "Nobody else has read this", False: "Nobody else has read this yet"}
_MOST_LINES = 50
"""How many lines we look at: each takes long."""


def small_talk(
    lines: Sequence[Line], letter: Letter, seat: Seat | None, player: Player
) -> Wish | None:
    """Our answer to lines that are all neither orders nor commands, unless the game is being
    played."""
    game = seat.power.game if seat else _game_in(letter.subject, player)
    if game is None or game.status not in {*BEFORE_START, Game.Status.FINISHED}:
        return None
    if not all(_is_said(line.text) for line in lines[:_MOST_LINES]):
        return None
    over = game.status == Game.Status.FINISHED
    ended = _OVER if game.started_at else _CANCELLED
    look_back = looks_back(game)[0] if over else ""
    said = (ended if over else _NOT_BEGUN).format(name=game.name, look_back=look_back)
    ignored = {line.number for line in letter.ignored}
    numbers = frozenset({*ignored, *(line.number for line in lines)})
    return Wish("", "", said, numbers, _NEWS[over])


def _is_said(text: str) -> bool:
    """Whether nothing in a line looks like an order or a command."""
    return not (is_like_order(text) or command_meant(text) or usage_meant(text))


def _game_in(subject: str, player: Player) -> Game | None:
    """The game in brackets in a subject, if the player has played in it or wants to."""
    name = subject.partition("[")[2].partition("]")[0]
    game = Game.objects.filter(name__iexact=name).first() if name else None
    return game if game and took_part(game, player) else None
