"""Lines that are neither orders nor commands, and the commands they may be meant for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.queries.board import reads_as_order
from games.queries.reports.wording import nearest
from mailer.commands import player
from mailer.commands.advice.fitting import advised_command
from mailer.commands.calls import STOP
from mailer.commands.lines.which_command import (
    SHORTEST_MISSPELT,
    begins_sentence,
    command_of,
    nearest_command,
)
from mailer.commands.receipt import Wish
from mailer.commands.texts.sentences import NO_CONDITION
from mailer.commands.yes_and_no import ANY_NO, ANY_YES
from mailer.reading.kinds_of_line import asks, looks_like_order
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

FEWEST_SPOKEN = 4
"""The fewest words of a line to people; a shorter one is more likely a failed order."""
_LONGEST_ORDER = 12
"""How many words at the beginning of a longer line may be an order."""
MOST_LINES = 4
"""A mail with more lines may have orders in a form that we do not know, so we show how to write
them."""
MOST_QUOTED = 40
TALK = "this reads like something said to people, not like an order, so we did nothing about it."
NOT_UNDERSTOOD = "NOT understood: "
NO_ANSWER = "this reads like a question, but we have no answer to it."
ASKED = (
    "this is a question, so it orders nothing. To order it, write only “{}”; to try it out, put "
    "it below a line WHATIF."
)
IF_ORDERS = "If there are orders in it, write each on a line of its own, with nothing else."
_MAY_ORDER = says(
    r"\b(?:army|fleet|orders?:|builds?|disbands?|retreats?|convoys?)(?!\w)",
    r"\b[^\W\d_]{3}-[^\W\d_]{3}\b",
)
"""A sign of prose that may order something: "London fleet to the North Sea"."""
_MOST_ASKED = 100
_BEFORE_ASKED = says(
    r"\W*(?:(?:and|or|but|so|then|please|also|maybe|perhaps|hi|hello|what (?:about|if)"
    "|how about|(?:can|could|would|will|may|might|should|shall|must|do|does|did|is|are)"
    "(?: (?:you|i|we|it))?|(?:be )?(?:a )?(?:possible|legal|allowed|ok(?:ay)?|better"
    r"|good idea) (?:for|to|if)|let|have|order|move|send|put|if|you|i|we)\b[\s,]+)*",
)
_AFTER_ASKED = says(
    r"[\s,]+(?:(?:be|a|an|is|that|legal|valid|possible|allowed|ok(?:ay)?|works?|fine|good"
    r"|better|idea|move|right|correct|please|instead|for me|thanks)\b[\s,]*)+$",
)
_OF_PLAY = says(
    r"\W*(?:(?:and|but) )?(?:what|why|who|when|where|how|which"
    r"|(?:can|may|should|must|do|am)?\s*i)\b",
    r"\W*(?:\w+ ){0,3}questions?\s*[:–-]",
)
"""The beginning of a question for us, about how to play."""
_TO_SOMEBODY = re.compile(r"\b(?:you|your|we|us|our)\b", re.IGNORECASE)
"""A sign that a question is for others, not about how to play."""
POLITE = says(
    r"\W*(?:(?:please|pls|kindly|(?:can|could|would|will) you|can i|may i"
    r"|i (?:want|wish|need) to|i(?: would|['’]d) like to)[\s,]+)+(?P<said>\S.*?)"
    r"(?:(?<![\s,.])[\s,.]++(?:please|thanks|thank you|for me))*(?<![\s.!?])[\s.!?]*",
)
_UNNAMED_UNIT = says(
    r"\W*(?:(?:please|and|then|so|now|ok(?:ay)?)\W+)*(?:(?:move|send|order) )?(?:(?:the|my)"
    " )?(?:army|fleet) (?:please )?(?:goes|go"
    r"|moves?|sails?|heads?|holds?|stays?|supports?|convoys?|retreats?|to|into|towards)\b",
)
"""The beginning of an order that does not say where its unit stands: "The fleet goes to Spain"."""
_SHORTHAND = re.compile(
    r"\W*(?:[A-Z][A-Za-z]{0,2}\s+){0,3}[A-Z][A-Za-z]{0,2}-[A-Z][A-Za-z]{0,2}(?![\w-])"
)
"""A line that begins with a move as people write it at a table: "P-B, M S P-B"."""
_LETTER = says(
    r"\W*(?:letter|message|msg|note|e?-?mail) (?:to|for)"
    r" ([^\W\d_]+(?:(?:,| and|\s*&) [^\W\d_]+){0,5})\W*",
)
_YES_OR_NO = re.compile(rf"\W*(?:{ANY_YES}|{ANY_NO})\b", re.IGNORECASE)
_CONDITION = says(r"\b(?:if|unless|provided|assuming|as soon as)\b")
HELP_SHOWS = "HELP on a line of its own shows everything you can write."
A_PERSON = "To ask a person, write MODERATOR on a line of its own, and your text below it."
_BY_ANOTHER_NAME: Mapping[str, str] = {
    **dict.fromkeys(("cancel", "undo", "delete", "reset"), "clear"),
    **dict.fromkeys(("commands", "menu"), "help"),
    **dict.fromkeys(("deadline", "state"), "status"),
}
"""Other programs' names for our commands."""
_ENGLISH = frozenset(("gave", "hear", "heres", "hers", "promise", "whats"))
"""Words that begin sentences and look much like a command."""
_OF_ONE_GAME = (
    " To stop the mails about one game, write its name after RESIGN if you play in it, or after "
    "LEAVE before it starts; if you observe it, write OBSERVE, its name and OFF."
)


def command_meant(text: str) -> str:
    """The command that a line was probably meant for, as a line; "" if it is like no command."""
    if (polite := POLITE.fullmatch(text)) and (said := _command_asked_for(polite["said"])):
        return said
    if letter := _LETTER.fullmatch(text):
        return f"PRESS TO {letter[1]}"
    first, *rest = text.split()
    said = _bare(first)
    if "?" in first and said in player.WORDS:
        return ""
    near = _BY_ANOTHER_NAME.get(said, "") if not rest else ""
    if (
        not near
        and said.endswith("s")
        and len(said) > 3
        and said not in _ENGLISH
        and _is_written(said[:-1])
    ):
        near = said[:-1]
    if not near and len(said) >= SHORTEST_MISSPELT and said not in _ENGLISH:
        near = nearest_command(said, filter(_can_be_meant, player.WORDS))
    while rest and _bare(rest[-1]) == "please":
        rest.pop()
    right = " ".join([near.upper(), *rest])
    return right if near and command_of(right, player.WORDS) else ""


def _command_asked_for(said: str) -> str:
    """The command that somebody asks for amid kind words; "" for anything else."""
    first, *rest = said.split()
    is_written = _bare(first) in player.WORDS and _is_written(_bare(first))
    right = " ".join([_bare(first).upper(), *rest]) if is_written else ""
    return right if right and command_of(right, player.WORDS) else ""


def usage_meant(text: str) -> str:
    """How to write the command whose word begins a line that is not that command; "" for other
    lines."""
    said, *rest = map(_bare, text.split())
    word = player.WORDS.get(said)
    is_prose = len(said) < 4 and said not in player.COMMANDS  # "No, I will not" is no REFUSE
    is_prose |= rest[:1] in (["is"], ["are"])  # nor is "Here are my orders" a HERE
    is_prose |= begins_sentence(text)
    if word is None or is_prose or not _is_written(said):
        return ""
    usage = player.COMMANDS[word.command].usage
    help_explains = f"(HELP {word.command.upper()} explains it)."
    if usage == word.command.upper():
        one_game = _OF_ONE_GAME if word.command == STOP and len(rest) == 1 else ""
        return f"Please write {usage} on a line of its own {help_explains}{one_game}"
    return f"The command is written: {usage} {help_explains}"


def is_like_order(text: str) -> bool:
    """Whether a line is an order, or looks like a failed one."""
    return not asks(text) and (looks_like_order(text) or reads_as_order(text))


def is_talk(text: str) -> bool:
    """Whether a line reads like something said to people, rather than an order with too much after
    it ("Paris holds where it is")."""
    words = len(text.split())
    if words < FEWEST_SPOKEN and not (words > 1 and text.endswith("?")):
        return False
    if asks(text):  # "Could you support me to Belgium?"
        return True
    if _SHORTHAND.match(text) or nearest(text.split()[0], ("army", "fleet")):
        return False
    if looks_like_order(text) or (_UNNAMED_UNIT.match(text) and not _TO_SOMEBODY.search(text)):
        return False
    headed = text.rpartition(":")[2].strip()  # "Update: Par - Bur"
    return not begins_as_order(text) and not reads_as_order(headed)


def is_question(text: str) -> bool:
    """Whether a line asks something, by its words or by its last sign."""
    return asks(text) or text.rstrip(')"”.! ').endswith("?")


def said_of_question(text: str) -> str:
    """That a question orders nothing, and how to order the move it asks about; "" for any other
    line."""
    if not is_question(text):
        return ""
    begun = _BEFORE_ASKED.sub("", text.strip(" ?!.")[:_MOST_ASKED], count=1)
    wanted = _AFTER_ASKED.sub("", begun)
    if not reads_as_order(wanted):
        return ""
    is_for_others = _TO_SOMEBODY.search(text)
    return f"{TALK} To order it, write only “{wanted}”." if is_for_others else ASKED.format(wanted)


def said_to_people(text: str) -> str:
    """Our answer to a line that is talk, "" for any other."""
    if not is_talk(text):
        return ""
    is_for_us = _OF_PLAY.match(text) and not _TO_SOMEBODY.search(text)
    return NO_ANSWER if is_question(text) and is_for_us else TALK


def begins_as_order(text: str) -> bool:
    """Whether a line is an order, or its first words are."""
    words = text.split()
    lengths = range(1, min(len(words), _LONGEST_ORDER) + 1)
    return any(reads_as_order(" ".join(words[:length])) for length in lengths)


def not_understood(lines: Sequence[Line], to_others: str) -> Wish | None:
    """The answer to a mail with only such lines, none of them like an order: what we do not
    understand, and what may be meant.

    `to_others` says how to write to the other players, "" if nobody can.
    """
    texts = [line.text for line in lines]
    if not texts or len(texts) > MOST_LINES or not all(map(_is_no_order, texts)):
        return None
    at = next((at for at, text in enumerate(texts) if command_meant(text)), 0)
    text, number = texts[at], frozenset({lines[at].number})
    news = f"{NOT_UNDERSTOOD}{_short(text)}"
    wrote = f"You wrote “{text}”"
    if not (right := command_meant(text)):
        instead = f"{wrote}{_of_no_command(text, to_others)}"
        return Wish("", "", instead, number, news)
    command = player.COMMANDS[player.WORDS[right.split()[0].lower()].command]
    what_for = f", to {command.summary}" if _bare(text) in _BY_ANOTHER_NAME else ""
    asks = f"{wrote}, which is not a command we know. Did you mean {right}{what_for}?"
    instead = f"{asks} Then please write it that way."
    if command.grave or command.has_body:
        return Wish("", "", instead, number, news)
    return Wish(right, f"{asks} Then reply with the word YES.", instead, number, news, known=asks)


def _of_no_command(text: str, to_others: str) -> str:
    if usage := usage_meant(text):
        return f": {NO_CONDITION if _CONDITION.search(text) else 'not understood.'} {usage}"
    if is_talk(text):
        said = said_of_question(text) or said_to_people(text)
        ordering = f" {IF_ORDERS}" if TALK in said and _MAY_ORDER.search(text) else ""
        others = f" {to_others}" if to_others and TALK in said else ""
        return f": {said}{ordering}{others} {HELP_SHOWS} {A_PERSON}"
    return f", which is neither an order nor a command we know. {HELP_SHOWS}"


def _is_no_order(text: str) -> bool:
    """Whether a line cannot be a failed order: it is a single word that names no place, a command,
    or talk."""
    if is_like_order(text):
        return False
    alone = len(text.split()) == 1 and not reads_as_order(f"{text.strip('.,:;!?')} H")
    said = alone or is_talk(text) or usage_meant(text) or command_meant(text)
    return bool(said or advised_command(text) or _YES_OR_NO.match(text))


def _bare(word: str) -> str:
    return word.strip(".,:;!?").lower()


def _can_be_meant(word: str) -> bool:
    return len(word) >= SHORTEST_MISSPELT and _is_written(word)


def _is_written(word: str) -> bool:
    """Whether the word begins a command that HELP shows, and not one of the older judges."""
    known = player.WORDS.get(word)
    return known is not None and player.COMMANDS[known.command].usage[0].isupper()


def _short(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"
