"""Lines of a reply about one game that are for another, below “GM somme”."""

from __future__ import annotations

import re

from games.models import Game
from mailer.commands.gm import WORDS

AROUND = "[](){}:,."
"""Signs that may stand around the name of a game."""
AGAIN = re.compile(r"gm[\s:,]+(?=\w)", re.IGNORECASE)
_OTHER_GAME = re.compile(r"gm[\s:,]+(?:game\s+)?(?P<name>[\w-]+)\W*", re.IGNORECASE)


def names_another(text: str, game: Game) -> bool:
    """Whether a line is GM and the name of another game, so that the lines below are not for this
    one."""
    found = _OTHER_GAME.fullmatch(text.strip())
    return found is not None and found["name"].lower() not in (*WORDS, game.name.lower())


def for_another(text: str) -> str:
    """What to do about a line like GM somme STATUS in a mail about another game, otherwise ""."""
    if found := _OTHER_GAME.fullmatch(text.strip()):
        return f". Nothing was done for {found['name']}: reply to a mail about it, or write us one."
    match = AGAIN.match(text)
    name, *words = text[match.end() :].split(maxsplit=2) if match else [""]
    if not words or words[0].lower().strip(":!.,") not in WORDS:
        return ""
    return f". For {name.strip(AROUND)}, reply to a mail about it, or write us a new mail."
