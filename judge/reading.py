"""Reading a power's order lines in a position: every line by itself, each with its answer.

A good line is never lost by a bad one (DATC 4.E.3). What cannot be read, could mean two things or
is illegal comes back with one sentence for the player that says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from judge.meaning import Interpreter
from judge.names import Gazetteer, NamedProvince, key_of
from judge.notation import AmbiguousName, OrderParser, Piece, UnreadableOrder
from judge.orders import Order
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.selection import Line, select
from judge.variants import Variant
from judge.vocabulary import ARTICLES, HEADINGS
from judge.words import is_quoted, split_line

LONGEST_LINE = 2000
"""Letters of a line; a longer one is answered and not read."""

_REMEMBERED_LINES = 20_000
_LONGEST_REMEMBERED = 120
_DATE = re.compile(r"\d{4}|[sfw]\d{1,4}[mra]")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an order is not followed: one sentence for the player, and names that may be meant."""

    kind: Literal["unreadable", "ambiguous", "illegal"]
    sentence: str
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One order of a line: as written, as understood, and what is wrong with it.

    `line` is the index among the lines given. `order` is there whenever the text could be read, for
    an illegal order too. `counts` is False for an order that is not followed; without a problem
    that is one too many (DATC 4.D.3-4.D.6), and `note` says so.
    """

    line: int
    text: str
    order: Order | None
    problem: Problem | None = None
    note: str | None = None
    counts: bool = True


def read_orders(
    position: Position, power: str, lines: Sequence[str], rules: Rulebook = DATC
) -> tuple[Reading, ...]:
    """Read the lines that `power` wrote for this position, top to bottom.

    A line gives no reading when it is empty or a heading ("France:"), and several when it holds
    several orders. Raises KeyError for a power that is not in the variant.
    """
    vocabulary = vocabulary_of(position.variant)
    if power not in position.variant.by_name:
        raise KeyError(power)
    interpreter = Interpreter(position, power, rules, vocabulary.gazetteer)
    readings = [
        _reading(interpreter, index, piece)
        for index, line in enumerate(lines)
        for piece in vocabulary.pieces(line)
    ]
    return tuple(_selected(readings, power, position, rules))


def _reading(interpreter: Interpreter, line: int, piece: Piece) -> Reading:
    written = piece.written
    try:
        if isinstance(written, UnreadableOrder):
            raise written
        if written.nation not in (None, interpreter.power):
            sentence = f"This is an order for {written.nation}, and you play {interpreter.power}."
            return Reading(line, piece.text, None, Problem("illegal", sentence), counts=False)
        meaning = interpreter.meaning(written)
    except UnreadableOrder as wrong:
        return Reading(line, piece.text, None, _problem(wrong), counts=False)
    note = " ".join(meaning.notes) or None
    if meaning.illegal:
        problem = Problem("illegal", meaning.illegal.sentence)
        return Reading(line, piece.text, meaning.order, problem, note, counts=False)
    return Reading(line, piece.text, meaning.order, None, note)


def _problem(wrong: UnreadableOrder) -> Problem:
    kind: Literal["ambiguous", "unreadable"] = (
        "ambiguous" if isinstance(wrong, AmbiguousName) else "unreadable"
    )
    return Problem(kind, wrong.sentence, wrong.suggestions)


def _selected(
    readings: list[Reading], power: str, position: Position, rules: Rulebook
) -> Iterator[Reading]:
    """Mark what is one order too many."""
    legal = [reading for reading in readings if reading.counts]
    chosen = select([Line(power, one.text, one.order) for one in legal], position, rules)
    refused = {
        id(one): line.illegal for one, line in zip(legal, chosen, strict=True) if line.illegal
    }
    for reading in readings:
        surplus = refused.get(id(reading))
        yield replace(reading, note=surplus.sentence, counts=False) if surplus else reading


class Vocabulary:
    """The names of a variant's map and powers, and the lines read with them so far."""

    def __init__(self, variant: Variant) -> None:
        provinces = (NamedProvince(p.id, p.name, p.coasts) for p in variant.board.provinces)
        self.variant = variant
        self.gazetteer = Gazetteer(provinces, variant.names)
        self.nations = dict(_nations(variant))
        self.parser = OrderParser(self.gazetteer, self.nations)
        self._remembered: dict[str, tuple[Piece, ...]] = {}

    def pieces(self, line: str) -> tuple[Piece, ...]:
        """Return the orders of a line; most lines are written again and again, and remembered."""
        pieces = self._remembered.get(line)
        if pieces is None:
            pieces = tuple(self._read(line))
            if len(line) <= _LONGEST_REMEMBERED:
                if len(self._remembered) >= _REMEMBERED_LINES:
                    self._remembered.clear()
                self._remembered[line] = pieces
        return pieces

    def _read(self, line: str) -> Iterator[Piece]:
        if len(line) > LONGEST_LINE:
            yield Piece(line[:60] + "...", UnreadableOrder("This line is too long to be an order."))
            return
        if is_quoted(line):
            sentence = "A line behind “>” is quoted and not read; write the order without it."
            yield Piece(line.strip(), UnreadableOrder(sentence))
            return
        if self._is_heading(line):
            return
        pieces = [piece for wording in split_line(line) for piece in self.parser.pieces(wording)]
        if len(pieces) == 1:
            pieces = [replace(pieces[0], text=line.strip())]
        yield from pieces

    def _is_heading(self, line: str) -> bool:
        """Tell whether the line only says whose orders follow, for which phase."""
        key = key_of(line)
        if key in self.nations:
            return ":" in line or self.gazetteer.find(key) is None
        words = [word for word in key.split() if word not in ARTICLES]
        names = [word for word in words if word in HEADINGS or _DATE.fullmatch(word)]
        return bool(names) and all(word in names or word in self.nations for word in words)


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


_vocabularies: dict[str, Vocabulary] = {}


def vocabulary_of(variant: Variant) -> Vocabulary:
    """Return the vocabulary of the variant, made at its first use; an edited map shares it."""
    known = _vocabularies.get(variant.name)
    if known is None or known.variant.by_name is not variant.by_name:
        known = _vocabularies[variant.name] = Vocabulary(variant)
    return known
