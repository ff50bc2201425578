"""Whether a game master's mail may not mean what its command does at once: a condition, a joke, a
word that takes it back, somebody else's letter. They are asked first."""

from __future__ import annotations

import re

from games.errors import BadInput
from games.models import Game
from games.queries.parsing.lengths import length_and_rest
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm.base import LETTERS, NEEDLESS, WHY
from mailer.commands.gm.other_game import names_another

_CLAUSES = re.compile(r"[,.;:!…–—-]+\s|…|\.{2,}|\bbut\b", re.IGNORECASE)
_BEFORE = r"\W*(?:(?:but|and|only|just|sorry|please|pls|oh|well|ok(?:ay)?|no|actually|hmm+)\W+)*"
_CONDITION = re.compile(
    rf"{_BEFORE}(?:if|unless|once(?!\s+(?:more|again))|when(?:ever)?|as\s+soon\s+as|in\s+case"
    r"|provided|first)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    rf"{_BEFORE}(?:wait|scrap|never\s*mind|forget\s+(?:it|that|this|about)|nope|no\W*$|kidding|joking"
    r"|do\s*(?:not|n['’]?t)(?=\W*$|\s+(?:do|yet|now|so|that|this|it|extend|pause|process|resume)\b)"
    r"|not(?=\s+(?:that|this|yet|now|before|so|if)\b))",
    re.IGNORECASE,
)
"""How a clause begins that takes back what stands before it."""
_ANYWHERE = re.compile(
    r"\b(?:if|unless|provided|as\s+soon\s+as|not\s+yet|kidding|joking|never\s*mind"
    r"|forget\s+(?:it|that|this|about\s+it))\b",
    re.IGNORECASE,
)
_TO_OTHERS = re.compile(
    r"\W*(?:dear|hi|hello|hey|hallo|liebe[rs]?)\s+(?:\w+\s+)?"
    r"(?:all|every(?:body|one)|players?|gm|(?:game\s*)?master|folks|friends)\b",
    re.IGNORECASE,
)
_FREE = ("extend", "pause", "resume")
"""Commands that take any words behind them for a reason."""


def puts_off(text: str) -> bool:
    """Whether what follows a command says when to do it, or not to: “24h because of rain, if all
    agree”."""
    return bool(_ANYWHERE.search(text)) or any(
        _CONDITION.match(one) or _TAKES_BACK.match(one) for one in _CLAUSES.split(text)
    )


def says_more(command: str, text: str) -> bool:
    """Whether words behind a command may be no reason at all, as in “pause and think about it”."""
    if command not in _FREE or WHY.search(text):
        return False
    rest = NEEDLESS.sub("", text, count=1)
    if re.match(r"(?:to|until|till|regular)\b", rest, re.IGNORECASE):
        return False  # all of it is a moment, which the command reads
    try:
        rest = length_and_rest(rest)[1]
    except BadInput:
        return False  # the command says what is wrong
    return bool(LETTERS.search(NEEDLESS.sub("", rest)))


def in_doubt(one: Call, block: Call, game: Game) -> bool:
    """Whether the master may not want this now, by its line or by those around it in the mail.

    A command with a text of its own to send or to order is meant, whatever greets its readers.
    """
    if one.lines:
        return False
    bodies = (call.lines for call in block.calls if call.command not in (ORDERS, AMEND))
    read = {line.number for lines in bodies for line in lines}
    around = [line for line in block.lines if line.number not in read | {one.number}]
    below = [line for line in around if line.number > one.number]
    above = (line.text.rstrip() for line in around if line.number < one.number)
    return (
        puts_off(one.argument)
        or any(_TAKES_BACK.match(line.text) for line in below)
        # Further down, a disclaimer begins so: "If you have received this mail in error".
        or any(_CONDITION.match(line.text) for line in below if line.number == one.number + 1)
        or any(_is_for_others(text, game) for text in above)
    )


def _is_for_others(text: str, game: Game) -> bool:
    """Whether what stands below a line may be somebody else's, or for players or another game."""
    return text.endswith(":") or bool(_TO_OTHERS.match(text)) or names_another(text, game)
