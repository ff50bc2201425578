"""Finds the players whom a line of a game master's mail greets: “Dear players,”, “Hi Turkey -”, “Hi
Greta”."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from games.errors import GameError
from games.models import Game
from games.queries.board import JudgeError
from mailer.commands.gm.lines.arguments import names_apart, power_of
from mailer.commands.lines.spoken_to import HELLO
from mailer.reading.patterns import any_of, says
from mailer.reading.quotes import Line

_MOST_GREETED = 3
"""For how many greetings we look up the players greeted."""
_ALL = "ALL"
_EVERYBODY = any_of(
    "(?:you )?all(?: of you)?",
    *("every(?:body|one)", "(?:diplomacy |fellow )?(?:players|diplomats)", "folks", "friends"),
    *("team", "guys", "gentlemen", "ladies and gentlemen"),
)
_GREETS = says(rf"\W*{HELLO}(?P<whom>[^,.:;!–—-]{{1,60}}?)\s*(?:[,.:;!–—-]+|$)(?P<after>.*)")
_TO_ALL = says(rf"{_EVERYBODY}(?: (?:in|of) (?:this|the|our) game)?")


def greetings_in(lines: Iterable[Line], game: Game) -> Iterator[tuple[Line, str, str]]:
    """The lines that greet players, each with its readers as WRITE TO names them, and the text
    after the greeting."""
    greets = ((line, found) for line in lines if (found := _GREETS.fullmatch(line.text)))
    for line, found in islice(greets, _MOST_GREETED):
        if readers := _readers(found["whom"], game):
            yield line, readers, found["after"]


def _readers(whom: str, game: Game) -> str:
    """The powers greeted, by their own names or their players'; "" if we do not know all of
    them."""
    if _TO_ALL.fullmatch(whom):
        return _ALL
    try:
        return ", ".join(power_of(game, name) for name in names_apart(whom))
    except (GameError, JudgeError):
        return ""
