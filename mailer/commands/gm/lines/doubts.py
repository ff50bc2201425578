"""Whether a game master may not want a command carried out at once: because of a condition, a
question, a joke, a word that takes it back, or somebody else's letter. If so, we ask first."""

from __future__ import annotations

import re

from games.errors import BadInput
from games.models import Game
from games.queries.parsing.lengths import length_and_rest
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.gm import COMMANDS
from mailer.commands.gm.lines.arguments import (
    CONDITION,
    DO_NOT,
    LETTERS,
    NEEDLESS,
    NEVER_MIND,
    NOT_SO,
    SOFTLY,
    WHY,
)
from mailer.commands.gm.lines.greeted import greetings_in
from mailer.commands.gm.lines.other_game import names_another
from mailer.commands.gm.lines.second_wish import second_wish
from mailer.commands.lines.spoken_to import HELLO
from mailer.reading.patterns import any_of, one_word, says

_CLAUSES = re.compile(r"[,.;:!…–—-]+\s|…|\.{2,}|\bbut\b", re.IGNORECASE)
_BEFORE = rf"\W*(?:{any_of(SOFTLY, 'no', 'actually', 'hmm+', 'on second thoughts?')}\W+)*"
_WHEN = any_of(f"(?!once (?:more|again)){CONDITION}", *("when", "whenever", "first"))
_CONDITION = says(rf"{_BEFORE}{_WHEN}\b")
_JOKES = one_word("kidding joking")
_NOT_THAT = one_word("do yet now so that this it extend pause process resume")
_TAKES_BACK = says(
    _BEFORE
    + any_of(
        *("wait", "scrap", NEVER_MIND, "forget (?:it|that|this|about)", "nope", r"no\W*$", _JOKES),
        *(rf"{DO_NOT}(?=\W*$| {_NOT_THAT}\b)", NOT_SO),
    )
)
"""The beginning of a clause that takes back what stands before it."""
_ANYWHERE = says(
    r"\b"
    + any_of(
        *("if", "unless", "provided", "as soon as", "not yet"),
        *(_JOKES, NEVER_MIND, "forget (?:it|that|this|about it)"),
    )
    + r"\b"
)
_TO_OTHERS = says(
    rf"\W*{one_word('dear hi hello hey hallo liebe[rs]?')} (?:\w+ )?"
    + one_word(r"all everybody everyone players? gm (?:game\s*)?master folks friends")
    + r"\b"
)
_TO_US = says(rf"\W*{HELLO}team\W*")
"""Greetings to the readers of a game master's mails: players are “all” or “guys”."""
_FREE = ("extend", "pause", "resume")
"""Commands that take any words after them as a reason."""


def puts_off(text: str) -> bool:
    """Whether the words after a command say when to do it, or not to: “24h because of rain, if all
    agree”."""
    return bool(_ANYWHERE.search(text)) or any(
        _CONDITION.match(one) or _TAKES_BACK.match(one) for one in _CLAUSES.split(text)
    )


def puts_off_above(text: str) -> bool:
    """Whether a whole line says when, or whether, to do the command right above it: “Just
    kidding!”, “But only if Germany agrees”."""
    return bool(_TAKES_BACK.match(text) or ("," not in text and _CONDITION.match(text)))


def says_more(command: str, text: str) -> bool:
    """Whether the words after a command may be no reason at all, as in “pause and think about
    it”."""
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
    """Whether the game master may not want this now, judging by its line and those around it.

    A command with text to send, or with orders, is meant, whatever greeting stands above that.
    """
    if one.lines:
        return False
    bodies = (call.lines for call in block.calls if call.command not in (ORDERS, AMEND))
    read = {line.number for lines in bodies for line in lines}
    around = [line for line in block.lines if line.number not in read | {one.number}]
    below = [line for line in around if line.number > one.number]
    above = [line for line in around if line.number < one.number]
    return (
        puts_off(one.argument)
        or ("?" in one.argument and not COMMANDS[one.command].has_body)
        or bool(second_wish(one, game))
        or any(_TAKES_BACK.match(line.text) for line in below)
        # A disclaimer further down begins like this: "If you have received this mail in error".
        or any(_CONDITION.match(line.text) for line in below if line.number == one.number + 1)
        or any(_is_for_others(line.text.rstrip(), game) for line in above)
        or any(not _TO_US.fullmatch(line.text) for line, *_ in greetings_in(above, game))
    )


def _is_for_others(text: str, game: Game) -> bool:
    """Whether the text below a line may be somebody else's, or for players or another game."""
    return text.endswith(":") or bool(_TO_OTHERS.match(text)) or names_another(text, game)
