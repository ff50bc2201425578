"""Words for people in mails about a game that is over, or that has not begun."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Application, Game, Player, Seat
from games.queries.seats import BEFORE_START
from mailer.commands.misspelt import command_meant, is_like_order, usage_meant
from mailer.commands.receipt import Wish
from mailer.letter import Letter
from mailer.reading.quotes import Line

_OVER = (
    "The game {name} is over. Nobody else has read your words: there is no press after the end. "
    "LIST on a line of its own shows the games that take players, HISTORY {name} tells the story "
    "of this one."
)
_NOT_BEGUN = (
    "The game {name} has not started yet. Nobody else has read your words: there is no press "
    "before the start. You get a mail when it starts; until then LEAVE {name} gives back your "
    "place."
)
_NEWS = {True: "Nobody else has read this", False: "Nobody else has read this yet"}


def small_talk(
    lines: Sequence[Line], letter: Letter, seat: Seat | None, player: Player
) -> Wish | None:
    """What to say of lines of which none is an order or a command, unless the game is on."""
    game = seat.power.game if seat else _named(letter.subject, player)
    if game is None or not all(_is_said(line.text) for line in lines):
        return None
    if game.status not in {*BEFORE_START, Game.Status.FINISHED}:
        return None
    over = game.status == Game.Status.FINISHED
    said = (_OVER if over else _NOT_BEGUN).format(name=game.name)
    ignored = {line.number for line in letter.ignored}
    numbers = frozenset({*ignored, *(line.number for line in lines)})
    return Wish("", "", said, numbers, _NEWS[over])


def _is_said(text: str) -> bool:
    """Whether nothing in a line is like an order or a command."""
    return not (is_like_order(text) or command_meant(text) or usage_meant(text))


def _named(subject: str, player: Player) -> Game | None:
    """The game in brackets in a subject, if the player has played in it or wants to."""
    name = subject.partition("[")[2].partition("]")[0]
    game = Game.objects.filter(name__iexact=name).first() if name else None
    if game is None:
        return None
    played = Seat.objects.filter(power__game=game, player=player).exists()
    applied = Application.objects.filter(game=game, player=player).exists()
    return game if played or applied else None
