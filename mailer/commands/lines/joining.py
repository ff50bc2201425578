"""Puts together lines that a mail program broke: an order, or a list after a command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from games.queries.board import reads_as_order
from games.queries.parsing.lengths import split_length
from games.settings.presets import PRESETS
from mailer.commands.calls import CREATE, EXTEND, Word
from mailer.commands.lines.press_heading import NAMES_GO_ON
from mailer.commands.lines.splitting import MOST_BROKEN
from mailer.commands.lines.which_command import LONGEST_LINE, command_in
from mailer.reading import phrases
from mailer.reading.quotes import Line

_AFTER_CREATE = {*PRESETS, "private", "gm"}
# A line that ends like this goes on in the next one, because mail programs break lines at 72
# columns. A comma may end an order, but never a list of powers; several dashes in a row are an
# ornament.
_ORDER_GOES_ON = re.compile(
    r".*(?:(?<![-–—])[-–—]|->|→|\b(?:to|by|via|s|c|supports?|(?<!via\s)(?<!by\s)convoys?))\s*",
    re.IGNORECASE,
)
# A route may follow in the next line, but no unit with something to do, however it is misspelt.
_ENDS_BY_WAY = re.compile(r".*\b(?:via|by)\s*", re.IGNORECASE)
_ORDERS_UNIT = re.compile(
    r"(?:a|f|army|fleet)\b\.?\s+\S.*?(?:[-–—→]|\b(?:holds?|h|supports?|s|convoys?|c|to)\b)",
    re.IGNORECASE,
)
# A line that begins like this goes on from the unit in the line above.
_GOES_ON_FROM_UNIT = re.compile(
    r"(?:[-–—]+>?|=>|→|(?:holds?|supports?|convoys?|moves?\s+to|to|via|s|c|h)\b)\s*.*",
    re.IGNORECASE,
)
_COAST_ALONE = re.compile(
    r"\W*(?:(?:north|south|east|west)(?:ern)?\s+coast|[nsew]c)\W*", re.IGNORECASE
)
_LIST_GOES_ON = re.compile(r".*(?:[;,(\[]|\b(?:or|and))\s*", re.IGNORECASE)


def join_broken_lines(lines: Sequence[Line], words: Mapping[str, Word]) -> Iterator[Line]:
    """The lines, with those that a mail program broke put together again.

    A line that is an order or a command by itself stays one, whatever the line above looks like. We
    look closely at no more than MOST_BROKEN lines of one mail.
    """
    whole: Line | None = None
    last = tried = 0
    for line in lines:
        follows = line.number == last + 1 and tried < MOST_BROKEN
        may_belong = bool(whole and follows and _may_belong(whole.text, line.text, words))
        tried += may_belong
        if whole and may_belong and _belongs_to(whole.text, line.text, words):
            whole = Line(whole.number, f"{whole.text} {line.text}")
        else:
            if whole:
                yield whole
            whole = line
        last = line.number
    if whole:
        yield whole


def _may_belong(above: str, text: str, words: Mapping[str, Word]) -> bool:
    """Whether a line may go on from the one above it, which ends or begins in the middle."""
    if _goes_on(above, words) or _adds(above, text, words):
        return True
    if _COAST_ALONE.fullmatch(text):
        return True
    begins = len(above) + len(text) < LONGEST_LINE and _GOES_ON_FROM_UNIT.fullmatch(text)
    return bool(begins) and _goes_on_so(above)


def _belongs_to(above: str, text: str, words: Mapping[str, Word]) -> bool:
    """Whether a line that may go on from the one above really does."""
    if _adds(above, text, words):
        return True
    # Reading it as an order comes last: a line that is no order is read on every map.
    if (_ENDS_BY_WAY.fullmatch(above) and _ORDERS_UNIT.match(text)) or _stands_alone(text, words):
        return False
    return _goes_on(above, words) or reads_as_order(f"{above} {text}")


def _adds(above: str, text: str, words: Mapping[str, Word]) -> bool:
    """Whether PRIVATE, GM or a pace stands below CREATE, or “and Italy” below PRESS TO ALL BUT
    Germany: no game must become public, and nobody read what is not for them, because a new line
    began."""
    word, argument = command_in(above, words)
    if word is None:
        return False
    if word.command in ("press", "write"):
        return bool(argument and NAMES_GO_ON.fullmatch(text))
    said = set(re.findall(r"\w+", text.lower()))
    return word.command == CREATE and bool(said) and said <= _AFTER_CREATE


def _goes_on_so(above: str) -> bool:
    """Whether a line is a unit, or helps one, without saying where that goes."""
    return bool(phrases.ENDS_WITH_UNIT.fullmatch(above))


def _stands_alone(text: str, words: Mapping[str, Word]) -> bool:
    return command_in(text, words)[0] is not None or reads_as_order(text)


def _goes_on(text: str, words: Mapping[str, Word]) -> bool:
    if len(text) >= LONGEST_LINE:
        return False
    word, argument = command_in(text, words)
    if word is not None and word.command == EXTEND and _is_only_length(argument):
        return True  # its reason follows
    is_list = word is not None and bool(argument)
    return bool((_LIST_GOES_ON if is_list else _ORDER_GOES_ON).fullmatch(text))


def _is_only_length(text: str) -> bool:
    length, rest = split_length(text)
    return bool(length) and re.search(r"\w", rest) is None
