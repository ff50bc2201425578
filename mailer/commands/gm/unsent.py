"""A game master's letter without a command: “Dear players,” stands above it, and nobody got it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.errors import GameError
from games.models import Game
from games.queries.board import JudgeError
from mailer.commands.calls import Call
from mailer.commands.gm.base import FEWEST_WORDS, LETTERS, names_apart, power_of
from mailer.commands.spoken_to import HELLO
from mailer.reading.patterns import any_of, says
from mailer.reading.quotes import Line

_UNSENT = (
    "What stands below “{}” reads like a letter, and nobody has got it. To send it, send it again "
    "with the line WRITE TO {} above it."
)
_UNSENT_LINE = (
    "“{}” reads like a letter, and nobody has got it. To send it, write WRITE TO {} on a line, and "
    "your text below it."
)
_ALL = "ALL"
_EVERYBODY = any_of(
    "(?:you )?all(?: of you)?",
    *("every(?:body|one)", "(?:diplomacy |fellow )?(?:players|diplomats)", "folks", "friends"),
    *("team", "guys", "gentlemen", "ladies and gentlemen"),
)
_GREETS = says(rf"\W*{HELLO}(?P<whom>[^,.:;!–—-]{{1,60}}?)\s*(?:[,.:;!–—-]+|$)(?P<behind>.*)")
_TO_ALL = says(rf"{_EVERYBODY}(?: (?:in|of) (?:this|the|our) game)?")


def unsent_letter(block: Call, stray: Sequence[Line], game: Game) -> str:
    """What to say about a letter to players among lines that are no commands; "" if there is none.

    A greeting alone is none: some things stand below it, or behind it on its line.
    """
    for line, readers, behind in _greeted(block, game):
        if any(one.number > line.number for one in stray):
            return _UNSENT.format(line.text, readers)
        if len(LETTERS.findall(behind)) > FEWEST_WORDS:
            return _UNSENT_LINE.format(line.text, readers)
    return ""


def _greeted(block: Call, game: Game) -> Iterator[tuple[Line, str, str]]:
    """The lines that greet players and are no text to send, each with whom WRITE TO names and what
    stands behind the greeting."""
    sent = {line.number for one in block.calls if one.command == "write" for line in one.lines}
    for line in block.lines:
        found = _GREETS.fullmatch(line.text) if line.number not in sent else None
        if found and (readers := _readers(found["whom"], game)):
            yield line, readers, found["behind"]


def _readers(whom: str, game: Game) -> str:
    """The powers that are greeted, by themselves or by their players' names; "" if we do not know
    all of them."""
    if _TO_ALL.fullmatch(whom):
        return _ALL
    try:
        return ", ".join(power_of(game, name) for name in names_apart(whom))
    except (GameError, JudgeError):
        return ""
