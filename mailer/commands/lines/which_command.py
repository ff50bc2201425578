"""Which command a line is, however people write it: as two words, joined to another one, with a
slip of the pen, as a question, or with a kind word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from games.queries.reports.wording import nearest
from mailer.commands.calls import HELP, QuestionMark, Takes, Word
from mailer.commands.lines.spellings import as_one_word
from mailer.reading.speech import GOES_ON_AS_SENTENCE

SHORTEST_MISSPELT = 4
"""How many letters a word must have before we take it for a misspelt command."""

# It begins with the first sign of a run, so we do not look for it after the others.
KIND_END = re.compile(
    r"(?<![\s,.!;–\u2600-\u2793\u2b50-\u2b55\U0001f000-\U0001faff-])(?<![:;][()D])(?<![:;]-[()D])"
    r"(?:(?:^|(?<=[\s,.!;–-]))(?:please|pls|plz|thx|cheers|bitte|danke|merci|many\s+thanks"
    r"|thank(?:s?|\s+you)(?:\s+(?:a\s+lot|(?:so|very)\s+much|in\s+advance|again))?)\b"
    r"|[:;]-?[()D]|[\u2600-\u2793\u2b50-\u2b55\U0001f000-\U0001faff]|[\s,.!;–-])+$",
    re.IGNORECASE,
)
SAID_ALONE = ("confirm", "refuse")
"""Writers of "Ok, thanks" may only mean that they have read a mail."""
LONGEST_LINE = 200
LONGEST_ARGUMENT = 1000
"""How many characters may follow a command: none needs more, and patterns take long on more."""
_FIRST_WORD = re.compile(r"([^\W\d_]+)\s*[:.!,]*\s*(.*)", re.DOTALL)
# `STATUS?`, `STATUS? marne`, `STATUS marne?`; a longer sentence is not such a question.
_QUESTION = re.compile(r"([^\W\d_]+)(?:\s*\?+\s*|\s+)([\w-]*)[\s.!?]*")
# The game's name as a heading asks for nothing: "Game verdun:", "Game: marne", "Game 2: marne".
_HEADS_GAME = re.compile(r"game\s*(?:\d{1,2}\s*)?:\s*[\w-]+\W*|game\s+[\w-]+\s*:\s*", re.IGNORECASE)
# Words of these commands begin sentences, too: "History will judge us!", "Help is on the way".
_NOUNS = ("help", "history", "list", "log", "map", "orders", "pause", "rules", "status", "table")
# "Order one should have read A Par - Bur".
_NUMBER = re.compile(r"^(?:one|two|three|four|five|six|\d{1,2})\s+", re.IGNORECASE)
# But a question for help is for us when it opens a question: "HELP can I convoy an army?".
_ASKED = re.compile(r"\w+\s+(?:i|we|you|it)\b.*|.*\?\W*", re.IGNORECASE)
_BEFORE_NAME = re.compile(
    r"^(?:(?:from|of|for|in|about)\s+)?(?:(?:the|this|my|our)\s+game\b\s*|game\s+(?=\w))?",
    re.IGNORECASE,
)


def command_of(text: str, words: Mapping[str, Word]) -> str | None:
    """The name of the command on a line; None for any other line."""
    word, _ = command_in(text, words)
    return word.command if word else None


def command_in(text: str, words: Mapping[str, Word]) -> tuple[Word | None, str]:
    """The command word of a line and the text after it; None and "" for a line without a
    command."""
    line = as_one_word(text)
    return _question(line, words) or _statement(line, words)


def _question(line: str, words: Mapping[str, Word]) -> tuple[Word | None, str] | None:
    """What a command's word with a question mark asks for; None for any other line."""
    is_short = "?" in line and len(line) < LONGEST_LINE
    match = _QUESTION.fullmatch(line) if is_short else None
    word = words.get(match[1].lower()) if match else None
    if match is None or word is None or word.asked is QuestionMark.ITSELF:
        return None
    meant = _statement(f"{match[1]} {match[2]}", words)
    if word.asked is QuestionMark.SHOWN:
        return meant
    if match[2] and (word.has_body or meant[0] is None):
        return None
    return words[HELP], match[1].lower()


def _statement(line: str, words: Mapping[str, Word]) -> tuple[Word | None, str]:
    if _HEADS_GAME.fullmatch(line):
        return None, ""
    match = _FIRST_WORD.fullmatch(line)
    word = words.get(match.group(1).lower()) if match else None
    if match is None or word is None:
        return None, ""
    argument = match.group(2).strip()
    if not word.prose:
        argument = " ".join(argument.split())
        if len(argument) > LONGEST_ARGUMENT:
            return None, ""
        if word.command not in SAID_ALONE:
            argument = without_kind_end(argument)
    asked = word.command == "help" and _ASKED.fullmatch(argument)
    said = _NUMBER.sub("", argument)
    if word.command in _NOUNS and GOES_ON_AS_SENTENCE.match(said) and not asked:
        return None, ""
    if word.names_game:
        argument = _BEFORE_NAME.sub("", argument)
    if argument and word.takes is Takes.NOTHING:
        return None, ""
    if word.argument and not word.argument.fullmatch(argument):
        return None, ""
    return word, argument


def begins_sentence(text: str) -> bool:
    """Whether a command's word only begins a sentence: "History will judge us!"."""
    match = _FIRST_WORD.fullmatch(text)
    return match is not None and GOES_ON_AS_SENTENCE.match(match[2]) is not None


def word_of(text: str) -> str:
    """The first word of a command's line, in lower case."""
    match = _FIRST_WORD.fullmatch(as_one_word(text))
    return match.group(1).lower() if match else ""


def without_kind_end(text: str) -> str:
    """The text after a command, without kind words and smileys at its end."""
    kind = KIND_END.search(text)
    return text[: kind.start()] if kind and kind[0].strip(" ,.!;–-") else text


def nearest_command(word: str, commands: Iterable[str]) -> str:
    """The only one of the words that is close to this one; "" if there is no such word.

    Few people get the first letter wrong: "resend" does not mean PRESENT.
    """
    near = nearest(word, commands) or ""
    if near[:1] != word[:1].lower():
        return ""
    return near if len(word) > SHORTEST_MISSPELT or _is_one_slip(word.lower(), near) else ""


def _is_one_slip(word: str, right: str) -> bool:
    """Whether one letter is wrong, missing or extra, or two are swapped: even a name, such as Dora,
    can look like a command, such as DRAW."""
    if len(word) == len(right):
        wrong = [at for at in range(len(word)) if word[at] != right[at]]
        return len(wrong) < 2 or sorted(word[wrong[0] : wrong[-1] + 1]) == sorted(
            right[wrong[0] : wrong[-1] + 1]
        )
    short, long = sorted((word, right), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
