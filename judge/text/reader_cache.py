"""What it takes to read lines of one variant: names, nations, and the lines read so far.

What a line says does not depend on the position, so it is worked out once and remembered. What most
orders mean depends only on the units they name, and is remembered with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.canonical import CanonicalReader
from judge.once import once
from judge.shortcuts import LONGEST_REMEMBERED, AnswerMemory
from judge.text.daide import without_daide
from judge.text.foreign import ForeignReader
from judge.text.names import Example, Gazetteer, NamedProvince, key_of
from judge.text.parse import OrderParser
from judge.text.pieces import ReadPiece, part_of, read_piece
from judge.text.rephrasing import in_order_words
from judge.text.vocabulary import (
    ARTICLES,
    CALLING_OFF,
    CONDITIONS,
    FOREIGN_CONDITIONS,
    GREETINGS,
    HEADINGS,
    HEADINGS_ABROAD,
    LETTERS,
    SEASONS,
    SEASONS_ABROAD,
    TRAINS,
)
from judge.text.words import Wording, is_quoted, quotes_an_order, split_line
from judge.text.written import Piece, UnreadableOrder, Written
from judge.variant import Variant
from judge.variant_rules.base import Passage

LONGEST_LINE = 2000
"""How long a line may be, in letters; a longer one is answered, but not read."""
MOST_ORDERS = 100
"""How many orders a line may have; one with more is answered, but not followed."""

_MOST_LINES = 10_000
_NO_GREETING = LETTERS.keys() | CONDITIONS | FOREIGN_CONDITIONS
_DATE = re.compile(r"\d{4}|[sfw](?:\d{1,4}(?:bc)?[mra]|\d{2}|\d{4})")
_EARLY = re.compile(r"\d{1,3}|bc")
"""After a season this is a year of antiquity; elsewhere a small number may be anything."""


class LineReader:
    """Reads the lines of one variant without a position."""

    def __init__(self, variant: Variant) -> None:
        provinces = (NamedProvince(p.id, p.name, p.coasts) for p in variant.board.provinces)
        self.variant = variant
        railways = [rule.railway for rule in variant.own_rules]
        canals = [rule.canal for rule in variant.own_rules]
        self.gazetteer = Gazetteer(
            provinces,
            variant.names,
            dict(_passages(railways)),
            dict(_passages(canals)),
            example_on(variant),
        )
        self._passages = {*self.gazetteer.railways, *TRAINS} if self.gazetteer.railways else ()
        self.nations = dict(_nations(variant))
        self.parser = OrderParser(self.gazetteer, self.nations)
        self.foreign = ForeignReader(variant, self.gazetteer, self.nations, self._in_english)
        self._lines: dict[str, tuple[ReadPiece, ...]] = {}
        self.answers = AnswerMemory()

    @once
    def canonical(self) -> CanonicalReader:
        """What the judge itself prints, for positions on this map: a third of a megabyte, not
        needed to tell whether a line is an order."""
        return CanonicalReader(self.variant.board, by_one_fleet=bool(self.variant.own_rules))

    def pieces(self, line: str) -> tuple[ReadPiece, ...]:
        """Return the orders of a line; none for an empty line or a heading."""
        pieces = self._lines.get(line)
        if pieces is None:
            text = without_daide(line)
            pieces = self._rephrased(text) or self._in_any_language(text)
            if len(pieces) > MOST_ORDERS:
                pieces = (read_piece(_too_long(line)),)
            if len(line) <= LONGEST_REMEMBERED:
                if len(self._lines) >= _MOST_LINES:
                    self.forget()
                self._lines[line] = pieces
        return pieces

    def forget(self) -> None:
        """Forget lines and answers."""
        self._lines = {}
        self.answers.forget()

    def _rephrased(self, line: str) -> tuple[ReadPiece, ...]:
        """Return the orders of a line said in a whole sentence, each with the whole line as its
        text; none for any other line, and if what is said so cannot be read."""
        plain = in_order_words(line)
        pieces = self._in_any_language(plain) if plain != line else ()
        if not all(isinstance(one.written, Written) for one in pieces):
            return ()
        return tuple(replace(one, text=line.strip()) for one in pieces)

    def _in_any_language(self, line: str) -> tuple[ReadPiece, ...]:
        return self.foreign.pieces(line, self._in_english(line))

    def _in_english(self, line: str) -> tuple[ReadPiece, ...]:
        return tuple(map(read_piece, self._read(line)))

    def _read(self, line: str) -> Iterator[Piece]:
        if len(line) > LONGEST_LINE:
            yield _too_long(line)
        elif is_quoted(line):
            sentence = (
                "A line that begins with “>” is quoted and not read; write the order without it."
            )
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif quotes_an_order(line):
            sentence = "An order between quotation marks is not read; write it without them."
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif not (self._is_heading(line) or self._is_greeting(line)):
            yield from self._read_parts(line)

    def _read_parts(self, line: str) -> Iterator[Piece]:
        """Yield the orders of a line; an order after "Germany:" is Germany's, and so are the
        next."""
        parts = self._without_greetings(
            list(split_line(line, self._passages, self.gazetteer.is_listed))
        )
        pieces: list[Piece] = []
        nation = None
        for number, wording in enumerate(parts):
            before = parts[number - 1] if number else None
            for piece in self.parser.pieces(wording):
                written = piece.written
                if isinstance(written, Written):
                    nation = written.nation or nation
                    written = written._replace(nation=nation)
                part = part_of(wording, number, written, before)
                pieces.append(Piece(piece.text, written, part))
            if len(pieces) > MOST_ORDERS:
                break  # it is too long already: 2,000 letters may hold a thousand pieces
        yield from [Piece(line.strip(), pieces[0].written)] if len(pieces) == 1 else pieces

    def _without_greetings(self, parts: list[Wording]) -> list[Wording]:
        """Return the parts of a line, without politeness before and after its orders."""
        while parts[1:] and self._is_greeting(parts[0].text):
            del parts[0]
        while parts[1:] and self._is_greeting(parts[-1].text):
            del parts[-1]
        return parts

    def _is_heading(self, line: str) -> bool:
        """Tell whether the line only says whose orders follow, and for which phase."""
        key = key_of(line)
        if key in self.nations:
            return ":" in line or self.gazetteer.find(key) is None
        words = [word for word in key.split() if word not in ARTICLES]
        if " ".join(words) in self.nations and line.rstrip().endswith(":"):
            return True
        names = [word for word in words if word in HEADINGS or _DATE.fullmatch(word)]
        abroad = SEASONS_ABROAD.intersection(words)
        is_move = any(sign in line for sign in "->–→")
        unlike = words if is_move else abroad  # "Den - Host" moves a fleet, however misspelt
        if abroad and not any(self.gazetteer.is_listed(word) for word in unlike):
            names = [word for word in words if word in HEADINGS_ABROAD or word in names]
        if not (SEASONS | SEASONS_ABROAD).isdisjoint(names):
            names += [word for word in words if _EARLY.fullmatch(word)]
        return bool(names) and all(word in names or word in self.nations for word in words)

    def _is_greeting(self, line: str) -> bool:
        """Tell whether the line is a politeness around orders, with no order in it."""
        words = key_of(line).split()
        if not words or words[0] not in GREETINGS or any(sign in line for sign in "->–→"):
            return False
        return not any(
            word in _NO_GREETING or word.startswith(CALLING_OFF) or self.gazetteer.is_listed(word)
            for word in words
        )


def example_on(variant: Variant) -> Example:
    """Return the move that everybody knows or, on a map without it, one by an army at the start."""
    board = variant.board
    if {"Paris", "Burgundy"} <= {province.name for province in board.provinces}:
        return Example()
    for power in variant.by_name.values():
        for unit in power.start_units:
            if unit.kind == "A" and (goals := board.goals["A"][unit.location.index]):
                return Example(str(unit), board.locations[min(goals)].name)
    return Example()


def _passages(passages: Iterable[Passage | None]) -> Iterator[tuple[str, str]]:
    """Yield the keys of what railways or canals may be called, each with the name we print."""
    for one in passages:
        if one is not None:
            for name in (one.id, one.title, *one.spellings):
                yield key_of(name), one.id


def _too_long(line: str) -> Piece:
    return Piece(
        f"{line[:60]}...", UnreadableOrder("This line is too long; write one order on a line.")
    )


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


_readers: dict[str, LineReader] = {}


def line_reader_of(variant: Variant) -> LineReader:
    """Return the reader of the variant's lines, made when first used; an edited map shares it."""
    known = _readers.get(variant.name)
    if known is None or known.variant.by_name is not variant.by_name:
        known = _readers[variant.name] = LineReader(variant)
    return known
