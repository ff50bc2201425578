"""Everything needed to read lines of one variant: names, nations, and the lines read so far.

What a line says does not depend on the position, so it is worked out once and remembered. What most
orders mean depends on the units they name and on nothing else, and is remembered with the line.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, NamedTuple

from judge.answers import Answer
from judge.board import Board
from judge.canon import CanonicalReader
from judge.names import Gazetteer, NamedProvince, key_of
from judge.notation import OrderParser
from judge.rulebook import Rulebook
from judge.units import Unit
from judge.variants import Variant
from judge.vocabulary import ARTICLES, GREETINGS, HEADINGS, LETTERS, Action
from judge.words import is_quoted, quotes_an_order, split_line
from judge.written import Piece, UnreadableOrder, Written

LONGEST_LINE = 2000
"""Letters of a line; a longer one is answered and not read."""

_LONGEST_REMEMBERED = 120
_MOST_LINES = 10_000
_MOST_ANSWERS = 64
"""Answers remembered of one order, which has a few for each power that may own the units."""
_MOST_RULEBOOKS = 64
_DATE = re.compile(r"\d{4}|[sfw]\d{1,4}[mra]")


class Remembered(NamedTuple):
    """An answer, whether it hangs on nothing but the units at the sites, and these units."""

    answer: Answer
    local: bool
    units: tuple[Unit | None, Unit | None]


@dataclass(slots=True)
class ReadPiece:
    """An order of a line, with the answers given to it so far.

    `provinces` are those of its places (board indices) and `sites` those of the ordered and the
    aided unit, the first again where no other unit is named. Both are None when a name is not
    clear, so that nothing can be remembered.
    """

    text: str
    written: Written | UnreadableOrder
    provinces: tuple[int, ...] | None = None
    sites: tuple[int, int] | None = None
    for_all: Action | Literal[""] = ""
    """What all units without another order shall do, if the piece says so."""
    answers: dict[Hashable, Remembered] = field(default_factory=dict)
    """Per rulebook, power, and units standing at the sites (by identity): the answer."""

    def remember(self, key: Hashable, known: Remembered) -> None:
        """Keep an answer; the units are kept with it, so that no others have their identities."""
        if len(self.answers) >= _MOST_ANSWERS:
            self.answers.clear()
        self.answers[key] = known


class Lexicon:
    """Reads the lines of one variant without a position."""

    def __init__(self, variant: Variant) -> None:
        provinces = (NamedProvince(p.id, p.name, p.coasts) for p in variant.board.provinces)
        self.variant = variant
        self.gazetteer = Gazetteer(provinces, variant.names)
        self.nations = dict(_nations(variant))
        self.parser = OrderParser(self.gazetteer, self.nations)
        self.canonical = CanonicalReader(self.gazetteer)
        self._lines: dict[str, tuple[ReadPiece, ...]] = {}
        self._rulebooks: dict[Rulebook, int] = {}
        # Never used twice, so that threads and a cleared memory cannot mix up two rulebooks.
        self._numbers = count()
        self._last: tuple[Rulebook | None, int] = (None, 0)

    def pieces(self, line: str) -> tuple[ReadPiece, ...]:
        """Return the orders of a line; none for an empty line or a heading."""
        pieces = self._lines.get(line)
        if pieces is None:
            canonical = self.canonical.read(line)
            found = self._read(line) if canonical is None else [Piece(line, canonical)]
            pieces = tuple([_read_piece(piece) for piece in found])
            if len(line) <= _LONGEST_REMEMBERED:
                if len(self._lines) >= _MOST_LINES:
                    self._lines.clear()
                self._lines[line] = pieces
        return pieces

    def memory_of(self, board: Board, rules: Rulebook) -> int | None:
        """Return the number under which answers are remembered, None on an edited map."""
        if board is not self.variant.board:
            return None
        known, number = self._last
        if known is not rules:
            if len(self._rulebooks) >= _MOST_RULEBOOKS:
                self._rulebooks.clear()
                self._lines.clear()
            number = self._rulebooks.setdefault(rules, next(self._numbers))
            self._last = (rules, number)
        return number

    def _read(self, line: str) -> Iterator[Piece]:
        if len(line) > LONGEST_LINE:
            yield Piece(
                f"{line[:60]}...",
                UnreadableOrder("This line is too long; write one order on a line."),
            )
        elif is_quoted(line):
            sentence = "A line behind “>” is quoted and not read; write the order without it."
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif quotes_an_order(line):
            sentence = "An order between quotation marks is not read; write it without them."
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif not (self._is_heading(line) or self._is_greeting(line)):
            wordings = split_line(line)
            pieces = [piece for wording in wordings for piece in self.parser.pieces(wording)]
            yield from [Piece(line.strip(), pieces[0].written)] if len(pieces) == 1 else pieces

    def _is_heading(self, line: str) -> bool:
        """Tell whether the line only says whose orders follow, for which phase."""
        key = key_of(line)
        if key in self.nations:
            return ":" in line or self.gazetteer.find(key) is None
        words = [word for word in key.split() if word not in ARTICLES]
        names = [word for word in words if word in HEADINGS or _DATE.fullmatch(word)]
        return bool(names) and all(word in names or word in self.nations for word in words)

    def _is_greeting(self, line: str) -> bool:
        """Tell whether the line is a politeness around orders, with nothing of an order in it."""
        words = key_of(line).split()
        if not words or words[0] not in GREETINGS or any(sign in line for sign in "->–→"):
            return False
        return not any(word in LETTERS or self.gazetteer.is_listed(word) for word in words)


def _read_piece(piece: Piece) -> ReadPiece:
    written = piece.written
    if isinstance(written, UnreadableOrder):
        return ReadPiece(piece.text, written)
    if written.unit is None:
        for_all: Action | Literal[""] = "" if written.action == "waive" else written.action
        return ReadPiece(piece.text, written, for_all=for_all)
    provinces = written.clear_provinces()
    if provinces is None:
        return ReadPiece(piece.text, written)
    sites = (provinces[0], provinces[1 if written.aided else 0])
    return ReadPiece(piece.text, written, provinces, sites)


def _nations(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield words for powers: names and adjectives cut short ("Turk. A Alb"), then in full."""
    words = [(key_of(power.adjective), power.name) for power in variant.by_name.values()]
    words += [(key_of(name), name) for name in variant.powers]
    short = [(word[:end], name) for word, name in words for end in range(3, len(word))]
    meant: dict[str, set[str]] = {}
    for word, name in short:
        meant.setdefault(word, set()).add(name)
    yield from ((word, name) for word, name in short if len(meant[word]) == 1)
    yield from words


_lexicons: dict[str, Lexicon] = {}


def lexicon_of(variant: Variant) -> Lexicon:
    """Return the lexicon of the variant, made at its first use; an edited map shares it."""
    known = _lexicons.get(variant.name)
    if known is None or known.variant.by_name is not variant.by_name:
        known = _lexicons[variant.name] = Lexicon(variant)
    return known
