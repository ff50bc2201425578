"""The headings of a mail's HTML part: which of its paragraphs is its title, and how they are
written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mailer.outbound.paragraphs import Paragraph

_NAME = re.compile(
    r"(?<=[a-z,] )(?:[A-Z][A-Za-zÀ-ÿ]*[a-zà-ÿ]|GM)\b"
    r"|[A-Z][A-Za-zÀ-ÿ]*[a-zà-ÿ](?= \d{3,4}\b| has (?:orders|an order) for )"
)
"""Inside a sentence; where one begins, only a season before its year and a power with orders."""
_WORD = re.compile(r"\w+")
_GREETING = re.compile(r"Hello\b.*,")
_SENTENCE = re.compile(r".{20,}?(?<!\b[^\W\d_]\.)(?<!\b(?:Dr|Jr|Mr|Ms|Sr|St)\.)(?<=[.!?])(?= )")
"""The first sentence of a paragraph; after fewer characters, or after a single letter, a full stop
belongs to a name."""
_COMMANDS = re.compile(
    r"(NOT DONE: (?:ABOUT )?|ABOUT |(?=\S+ IN ))((?!ORDERS\b)\w+(?:(?:, | AND )\w+)*)((?: IN \S+)?)"
)
"""A heading that names commands: in small letters they would read like other words."""
_ON_A_PHONE = 84
"""How many characters of a small heading fill three lines there."""


def title_at(parts: Sequence[Paragraph], *, is_news: bool) -> int:
    """Return where a mail's own heading stands, above its other headings: at its news, with a
    headline or without.

    Without a headline and other headings it needs none: -1.
    """
    if not is_news and all(one.kind != "heading" for one in parts):
        return -1
    titles = (
        at
        for at, one in enumerate(parts)
        if one.kind in ("lines", "heading") and not _GREETING.fullmatch(one.lines[0])
    )
    return next(titles, -1)


def title_and_rest(line: str, *, clauses: Sequence[str] = ("; ",)) -> tuple[str, str]:
    """Return the part of a paragraph that is its mail's heading, and the rest.

    It is the first sentence, or of a long one as much as a phone shows in three lines, if one of
    the `clauses` ends there.
    """
    found = _SENTENCE.match(line)
    end = found.end() if found else len(line)
    if end > _ON_A_PHONE:
        ends = (line.rfind(mark, 0, _ON_A_PHONE) + 1 for mark in clauses)
        end = next(filter(None, ends), end)
    return line[:end], line[end:].lstrip()


def names_in(subject: str, parts: Sequence[Paragraph]) -> Mapping[str, str]:
    """Return the words with one capital letter inside a sentence, by their forms in small letters.

    Words in capitals are commands there, and plain words in a heading.
    """
    said = [line for one in parts if one.kind != "heading" for line in one.lines]
    return {word.lower(): word for line in (subject, *said) for word in _NAME.findall(line)}


def in_small_letters(heading: str, names: Mapping[str, str]) -> str:
    """Return a heading in small letters, but with commands, and names in the text, as they are
    written."""
    if found := _COMMANDS.fullmatch(heading):
        commands, game = found[2].replace(" AND ", " and "), found[3].lower()
        return f"{found[1].capitalize()}{commands}{_with_names(game, names)}"
    first, _, rest = heading.capitalize().partition(" ")
    return f"{names.get(first.lower(), first)} {_with_names(rest, names)}".strip()


def _with_names(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)
