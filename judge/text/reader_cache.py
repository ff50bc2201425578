"""Everything needed to read lines of one variant: names, nations, and the lines read so far.

What a line says does not depend on the position, so it is worked out once and remembered. What most
orders mean depends on the units they name and on nothing else, and is remembered with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from judge.shortcuts import LONGEST_REMEMBERED, AnswerMemory, CanonicalReader
from judge.text.languages import LONGEST_LINE as LONGEST_TRANSLATED
from judge.text.languages import Language, folded_words
from judge.text.names import Example, Gazetteer, NamedProvince, key_of
from judge.text.parse import OrderParser
from judge.text.several import part_of
from judge.text.vocabulary import (
    ARTICLES,
    CALLING_OFF,
    CONDITIONS,
    ENGLISH,
    FOREIGN_CONDITIONS,
    GREETINGS,
    HEADINGS,
    LETTERS,
    SEASONS,
    TRAINS,
    Action,
)
from judge.text.words import COAST_WORDS, Wording, is_quoted, quotes_an_order, split_line
from judge.text.written import (
    AmbiguousName,
    Part,
    Piece,
    UnknownProvince,
    UnreadableOrder,
    Written,
)
from judge.variant_rules.base import Passage
from judge.variants import Variant
from judge.wording import either

LONGEST_LINE = 2000
"""Letters of a line; a longer one is answered and not read."""
MOST_ORDERS = 100
"""Orders on a line; one with more is answered and not followed."""

_MOST_LINES = 10_000
_NO_GREETING = LETTERS.keys() | CONDITIONS | FOREIGN_CONDITIONS
_DATE = re.compile(r"\d{4}|[sfw](?:\d{1,4}(?:bc)?[mra]|\d{2}|\d{4})")
_EARLY = re.compile(r"\d{1,3}|bc")
"""Behind a season a year of antiquity; elsewhere a small number may be anything."""


@dataclass(slots=True)
class ReadPiece:
    """An order of a line. `provinces` are those of its places (board indices), None when a name is
    not clear, so that nothing can be remembered."""

    text: str
    written: Written | UnreadableOrder
    provinces: tuple[int, ...] | None = None
    for_all: Action | Literal[""] = ""
    """What all units without another order are to do, if the piece says so."""
    part: Part | None = None
    """Where it stands among the others of its line."""


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
        self.canonical = CanonicalReader(variant.board)
        self.languages = variant.languages
        self._name_words = frozenset(_words_of_names(variant)) | COAST_WORDS
        self._unsafe = frozenset(self._unsafe_words())
        self._signs = {one.title: self._signs_of(one) for one in self.languages}
        self._lines: dict[str, tuple[ReadPiece, ...]] = {}
        self.answers = AnswerMemory()

    def pieces(self, line: str) -> tuple[ReadPiece, ...]:
        """Return the orders of a line; none for an empty line or a heading."""
        pieces = self._lines.get(line)
        if pieces is None:
            pieces = self._in_any_language(line, self._in_english(line))
            if len(pieces) > MOST_ORDERS:
                pieces = (_read_piece(_too_long(line)),)
            if len(line) <= LONGEST_REMEMBERED:
                if len(self._lines) >= _MOST_LINES:
                    self.forget()
                self._lines[line] = pieces
        return pieces

    def forget(self) -> None:
        """Forget lines and answers."""
        self._lines = {}
        self.answers.forget()

    def unclear_words(self, line: str) -> frozenset[str]:
        """Return the words of a line that English may take for something else than was meant."""
        return self._unsafe.intersection(folded_words(line))

    def _in_english(self, line: str) -> tuple[ReadPiece, ...]:
        return tuple(map(_read_piece, self._read(line)))

    def _in_any_language(self, line: str, english: tuple[ReadPiece, ...]) -> tuple[ReadPiece, ...]:
        """Return the orders of a line that English does not make clear, or not alone.

        In another language it counts only if it is clear there, and the same in all of them.
        """
        clear = _are_clear(english)
        if not english or len(line) > LONGEST_TRANSLATED or is_quoted(line):
            return english
        if clear and not self.unclear_words(line):
            return english
        words = folded_words(line)
        meanings = {_meaning_of(english): english} if clear else {}
        for language in self.languages:
            if self._signs[language.title].isdisjoint(words):
                continue
            for translated in language.in_english(line, self._is_english):
                pieces = self._in_english(translated)
                if _are_clear(pieces):
                    meanings.setdefault(_meaning_of(pieces), pieces)
        if not meanings:
            return self._with_unknown_name(line, english) or english
        if len(meanings) > 1:
            return (ReadPiece(line.strip(), self._question(line, [*meanings])),)
        (pieces,) = meanings.values()
        return tuple(replace(piece, text=line.strip()) for piece in pieces)

    def _with_unknown_name(
        self, line: str, english: tuple[ReadPiece, ...]
    ) -> tuple[ReadPiece, ...]:
        """Return the refusal of a line that is in another language, but for a name that nobody
        knows; nothing for other lines. In English each of its words would be unknown."""
        if any(type(piece.written) is not UnreadableOrder for piece in english):
            return ()
        for language in self.languages:
            if self._signs[language.title].isdisjoint(folded_words(line)):
                continue
            for translated in language.in_english(line, lambda _: True):
                pieces = self._in_english(translated)
                if len(pieces) == 1 and isinstance(pieces[0].written, UnknownProvince):
                    return (replace(pieces[0], text=line.strip()),)
        return ()

    def _question(self, line: str, meanings: Sequence[_Meaning]) -> AmbiguousName:
        """Return the question to a player whose line says different things in two languages."""
        for places in zip(*(_places_of(one) for one in meanings), strict=False):
            meant = tuple(dict.fromkeys(places))
            if len(meant) > 1:
                names = tuple(self.gazetteer.provinces[index].name for index in meant)
                shorts = tuple(self.gazetteer.abbreviation(index) for index in meant)
                sentence = f"A name here could be {either(names)}; write {either(shorts)}."
                return AmbiguousName(sentence, line, names)
        return AmbiguousName("This can be read in two ways; please write it in English.", line)

    def _is_english(self, word: str) -> bool:
        """Tell whether an order in English may have the word."""
        known = word in ENGLISH or word in self._name_words or word in self.nations
        return known or word.isdecimal() or self.gazetteer.find(word) is not None

    def _signs_of(self, language: Language) -> frozenset[str]:
        """Return the words by which a line is known to be in a language: none that are English."""
        return frozenset(
            word
            for word in language.signs - ENGLISH
            if word in self._unsafe or self.gazetteer.find(word) is None
        )

    def _unsafe_words(self) -> Iterator[str]:
        """Yield the last words of phrases that English takes for something else: "Norwegia" is
        Norway in Polish, and in English the Norwegian Sea cut short."""
        for language in self.languages:
            for phrase, english in {**language.words, **language.names}.items():
                found = self.gazetteer.find(" ".join(phrase))
                meant = self.gazetteer.find(key_of(english))
                if found and (meant is None or found.provinces != meant.provinces):
                    yield phrase[-1]

    def _read(self, line: str) -> Iterator[Piece]:
        if len(line) > LONGEST_LINE:
            yield _too_long(line)
        elif is_quoted(line):
            sentence = "A line behind “>” is quoted and not read; write the order without it."
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif quotes_an_order(line):
            sentence = "An order between quotation marks is not read; write it without them."
            yield Piece(line.strip(), UnreadableOrder(sentence))
        elif not (self._is_heading(line) or self._is_greeting(line)):
            yield from self._read_parts(line)

    def _read_parts(self, line: str) -> Iterator[Piece]:
        """Yield the orders of a line; one behind "Germany:" is Germany's, and so are the next."""
        parts = self._without_greetings(list(split_line(line, self._passages)))
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
        """Return the parts of a line without politeness before and behind its orders."""
        while parts[1:] and self._is_greeting(parts[0].text):
            del parts[0]
        while parts[1:] and self._is_greeting(parts[-1].text):
            del parts[-1]
        return parts

    def _is_heading(self, line: str) -> bool:
        """Tell whether the line only says whose orders follow, for which phase."""
        key = key_of(line)
        if key in self.nations:
            return ":" in line or self.gazetteer.find(key) is None
        words = [word for word in key.split() if word not in ARTICLES]
        names = [word for word in words if word in HEADINGS or _DATE.fullmatch(word)]
        if not SEASONS.isdisjoint(names):
            names += [word for word in words if _EARLY.fullmatch(word)]
        return bool(names) and all(word in names or word in self.nations for word in words)

    def _is_greeting(self, line: str) -> bool:
        """Tell whether the line is a politeness around orders, with nothing of an order in it."""
        words = key_of(line).split()
        if not words or words[0] not in GREETINGS or any(sign in line for sign in "->–→"):
            return False
        return not any(
            word in _NO_GREETING or word.startswith(CALLING_OFF) or self.gazetteer.is_listed(word)
            for word in words
        )


def example_on(variant: Variant) -> Example:
    """Return the move that everybody knows, or on a map without it one of an army of the start."""
    board = variant.board
    if {"Paris", "Burgundy"} <= {province.name for province in board.provinces}:
        return Example()
    for power in variant.by_name.values():
        for unit in power.start_units:
            if unit.kind == "A" and (goals := board.goals["A"][unit.location.index]):
                return Example(str(unit), board.locations[min(goals)].name)
    return Example()


def _passages(passages: Iterable[Passage | None]) -> Iterator[tuple[str, str]]:
    """Yield the keys of what railways or canals may be called, each with what we print for it."""
    for one in passages:
        if one is not None:
            for name in (one.id, one.title, *one.spellings):
                yield key_of(name), one.id


def _words_of_names(variant: Variant) -> Iterator[str]:
    for province in variant.board.provinces:
        for name in (province.name, *variant.names.spellings.get(province.name, ())):
            yield from key_of(name).split()


_Meaning = tuple[tuple[object, ...], ...]
"""What the orders of a line say, apart from how they are written."""


def _are_clear(pieces: tuple[ReadPiece, ...]) -> bool:
    """Tell whether all orders of a line can be read, and every name in them is one province's.

    A bare unit is an order only alone: "A Parigi a Borgogna" is a move.
    """
    return bool(pieces) and all(
        isinstance(one.written, Written)
        and (bool(one.written.action) or len(pieces) == 1)
        and (one.provinces is not None or one.for_all or one.written.action == "waive")
        for one in pieces
    )


def _meaning_of(pieces: tuple[ReadPiece, ...]) -> _Meaning:
    return tuple(
        (one.provinces or (), one.for_all, *_said(one.written))
        for one in pieces
        if isinstance(one.written, Written)
    )


def _said(written: Written) -> tuple[object, ...]:
    coasts = tuple(place.coast for place in written.places)
    kinds = tuple(unit.kind for unit in (written.unit, written.aided) if unit)
    path = written.to.through if written.to else ()
    waters = tuple(place.provinces for place in path)
    rest = written.nation, waters, written.passage, written.only
    return written.action, coasts, kinds, written.by_convoy, *rest


def _places_of(meaning: _Meaning) -> tuple[int, ...]:
    """Return the provinces of all orders of a line, in their order."""
    return tuple(index for provinces, *_ in meaning for index in cast(tuple[int, ...], provinces))


def _too_long(line: str) -> Piece:
    return Piece(
        f"{line[:60]}...", UnreadableOrder("This line is too long; write one order on a line.")
    )


def _read_piece(piece: Piece) -> ReadPiece:
    written, part = piece.written, piece.part
    if isinstance(written, UnreadableOrder):
        return ReadPiece(piece.text, written, part=part)
    if written.unit is None:
        for_all: Action | Literal[""] = "" if written.action == "waive" else written.action
        return ReadPiece(piece.text, written, for_all=for_all, part=part)
    return ReadPiece(piece.text, written, written.clear_provinces(), part=part)


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
    """Return the reader of the variant's lines, made at its first use; an edited map shares it."""
    known = _readers.get(variant.name)
    if known is None or known.variant.by_name is not variant.by_name:
        known = _readers[variant.name] = LineReader(variant)
    return known
