"""Written lines cut into words: the first step of reading orders, in time linear in the text.

A line in plain signs (`judge.text.signs`) becomes a list of words in which "-" stands for any sign
of movement, "/nc" for any way to write a coast, and notes in brackets are gone
(`judge.text.brackets`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from judge.text.brackets import OPENING, are_doubting, without_brackets
from judge.text.folding import fold
from judge.text.idioms import IDLE_ENDS, SAYING, in_one_word
from judge.text.separators import COASTS, LONGEST_LIST, Token, goes_on, is_within, separates
from judge.text.signs import in_plain_signs, leader_end
from judge.text.vocabulary import LETTERS, VERBS

_TOKEN = re.compile(
    r"(?P<dotted>\b[nsew](?:\.[ \t]?|/)c\b\.?)"
    r"|(?P<note>//|#)"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*)"
    r"|(?P<arrow>(?:(?<![-=~])[-=~]*+)?>+|[-=]+)"
    r"|(?P<sign>[()\[\]{}/:&+<?])"
    r"|(?P<stop>[;,])",
    re.IGNORECASE,
)
_NOTED = re.compile(r"[^\W_]+|\?")
_QUOTATION_MARK = re.compile(r"[\"“”„]")
_UNIT_LETTER = re.compile(r"\s*(?:a|f|army|fleet)\b", re.IGNORECASE)
_NEXT_UNIT = re.compile(
    r"\s*(?P<told>(?:[Bb]uild|[Dd]isband|[Rr]emove|[BD])\s+)?(?:[AF]|[Aa]rmy|[Ff]leet)\s+\w"
)
_COUNTED = {"one": "1", "two": "2", "three": "3", "four": "4"}


@dataclass(frozen=True, slots=True)
class Wording:
    """A piece of a line that stands by itself: its words, and where each was written."""

    text: str
    words: tuple[str, ...]
    """Folded (see `judge.text.folding`)."""
    spans: tuple[tuple[int, int], ...]
    """Where each word stands in `text`."""
    separator: str = ""
    """The sign that separates it from the piece before: ";", "," or "/"; "" for the first."""

    def written(self, first: int, last: int) -> str:
        """Return the words from `first` up to, not including, `last` as they were written."""
        if first >= last:
            return ""
        start, end = self.spans[first][0], self.spans[last - 1][1]
        said, follows = self.text[start:end], self.text[end : end + 1]
        opened = said.count(OPENING[follows]) if follows in OPENING else 0
        return said + follows if opened > said.count(follows) else said


def split_line(
    line: str, passages: Container[str] = (), is_name: Callable[[str], bool] = lambda _: False
) -> Iterator[Wording]:
    """Yield the pieces of a line between ";", "," and "/", leaving out empty ones.

    `passages` are the names of railways and trains on its map: in brackets they are not a note; nor
    is what `is_name` knows after "//", the name of a province.
    """
    text = in_plain_signs(line)
    found = list(_tokens(text, leader_end(text), is_name))
    tokens = list(without_brackets(found, passages))
    piece: list[Token] = []
    separator = ""
    for at, token in enumerate(tokens):
        if not separates(tokens, at):
            piece.append(token)
        elif token[0] == "," and is_within(piece, tokens[at + 1 : at + 1 + LONGEST_LIST]):
            piece.append(("+", *token[1:]))
        elif piece and not goes_on(tokens[at + 1 : at + 3]):
            yield _wording(text, piece, separator)
            piece, separator = [], token[0]
    if piece:
        yield _wording(text, piece, separator)


def is_quoted(line: str) -> bool:
    """Tell whether the line is marked as quoted from another mail."""
    return line.lstrip().startswith(">")


def quotes_an_order(line: str) -> bool:
    """Tell whether the line is a sentence about an order: `You wrote "A Par - Bur"`.

    A part of such a sentence is one as well, if a mail program broke it off and left half a pair of
    quotes.
    """
    marks = [match.start() for match in _QUOTATION_MARK.finditer(line)]
    if len(marks) % 2:
        return True
    first_word = re.search(r"\w", line)
    return any(
        first_word and first_word.start() < mark and _UNIT_LETTER.match(line, mark + 1)
        for mark in marks[::2]
    )


def _wording(text: str, piece: list[Token], separator: str) -> Wording:
    start, end = piece[0][1], piece[-1][2]
    end += text[end : end + 1] in OPENING
    words = tuple(word for word, _, _ in piece)
    if not SAYING.isdisjoint(words) or words[-1] in IDLE_ENDS:
        piece = in_one_word(piece)
        words = tuple(word for word, _, _ in piece)
    if not _COUNTED.keys().isdisjoint(words):
        words = tuple(
            _COUNTED.get(word, word) if _counts(words, at) else word
            for at, word in enumerate(words)
        )
    if "x" in words:
        words = tuple("-" if _is_arrow(words, at) else word for at, word in enumerate(words))
    spans = tuple((first - start, last - start) for _, first, last in piece)
    return Wording(text[start:end], words, spans, separator)


def _counts(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a word says how many units come: "two fleets", "one army", "two units"."""
    following = words[at + 1 : at + 2]
    if not following:
        return False
    return following[0] == "units" or (len(following[0]) > 1 and following[0] in LETTERS)


def _is_order(noted: list[str], text: str) -> bool:
    """Tell whether another order stands after "//", between which some write all of theirs, or a
    hold, which their unit might do as well: no note is like that."""
    if len(noted) == 1:
        return VERBS.get(noted[0]) == "hold"
    if not (unit := _NEXT_UNIT.match(text)):
        return False
    return bool(unit["told"]) or "-" in text or not VERBS.keys().isdisjoint(noted[2:])


def _is_arrow(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a word is the x that some write between two places: "A Bul x Rum"."""
    between = words[at - 1 : at] + words[at + 1 : at + 2]
    return words[at] == "x" and len(between) == 2 and all(len(word) > 1 for word in between)


def _tokens(text: str, start: int, is_name: Callable[[str], bool]) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start):
        kind, (first, last) = match.lastgroup, match.span()
        if kind == "note":
            noted = [fold(word) for word in _NOTED.findall(text, last)]
            is_told = _is_order(noted, text[last:]) or is_name(" ".join(noted))
            if match[0] == "//" and first > start and is_told:
                yield ";", first, last
                continue
            if not are_doubting(noted):
                return
            continue
        if kind == "word":
            word = fold(match[0].removesuffix("'s").removesuffix("'S"))
            yield COASTS.get(word, word), first, last
        elif kind == "dotted":
            yield f"/{match[0][0].lower()}c", first, last
        else:
            yield ("-" if kind == "arrow" else match[0]), first, last
