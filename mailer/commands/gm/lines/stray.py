"""Answers the lines of a game master's mail that are not commands.

Below “Dear players,” they are a letter that reached nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from games.models import Game
from games.queries.board import reads_as_order
from mailer.commands.calls import Call
from mailer.commands.gm import COMMANDS
from mailer.commands.gm.lines.arguments import FEWEST_WORDS, LETTERS
from mailer.commands.gm.lines.elsewhere import instead_of
from mailer.commands.gm.lines.greeted import greetings_in
from mailer.commands.gm.lines.offers import offer_for
from mailer.commands.gm.lines.other_game import for_another
from mailer.commands.receipt import NOT_UNDERSTOOD, Receipt
from mailer.reading.quotes import Line

_STRAY = "Nothing was done about these lines. HELP shows what a game master can write."
_FOR_PLAYERS = (
    "Here you are the game master. If you play, too, order in a reply to a mail that you got as a "
    "player."
)
_SHOWN = 5
_UNSENT = (
    "What stands below “{}” reads like a letter, and nobody has got it. To send it, send it again "
    "with the line WRITE TO {} above it."
)
_UNSENT_LINE = (
    "“{}” reads like a letter, and nobody has got it. To send it, write WRITE TO {} on a line, and "
    "your text below it."
)


def stray_lines(block: Call, game: Game) -> list[Receipt]:
    """The answer to lines that are not commands; empty if there are none."""
    lines = [line for one in block.calls if one.command not in COMMANDS for line in one.lines]
    letter, below = _unsent_letter(block, lines, game)
    stray = [one.text for one in lines if one.number <= below or _may_be_for_us(one.text, game)]
    shown = [f"- You wrote “{text}”{_instead(text, game)}" for text in stray[:_SHOWN]]
    orders = ["", _FOR_PLAYERS] if any(map(reads_as_order, stray)) else []
    said = [letter] if letter else []
    said += ["", _STRAY, "", *shown, *orders] if stray else []
    text = "\n".join(said).strip()
    return [Receipt(NOT_UNDERSTOOD, text, done=False)] if text else []


def _may_be_for_us(text: str, game: Game) -> bool:
    """Whether a line of a letter may ask us to do something, or order it."""
    first = text.split()[0]
    shouted = first.isupper() and len(first) > 1
    return shouted or bool(offer_for(text, game)) or reads_as_order(text)


def _instead(text: str, game: Game) -> str:
    return for_another(text) or offer_for(text, game) or instead_of(text)


def _unsent_letter(block: Call, stray: Sequence[Line], game: Game) -> tuple[str, float]:
    """What to say about a letter to players among lines that are no commands, and the number of the
    line below which it stands; "" and no such number for any others.

    There has to be some text below its greeting, or after it on the line.
    """
    for line, readers, after in greetings_in(_not_sent(block), game):
        if any(one.number > line.number for one in stray):
            return _UNSENT.format(line.text, readers), line.number
        if len(LETTERS.findall(after)) > FEWEST_WORDS:
            return _UNSENT_LINE.format(line.text, readers), line.number
    return "", math.inf


def _not_sent(block: Call) -> Iterator[Line]:
    """The lines that do not belong to a text to send."""
    sent = {line.number for one in block.calls if one.command == "write" for line in one.lines}
    return (line for line in block.lines if line.number not in sent)
